"""The map that an agent states, drawn over the true world: the length of a line is the error."""

from collections.abc import Collection, Sequence

from tolman.errors import SettingsError
from tolman.render.plan import map_symbols
from tolman.render.plan.brush import Brush
from tolman.render.plan.map_labels import draw_labels
from tolman.render.plan.map_legend import draw_legend, draw_north
from tolman.render.plan.map_marks import Mark, Stated, agent_mark, marks
from tolman.render.plan.map_sheet import map_sheet
from tolman.render.plan.map_style import FLOOR, GRID, INK, PAGE, WALL, blend, door_colour
from tolman.render.plan.sheet import Sheet
from tolman.world import Pose, Scene

_LEAST_PIXELS = 200
_LEAST_DOTTED_CELL = 9.0


def map_picture(scene: Scene, pose: Pose, said: Stated, *, seen: Collection[str], pixels: int = 560) -> bytes:
    """A stated map against the truth as a PNG so many pixels wide, north up; the same input gives the same bytes.

    `said` gives cells east and north of the start, and `seen` the names that have been in view: the numbers below the
    picture count those things and doors only. Pictures of one scene all have the same size.
    """
    if pixels < _LEAST_PIXELS:
        raise SettingsError(f"a map picture is at least {_LEAST_PIXELS} pixels wide, not {pixels}")
    sheet = map_sheet(scene, pixels)
    items, agent = marks(scene, said, seen), agent_mark(scene, said, pose)
    brush = Brush(sheet.width, sheet.height, PAGE)
    _draw_world(brush, scene, sheet, seen)
    for mark in items[: len(scene.things)]:
        map_symbols.draw_truth(brush, sheet, mark)
    for mark in sorted((*items, agent), key=lambda mark: mark.error or 0.0):
        map_symbols.draw_error(brush, sheet, mark)
    for mark in items:
        map_symbols.draw_statement(brush, sheet, mark)
    map_symbols.draw_agent(brush, sheet, agent)
    _draw_names(brush, scene, sheet, items, agent)
    draw_legend(brush, sheet, items)
    draw_north(brush, sheet)
    return brush.png()


def _draw_world(brush: Brush, scene: Scene, sheet: Sheet, seen: Collection[str]) -> None:
    """Walls, floors with a dot on every cell, and doors."""
    for room in scene.rooms:
        brush.block(sheet.cells(room.low, room.high, grow=1.0), WALL)
    for low, high in [*((r.low, r.high) for r in scene.rooms), *((d.cell, d.cell) for d in scene.doors)]:
        brush.block(sheet.cells(low, high), FLOOR)
    if sheet.cell >= _LEAST_DOTTED_CELL:
        taken = {thing.cell for thing in scene.things}
        for x, y in (sheet.at(*cell) for room in scene.rooms for cell in room.cells if cell not in taken):
            brush.block((x - 1, y - 1, x + 1, y + 1), GRID)
    for door in scene.doors:
        width, height = (0.34, 1.0) if door.axis == "x" else (1.0, 0.34)
        colour = door_colour(door.name, seen=door.name in seen)
        brush.block(sheet.around(*door.cell, width, height), colour, blend(colour, INK, 0.35))


def _draw_names(brush: Brush, scene: Scene, sheet: Sheet, items: Sequence[Mark], agent: Mark) -> None:
    """Names beside the true places, or beside the stated place of what does not exist."""
    covered = [map_symbols.covered(sheet, mark) for mark in items]
    obstacles = [box for boxes in (*covered, map_symbols.covered(sheet, agent)) for box in boxes]
    draw_labels(brush, scene, sheet, [(mark, boxes[0]) for mark, boxes in zip(items, covered, strict=True)], obstacles)
