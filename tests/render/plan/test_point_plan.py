"""The plan of the probe of unexplored space."""

import io

import numpy as np
from PIL import Image

from tolman.core.geometry import Heading
from tolman.render.plan.map_picture import candidate_points_picture
from tolman.render.plan.placement import map_canvas
from tolman.world import generate


def drawn(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def test_points_are_red_the_agent_is_blue_and_things_are_not_there() -> None:
    scene = generate(3)
    cells = {letter: scene.rooms[i].cells[7] for i, letter in enumerate("ABC")}
    picture = drawn(candidate_points_picture(scene, scene.start, Heading.EAST, cells))
    sheet = map_canvas(scene, 512)

    def at(x: float, y: float) -> np.ndarray:
        right, up = sheet.at(x, y)
        return picture[len(picture) - 1 - round(up), round(right)]

    for x, y in cells.values():
        red, green, blue = at(x + 0.33, y)
        assert red > green + 80
        assert red > blue + 80
    red, green, blue = at(scene.start[0] + 0.1, scene.start[1])
    assert blue > red + 80
    bare = next(thing.cell for thing in scene.things if thing.cell not in cells.values())
    other = next(c for c in scene.rooms[0].cells if c not in cells.values() and c != scene.start)
    assert (at(bare[0] + 0.3, bare[1] + 0.3) == at(other[0] + 0.3, other[1] + 0.3)).all()


def test_the_same_plan_has_the_same_bytes() -> None:
    scene = generate(5)
    plans = [
        candidate_points_picture(scene, scene.start, Heading.NORTH, {"A": scene.rooms[1].cells[0]}, pixels=64)
        for _ in range(2)
    ]
    assert plans[0] == plans[1]
    assert drawn(plans[0]).shape[1] == 200, "never too small to read"
