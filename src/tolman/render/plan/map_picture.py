"""Pictures of a stated cognitive map over the true scene, with lines for errors, and of a plan with lettered candidate
points.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from tolman.core.errors import SettingsError
from tolman.core.geometry import Cell, Heading
from tolman.render.plan import map_style, map_symbols
from tolman.render.plan.drawing import Brush, drawable, text_width
from tolman.render.plan.map_symbols import MapMark, StatedPositions, agent_mark, map_marks
from tolman.render.plan.placement import Box, Canvas, LabelRequest, LabelText, PlacedLabel, map_canvas, place_labels
from tolman.world import Pose, Scene

_LINE = 1.15
"""Height of a line in font sizes."""
_RIM = 2
"""Pixels of the light rim around letters."""
_MAX_CHARACTERS = 24
"""Length beyond which a name is truncated."""
_LEAST_CELL = 13.0
"""Pixels of a cell below which names would hide the map, and only the largest errors are labelled."""
_MAX_LABELS, _WORST_LABELS = 60, 8
"""Most labels, and labels of the largest errors."""


def draw_labels(
    brush: Brush, scene: Scene, canvas: Canvas, symbols: Sequence[tuple[MapMark, Box]], obstacles: Sequence[Box]
) -> None:
    """A name beside each symbol: dark if the thing has been seen, faint if not, blue if it does not exist."""
    size, labelled = _label_font_size(canvas), _labelled_symbols(canvas, symbols)
    requests = [_request(scene, canvas, mark, box, size) for mark, box in labelled]
    labels = place_labels(requests, obstacles, gap=1.0)
    for rim in (_RIM, 0):
        for (mark, _), label in zip(labelled, labels, strict=True):
            _write(brush, label, size, map_style.FLOOR if rim else _label_colour(mark), rim)


def _label_font_size(canvas: Canvas) -> float:
    """Font size in whole pixels, at which letters are sharpest."""
    return min(max(9.0, round(0.42 * canvas.cell)), round(0.01 * canvas.width + 7))


def _labelled_symbols(canvas: Canvas, symbols: Sequence[tuple[MapMark, Box]]) -> Sequence[tuple[MapMark, Box]]:
    """All symbols if there is space for their names, else those with the largest errors."""
    most = _MAX_LABELS if canvas.cell >= _LEAST_CELL else _WORST_LABELS
    return symbols if len(symbols) <= most else sorted(symbols, key=lambda symbol: -(symbol[0].error or 0.0))[:most]


def _label_colour(mark: MapMark) -> map_style.Colour:
    if mark.true is None:
        return map_style.STATED
    return map_style.INK if mark.seen else map_style.FAINT


def _request(scene: Scene, canvas: Canvas, mark: MapMark, box: Box, size: float) -> LabelRequest:
    """A label in full, on two lines, or abbreviated, on the floor of the item's rooms or of any room."""
    rooms = scene.item(mark.name).rooms if mark.name in scene else scene.room_ids
    floors = tuple(canvas.cells(scene.room(n).low, scene.room(n).high) for n in rooms)
    return LabelRequest(tuple(_label_text(text, size) for text in _label_texts(mark.name)), box, floors)


def _label_texts(name: str) -> tuple[str, ...]:
    """Ways to write a name, in order of preference."""
    name = drawable(name if len(name) <= _MAX_CHARACTERS else name[: _MAX_CHARACTERS - 1] + "…")
    words = name.split(" ")
    half = (len(words) + 1) // 2
    two_lines = "\n".join(" ".join(part) for part in (words[:half], words[half:]) if part)
    short = " ".join(word if len(word) <= 7 else word[:5] + "." for word in words)
    return tuple(dict.fromkeys((name, two_lines, short)))


def _label_text(text: str, size: float) -> LabelText:
    lines = text.split("\n")
    return LabelText(text, max(text_width(line, size) for line in lines) + 2 * _RIM, size * _LINE * len(lines))


def _write(brush: Brush, label: PlacedLabel, size: float, colour: map_style.Colour, rim: int) -> None:
    lines = label.text.split("\n")
    for i, line in enumerate(lines):
        y = label.y + size * _LINE * ((len(lines) - 1) / 2 - i)
        brush.text(line, (label.x - text_width(line, size) / 2, y), size, colour, rim=rim)


_SHADES = 12
_NORTH = ((0.0, 0.55), (0.32, -0.45), (0.0, -0.2), (-0.32, -0.45))
"""Outline of the north arrow, in font sizes."""


def draw_map_legend(brush: Brush, canvas: Canvas, marks: Sequence[MapMark]) -> None:
    """The summary at the right; at the left the meaning of the marks, if it fits."""
    size = legend_font_size(canvas)
    edge, y = 0.9 * size, canvas.foot
    summary = map_summary(marks)
    right = canvas.width - edge - text_width(summary, size)
    brush.text(summary, (right, y), size, map_style.INK)
    words = ("truth", "stated", "error")
    ends = [edge]
    for word, symbol in zip(words, (0.9, 0.9, 2.4), strict=True):
        ends.append(ends[-1] + size * (symbol + 1.5) + text_width(word, size))
    if ends[-1] > right:
        return
    for word, end in zip(words, ends[1:], strict=True):
        brush.text(word, (end - size - text_width(word, size), y), size, map_style.QUIET)
    brush.ring((ends[0] + 0.45 * size, y), 0.45 * size, 1.3, map_style.QUIET)
    brush.disc((ends[1] + 0.45 * size, y), 0.4 * size, map_style.STATED)
    _draw_error_scale(brush, ends[2], y, 2.4 * size)


def legend_font_size(canvas: Canvas) -> float:
    """In pixels."""
    return max(9.0, round(0.02 * canvas.width))


def _draw_error_scale(brush: Brush, left: float, y: float, width: float) -> None:
    """A line with the colours of errors from none to large."""
    step = width / _SHADES
    for i in range(_SHADES):
        colour = map_style.error_colour(map_style.LARGE_ERROR * i / (_SHADES - 1))
        brush.block((left + i * step, y - 1, left + (i + 1) * step, y + 1), colour)


def map_summary(marks: Sequence[MapMark]) -> str:
    """How many of the things and doors seen the map places, and their mean error."""
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


def draw_north(brush: Brush, canvas: Canvas) -> None:
    """A north arrow in the upper right corner."""
    size = legend_font_size(canvas)
    x, y = canvas.width - 1.1 * size, canvas.height - 0.85 * size
    brush.polygon([(x + size * right, y + size * up) for right, up in _NORTH], map_style.QUIET)
    brush.text("N", (x - 0.5 * size - text_width("N", size), y), size, map_style.QUIET)


_LEAST_PIXELS = 200
_LEAST_DOTTED_CELL = 9.0


def map_picture(
    scene: Scene, pose: Pose, stated: StatedPositions, *, seen: Collection[str], pixels: int = 560
) -> bytes:
    """A stated map over the truth as a PNG `pixels` wide, north up; the same input gives the same bytes.

    `stated` gives cells east and north of the start, and `seen` the names that have been in view: the summary below the
    map counts only those. All pictures of a scene have the same size.
    """
    if pixels < _LEAST_PIXELS:
        raise SettingsError(f"a map picture is at least {_LEAST_PIXELS} pixels wide, not {pixels}")
    canvas = map_canvas(scene, pixels)
    items, agent = map_marks(scene, stated, seen), agent_mark(scene, stated, pose)
    brush = Brush(canvas.width, canvas.height, map_style.PAGE)
    occupied = {thing.cell for thing in scene.things}
    free = [cell for room in scene.rooms for cell in room.cells if cell not in occupied]
    _draw_building(brush, scene, canvas, free if canvas.cell >= _LEAST_DOTTED_CELL else (), map_style.GRID, seen)
    for mark in items[: len(scene.things)]:
        map_symbols.draw_truth(brush, canvas, mark)
    for mark in sorted((*items, agent), key=lambda mark: mark.error or 0.0):
        map_symbols.draw_error(brush, canvas, mark)
    for mark in items:
        map_symbols.draw_statement(brush, canvas, mark)
    map_symbols.draw_agent(brush, canvas, agent)
    _draw_names(brush, scene, canvas, items, agent)
    draw_map_legend(brush, canvas, items)
    draw_north(brush, canvas)
    return brush.png()


def _draw_building(
    brush: Brush, scene: Scene, canvas: Canvas, dotted: Iterable[Cell], dots: map_style.Colour, seen: Collection[str]
) -> None:
    """Walls, floors with a dot on each of the cells `dotted`, and doors, pale if not seen."""
    for room in scene.rooms:
        brush.block(canvas.cells(room.low, room.high, grow=1.0), map_style.WALL)
    for low, high in [*((r.low, r.high) for r in scene.rooms), *((d.cell, d.cell) for d in scene.doors)]:
        brush.block(canvas.cells(low, high), map_style.FLOOR)
    for x, y in (canvas.at(*cell) for cell in dotted):
        brush.block((x - 1, y - 1, x + 1, y + 1), dots)
    for door in scene.doors:
        width, height = (0.34, 1.0) if door.axis == "x" else (1.0, 0.34)
        colour = map_style.door_colour(door.name, seen=door.name in seen)
        brush.block(canvas.around(*door.cell, width, height), colour, map_style.blend(colour, map_style.INK, 0.35))


def _draw_names(brush: Brush, scene: Scene, canvas: Canvas, items: Sequence[MapMark], agent: MapMark) -> None:
    """Names beside the true positions, or beside the stated positions of things that do not exist."""
    covered = [map_symbols.covered(canvas, mark) for mark in items]
    obstacles = [box for boxes in (*covered, map_symbols.covered(canvas, agent)) for box in boxes]
    draw_labels(brush, scene, canvas, [(mark, boxes[0]) for mark, boxes in zip(items, covered, strict=True)], obstacles)


LEAST_POINT_PICTURE_PIXELS = 200
_AGENT_OUTLINE = ((0.0, 0.46), (0.34, -0.32), (0.0, -0.14), (-0.34, -0.32))
"""Outline of the agent: to the right and ahead, in cells."""


def candidate_points_picture(
    scene: Scene, cell: Cell, heading: Heading, points: Mapping[str, Cell], *, pixels: int = 512
) -> bytes:
    """A PNG `pixels` wide of walls, floors with a dot on every cell and doors in their colours, north up.

    Red discs with letters are the points, given as cells of the world frame; the blue arrow is the agent.
    """
    canvas = map_canvas(scene, max(LEAST_POINT_PICTURE_PIXELS, pixels))
    brush = Brush(canvas.width, canvas.height, map_style.PAGE)
    floor = [each for room in scene.rooms for each in room.cells]
    _draw_building(brush, scene, canvas, floor, map_style.FAINT, scene.names)
    right, ahead = (heading.vector[1], -heading.vector[0]), heading.vector
    brush.polygon(
        [
            canvas.at(*(c + x * r + y * a for c, r, a in zip(cell, right, ahead, strict=True)))
            for x, y in _AGENT_OUTLINE
        ],
        map_style.STATED,
    )
    for letter, at in points.items():
        _draw_point(brush, canvas, letter, at)
    draw_north(brush, canvas)
    return brush.png()


def _draw_point(brush: Brush, canvas: Canvas, letter: str, at: Cell) -> None:
    """A red disc as wide as the cell, with its letter in white."""
    x, y = canvas.at(*at)
    brush.disc((x, y), 0.46 * canvas.cell, map_style.WRONG)
    size = round((0.68 if len(letter) == 1 else 0.5) * canvas.cell)
    brush.text(letter, (x - text_width(letter, size) / 2, y), size, map_style.PAGE)
