"""Pictures of stated maps are checked where it counts: which colour lies on which spot, and that nothing varies."""

import hashlib
import io
import math
import os
import random
import subprocess
import sys
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from tests.hand_built import furnished, one_room, thing, two_rooms
from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading
from tolman.render import map_picture
from tolman.render.plan import map_style
from tolman.render.plan.map_picture import map_summary
from tolman.render.plan.map_style import Colour
from tolman.render.plan.map_symbols import StatedPositions, map_marks
from tolman.render.plan.placement import map_canvas
from tolman.world import AGENT, START, Pose, Scene, WorldSettings, generate

PIXELS = 560
Picture = npt.NDArray[np.uint8]


def test_the_same_map_gives_the_same_bytes_each_time() -> None:
    scene = generate(7)
    said = _noisy(scene)
    one, two = (map_picture(scene, _start(scene), said, seen=seen) for seen in (scene.names, set(scene.names)))
    assert one == two
    assert not any(chunk in one for chunk in (b"tEXt", b"iTXt", b"tIME"))


def test_the_same_map_gives_the_same_bytes_in_every_process() -> None:
    code = (
        "import hashlib; from tolman.render import map_picture; from tolman.world import *;"
        "from tolman.core.geometry import Heading; scene = generate(7);"
        "said = {name: ((1.5, 2.5), Heading.EAST) for name in scene.names};"
        "pose = scene.pose_at('initial_pos', Heading.NORTH);"
        "print(hashlib.sha256(map_picture(scene, pose, said, seen=set(scene.names))).hexdigest())"
    )
    environment = os.environ | {"PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"}
    there = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    scene = generate(7)
    said: StatedPositions = dict.fromkeys(scene.names, ((1.5, 2.5), Heading.EAST))
    here = map_picture(scene, _start(scene), said, seen=set(scene.names))
    assert there.stdout.strip() == hashlib.sha256(here).hexdigest()


@pytest.mark.parametrize("pixels", [400, 560])
@pytest.mark.parametrize("rooms", [1, 3, 4, 8])
def test_a_picture_is_small_enough_to_go_with_every_turn(rooms: int, pixels: int) -> None:
    scene = generate(3, WorldSettings(rooms=rooms))
    content = map_picture(scene, _start(scene), _noisy(scene), seen=scene.names, pixels=pixels)
    assert len(content) < 25_000
    width, height = Image.open(io.BytesIO(content)).size
    assert width == pixels
    assert pixels / 2 <= height <= 1.1 * pixels


def test_pictures_of_one_scene_lie_over_each_other_whatever_the_map_says() -> None:
    scene = generate(3)
    maps: list[StatedPositions] = [{}, _true(scene), _noisy(scene), {"vase": ((1e9, -1e9), None)}]
    pictures = [_picture(scene, said) for said in maps]
    assert len({picture.shape for picture in pictures}) == 1


def test_walls_floors_and_the_page_keep_their_soft_greys() -> None:
    scene = two_rooms()
    picture = _picture(scene, {})
    for place, colour in (
        ((0, 0), map_style.WALL),
        ((6, 5), map_style.WALL),
        ((4.7, 1.6), map_style.FLOOR),
        ((-0.9, 3), map_style.PAGE),
    ):
        assert _near(_colour(picture, scene, *place), colour, 1)


def test_a_door_has_its_colour_and_is_pale_until_it_is_seen() -> None:
    scene = two_rooms()
    for seen in ((), ("red door",)):
        colour = _colour(_picture(scene, {}, seen=seen), scene, 6, 3.3)
        assert _near(colour, map_style.door_colour("red door", seen=bool(seen)))


def test_a_thing_is_an_open_ring_and_fainter_until_it_is_seen() -> None:
    scene = one_room(thing("vase", (2, 2)))
    unseen, seen = (_picture(scene, {}, seen=names) for names in ((), ("vase",)))
    assert _darkest(seen, scene, 2, 2) < _darkest(unseen, scene, 2, 2) < 210
    assert _near(_colour(seen, scene, 2, 2), map_style.FLOOR)


def test_a_stated_place_is_a_disc_joined_to_the_truth_by_a_line_that_reddens_with_its_length() -> None:
    scene = one_room(thing("vase", (2, 2)), side=9, start=(8, 8))
    for east, colour in ((0.8, map_style.error_colour(0.8)), (5.0, map_style.WRONG)):
        picture = _picture(scene, {"vase": ((2 + east - 8, 2 - 8), None)})
        assert _near(_colour(picture, scene, 2 + east, 2), map_style.STATED)
        assert _near(_colour(picture, scene, 2 + east / 2, 2), colour, 40)
    assert _near(_colour(picture, scene, 2, 2), map_style.WRONG, 40)
    assert map_style.error_colour(0.0) == map_style.RIGHT


def test_a_perfect_map_has_a_disc_in_every_ring() -> None:
    scene = generate(3)
    picture = _picture(scene, _true(scene))
    assert all(_near(_colour(picture, scene, *item.cell), map_style.STATED) for item in scene.items)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_moved_point_changes_the_picture(axis: int) -> None:
    scene = generate(7)
    said = _true(scene)
    (east, north), facing = said["radio"]
    moved = dict(said) | {"radio": ((east + 0.25 * (1 - axis), north + 0.25 * axis), facing)}
    assert not np.array_equal(_picture(scene, said), _picture(scene, moved))


@pytest.mark.parametrize("front", [Heading.NORTH, Heading.WEST, None])
@pytest.mark.parametrize("facing", [Heading.NORTH, Heading.EAST, Heading.SOUTH, Heading.WEST])
def test_a_facing_is_a_tick_that_says_whether_it_is_right(front: Heading | None, facing: Heading) -> None:
    scene = one_room(thing("chair", (3, 3), front), start=(1, 1))
    picture = _picture(scene, {"chair": ((3.0, 2.0), facing)})
    verdict = map_style.QUIET if front is None else map_style.RIGHT if facing == front else map_style.WRONG
    (dx, dy), reach = facing.vector, 9.5 / map_canvas(scene, PIXELS).cell
    assert _near(_colour(picture, scene, 4 + reach * dx, 3 + reach * dy), verdict, 40)
    silent = _picture(scene, {"chair": ((3.0, 2.0), None)})
    assert not _near(_colour(silent, scene, 4 + reach * dx, 3 + reach * dy), verdict, 40)


def test_the_agent_is_solid_where_it_is_and_outlined_where_the_map_puts_it() -> None:
    scene = one_room(start=(1, 1))
    pose = Pose((2, 2), Heading.EAST, (1,))
    picture = _picture(scene, {AGENT: ((3.0, 3.0), Heading.NORTH)}, pose=pose)
    assert _near(_colour(picture, scene, 2, 2), map_style.INK)
    assert _near(_colour(picture, scene, 4.05, 4.02), map_style.FLOOR, 12)
    assert _amount(picture, map_style.STATED) > 20
    assert _amount(_picture(scene, {}, pose=pose), map_style.STATED) == _legend_disc(scene)


@pytest.mark.parametrize("far", [30.0, 1e6, 1e9, 1e300, math.inf, -math.inf, math.nan])
def test_a_place_far_outside_is_an_arrow_at_the_border(far: float) -> None:
    scene = one_room(thing("vase", (2, 2)))
    picture = _picture(scene, {"vase": ((far, 0.0), None), AGENT: ((0.0, far), Heading.EAST)})
    edge = picture[:, -12:] if not far < 0 else picture[:, :12]
    assert _amount(edge, map_style.STATED) > 10
    assert len(map_picture(scene, _start(scene), {"vase": ((far, far), None)}, seen=("vase",))) < 25_000


def test_everything_can_be_far_outside() -> None:
    scene = generate(7)
    ways = [(1e9, 1e9), (-1e9, 1e6), (0.0, -1e9), (12.0, 1e9)]
    said = {name: (ways[i % 4], None) for i, name in enumerate((*scene.names, AGENT))}
    assert len(map_picture(scene, _start(scene), said, seen=scene.names)) < 25_000


ODD = [
    "$x_1$",
    r"\frac{1}{2}",
    "two\nlines",
    "\x00\x07",
    "\N{CAT FACE}",
    "\ud800",
    " ",
    "",
    "a" * 5000,
    "\u202eabc",
    "{0}%s",
]


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_be_drawn_be_it_in_the_world_or_only_on_the_map(name: str) -> None:
    scene = furnished()
    odd = replace(scene, things=(replace(scene.things[0], name=name), *scene.things[1:]))
    for world in (scene, odd):
        picture = _picture(world, {name: ((1.0, 1.0), Heading.EAST)}, seen=(name,))
        assert _amount(picture, map_style.STATED) > 20


def test_a_name_that_the_scene_does_not_have_is_a_disc_without_a_line() -> None:
    scene = one_room(start=(1, 1))
    picture = _picture(scene, {"unicorn": ((2.0, 2.0), None)})
    assert _near(_colour(picture, scene, 3, 3), map_style.STATED)
    assert _near(_colour(picture, scene, 2.5, 2.5), map_style.FLOOR, 2)


def test_an_empty_map_and_an_empty_world_can_be_drawn() -> None:
    for scene in (one_room(), generate(7)):
        assert _amount(_picture(scene, {}, seen=()), map_style.STATED) == _legend_disc(scene)


@pytest.mark.parametrize(
    ("said", "seen", "text"),
    [
        ({}, (), "nothing seen yet"),
        ({}, ("sofa", "lamp"), "0 of 2 placed"),
        ({"sofa": (0.0, 3.0)}, ("sofa", "lamp"), "1 of 2 placed, mean error 1.0 cells"),
        ({"sofa": (0.0, 4.0), "lamp": (2.0, 1.0)}, ("sofa", "lamp"), "2 of 2 placed, mean error 1.0 cells"),
        ({"sofa": (0.0, 2.0), "vase": (0.0, 0.0), "elf": (9.0, 9.0)}, ("sofa",), "1 of 1 placed, mean error 0.0 cells"),
        ({"sofa": (1e6, 2.0)}, ("sofa",), "1 of 1 placed, mean error 1 000 000 cells"),
    ],
)
def test_the_numbers_are_about_what_has_been_seen(
    said: dict[str, tuple[float, float]], seen: tuple[str, ...], text: str
) -> None:
    assert map_summary(map_marks(furnished(), {name: (place, None) for name, place in said.items()}, seen)) == text


def test_a_large_world_and_a_long_map_still_give_a_picture() -> None:
    scene = generate(3, WorldSettings(rooms=32))
    said = dict(_noisy(scene)) | {f"ghost {i}": ((i % 40 - 20.0, i / 40), None) for i in range(500)}
    assert _picture(scene, said).shape[1] == PIXELS


def test_a_picture_too_small_to_show_anything_is_refused() -> None:
    scene = furnished()
    with pytest.raises(SettingsError, match="at least 200 pixels wide, not 199"):
        map_picture(scene, _start(scene), {}, seen=(), pixels=199)
    assert map_picture(scene, _start(scene), _true(scene), seen=scene.names, pixels=200)


def _start(scene: Scene) -> Pose:
    return scene.pose_at(START, Heading.NORTH)


def _true(scene: Scene) -> StatedPositions:
    places = {name: scene.from_start(name) for name in scene.names}
    fronts = {thing.name: thing.front for thing in scene.things}
    return {name: (place, fronts.get(name)) for name, place in places.items()}


def _noisy(scene: Scene) -> StatedPositions:
    draw = random.Random(1)  # noqa: S311
    return {
        name: ((x + draw.gauss(0, 1.5), y + draw.gauss(0, 1.5)), draw.choice([*Heading, None]))
        for name, ((x, y), _) in _true(scene).items()
    }


def _picture(
    scene: Scene, said: StatedPositions, *, seen: Collection[str] | None = None, pose: Pose | None = None
) -> Picture:
    """The picture as an array (rows, columns, red-green-blue)."""
    content = map_picture(scene, pose or _start(scene), said, seen=scene.names if seen is None else seen, pixels=PIXELS)
    return np.array(Image.open(io.BytesIO(content)).convert("RGB"), dtype=np.uint8)


def _colour(picture: Picture, scene: Scene, x: float, y: float) -> Colour:
    """The colour at a world position (cells east, cells north)."""
    across, up = map_canvas(scene, PIXELS).at(x, y)
    red, green, blue = (int(part) for part in picture[picture.shape[0] - 1 - int(up), int(across)])
    return red, green, blue


def _darkest(picture: Picture, scene: Scene, x: float, y: float) -> int:
    """The least brightness within a third of a cell."""
    sheet = map_canvas(scene, PIXELS)
    (across, up), reach = sheet.at(x, y), int(sheet.cell / 3)
    row, column = picture.shape[0] - 1 - int(up), int(across)
    return int(picture[row - reach : row + reach, column - reach : column + reach].max(axis=2).min())


def _amount(picture: Picture, colour: Colour) -> int:
    """Number of pixels of a colour, or nearly so."""
    return int((np.abs(picture.astype(int) - colour).max(axis=2) <= 16).sum())


def _legend_disc(scene: Scene) -> int:
    """Pixels of the accent that every picture has in its legend."""
    picture = _picture(scene, {}, seen=())
    return _amount(picture[-int(map_canvas(scene, PIXELS).strip) :], map_style.STATED)


def _near(a: Colour, b: Colour, most: int = 16) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= most
