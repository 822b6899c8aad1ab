"""Floors of furnished spaces: their settings and shapes, made of rectangles of whole metres, the outline around them
and its walls.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from tolman.core.errors import GenerationError, SceneFileError, SettingsError
from tolman.core.geometry import Cell, Heading
from tolman.world.scene import Room

Shape = Literal["rectangle", "L", "T", "U", "Z", "open"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
FEWEST_CLASSES = 5
"""With fewer, a space could be asked for counts only."""


@dataclass(frozen=True)
class SpaceSettings:
    """Settings of `space`; the defaults are those of our own OSR-Bench rooms."""

    shapes: tuple[Shape, ...] = SHAPES
    """Shapes of floor to choose from; `open` is any two to four rectangles that hang together."""
    most_classes: int = 20
    """Categories that may be in one space, 5 to 20; there are at least 5."""
    most_pieces: int = 40

    def __post_init__(self) -> None:
        for shape in self.shapes:
            if shape not in SHAPES:
                raise SettingsError(f"there is no shape {shape!r}; choose from {', '.join(SHAPES)}")
        if not self.shapes:
            raise SettingsError(f"give a shape or several: {', '.join(SHAPES)}")
        if not FEWEST_CLASSES <= self.most_classes <= 20:
            raise SettingsError(f"a space holds 5 to 20 classes at most, not {self.most_classes}")
        if not 10 <= self.most_pieces <= 100:
            raise SettingsError(f"a space holds 10 to 100 pieces at most, not {self.most_pieces}")

    def as_dict(self) -> dict[str, object]:
        """Plain values, for a log or a digest."""
        return {**asdict(self), "shapes": list(self.shapes)}


Point = tuple[float, float]
"""Metres: x east, y north. The cell (x, y) of a room reaches half a metre to all sides of that point."""
_COMPASS_ORDER = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps around a cell, anticlockwise from its south-west corner."""
_OUTWARD = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True, slots=True)
class WallLine:
    """A straight piece of the line around a floor, as a wall that is seen from inside."""

    along: int
    """0 for one that runs from west to east, 1 for one from south to north."""
    at: float
    """Where on the other axis it is."""
    low: float
    high: float
    facing: Heading
    """From the wall into the room."""

    @property
    def length(self) -> float:
        return self.high - self.low

    def point(self, place: float, out: float) -> Point:
        """A point at some place along the wall and so many metres out into the room."""
        x, y = self.facing.vector
        return (place, self.at + y * out) if self.along == 0 else (self.at + x * out, place)


@lru_cache(maxsize=64)
def corners_of(rooms: tuple[Room, ...]) -> tuple[Point, ...]:
    """Corners of the floor, anticlockwise, the first one the most western of the most southern."""
    steps = _steps({cell for room in rooms for cell in room.cells})
    start = min(steps, key=lambda corner: (corner[1], corner[0]))
    line = [start]
    while (following := steps.pop(line[-1])) != start:
        line.append(following)
    if steps:
        raise SceneFileError("the rooms of a space must hang together and leave no hole")
    bent = [b for a, b, c in zip([line[-1], *line], line, [*line[1:], start], strict=False) if _turns(a, b, c)]
    return tuple((x - 0.5, y - 0.5) for x, y in bent)


def walls_of(corners: Sequence[Point]) -> tuple[WallLine, ...]:
    """The walls in the order of the corners that they start from."""
    walls: list[WallLine] = []
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y0 == y1:
            walls.append(WallLine(0, y0, min(x0, x1), max(x0, x1), Heading.NORTH if x1 > x0 else Heading.SOUTH))
        else:
            walls.append(WallLine(1, x0, min(y0, y1), max(y0, y1), Heading.WEST if y1 > y0 else Heading.EAST))
    return tuple(walls)


def _steps(cells: set[Cell]) -> dict[Cell, Cell]:
    """From each corner of the line the next one, a cell further, with the floor to the left."""
    steps: dict[Cell, Cell] = {}
    for x, y in cells:
        corner = x, y
        for (dx, dy), (ox, oy) in zip(_COMPASS_ORDER, _OUTWARD, strict=True):
            following = corner[0] + dx, corner[1] + dy
            if (x + ox, y + oy) not in cells:
                if corner in steps:
                    raise SceneFileError("two rooms of a space must not touch at a corner only")
                steps[corner] = following
            corner = following
    return steps


def _turns(a: Cell, b: Cell, c: Cell) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])


LONGEST, WIDEST = 10, 8
"""Metres of the box around a floor."""
_TRIES = 200
_OPENING = 2
"""Metres along which two rectangles meet, at least."""

Rectangle = tuple[int, int, int, int]
"""West, south, east, north."""
Stream = np.random.Generator


def make_floor(stream: Stream, shapes: Sequence[Shape]) -> tuple[Room, ...]:
    """Rooms that together make a floor of one of the shapes, turned any way."""
    for _ in range(_TRIES):
        shape = shapes[_whole(stream, 0, len(shapes) - 1)]
        rectangles = _MAKERS[shape](stream)
        if stream.random() < 0.5:
            rectangles = [(y0, x0, y1, x1) for x0, y0, x1, y1 in rectangles]
        if _is_sound(rectangles):
            return _rooms(rectangles)
    raise GenerationError(f"no floor could be made of the shapes {', '.join(shapes)}; try another seed")


def _rooms(rectangles: Sequence[Rectangle]) -> tuple[Room, ...]:
    west, south = min(r[0] for r in rectangles), min(r[1] for r in rectangles)
    return tuple(
        Room(i, (x0 - west, y0 - south), (x1 - west - 1, y1 - south - 1))
        for i, (x0, y0, x1, y1) in enumerate(rectangles, start=1)
    )


def _is_sound(rectangles: Sequence[Rectangle]) -> bool:
    """Whether no rectangles overlap, they leave no hole, and all are within the box."""
    wide = max(r[2] for r in rectangles) - min(r[0] for r in rectangles)
    high = max(r[3] for r in rectangles) - min(r[1] for r in rectangles)
    area = sum((r[2] - r[0]) * (r[3] - r[1]) for r in rectangles)
    if max(wide, high) > LONGEST or min(wide, high) > WIDEST:
        return False
    rooms = _rooms(rectangles)
    if len({cell for room in rooms for cell in room.cells}) != area:
        return False
    try:
        corners_of(rooms)
    except SceneFileError:
        return False
    return True


def _plain(stream: Stream) -> list[Rectangle]:
    return [(0, 0, _whole(stream, 4, 7), _whole(stream, 4, 6))]


def _l(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 5, 7)
    wing = _whole(stream, 3, main[2] - 2)
    return [main, _north_of(main, wing, _whole(stream, 3, 4), _end(stream, main, wing))]


def _t(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 6, 9)
    wing = _whole(stream, 3, main[2] - 3)
    return [main, _north_of(main, wing, _whole(stream, 3, 4), _whole(stream, 1, main[2] - wing - 1))]


def _u(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 8, 10)
    left, right = _whole(stream, 3, 4), 3
    depth = _whole(stream, 2, 3)
    return [
        main,
        _north_of(main, left, depth, 0),
        _north_of(main, right, _whole(stream, 2, 3), main[2] - right),
    ]


def _z(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 5, 7)
    above, below = _whole(stream, 3, 4), _whole(stream, 3, 4)
    wing = _whole(stream, 2, 3)
    lower = (main[2] - below, -wing, main[2], 0)
    return [main, _north_of(main, above, _whole(stream, 2, 3), 0), lower]


def _open(stream: Stream) -> list[Rectangle]:
    """Two to four rectangles, each beside one of those before it."""
    made = [(0, 0, _whole(stream, 4, 6), _whole(stream, 4, 5))]
    for _ in range(_whole(stream, 1, 3)):
        x0, y0, x1, y1 = made[_whole(stream, 0, len(made) - 1)]
        wide, deep = _whole(stream, 3, 5), _whole(stream, 3, 5)
        side = _whole(stream, 0, 3)
        if side % 2:
            x, y = x1 if side == 1 else x0 - wide, _whole(stream, y0 + _OPENING - deep, y1 - _OPENING)
        else:
            x, y = _whole(stream, x0 + _OPENING - wide, x1 - _OPENING), y1 if side == 0 else y0 - deep
        made.append((x, y, x + wide, y + deep))
    return made


def _main(stream: Stream, least: int, most: int) -> Rectangle:
    return 0, 0, _whole(stream, least, most), _whole(stream, 3, 5)


def _north_of(main: Rectangle, wide: int, deep: int, shift: int) -> Rectangle:
    return main[0] + shift, main[3], main[0] + shift + wide, main[3] + deep


def _end(stream: Stream, main: Rectangle, wide: int) -> int:
    return 0 if stream.random() < 0.5 else main[2] - wide


def _whole(stream: Stream, low: int, high: int) -> int:
    """A whole number from low to high, both included; quicker than the stream's own way."""
    return low + int(stream.random() * (high - low + 1))


_MAKERS: dict[Shape, Callable[[Stream], list[Rectangle]]] = {
    "rectangle": _plain,
    "L": _l,
    "T": _t,
    "U": _u,
    "Z": _z,
    "open": _open,
}
