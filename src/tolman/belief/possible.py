"""Exact belief: the positions of every thing that are consistent with all evidence so far.

Consistent means arc consistent: each position left to a thing is supported, for each thing it was related to, by some
position left to that one. The fixpoint is unique, so the order of work does not matter. As in the published measure,
walls, rooms and other things' cells are not used, and nothing follows from not seeing.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from tolman.belief.board import Bits, Board, Shifter
from tolman.belief.relations import Evidence, Exactly, Statement, displacements, statements
from tolman.bins import CardinalBin, DistanceBin, EgoBin
from tolman.errors import UnknownNameError
from tolman.geometry import Cell, Heading
from tolman.world import START

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
    if isinstance(statement, Exactly):
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
