"""A place from above without its things, with lettered points: what the probe of unexplored space shows."""

from collections.abc import Mapping

from tolman.geometry import Cell, Heading
from tolman.render.plan.brush import Brush, text_width
from tolman.render.plan.map_legend import draw_north
from tolman.render.plan.map_sheet import map_sheet
from tolman.render.plan.map_style import FAINT, FLOOR, INK, PAGE, STATED, WALL, WRONG, blend, door_colour
from tolman.render.plan.sheet import Sheet
from tolman.world import Scene

LEAST_PIXELS = 200
_ARROW = ((0.0, 0.46), (0.34, -0.32), (0.0, -0.14), (-0.34, -0.32))
"""Outline of the agent: to the right and ahead, in cells."""


def point_plan(scene: Scene, cell: Cell, heading: Heading, points: Mapping[str, Cell], *, pixels: int = 512) -> bytes:
    """Walls, floors with a dot on every cell and doors in their colours, north up, as a PNG so many pixels wide.

    Red discs with letters are the points, cells of the world frame; the blue arrow is the agent.
    """
    sheet = map_sheet(scene, max(LEAST_PIXELS, pixels))
    brush = Brush(sheet.width, sheet.height, PAGE)
    _draw_place(brush, scene, sheet)
    right, ahead = (heading.vector[1], -heading.vector[0]), heading.vector
    brush.polygon(
        [sheet.at(*(c + x * r + y * a for c, r, a in zip(cell, right, ahead, strict=True))) for x, y in _ARROW], STATED
    )
    for letter, at in points.items():
        _draw_point(brush, sheet, letter, at)
    draw_north(brush, sheet)
    return brush.png()


def _draw_place(brush: Brush, scene: Scene, sheet: Sheet) -> None:
    for room in scene.rooms:
        brush.block(sheet.cells(room.low, room.high, grow=1.0), WALL)
    for low, high in [*((r.low, r.high) for r in scene.rooms), *((d.cell, d.cell) for d in scene.doors)]:
        brush.block(sheet.cells(low, high), FLOOR)
    for x, y in (sheet.at(*cell) for room in scene.rooms for cell in room.cells):
        brush.block((x - 1, y - 1, x + 1, y + 1), FAINT)
    for door in scene.doors:
        width, height = (0.34, 1.0) if door.axis == "x" else (1.0, 0.34)
        colour = door_colour(door.name, seen=True)
        brush.block(sheet.around(*door.cell, width, height), colour, blend(colour, INK, 0.35))


def _draw_point(brush: Brush, sheet: Sheet, letter: str, at: Cell) -> None:
    """A red disc as wide as the cell, with its letter in white."""
    x, y = sheet.at(*at)
    brush.disc((x, y), 0.46 * sheet.cell, WRONG)
    letters = round((0.68 if len(letter) == 1 else 0.5) * sheet.cell)
    brush.text(letter, (x - text_width(letter, letters) / 2, y), letters, PAGE)
