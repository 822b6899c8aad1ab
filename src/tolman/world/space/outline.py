"""The line around a floor that is made of rectangles, and the walls along it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tolman.errors import SceneFileError
from tolman.geometry import Cell, Heading
from tolman.world.scene import Room

Point = tuple[float, float]
"""Metres: x east, y north. The cell (x, y) of a room reaches half a metre to all sides of that point."""
_ROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps around a cell, anticlockwise from its south-west corner."""
_OUTWARD = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True, slots=True)
class Wall:
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


def walls_of(corners: Sequence[Point]) -> tuple[Wall, ...]:
    """The walls in the order of the corners that they start from."""
    walls: list[Wall] = []
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y0 == y1:
            walls.append(Wall(0, y0, min(x0, x1), max(x0, x1), Heading.NORTH if x1 > x0 else Heading.SOUTH))
        else:
            walls.append(Wall(1, x0, min(y0, y1), max(y0, y1), Heading.WEST if y1 > y0 else Heading.EAST))
    return tuple(walls)


def _steps(cells: set[Cell]) -> dict[Cell, Cell]:
    """From each corner of the line the next one, a cell further, with the floor to the left."""
    steps: dict[Cell, Cell] = {}
    for x, y in cells:
        corner = x, y
        for (dx, dy), (ox, oy) in zip(_ROUND, _OUTWARD, strict=True):
            following = corner[0] + dx, corner[1] + dy
            if (x + ox, y + oy) not in cells:
                if corner in steps:
                    raise SceneFileError("two rooms of a space must not touch at a corner only")
                steps[corner] = following
            corner = following
    return steps


def _turns(a: Cell, b: Cell, c: Cell) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])
