"""A ruler and a protractor for a map that a person draws, in the words of the benchmark.

Points are cells east and north of the map's origin. Nothing here knows the world.
"""

from dataclasses import dataclass

from tolman.bins import cardinal_bin, distance_bin, ego_bin
from tolman.geometry import Heading, Vector, bearing, difference, distance, to_ego

_FARTHEST = 64


@dataclass(frozen=True)
class Measured:
    """From one point to another: steps and their word, clockwise degrees from north and their word.

    Where the first point has a front, also degrees from straight ahead there, and their word.
    """

    steps: float
    distance: str
    degrees: float
    direction: str
    ahead: float | None = None
    seen: str | None = None


def measure(start: Vector, end: Vector, facing: Heading | None = None) -> Measured:
    """What the instruments read, laid from one point to another."""
    apart = difference(end, start)
    from_north = bearing(*apart)
    read = Measured(
        steps=round(distance(apart), 2),
        distance=str(distance_bin(distance(apart))),
        degrees=round(from_north % 360, 1),
        direction=str(cardinal_bin(from_north)) if apart != (0, 0) else "the same place",
    )
    if facing is None or apart == (0, 0):
        return read
    ahead = bearing(*to_ego(apart, facing))
    return Measured(read.steps, read.distance, read.degrees, read.direction, round(ahead, 1), str(ego_bin(ahead)))


def rings() -> list[int]:
    """Distances in cells at which the word changes, for circles around a point."""
    return [cells for cells in range(1, _FARTHEST) if distance_bin(cells) != distance_bin(cells + 0.5)]
