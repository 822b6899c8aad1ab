"""Exact belief by arc consistency: evidence as relations between named points, and the positions of every object that
all evidence so far leaves possible.

As in the published measure, walls, rooms and the cells of other objects are not used, and nothing is inferred from what
is not seen.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from tolman.belief.bitboard import Bits, Board, DisplacementSet
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin, cardinal_relation, ego_relation
from tolman.core.errors import UnknownNameError
from tolman.core.geometry import Cell, Heading, Vector, to_world
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
    """`subject` is in `direction` and at `distance` from `anchor`, for an observer who faces `heading`."""

    subject: str
    anchor: str
    direction: EgoBin | CardinalBin
    distance: DistanceBin
    heading: Heading


@dataclass(frozen=True, slots=True)
class ExactPosition:
    """`subject` is exactly `displacement` (cells east and north) from `anchor`."""

    subject: str
    anchor: str
    displacement: Cell


Statement = Relation | ExactPosition


def statements(evidence: Evidence) -> tuple[Statement, ...]:
    """The statements about positions in an observation or in the answer to a query."""
    if isinstance(evidence, Location):
        return () if evidence.name == START else (ExactPosition(evidence.name, START, evidence.position),)
    seen = (
        Relation(s.name, evidence.standing_on, s.direction, s.distance, evidence.heading) for s in evidence.sightings
    )
    pairs = (Relation(p.name, p.other, p.direction, p.distance, evidence.heading) for p in evidence.near_pairs)
    return (*seen, *pairs)


def displacements(
    direction: EgoBin | CardinalBin, distance: DistanceBin, heading: Heading, reach: int
) -> tuple[Vector, ...]:
    """All displacements with these labels for an observer who faces `heading`.

    In the one unbounded bin, those between two positions up to `reach` cells from the start.
    """
    radius = _RADIUS.get(distance, 2 * reach)
    table = _ego_table(radius) if isinstance(direction, EgoBin) else _cardinal_table(radius)
    return tuple(to_world(cell, heading) for cell in table.get((direction, distance), ()))


DisplacementTable = dict[tuple[EgoBin | CardinalBin, DistanceBin], list[Vector]]


@cache
def _ego_table(radius: int) -> DisplacementTable:
    """Displacements in the field of view up to a radius, by their labels for an observer who faces north."""
    table: DisplacementTable = {}
    for ahead in range(1, radius + 1):
        for right in range(-ahead, ahead + 1):
            table.setdefault(ego_relation((right, ahead), Heading.NORTH), []).append((right, ahead))
    return table


@cache
def _cardinal_table(radius: int) -> DisplacementTable:
    """All displacements up to a radius by their cardinal labels."""
    table: DisplacementTable = {}
    for x in range(-radius, radius + 1):
        for y in range(-radius, radius + 1):
            table.setdefault(cardinal_relation((x, y), Heading.NORTH), []).append((x, y))
    return table


Links = dict[str, dict[str, DisplacementSet]]
"""`links[a][b]` holds the possible displacements from b to a."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A statement that contradicts the evidence before it; `emptied` would have no position left."""

    statement: Statement
    emptied: str


class _Contradiction(Exception):
    def __init__(self, emptied: str) -> None:
        self.emptied = emptied


@dataclass(frozen=True)
class Belief:
    """Possible positions of all things and doors, in the agent's initial frame. Immutable; `after` gives the next."""

    names: tuple[str, ...]
    extent: int
    """Longer side of the world in cells, the `g` of the published measure; positions lie in [-g, g] squared."""
    domains: dict[str, Bits]
    links: Links
    conflicts: tuple[Conflict, ...] = ()
    board: Board = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", Board(self.extent))

    @classmethod
    def start(cls, names: Iterable[str], extent: int) -> "Belief":
        """The belief without evidence: only the start is known, which is the origin."""
        board = Board(extent)
        return cls(tuple(names), extent, {START: board.position((0, 0))}, {})

    def after(self, evidence: Evidence) -> "Belief":
        """The belief after an observation or the answer to a query.

        Statements that contradict the belief (the world may have changed) are left out and listed in `conflicts`.
        """
        return self.with_statements(statements(evidence))

    def with_statements(self, added: tuple[Statement, ...]) -> "Belief":
        """The belief after some statements; see `after` for those that contradict it."""
        try:
            return self._propagated(added)
        except _Contradiction:
            belief = self
            for statement in added:
                try:
                    belief = belief._propagated((statement,))
                except _Contradiction as problem:
                    conflict = Conflict(statement, problem.emptied)
                    belief = replace(belief, conflicts=(*belief.conflicts, conflict))
            return belief

    def after_all(self, history: Iterable[Evidence]) -> "Belief":
        """The belief after several pieces of evidence, in order."""
        belief = self
        for evidence in history:
            belief = belief.after(evidence)
        return belief

    def is_constrained(self, name: str) -> bool:
        """Whether any evidence mentions this name."""
        return name in self.links

    def possible(self, name: str) -> Bits:
        """Possible positions of a name, as a bit board."""
        if name not in self.domains and name not in self.names:
            raise UnknownNameError(f"there is no {name!r} in this belief")
        return self.domains.get(name, self.board.full)

    def count(self, name: str) -> int:
        """Number of possible positions."""
        return self.possible(name).bit_count()

    def positions(self, name: str) -> tuple[Cell, ...]:
        """Possible positions, as cells east and north of the start."""
        return tuple(self.board.cells(self.possible(name)))

    @property
    def is_certain(self) -> bool:
        """Whether every name has exactly one possible position."""
        return all(self.is_constrained(name) and self.count(name) == 1 for name in self.names)

    @property
    def bits(self) -> float:
        """Information about all positions in bits, relative to a uniform prior over `extent` squared cells for each."""
        prior = 2 * math.log2(self.extent)
        domains = self.domains
        return sum(prior - math.log2(domains[name].bit_count()) for name in self.names if name in domains)

    @property
    def information_gain(self) -> float:
        """The published measure: 0 without evidence, 1 when every thing and door has one position left.

        NaN where there are no names.
        """
        if not self.names:
            return math.nan
        return min(1.0, self.bits / (len(self.names) * 2 * math.log2(self.extent)))

    def _propagated(self, added: tuple[Statement, ...]) -> "Belief":
        """The belief with statements added and domains arc-consistent; raises on a contradiction."""
        if not added:
            return self
        domains, links = dict(self.domains), dict(self.links)
        touched = [name for statement in added for name in self._link(links, domains, statement)]
        _propagate(domains, links, {name: domains[name].bit_count() for name in touched})
        return Belief(self.names, self.extent, domains, links, self.conflicts)

    def _link(self, links: Links, domains: dict[str, Bits], statement: Statement) -> tuple[str, ...]:
        """Add a statement to the links; returns the names whose neighbours must be checked again."""
        a, b = statement.subject, statement.anchor
        allowed = _allowed_displacements(self.extent, statement)
        before = links.get(a, {}).get(b)
        if before is not None:
            allowed = allowed.intersection(before)
            if allowed == before:
                return ()
        links[a] = {**links.get(a, {}), b: allowed}
        links[b] = {**links.get(b, {}), a: allowed.reverse}
        domains.setdefault(a, self.board.full)
        domains.setdefault(b, self.board.full)
        return a, b


def _allowed_displacements(extent: int, statement: Statement) -> DisplacementSet:
    """The displacements from anchor to subject that a statement allows."""
    if isinstance(statement, ExactPosition):
        return Board(extent).displacements((statement.displacement,))
    return _displacements_in_bins(extent, statement.direction, statement.distance, statement.heading)


@cache
def _displacements_in_bins(
    extent: int, direction: EgoBin | CardinalBin, distance: DistanceBin, heading: Heading
) -> DisplacementSet:
    return Board(extent).displacements(displacements(direction, distance, heading, extent))


def _propagate(domains: dict[str, Bits], links: Links, changed: dict[str, int]) -> None:
    """Shrink domains to the arc-consistent fixpoint; raises where one would become empty.

    `changed` holds the names whose neighbours must be checked, with their number of positions: fewest first.
    """
    while changed:
        source = min(changed, key=changed.__getitem__)
        del changed[source]
        origins = domains[source]
        for target in links[source]:
            before = domains[target]
            left = before & links[target][source].reach_from(origins)
            if left != before:
                if not left:
                    raise _Contradiction(target)
                domains[target] = left
                changed[target] = left.bit_count()
