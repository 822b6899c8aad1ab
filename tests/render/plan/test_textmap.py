"""The text map is read back, cell by cell, and compared with the scene."""

import re
from dataclasses import replace

import pytest

from tests.hand_built import furnished, one_room, thing
from tolman.core.geometry import Heading
from tolman.render import text_map
from tolman.world import START, Scene, WorldSettings, generate
from tolman.world.files import OUTSIDE, WALL, mask_of

ARROWS = {None: "", Heading.NORTH: "↑", Heading.EAST: "→", Heading.SOUTH: "↓", Heading.WEST: "←"}

FURNISHED = """\
 3  ██████████████████████████
 2  ██· · a↓· · ██· · c←· · ██
 1  ██· · · · b ██· · · · · ██
 0  ██· · @↑· · 1 · · d · · ██
-1  ██· · · · · ██· · · · · ██
-2  ██· · · · · ██· · · · · ██
-3  ██████████████████████████
          0         5

code  name         east  north  facing     room
@     initial_pos     0      0  north      1
a     sofa            0      2  south      1
b     lamp            2      1  -          1
c     chair           6      2  west       2
d     vase            6      0  -          2
1     red door        3      0  east-west  1 and 2
"""


def test_a_small_world_reads_as_drawn() -> None:
    assert text_map(furnished()) == FURNISHED


@pytest.mark.parametrize("rooms", [1, 3, 12, 32])
def test_every_cell_can_be_read_back(rooms: int) -> None:
    scene = generate(3, WorldSettings(rooms=rooms))
    width = 2 if len(scene.things) <= 52 else 3
    cells, codes = _cells(scene, width), {name: code for code, name, *_ in _legend(scene)}
    expected = {(x, y): _blank(value, width) for x, y, value in _mask(scene)}
    expected |= {t.cell: (codes[t.name] + ARROWS[t.front]).ljust(width) for t in scene.things}
    expected |= {door.cell: codes[door.name].ljust(width) for door in scene.doors}
    expected[scene.start] = (codes[START] + "↑").ljust(width)
    assert cells == expected


@pytest.mark.parametrize("rooms", [1, 3, 32])
def test_the_legend_lists_everything_once_in_the_agents_frame(rooms: int) -> None:
    scene = generate(3, WorldSettings(rooms=rooms))
    legend = _legend(scene)
    assert sorted(row[1] for row in legend) == sorted((START, *scene.names))
    assert len({row[0] for row in legend}) == len(legend)
    for _, name, east, north, facing, room in legend:
        assert (int(east), int(north)) == scene.from_start(name)
        if name == START:
            assert (facing, room) == ("north", "1")
        else:
            assert room == " and ".join(map(str, scene.item(name).rooms))
    facings = {row[1]: row[4] for row in legend}
    assert all(facings[t.name] == ("-" if t.front is None else t.front.word) for t in scene.things)
    assert all(facings[d.name] == {"x": "east-west", "y": "north-south"}[d.axis] for d in scene.doors)


@pytest.mark.parametrize("name", ["$x_1$ %s {y}", "two\nlines", "tab\tbed", "bell\x07", "\x1b[31mred", "\ud800"])
def test_names_stay_on_their_line_and_are_printable(name: str) -> None:
    scene = furnished()
    odd = replace(scene, things=(replace(scene.things[0], name=name), *scene.things[1:]))
    lines = text_map(odd).splitlines()
    assert len(lines) == len(text_map(scene).splitlines())
    assert all(line.isprintable() for line in lines)


def test_one_letter_codes_last_for_52_things() -> None:
    cells = [(x, y) for x in range(1, 13) for y in range(1, 13) if (x, y) != (12, 12)]
    things = [thing(f"box {i}", cell) for i, cell in enumerate(cells[:53])]
    scenes = [one_room(*(replace(t, room=1) for t in things[:n]), side=12, start=(12, 12)) for n in (52, 53)]
    lengths = [{len(row[0]) for row in _legend(scene) if row[1] != START} for scene in scenes]
    assert lengths == [{1}, {2}]


def _mask(scene: Scene) -> list[tuple[int, int, int]]:
    (x0, y0), _ = scene.bounds
    return [(x0 + i, y0 + j, value) for i, column in enumerate(mask_of(scene)) for j, value in enumerate(column)]


def _blank(value: int, width: int) -> str:
    if value == WALL:
        return "█" * width
    return (" " if value == OUTSIDE else "·").ljust(width)


def _cells(scene: Scene, width: int) -> dict[tuple[int, int], str]:
    """What the map prints on each cell, found by its rulers: rows by number, columns from the start's mark."""
    rows = text_map(scene).split("\n\n")[0].splitlines()[:-1]
    origin = next(row.index("@") for row in rows if "@" in row)
    (x0, _), (x1, _) = scene.bounds
    cells: dict[tuple[int, int], str] = {}
    for row in rows:
        north = int(row.split()[0])
        for x in range(x0, x1 + 1):
            left = origin + width * (x - scene.start[0])
            cells[x, scene.start[1] + north] = row[left : left + width].ljust(width)
    return cells


def _legend(scene: Scene) -> list[list[str]]:
    return [re.split(r"\s{2,}", line) for line in text_map(scene).split("\n\n")[1].splitlines()[1:]]
