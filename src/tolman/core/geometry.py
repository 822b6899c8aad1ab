"""Headings, rotations, frames and bearings on the integer grid.

World frame: x grows to the east, y to the north, one unit is one cell (one metre when rendered).
Angles are degrees, clockwise positive; north is 0.
"""

import math
from enum import IntEnum

Cell = tuple[int, int]
Vector = tuple[int, int]


class Heading(IntEnum):
    """One of the four directions that an agent or a thing can face."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def degrees(self) -> int:
        """Clockwise degrees from north."""
        return 90 * int(self)

    @property
    def vector(self) -> Vector:
        """Unit step in the world frame."""
        return _VECTORS[self]

    @property
    def word(self) -> str:
        """`north`, `east`, `south` or `west`."""
        return self.name.lower()

    def turned(self, degrees: int) -> "Heading":
        """The heading after a clockwise turn by a multiple of 90 degrees."""
        if degrees % 90:
            raise ValueError(f"{degrees} is not a multiple of 90 degrees")
        return Heading((int(self) + degrees // 90) % 4)

    def turn_to(self, other: "Heading") -> int:
        """Clockwise degrees from this heading to `other`, one of -90, 0, 90 and 180."""
        return _TURNS[(other - self) % 4]

    @property
    def opposite(self) -> "Heading":
        return Heading((self + 2) % 4)


_VECTORS: tuple[Vector, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
_TURNS = (0, 90, 180, -90)


def heading_of(vector: Vector) -> Heading:
    """The heading that points along a unit step of the world frame."""
    try:
        return Heading(_VECTORS.index(vector))
    except ValueError:
        raise ValueError(f"{vector} is not a unit step along an axis") from None


def closest_heading(vector: Vector) -> Heading:
    """The heading nearest to a displacement; on a diagonal the first of north, east, south, west."""
    x, y = vector
    return max(Heading, key=lambda h: (x * h.vector[0] + y * h.vector[1], -h))


def to_ego(vector: Vector, heading: Heading) -> Vector:
    """A world displacement as (cells to the right, cells ahead) for an agent facing `heading`."""
    x, y = vector
    if heading is Heading.NORTH:
        return (x, y)
    if heading is Heading.EAST:
        return (-y, x)
    if heading is Heading.SOUTH:
        return (-x, -y)
    return (y, -x)


def to_world(vector: Vector, heading: Heading) -> Vector:
    """The world displacement of (cells to the right, cells ahead) for an agent facing `heading`."""
    right, ahead = vector
    if heading is Heading.NORTH:
        return (right, ahead)
    if heading is Heading.EAST:
        return (ahead, -right)
    if heading is Heading.SOUTH:
        return (-right, -ahead)
    return (-ahead, right)


def bearing(right: float, ahead: float) -> float:
    """Clockwise degrees from straight ahead, in (-180, 180]; 0 where the displacement is zero."""
    degrees = math.degrees(math.atan2(right, ahead))
    return 180.0 if degrees <= -180.0 else degrees


def distance(vector: tuple[float, float]) -> float:
    """Euclidean length, in cells."""
    return math.hypot(vector[0], vector[1])


def chebyshev(a: Cell, b: Cell) -> int:
    """Chebyshev distance between two cells."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def difference(a: Cell, b: Cell) -> Vector:
    """Displacement from `b` to `a`."""
    return (a[0] - b[0], a[1] - b[1])
