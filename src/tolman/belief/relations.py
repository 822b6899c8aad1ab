"""What evidence says, as relations between pairs of named points.

A relation holds for a pair of positions exactly when their displacement is in a fixed set, so the set is all there is
to it. Displacements are in cells of the agent's initial frame (x east, y north).
"""

from dataclasses import dataclass
from functools import cache

from tolman.bins import CardinalBin, DistanceBin, EgoBin, cardinal_relation, ego_relation
from tolman.geometry import Cell, Heading, Vector, to_world
from tolman.sense import Location, Observation
from tolman.world import START

Evidence = Observation | Location
_RADIUS = {
    DistanceBin.NEAR: 2,
    DistanceBin.MID: 4,
    DistanceBin.SLIGHTLY_FAR: 8,
    DistanceBin.FAR: 16,
    DistanceBin.VERY_FAR: 32,
}


@dataclass(frozen=True, slots=True)
class Relation:
    """`subject` is in `direction` and at `distance` from `anchor`, for someone who faces `heading`."""

    subject: str
    anchor: str
    direction: EgoBin | CardinalBin
    distance: DistanceBin
    heading: Heading


@dataclass(frozen=True, slots=True)
class Exactly:
    """`subject` is just so many cells east and north of `anchor`."""

    subject: str
    anchor: str
    displacement: Cell


Statement = Relation | Exactly


def statements(evidence: Evidence) -> tuple[Statement, ...]:
    """Everything that a look or a query tells about positions. Not seeing something tells nothing here."""
    if isinstance(evidence, Location):
        return () if evidence.name == START else (Exactly(evidence.name, START, evidence.position),)
    seen = (
        Relation(s.name, evidence.standing_on, s.direction, s.distance, evidence.heading) for s in evidence.sightings
    )
    pairs = (Relation(p.name, p.other, p.direction, p.distance, evidence.heading) for p in evidence.near_pairs)
    return (*seen, *pairs)


def displacements(
    direction: EgoBin | CardinalBin, distance: DistanceBin, heading: Heading, reach: int
) -> tuple[Vector, ...]:
    """Displacements that get these labels from someone who faces `heading`.

    All of them, but for the one unbounded bin: there, those between two positions up to `reach` cells from the start.
    """
    radius = _RADIUS.get(distance, 2 * reach)
    table = _seen_facing_north(radius) if isinstance(direction, EgoBin) else _around(radius)
    return tuple(to_world(cell, heading) for cell in table.get((direction, distance), ()))


Table = dict[tuple[EgoBin | CardinalBin, DistanceBin], list[Vector]]


@cache
def _seen_facing_north(radius: int) -> Table:
    """Displacements in the field of view, up to a radius, by the labels they get from someone who faces north."""
    table: Table = {}
    for ahead in range(1, radius + 1):
        for right in range(-ahead, ahead + 1):
            table.setdefault(ego_relation((right, ahead), Heading.NORTH), []).append((right, ahead))
    return table


@cache
def _around(radius: int) -> Table:
    """All displacements up to a radius by the labels they get when north is called north."""
    table: Table = {}
    for x in range(-radius, radius + 1):
        for y in range(-radius, radius + 1):
            table.setdefault(cardinal_relation((x, y), Heading.NORTH), []).append((x, y))
    return table
