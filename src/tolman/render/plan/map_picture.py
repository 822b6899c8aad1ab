"""A stated map drawn over the true scene, where the length of a line is the error; and a plan with lettered candidate
points.
"""

from collections.abc import Collection, Mapping, Sequence

from tolman.core.errors import SettingsError
from tolman.core.geometry import Cell, Heading
from tolman.render.plan import map_symbols
from tolman.render.plan.drawing import Brush, drawable, text_width
from tolman.render.plan.map_style import (
    FAINT,
    FLOOR,
    GRID,
    INK,
    LARGE_ERROR,
    PAGE,
    QUIET,
    STATED,
    WALL,
    WRONG,
    Colour,
    blend,
    door_colour,
    error_colour,
)
from tolman.render.plan.map_symbols import MapMark, StatedPositions, agent_mark, map_marks
from tolman.render.plan.placement import Box, Canvas, LabelRequest, LabelText, PlacedLabel, map_canvas, place_labels
from tolman.world import Pose, Scene

_LINE = 1.15
"""Height of a line in sizes of the letters."""
_RIM = 2
"""Pixels of light rim around the letters."""
_LONGEST = 24
"""Letters of a name, beyond which it is cut off."""
_LEAST_CELL = 13.0
"""Pixels along a cell below which names would hide the map, and only the worst errors are named."""
_MOST, _WORST = 60, 8
"""Number of names, and of names for the worst errors."""


def draw_labels(
    brush: Brush, scene: Scene, sheet: Canvas, symbols: Sequence[tuple[MapMark, Box]], obstacles: Sequence[Box]
) -> None:
    """A name beside each symbol: dark where the thing has been seen, faint where not, blue where it does not exist."""
    size, named = _label_font_size(sheet), _labelled_symbols(sheet, symbols)
    requests = [_request(scene, sheet, mark, box, size) for mark, box in named]
    labels = place_labels(requests, obstacles, gap=1.0)
    for rim in (_RIM, 0):
        for (mark, _), label in zip(named, labels, strict=True):
            _write(brush, label, size, FLOOR if rim else _ink(mark), rim)


def _label_font_size(sheet: Canvas) -> float:
    """Size of the letters in whole pixels, at which they are sharpest."""
    return min(max(9.0, round(0.42 * sheet.cell)), round(0.01 * sheet.width + 7))


def _labelled_symbols(sheet: Canvas, symbols: Sequence[tuple[MapMark, Box]]) -> Sequence[tuple[MapMark, Box]]:
    """Everything where there is room for all names, or what is farthest off."""
    most = _MOST if sheet.cell >= _LEAST_CELL else _WORST
    return symbols if len(symbols) <= most else sorted(symbols, key=lambda symbol: -(symbol[0].error or 0.0))[:most]


def _ink(mark: MapMark) -> Colour:
    if mark.true is None:
        return STATED
    return INK if mark.seen else FAINT


def _request(scene: Scene, sheet: Canvas, mark: MapMark, box: Box, size: float) -> LabelRequest:
    """A label in full, on two lines, or cut short, on the floor of a room where it has one."""
    rooms = scene.item(mark.name).rooms if mark.name in scene else scene.room_ids
    floors = tuple(sheet.cells(scene.room(n).low, scene.room(n).high) for n in rooms)
    return LabelRequest(tuple(_wording(text, size) for text in _texts(mark.name)), box, floors)


def _texts(name: str) -> tuple[str, ...]:
    """The ways to write a name, best first."""
    name = drawable(name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…")
    words = name.split(" ")
    half = (len(words) + 1) // 2
    folded = "\n".join(" ".join(part) for part in (words[:half], words[half:]) if part)
    short = " ".join(word if len(word) <= 7 else word[:5] + "." for word in words)
    return tuple(dict.fromkeys((name, folded, short)))


def _wording(text: str, size: float) -> LabelText:
    lines = text.split("\n")
    return LabelText(text, max(text_width(line, size) for line in lines) + 2 * _RIM, size * _LINE * len(lines))


def _write(brush: Brush, label: PlacedLabel, size: float, colour: Colour, rim: int) -> None:
    lines = label.text.split("\n")
    for i, line in enumerate(lines):
        y = label.y + size * _LINE * ((len(lines) - 1) / 2 - i)
        brush.text(line, (label.x - text_width(line, size) / 2, y), size, colour, rim=rim)


_SHADES = 12
_NORTH = ((0.0, 0.55), (0.32, -0.45), (0.0, -0.2), (-0.32, -0.45))
"""Outline of the arrow, in sizes of the letters."""


def draw_map_legend(brush: Brush, sheet: Canvas, marks: Sequence[MapMark]) -> None:
    """Numbers at the right; at the left the meaning of the marks, where it fits."""
    size = legend_font_size(sheet)
    edge, y = 0.9 * size, sheet.foot
    numbers = map_summary(marks)
    right = sheet.width - edge - text_width(numbers, size)
    brush.text(numbers, (right, y), size, INK)
    words = ("truth", "stated", "error")
    ends = [edge]
    for word, symbol in zip(words, (0.9, 0.9, 2.4), strict=True):
        ends.append(ends[-1] + size * (symbol + 1.5) + text_width(word, size))
    if ends[-1] > right:
        return
    for word, end in zip(words, ends[1:], strict=True):
        brush.text(word, (end - size - text_width(word, size), y), size, QUIET)
    brush.ring((ends[0] + 0.45 * size, y), 0.45 * size, 1.3, QUIET)
    brush.disc((ends[1] + 0.45 * size, y), 0.4 * size, STATED)
    _draw_error_scale(brush, ends[2], y, 2.4 * size)


def legend_font_size(sheet: Canvas) -> float:
    """Size of the letters in pixels."""
    return max(9.0, round(0.02 * sheet.width))


def _draw_error_scale(brush: Brush, left: float, y: float, width: float) -> None:
    """A line that goes through the colours of errors from none to a large one."""
    step = width / _SHADES
    for i in range(_SHADES):
        colour = error_colour(LARGE_ERROR * i / (_SHADES - 1))
        brush.block((left + i * step, y - 1, left + (i + 1) * step, y + 1), colour)


def map_summary(marks: Sequence[MapMark]) -> str:
    """How much of what has been seen the map places, and how far off on average."""
    seen = [mark for mark in marks if mark.seen]
    errors = [mark.error for mark in seen if mark.error is not None]
    if not seen:
        return "nothing seen yet"
    placed = f"{len(errors)} of {len(seen)} placed"
    if not errors:
        return placed
    mean = sum(errors) / len(errors)
    cells = f"{mean:.1f}" if mean < 1000 else f"{mean:,.0f}".replace(",", " ")
    return f"{placed}, mean error {cells} cells"


def draw_north(brush: Brush, sheet: Canvas) -> None:
    """An arrow to the north in the upper right corner."""
    size = legend_font_size(sheet)
    x, y = sheet.width - 1.1 * size, sheet.height - 0.85 * size
    brush.polygon([(x + size * right, y + size * up) for right, up in _NORTH], QUIET)
    brush.text("N", (x - 0.5 * size - text_width("N", size), y), size, QUIET)


_LEAST_PIXELS = 200
_LEAST_DOTTED_CELL = 9.0


def map_picture(scene: Scene, pose: Pose, said: StatedPositions, *, seen: Collection[str], pixels: int = 560) -> bytes:
    """A stated map against the truth as a PNG so many pixels wide, north up; the same input gives the same bytes.

    `said` gives cells east and north of the start, and `seen` the names that have been in view: the numbers below the
    picture count those things and doors only. Pictures of one scene all have the same size.
    """
    if pixels < _LEAST_PIXELS:
        raise SettingsError(f"a map picture is at least {_LEAST_PIXELS} pixels wide, not {pixels}")
    sheet = map_canvas(scene, pixels)
    items, agent = map_marks(scene, said, seen), agent_mark(scene, said, pose)
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
    draw_map_legend(brush, sheet, items)
    draw_north(brush, sheet)
    return brush.png()


def _draw_world(brush: Brush, scene: Scene, sheet: Canvas, seen: Collection[str]) -> None:
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


def _draw_names(brush: Brush, scene: Scene, sheet: Canvas, items: Sequence[MapMark], agent: MapMark) -> None:
    """Names beside the true places, or beside the stated place of what does not exist."""
    covered = [map_symbols.covered(sheet, mark) for mark in items]
    obstacles = [box for boxes in (*covered, map_symbols.covered(sheet, agent)) for box in boxes]
    draw_labels(brush, scene, sheet, [(mark, boxes[0]) for mark, boxes in zip(items, covered, strict=True)], obstacles)


LEAST_POINT_PICTURE_PIXELS = 200
_AGENT_OUTLINE = ((0.0, 0.46), (0.34, -0.32), (0.0, -0.14), (-0.34, -0.32))
"""Outline of the agent: to the right and ahead, in cells."""


def candidate_points_picture(
    scene: Scene, cell: Cell, heading: Heading, points: Mapping[str, Cell], *, pixels: int = 512
) -> bytes:
    """Walls, floors with a dot on every cell and doors in their colours, north up, as a PNG so many pixels wide.

    Red discs with letters are the points, cells of the world frame; the blue arrow is the agent.
    """
    sheet = map_canvas(scene, max(LEAST_POINT_PICTURE_PIXELS, pixels))
    brush = Brush(sheet.width, sheet.height, PAGE)
    _draw_place(brush, scene, sheet)
    right, ahead = (heading.vector[1], -heading.vector[0]), heading.vector
    brush.polygon(
        [sheet.at(*(c + x * r + y * a for c, r, a in zip(cell, right, ahead, strict=True))) for x, y in _AGENT_OUTLINE],
        STATED,
    )
    for letter, at in points.items():
        _draw_point(brush, sheet, letter, at)
    draw_north(brush, sheet)
    return brush.png()


def _draw_place(brush: Brush, scene: Scene, sheet: Canvas) -> None:
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


def _draw_point(brush: Brush, sheet: Canvas, letter: str, at: Cell) -> None:
    """A red disc as wide as the cell, with its letter in white."""
    x, y = sheet.at(*at)
    brush.disc((x, y), 0.46 * sheet.cell, WRONG)
    letters = round((0.68 if len(letter) == 1 else 0.5) * sheet.cell)
    brush.text(letter, (x - text_width(letter, letters) / 2, y), letters, PAGE)
