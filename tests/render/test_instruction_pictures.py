"""The two pictures to go by: colours where geometry says, and every thing on its sheet."""

import math
from importlib.util import find_spec

import numpy as np
import pytest

from tolman.render.assets.choose import builtin_source
from tolman.render.instruction_pictures import (
    BAY_METRES,
    CALIBRATION_POSTS,
    Tile,
    TileCamera,
    bay_place,
    calibration_picture,
    object_legend_picture,
)
from tolman.world import WorldSettings, generate

SIZE = 96
rendered = pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")


def colour_of(picture: np.ndarray, name: str) -> np.ndarray:
    red, green, blue = (picture[..., i].astype(int) for i in range(3))
    return {
        "blue": (blue > red + 60) & (blue > green + 40),
        "red": (red > green + 60) & (red > blue + 60),
        "yellow": (red > blue + 70) & (green > blue + 70),
        "green": (green > red + 40) & (green > blue + 20),
    }[name]


@rendered
@pytest.mark.parametrize("field", [90.0, 95.0])
def test_cylinders_stand_where_they_are_said_to(field: float) -> None:
    picture = calibration_picture(field=field, size=SIZE, preset="draft")
    assert picture.shape == (SIZE, SIZE, 3)
    heights: dict[str, int] = {}
    for post in CALIBRATION_POSTS:
        rows, columns = np.nonzero(colour_of(picture, post.colour))
        expected = SIZE / 2 * (1 + math.tan(math.radians(post.bearing)) / math.tan(math.radians(field / 2)))
        assert len(rows) > 3, post.colour
        assert abs((columns.min() + columns.max() + 1) / 2 - max(expected, 1.5)) < 3, post.colour
        heights[post.colour] = int(rows.max() - rows.min() + 1)
    assert heights["blue"] > heights["red"] > heights["green"], "the nearer, the larger"


@rendered
def test_every_thing_is_on_the_sheet() -> None:
    scene = generate(3, WorldSettings(rooms=1, things_per_room=4))
    sheet = object_legend_picture(scene, builtin_source().asset, size=96, preset="draft")
    height, width, _ = sheet.shape
    assert width == 2 * 2 * 32
    assert height == 2 * (32 + 10)
    squares = [sheet[row : row + 32, column : column + 32] for row in (0, 42) for column in range(0, width, 32)]
    assert all(square.std() > 4 for square in squares), "none is empty"


def test_squares_look_at_their_bays_from_the_front() -> None:
    camera = TileCamera((Tile(0, 0.5, 0.4, 0.0), Tile(3, 1.0, 0.6, 0.0)), across=2, side=10)
    rows, columns = np.array([5.0, 5.0, 5.0]), np.array([5.0, 15.0, 19.0])
    origins, directions = camera.rays(rows.astype(np.float32), columns.astype(np.float32))
    reached = origins + directions * (-origins[:, 1:2] / directions[:, 1:2])
    (x0, _), (x3, _) = bay_place(0), bay_place(3)
    assert camera.shape == (10, 20)
    assert x3 - x0 == 3 * BAY_METRES
    assert (origins[:, 1] < 0).all(), "from the south"
    assert reached == pytest.approx(np.array([[x0, 0, 0.4], [x3, 0, 0.6], [x3 + 0.8, 0, 0.6]]), abs=1e-4)
