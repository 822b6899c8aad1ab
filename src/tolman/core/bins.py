"""Labels and bin edges of directions and distances, defined here only.

They are those of the published benchmark, so that observations are comparable with its logs.
"""

from enum import StrEnum
from functools import lru_cache

from tolman.core.geometry import Heading, Vector, bearing, distance, to_ego

BEARING_TOLERANCE = 1e-3
"""Degrees."""
DISTANCE_TOLERANCE = 1e-6
"""Cells."""
NEAR = 2.0
"""Upper edge of the bin `near`, in cells."""


class EgoBin(StrEnum):
    """Egocentric direction: bin of the bearing from the agent's heading."""

    FRONT_LEFT = "front-left"
    FRONT_SLIGHT_LEFT = "front-slight-left"
    FRONT = "front"
    FRONT_SLIGHT_RIGHT = "front-slight-right"
    FRONT_RIGHT = "front-right"
    BEYOND_FOV = "beyond-fov"


class CardinalBin(StrEnum):
    """Direction of one thing from another, in eight bins of 45 degrees."""

    NORTH = "north"
    NORTH_EAST = "north east"
    EAST = "east"
    SOUTH_EAST = "south east"
    SOUTH = "south"
    SOUTH_WEST = "south west"
    WEST = "west"
    NORTH_WEST = "north west"


class DistanceBin(StrEnum):
    """Euclidean distance in cells, each bin closed above: near is (0, 2], mid is (2, 4], ..."""

    SAME = "same distance"
    NEAR = "near"
    MID = "mid distance"
    SLIGHTLY_FAR = "slightly far"
    FAR = "far"
    VERY_FAR = "very far"
    EXTREMELY_FAR = "extremely far"


class FacingLabel(StrEnum):
    """Which way a thing's front points, relative to the agent's heading."""

    FORWARD = "facing forward"
    RIGHT = "facing right"
    BACKWARD = "facing backward"
    LEFT = "facing left"


class WallLabel(StrEnum):
    """Which wall of the agent's room a door is in, relative to the agent's heading."""

    FRONT = "on front wall"
    RIGHT = "on right wall"
    BACK = "on back wall"
    LEFT = "on left wall"


_CARDINALS = tuple(CardinalBin)
_DISTANCE_EDGES = (
    (2.0, DistanceBin.NEAR),
    (4.0, DistanceBin.MID),
    (8.0, DistanceBin.SLIGHTLY_FAR),
    (16.0, DistanceBin.FAR),
    (32.0, DistanceBin.VERY_FAR),
)
_FACINGS = (FacingLabel.FORWARD, FacingLabel.RIGHT, FacingLabel.BACKWARD, FacingLabel.LEFT)
_WALLS = (WallLabel.BACK, WallLabel.LEFT, WallLabel.FRONT, WallLabel.RIGHT)


def ego_bin(degrees: float) -> EgoBin:
    """Bin of a bearing in clockwise degrees from the heading, in (-180, 180]."""
    if abs(degrees) <= BEARING_TOLERANCE:
        return EgoBin.FRONT
    if abs(degrees) > 45.0 + BEARING_TOLERANCE:
        return EgoBin.BEYOND_FOV
    if degrees < 0:
        return EgoBin.FRONT_LEFT if degrees < -22.5 else EgoBin.FRONT_SLIGHT_LEFT
    return EgoBin.FRONT_RIGHT if degrees > 22.5 else EgoBin.FRONT_SLIGHT_RIGHT


def cardinal_bin(degrees: float) -> CardinalBin:
    """Bin of a direction in clockwise degrees from north; [-22.5, 22.5) is north."""
    return _CARDINALS[int((degrees % 360.0 + 22.5) // 45.0) % 8]


def distance_bin(cells: float) -> DistanceBin:
    """Bin of a Euclidean distance in cells."""
    if cells <= DISTANCE_TOLERANCE:
        return DistanceBin.SAME
    for edge, label in _DISTANCE_EDGES:
        if cells <= edge + DISTANCE_TOLERANCE:
            return label
    return DistanceBin.EXTREMELY_FAR


@lru_cache(maxsize=65536)
def ego_relation(displacement: Vector, heading: Heading) -> tuple[EgoBin, DistanceBin]:
    """Bins of a world displacement for an agent that faces `heading`."""
    right, ahead = to_ego(displacement, heading)
    return ego_bin(bearing(right, ahead)), distance_bin(distance(displacement))


@lru_cache(maxsize=65536)
def cardinal_relation(displacement: Vector, north: Heading) -> tuple[CardinalBin, DistanceBin]:
    """Bins of a world displacement when the direction `north` is called north."""
    right, ahead = to_ego(displacement, north)
    return cardinal_bin(bearing(right, ahead)), distance_bin(distance(displacement))


def facing_label(front: Heading, heading: Heading) -> FacingLabel:
    """The facing of a thing whose front points to `front`, for an agent that faces `heading`."""
    return _FACINGS[(front - heading) % 4]


def wall_label(inward: Heading, heading: Heading) -> WallLabel:
    """The wall that holds a door whose passage leads into the agent's room along `inward`."""
    return _WALLS[(inward - heading) % 4]
