"""Pictures are checked where it counts: what colour lies on which spot of the world, and that nothing varies."""

import io
import struct
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.colors import to_rgb

from tests.hand_built import furnished, one_room, thing
from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading
from tolman.render import floorplan_png, floorplan_rgb
from tolman.render.plan import floorplan as style
from tolman.render.plan.drawing import text_size
from tolman.render.plan.floorplan import draw_floorplan
from tolman.render.plan.placement import Box, LabelRequest, LabelText, place_labels, square_canvas
from tolman.world import START, Pose, Scene, WorldSettings, generate, perturb
from tolman.world.files import WALL, mask_of
from tolman.world.vocabulary import COLOURS

PIXELS = 512
Picture = npt.NDArray[np.uint8]


@pytest.mark.parametrize("rooms", [1, 3, 32])
def test_a_png_has_the_width_asked_for_and_the_same_bytes_each_time(rooms: int, tmp_path: Path) -> None:
    scene = generate(3, WorldSettings(rooms=rooms))
    floorplan_png(scene, tmp_path / "one.png", pixels=700)
    floorplan_png(scene, tmp_path / "two.png", pixels=700)
    content = (tmp_path / "one.png").read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    assert width == 700
    assert 200 < height < 1400
    assert content == (tmp_path / "two.png").read_bytes()
    assert not any(chunk in content for chunk in (b"tEXt", b"iTXt", b"tIME"))


def test_a_changed_world_gives_another_picture() -> None:
    scene = generate(3)
    assert not np.array_equal(floorplan_rgb(scene), floorplan_rgb(perturb(scene, 3).scene))


@pytest.mark.parametrize("rooms", [1, 4, 32])
def test_a_frame_is_a_square_of_bytes_for_every_world(rooms: int) -> None:
    scene = generate(3, WorldSettings(rooms=rooms))
    frame = floorplan_rgb(scene, pixels=300, pose=scene.pose_at(START, Heading.WEST))
    assert frame.shape == (300, 300, 3)
    assert frame.dtype == np.uint8
    assert frame.flags.c_contiguous


def test_walls_and_floors_lie_on_their_cells() -> None:
    scene = generate(3)
    frame = floorplan_rgb(scene)
    (x0, y0), _ = scene.bounds
    for i, column in enumerate(mask_of(scene)):
        for j, value in enumerate(column):
            if value == WALL:
                assert _colour(frame, scene, x0 + i, y0 + j) == _rgb(style.WALL)
    for room in scene.rooms:
        corner = room.low[0] - 0.4, room.low[1] - 0.4
        assert _colour(frame, scene, *corner) == _rgb(style.floor_colour(room.id))


def test_a_door_is_a_leaf_of_its_colour_across_the_passage() -> None:
    scene = generate(3, WorldSettings(rooms=4))
    assert {door.axis for door in scene.doors} == {"x", "y"}
    frame = floorplan_rgb(scene)
    for door in scene.doors:
        (x, y), (along, across) = door.cell, (0.4, 0.0) if door.axis == "x" else (0.0, 0.4)
        colour = _rgb(COLOURS[door.name.removesuffix(" door")])
        assert [_colour(frame, scene, x + sign * across, y + sign * along) for sign in (-1, 0, 1)] == [colour] * 3
        floor = _rgb(style.floor_colour(door.rooms[0]))
        assert [_colour(frame, scene, x + sign * along, y + sign * across) for sign in (-1, 1)] == [floor] * 2


@pytest.mark.parametrize("front", Heading)
def test_the_mark_of_a_front_is_on_the_side_that_the_thing_faces(front: Heading) -> None:
    scene = one_room(thing("rubberduck", (2, 3), front), start=(4, 4))
    frame, (dx, dy) = floorplan_rgb(scene), front.vector
    assert _colour(frame, scene, 2 + 0.13 * dx, 3 + 0.13 * dy) == _rgb(style.INK)
    assert _colour(frame, scene, 2 - 0.13 * dx, 3 - 0.13 * dy) == _rgb(style.THING)


@pytest.mark.parametrize("front", Heading)
def test_a_footprint_is_drawn_to_scale_and_turned(front: Heading) -> None:
    scene = one_room(thing("bicycle", (3, 3), front), start=(1, 1))
    frame, (dx, dy) = floorplan_rgb(scene), front.vector
    assert _colour(frame, scene, 3 - 0.44 * dx, 3 - 0.44 * dy) == _rgb(style.THING)
    assert _colour(frame, scene, 3 + 0.18 * abs(dy), 3 + 0.18 * abs(dx)) == _rgb(style.THING)
    assert _colour(frame, scene, 3 + 0.28 * abs(dy), 3 + 0.28 * abs(dx)) != _rgb(style.THING)


def test_the_view_lights_what_lies_ahead_in_the_agents_own_room_only() -> None:
    scene = furnished()
    plain, frame = (floorplan_rgb(scene, pose=pose) for pose in (None, Pose((3, 3), Heading.EAST, (1,))))
    for x, y in ((4.4, 3.6), (5.4, 2.4), (5.4, 5.2)):
        assert _colour(frame, scene, x, y) != _colour(plain, scene, x, y)
    for x, y in ((7.4, 3.6), (10.4, 3.4), (2.4, 3.4), (3.4, 4.4), (6.0, 4.0)):
        assert _colour(frame, scene, x, y) == _colour(plain, scene, x, y)


def test_from_a_doorway_both_rooms_are_in_view() -> None:
    scene = furnished()
    plain, frame = floorplan_rgb(scene), floorplan_rgb(scene, pose=scene.pose_at("red door", Heading.NORTH))
    for x, y in ((5.4, 4.6), (6.6, 4.6)):
        assert _colour(frame, scene, x, y) != _colour(plain, scene, x, y)
    assert _colour(frame, scene, 6, 5) == _rgb(style.WALL)


def test_the_agent_is_drawn_where_it_stands_and_as_it_faces() -> None:
    scene = furnished()
    frames = [floorplan_rgb(scene, pose=Pose((2, 2), heading, (1,))) for heading in Heading]
    assert all(not np.array_equal(a, b) for a, b in combinations(frames, 2))
    for frame, heading in zip(frames, Heading, strict=True):
        dx, dy = heading.vector
        assert _colour(frame, scene, 2 + 0.1 * dx, 2 + 0.1 * dy) == _rgb(style.HALO)
        assert _colour(frame, scene, 2 - 0.22 * dx, 2 - 0.22 * dy) == _rgb(style.AGENT)


@pytest.mark.parametrize("name", ["$x_1$", "$", r"\frac{1}{2}", "two\nlines", "bell\x07", "\N{CAT FACE}", " ", ""])
def test_any_name_can_be_drawn(name: str, tmp_path: Path) -> None:
    scene = furnished()
    odd = replace(scene, things=(replace(scene.things[0], name=name), *scene.things[1:]))
    floorplan_png(odd, tmp_path / "plan.png", pixels=400)
    floorplan_png(odd, tmp_path / "numbered.png", pixels=200)
    assert floorplan_rgb(odd).shape == (PIXELS, PIXELS, 3)


def test_a_dollar_is_a_letter_and_not_markup() -> None:
    assert text_size("$x_1$", 10)[0] > text_size("x1", 10)[0] + text_size("$$_", 10)[0] - 1


def test_labels_keep_clear_of_each_other_of_symbols_and_of_walls() -> None:
    floor = (0.0, 0.0, 100.0, 100.0)
    symbols: list[Box] = [(x, y, x + 10, y + 10) for x in (5.0, 35.0, 55.0, 85.0) for y in (20.0, 70.0)]
    requests = [LabelRequest((LabelText("label", 28.0, 8.0),), symbol, (floor,)) for symbol in symbols]
    placed = place_labels(requests, symbols, gap=1.0)
    boxes = [(label.x - 14, label.y - 4, label.x + 14, label.y + 4) for label in placed]
    assert not any(_overlap(a, b) for a, b in combinations([*boxes, *symbols], 2))
    assert all(left >= 0 and bottom >= 0 and right <= 100 and top <= 100 for left, bottom, right, top in boxes)


def test_a_label_breaks_into_lines_where_one_line_does_not_fit() -> None:
    narrow = LabelRequest(
        (LabelText("fire place", 60.0, 8.0), LabelText("fire\nplace", 28.0, 16.0)), (10, 20, 20, 30), ((0, 0, 30, 60),)
    )
    wide = replace(narrow, floors=((-40, 0, 70, 60),))
    texts = [place_labels([request], [request.symbol], gap=1.0)[0].text for request in (narrow, wide)]
    assert texts == ["fire\nplace", "fire place"]


def test_names_that_would_be_too_small_move_to_a_legend_below_the_plan() -> None:
    scene = generate(3, WorldSettings(rooms=12))
    (x0, y0), (x1, y1) = scene.bounds
    shape = (y1 - y0 + 1) / (x1 - x0 + 1)
    small, large = (draw_floorplan(scene, pixels=pixels).get_size_inches() for pixels in (500, 1500))
    assert small[1] / small[0] > shape + 0.25
    assert large[1] / large[0] < shape + 0.1


@pytest.mark.parametrize("kind", ["pdf", "svg", "png"])
def test_a_figure_can_be_saved_in_any_format(kind: str) -> None:
    buffer = io.BytesIO()
    draw_floorplan(furnished(), pixels=300).savefig(buffer, format=kind, dpi=144)  # pyright: ignore[reportUnknownMemberType]
    assert len(buffer.getvalue()) > 2000
    if kind == "png":
        assert struct.unpack(">I", buffer.getvalue()[16:20]) == (600,)


def test_a_picture_too_small_to_show_anything_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="at least 64 pixels"):
        floorplan_rgb(furnished(), pixels=10)
    with pytest.raises(SettingsError, match="not 63"):
        floorplan_png(furnished(), tmp_path / "plan.png", pixels=63)


def test_pyplot_and_its_global_state_stay_out() -> None:
    code = "import sys, tolman.render; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(round(255 * part) for part in to_rgb(colour))


def _colour(frame: Picture, scene: Scene, x: float, y: float) -> tuple[int, ...]:
    """The colour of a frame at a world position (cells east, cells north)."""
    across, up = square_canvas(scene, PIXELS).at(x, y)
    return tuple(int(part) for part in frame[PIXELS - 1 - int(up), int(across)])


def _overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])
