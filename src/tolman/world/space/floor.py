"""Floors of furnished spaces: settings, shapes made of rectangles of whole metres, their outline and its walls."""

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
"""With fewer, only counting questions could be asked about a space."""


@dataclass(frozen=True)
class SpaceSettings:
    """Settings of `generate_space`; the defaults are those of the generated OSR-Bench rooms."""

    shapes: tuple[Shape, ...] = SHAPES
    """Floor shapes to choose from; `open` is any two to four connected rectangles."""
    most_classes: int = 20
    """Most categories in one space, 5 to 20; there are at least 5."""
    most_pieces: int = 40
    least_pieces: int = 0
    """Pieces that a space has at least, up to 25; with 0, as many as its furnishing happens to have."""

    def __post_init__(self) -> None:
        for shape in self.shapes:
            if shape not in SHAPES:
                raise SettingsError(f"there is no shape {shape!r}; choose from {', '.join(SHAPES)}")
        if not self.shapes:
            raise SettingsError(f"give at least one shape of {', '.join(SHAPES)}")
        if not FEWEST_CLASSES <= self.most_classes <= 20:
            raise SettingsError(f"the limit of classes in a space is 5 to 20, not {self.most_classes}")
        if not 10 <= self.most_pieces <= 100:
            raise SettingsError(f"the limit of pieces in a space is 10 to 100, not {self.most_pieces}")
        if not 0 <= self.least_pieces <= min(25, self.most_pieces):
            raise SettingsError(f"a space can have at least 0 to 25 pieces, not {self.least_pieces}")

    def as_dict(self) -> dict[str, object]:
        """The settings as JSON values, for a log or a digest."""
        values: dict[str, object] = {**asdict(self), "shapes": list(self.shapes)}
        return values if self.least_pieces else {k: v for k, v in values.items() if k != "least_pieces"}


Point = tuple[float, float]
"""Metres: x east, y north. The cell (x, y) of a room is the unit square centred on that point."""
_CELL_EDGES = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Edges of a cell, anticlockwise from its south-west corner."""
_OUTWARD = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Outward normals of `_CELL_EDGES`."""


@dataclass(frozen=True, slots=True)
class WallLine:
    """A straight section of a floor's outline, as a wall seen from inside. Metres."""

    along: int
    """Axis of the wall: 0 for x (west to east), 1 for y (south to north)."""
    at: float
    """Its coordinate on the other axis."""
    low: float
    high: float
    """Ends on its own axis."""
    facing: Heading
    """From the wall into the room."""

    @property
    def length(self) -> float:
        return self.high - self.low

    def point(self, place: float, out: float) -> Point:
        """The point at the coordinate `place` along the wall, `out` metres into the room."""
        x, y = self.facing.vector
        return (place, self.at + y * out) if self.along == 0 else (self.at + x * out, place)


@lru_cache(maxsize=64)
def corners_of(rooms: tuple[Room, ...]) -> tuple[Point, ...]:
    """Corners of the floor's outline, anticlockwise from the westernmost of the southernmost."""
    steps = _boundary_steps({cell for room in rooms for cell in room.cells})
    start = min(steps, key=lambda corner: (corner[1], corner[0]))
    line = [start]
    while (following := steps.pop(line[-1])) != start:
        line.append(following)
    if steps:
        raise SceneFileError("the rooms of a space must be connected and leave no hole")
    bends = [b for a, b, c in zip([line[-1], *line], line, [*line[1:], start], strict=False) if _turns(a, b, c)]
    return tuple((x - 0.5, y - 0.5) for x, y in bends)


def walls_of(corners: Sequence[Point]) -> tuple[WallLine, ...]:
    """The walls of an outline, in the order of the corners that they start from."""
    walls: list[WallLine] = []
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y0 == y1:
            walls.append(WallLine(0, y0, min(x0, x1), max(x0, x1), Heading.NORTH if x1 > x0 else Heading.SOUTH))
        else:
            walls.append(WallLine(1, x0, min(y0, y1), max(y0, y1), Heading.WEST if y1 > y0 else Heading.EAST))
    return tuple(walls)


def _boundary_steps(cells: set[Cell]) -> dict[Cell, Cell]:
    """From each grid point of the outline the next one, with the floor to the left."""
    steps: dict[Cell, Cell] = {}
    for x, y in cells:
        corner = x, y
        for (dx, dy), (ox, oy) in zip(_CELL_EDGES, _OUTWARD, strict=True):
            following = corner[0] + dx, corner[1] + dy
            if (x + ox, y + oy) not in cells:
                if corner in steps:
                    raise SceneFileError("two rooms of a space must not touch at a corner only")
                steps[corner] = following
            corner = following
    return steps


def _turns(a: Cell, b: Cell, c: Cell) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])


_MAX_LENGTH, _MAX_WIDTH = 10, 8
"""Longer and shorter side of a floor's bounding box in metres."""
_TRIES = 200
_OPENING = 2
"""Least metres along which two rectangles meet."""

Rectangle = tuple[int, int, int, int]
"""West, south, east, north."""
Stream = np.random.Generator


def make_floor(stream: Stream, shapes: Sequence[Shape]) -> tuple[Room, ...]:
    """Rooms that form a floor of one of the shapes, in a random orientation."""
    for _ in range(_TRIES):
        shape = shapes[_integer(stream, 0, len(shapes) - 1)]
        rectangles = _SHAPE_MAKERS[shape](stream)
        if stream.random() < 0.5:
            rectangles = [(y0, x0, y1, x1) for x0, y0, x1, y1 in rectangles]
        if _is_valid(rectangles):
            return _rooms(rectangles)
    raise GenerationError(f"no floor of the shapes {', '.join(shapes)} was found; try another seed")


def _rooms(rectangles: Sequence[Rectangle]) -> tuple[Room, ...]:
    west, south = min(r[0] for r in rectangles), min(r[1] for r in rectangles)
    return tuple(
        Room(i, (x0 - west, y0 - south), (x1 - west - 1, y1 - south - 1))
        for i, (x0, y0, x1, y1) in enumerate(rectangles, start=1)
    )


def _is_valid(rectangles: Sequence[Rectangle]) -> bool:
    """Whether the rectangles do not overlap, leave no hole, and fit the largest bounding box."""
    width = max(r[2] for r in rectangles) - min(r[0] for r in rectangles)
    depth = max(r[3] for r in rectangles) - min(r[1] for r in rectangles)
    area = sum((r[2] - r[0]) * (r[3] - r[1]) for r in rectangles)
    if max(width, depth) > _MAX_LENGTH or min(width, depth) > _MAX_WIDTH:
        return False
    rooms = _rooms(rectangles)
    if len({cell for room in rooms for cell in room.cells}) != area:
        return False
    try:
        corners_of(rooms)
    except SceneFileError:
        return False
    return True


def _rectangle(stream: Stream) -> list[Rectangle]:
    return [(0, 0, _integer(stream, 4, 7), _integer(stream, 4, 6))]


def _l_shape(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 5, 7)
    wing = _integer(stream, 3, main[2] - 2)
    return [main, _north_of(main, wing, _integer(stream, 3, 4), 0 if stream.random() < 0.5 else main[2] - wing)]


def _t_shape(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 6, 9)
    wing = _integer(stream, 3, main[2] - 3)
    return [main, _north_of(main, wing, _integer(stream, 3, 4), _integer(stream, 1, main[2] - wing - 1))]


def _u_shape(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 8, 10)
    left, right = _integer(stream, 3, 4), 3
    depth = _integer(stream, 2, 3)
    return [
        main,
        _north_of(main, left, depth, 0),
        _north_of(main, right, _integer(stream, 2, 3), main[2] - right),
    ]


def _z_shape(stream: Stream) -> list[Rectangle]:
    main = _main(stream, 5, 7)
    above, below = _integer(stream, 3, 4), _integer(stream, 3, 4)
    wing = _integer(stream, 2, 3)
    lower = (main[2] - below, -wing, main[2], 0)
    return [main, _north_of(main, above, _integer(stream, 2, 3), 0), lower]


def _open_plan(stream: Stream) -> list[Rectangle]:
    """Two to four rectangles, each beside one of those before it."""
    rectangles = [(0, 0, _integer(stream, 4, 6), _integer(stream, 4, 5))]
    for _ in range(_integer(stream, 1, 3)):
        x0, y0, x1, y1 = rectangles[_integer(stream, 0, len(rectangles) - 1)]
        width, depth = _integer(stream, 3, 5), _integer(stream, 3, 5)
        side = _integer(stream, 0, 3)
        if side % 2:
            x, y = x1 if side == 1 else x0 - width, _integer(stream, y0 + _OPENING - depth, y1 - _OPENING)
        else:
            x, y = _integer(stream, x0 + _OPENING - width, x1 - _OPENING), y1 if side == 0 else y0 - depth
        rectangles.append((x, y, x + width, y + depth))
    return rectangles


def _main(stream: Stream, least: int, most: int) -> Rectangle:
    return 0, 0, _integer(stream, least, most), _integer(stream, 3, 5)


def _north_of(main: Rectangle, width: int, depth: int, shift: int) -> Rectangle:
    return main[0] + shift, main[3], main[0] + shift + width, main[3] + depth


def _integer(stream: Stream, low: int, high: int) -> int:
    """A random integer from low to high, both included; faster than `stream.integers`."""
    return low + int(stream.random() * (high - low + 1))


_SHAPE_MAKERS: dict[Shape, Callable[[Stream], list[Rectangle]]] = {
    "rectangle": _rectangle,
    "L": _l_shape,
    "T": _t_shape,
    "U": _u_shape,
    "Z": _z_shape,
    "open": _open_plan,
}
