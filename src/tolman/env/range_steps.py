"""Ranges of x and y in which each position lies, narrowed one step at a time, so that every step can be followed.

A step takes what one observation told of how one place lies from another, and the ranges of both that were stated
before, as in "sink (-1 to 2, 4 to 9) from yellow door (0, 3) is (-1 to 2, 1 to 6), north front-slight-right, slightly
far, so (1 to 2, 5 to 6): sink (1 to 2, 8 to 9)". It states the displacements between both ranges, what was told (the
heading of the look, and the direction as seen then), the displacements that fit both, and what these leave of the
ranges. Nothing else is used, so the ranges are at most as narrow as the exact belief; mostly they are its ranges.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from tolman.belief import Evidence, ExactPosition
from tolman.belief.possible_positions import Relation, displacements, statements
from tolman.core.bins import CardinalBin, EgoBin
from tolman.core.geometry import Cell, Heading
from tolman.explore.episode import Episode
from tolman.ideal.knowledge import evidence_in
from tolman.world import START

ENOUGH = 2 / 3
"""Share of its cells that a step leaves of a range at most; smaller steps would make no more points."""


@dataclass(frozen=True)
class Ranges:
    """All cells from `low` to `high`, in steps east and north of the start."""

    low: Cell
    high: Cell

    @property
    def count(self) -> int:
        """How many cells they hold."""
        return (self.high[0] - self.low[0] + 1) * (self.high[1] - self.low[1] + 1)

    @property
    def is_point(self) -> bool:
        return self.low == self.high

    def plus(self, other: "Ranges") -> "Ranges":
        """Ranges of the sum of two displacements."""
        (ax, ay), (bx, by) = self.low, other.low
        (cx, cy), (dx, dy) = self.high, other.high
        return Ranges((ax + bx, ay + by), (cx + dx, cy + dy))

    def both(self, other: "Ranges") -> "Ranges":
        """What two ranges that overlap have in common."""
        (ax, ay), (bx, by) = self.low, other.low
        (cx, cy), (dx, dy) = self.high, other.high
        return Ranges((max(ax, bx), max(ay, by)), (min(cx, dx), min(cy, dy)))

    def minus(self, other: "Ranges") -> "Ranges":
        """Ranges of the displacement to a place in these ranges from one in the others."""
        return self.plus(Ranges((-other.high[0], -other.high[1]), (-other.low[0], -other.low[1])))

    def __contains__(self, cell: Cell) -> bool:
        return self.low[0] <= cell[0] <= self.high[0] and self.low[1] <= cell[1] <= self.high[1]

    def __str__(self) -> str:
        sides = zip(self.low, self.high, strict=True)
        return f"({', '.join(str(low) if low == high else f'{low} to {high}' for low, high in sides)})"


@dataclass(frozen=True)
class RangeStep:
    """The ranges of one or two positions become narrower by what was told of how one lies from the other."""

    name: str
    left: Ranges
    """The ranges after the step."""
    known: Ranges | None = None
    """The ranges before it, if there were any."""
    told: Relation | None = None
    """None where the position was asked for."""
    at: Ranges | None = None
    """The ranges of the place from which it is reckoned, before the step."""
    displacement: Ranges | None = None
    """From there, as far as what was told and the ranges of both leave it possible."""
    origin_left: Ranges | None = None
    """The ranges of that place after the step."""

    @property
    def narrowed(self) -> dict[str, Ranges]:
        """The ranges that are narrower now."""
        after = {self.name: (self.known, self.left)}
        if self.told is not None and self.origin_left is not None:
            after[self.told.anchor] = self.at, self.origin_left
        return {name: left for name, (known, left) in after.items() if left != known}

    @property
    def tells(self) -> bool:
        """Whether a position is told of for the first time, or has enough fewer possible cells."""
        if self.known is None or self.at is None or self.origin_left is None:
            return True
        return self.left.count <= ENOUGH * self.known.count or self.origin_left.count <= ENOUGH * self.at.count

    def __str__(self) -> str:
        if self.told is None:
            return f"{self.name} {self.left}"
        told = told_in_words(self.told)
        if self.told.anchor == START:
            said = f"{_with(self.name, self.known)} from the start, {told}"
        elif self.known is None or self.at is None:
            said = f"{self.name} from {self.told.anchor}, {told}"
        else:
            both = f"{_with(self.name, self.known)} from {_with(self.told.anchor, self.at)}"
            said = f"{both} is {self.known.minus(self.at)}, {told}"
        left = " and ".join(_with(name, ranges) for name, ranges in self.narrowed.items())
        return f"{said}, so {self.displacement}: {left}"


def told_in_words(told: Relation) -> str:
    """As `north front-right, near`: the heading of the look, and the direction as seen then.

    Of things that are close together, as `south west, near`: the direction by the compass.
    """
    if isinstance(told.direction, EgoBin):
        return f"{told.heading.word} {told.direction}, {told.distance}"
    bins = list(CardinalBin)
    by_compass = bins[(bins.index(told.direction) + 2 * list(Heading).index(told.heading)) % len(bins)]
    return f"{by_compass}, {told.distance}"


def _with(name: str, ranges: Ranges | None) -> str:
    return name if ranges is None else f"{name} {ranges}"


class RangeTracker:
    """The ranges that follow from an exploration, and the steps to which its latest turn led."""

    def __init__(self, episode: Episode, extent: int) -> None:
        """Positions lie within `extent` steps of the start, which bounds what is extremely far."""
        self.ranges: dict[str, Ranges] = {START: Ranges((0, 0), (0, 0))}
        self.before = self.ranges
        """The ranges before the latest turn."""
        self.steps: list[RangeStep] = []
        self.told: dict[tuple[str, str], Relation] = {}
        """What was told last of how the first of two lies from the second."""
        self._extent = extent
        for turn in episode.turns:
            self.before, self.steps = dict(self.ranges), []
            for evidence in evidence_in([turn]):
                self.steps += self._learn(evidence)

    def _learn(self, evidence: Evidence) -> Iterator[RangeStep]:
        """Narrow by all that is told now, in its order, then by what was told earlier of all that became narrower."""
        waiting: deque[Relation] = deque()
        for each in statements(evidence):
            if isinstance(each, ExactPosition):
                known = self.ranges.get(each.subject)
                self.ranges[each.subject] = left = Ranges(each.displacement, each.displacement)
                yield RangeStep(each.subject, left, known)
                waiting += [told for told in self.told.values() if each.subject in (told.subject, told.anchor)]
            else:
                self.told[each.subject, each.anchor] = each
                waiting.append(each)
        while waiting:
            step = self._step(waiting.popleft())
            if step is None:
                continue
            yield step
            self.ranges |= step.narrowed
            for told in self.told.values():
                if told != step.told and told not in waiting and step.narrowed.keys() & {told.subject, told.anchor}:
                    waiting.append(told)

    def displacement(self, told: Relation, at: Ranges, known: Ranges | None) -> Ranges | None:
        """The displacements that fit what was told of two places and the ranges of both; None if none does."""
        possible = displacements(told.direction, told.distance, told.heading, self._extent)
        if known is not None:
            apart = known.minus(at)
            possible = tuple(each for each in possible if each in apart)
        if not possible:
            return None
        (x0, *_, x1), (y0, *_, y1) = (sorted([*side, *side]) for side in zip(*possible, strict=True))
        return Ranges((x0, y0), (x1, y1))

    def _step(self, told: Relation) -> RangeStep | None:
        """How two positions are narrowed by how one lies from the other; None if neither is."""
        at, known = self.ranges.get(told.anchor), self.ranges.get(told.subject)
        displacement = None if at is None else self.displacement(told, at, known)
        if at is None or displacement is None:
            return None
        found = at.plus(displacement)
        left = found if known is None else found.both(known)
        step = RangeStep(told.subject, left, known, told, at, displacement, left.minus(displacement).both(at))
        return step if step.tells else None
