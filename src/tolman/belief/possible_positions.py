"""Exact belief by arc consistency: evidence as relations between named points, and the positions of every object that
all evidence so far leaves possible.

As in the published measure, walls, rooms and the cells of other objects are not used, and nothing follows from not
seeing.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from tolman.belief.bitboard import Bits, Board, Shifter
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
    """`subject` is in `direction` and at `distance` from `anchor`, for someone who faces `heading`."""

    subject: str
    anchor: str
    direction: EgoBin | CardinalBin
    distance: DistanceBin
    heading: Heading


@dataclass(frozen=True, slots=True)
class ExactPosition:
    """`subject` is just so many cells east and north of `anchor`."""

    subject: str
    anchor: str
    displacement: Cell


Statement = Relation | ExactPosition


def statements(evidence: Evidence) -> tuple[Statement, ...]:
    """Everything that a look or a query tells about positions. Not seeing something tells nothing here."""
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
    """Displacements that get these labels from someone who faces `heading`.

    All of them, but for the one unbounded bin: there, those between two positions up to `reach` cells from the start.
    """
    radius = _RADIUS.get(distance, 2 * reach)
    table = _seen_facing_north(radius) if isinstance(direction, EgoBin) else _around(radius)
    return tuple(to_world(cell, heading) for cell in table.get((direction, distance), ()))


DisplacementTable = dict[tuple[EgoBin | CardinalBin, DistanceBin], list[Vector]]


@cache
def _seen_facing_north(radius: int) -> DisplacementTable:
    """Displacements in the field of view, up to a radius, by the labels they get from someone who faces north."""
    table: DisplacementTable = {}
    for ahead in range(1, radius + 1):
        for right in range(-ahead, ahead + 1):
            table.setdefault(ego_relation((right, ahead), Heading.NORTH), []).append((right, ahead))
    return table


@cache
def _around(radius: int) -> DisplacementTable:
    """All displacements up to a radius by the labels they get when north is called north."""
    table: DisplacementTable = {}
    for x in range(-radius, radius + 1):
        for y in range(-radius, radius + 1):
            table.setdefault(cardinal_relation((x, y), Heading.NORTH), []).append((x, y))
    return table


Links = dict[str, dict[str, Shifter]]
"""`links[a][b]` leads from positions of b to positions of a."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Evidence that can't be true together with what was known before; `emptied` would have no position left."""

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
        """Nothing known but the start, which is the origin."""
        board = Board(extent)
        return cls(tuple(names), extent, {START: board.position((0, 0))}, {})

    def after(self, evidence: Evidence) -> "Belief":
        """The belief once some evidence is taken in.

        Evidence that contradicts what is known (the world may have changed) is set aside statement by statement and
        listed in `conflicts`; the rest counts.
        """
        return self.stating(statements(evidence))

    def stating(self, news: tuple[Statement, ...]) -> "Belief":
        """The belief once some statements are taken in; see `after` for those that contradict it."""
        try:
            return self._with(news)
        except _Contradiction:
            belief = self
            for statement in news:
                try:
                    belief = belief._with((statement,))
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
        """Whether any evidence mentions this thing."""
        return name in self.links

    def possible(self, name: str) -> Bits:
        """Possible positions of a thing, as a bit board."""
        if name not in self.domains and name not in self.names:
            raise UnknownNameError(f"this belief knows nothing called {name!r}")
        return self.domains.get(name, self.board.full)

    def count(self, name: str) -> int:
        """Number of possible positions."""
        return self.possible(name).bit_count()

    def positions(self, name: str) -> tuple[Cell, ...]:
        """Possible positions, as cells east and north of the start."""
        return tuple(self.board.cells(self.possible(name)))

    @property
    def is_certain(self) -> bool:
        """Whether everything has exactly one possible position."""
        return all(self.is_constrained(name) and self.count(name) == 1 for name in self.names)

    @property
    def bits(self) -> float:
        """Information held about all positions, against a uniform prior over `extent` squared cells for each."""
        prior = 2 * math.log2(self.extent)
        domains = self.domains
        return sum(prior - math.log2(domains[name].bit_count()) for name in self.names if name in domains)

    @property
    def information_gain(self) -> float:
        """The published measure: 0 when nothing is known, 1 when every thing and door has one position left.

        Not a number where there is nothing to know about.
        """
        if not self.names:
            return math.nan
        return min(1.0, self.bits / (len(self.names) * 2 * math.log2(self.extent)))

    def _with(self, news: tuple[Statement, ...]) -> "Belief":
        if not news:
            return self
        domains, links = dict(self.domains), dict(self.links)
        touched = [name for statement in news for name in self._link(links, domains, statement)]
        _propagate(domains, links, {name: domains[name].bit_count() for name in touched})
        return Belief(self.names, self.extent, domains, links, self.conflicts)

    def _link(self, links: Links, domains: dict[str, Bits], statement: Statement) -> tuple[str, ...]:
        """Add a statement to the links; the names whose neighbours must be looked at again."""
        a, b = statement.subject, statement.anchor
        shifter = _shifter(self.extent, statement)
        known = links.get(a, {}).get(b)
        if known is not None:
            shifter = shifter.meet(known)
            if shifter == known:
                return ()
        links[a] = {**links.get(a, {}), b: shifter}
        links[b] = {**links.get(b, {}), a: shifter.reverse}
        domains.setdefault(a, self.board.full)
        domains.setdefault(b, self.board.full)
        return a, b


def _shifter(extent: int, statement: Statement) -> Shifter:
    """The displacements from anchor to subject that a statement allows."""
    if isinstance(statement, ExactPosition):
        return Board(extent).shifter((statement.displacement,))
    return _shifter_of_bins(extent, statement.direction, statement.distance, statement.heading)


@cache
def _shifter_of_bins(extent: int, direction: EgoBin | CardinalBin, distance: DistanceBin, heading: Heading) -> Shifter:
    return Board(extent).shifter(displacements(direction, distance, heading, extent))


def _propagate(domains: dict[str, Bits], links: Links, changed: dict[str, int]) -> None:
    """Shrink domains to the arc-consistent fixpoint; raises where one would become empty.

    `changed` holds the names whose neighbours must be looked at, with their number of positions: fewest go first.
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
