"""Ranges of x and y in which each position lies, narrowed one step at a time, so that every step can be followed.

A step takes the ranges of two places, stated before, and what one observation told of how one lies from the other. As
in "sink from yellow door by (1 to 2, -3): (0 to 2, 4 to 5) = (1 to 2, 4 to 5)" it states the displacements that both
ranges leave possible, their sum with the ranges of the origin, and what that has in common with the ranges known
before, if that is less. Nothing else is used, so the ranges are at most as narrow as the exact belief; mostly they are
its ranges.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tolman.belief import Evidence, ExactPosition
from tolman.belief.possible_positions import displacements, statements
from tolman.core.geometry import Cell, difference
from tolman.explore.episode import Episode
from tolman.ideal.knowledge import evidence_in
from tolman.sense import Observation
from tolman.world import START


@dataclass(frozen=True)
class Ranges:
    """All cells from `low` to `high`, in steps east and north of the start."""

    low: Cell
    high: Cell

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

    def __str__(self) -> str:
        sides = zip(self.low, self.high, strict=True)
        return f"({', '.join(str(low) if low == high else f'{low} to {high}' for low, high in sides)})"


@dataclass(frozen=True)
class RangeStep:
    """A position is narrowed by how it lies from another."""

    name: str
    left: Ranges
    """The ranges after the step."""
    known: Ranges | None = None
    """The ranges before it, if there were any."""
    origin: str = ""
    """The place from which it is reckoned; empty where its position was asked for."""
    displacement: Ranges | None = None
    """From there, as far as what was told and the ranges of both leave it possible."""
    found: Ranges | None = None
    """The ranges of the origin plus the displacement."""

    def __str__(self) -> str:
        if self.found is None:
            return f"{self.name} {self.left}"
        origin = "the start" if self.origin == START else self.origin
        said = f"{self.name} from {origin} by {self.displacement}: {self.found}"
        return said if self.left == self.found else f"{said} = {self.left}"


Pair = tuple[str, str]


def _turned(pair: Pair) -> Pair:
    return pair[1], pair[0]


class RangeTracker:
    """The ranges that follow from an exploration, and the steps to which its latest turn led."""

    def __init__(self, episode: Episode, extent: int) -> None:
        """Positions lie within `extent` steps of the start, which bounds what is extremely far."""
        self.ranges: dict[str, Ranges] = {START: Ranges((0, 0), (0, 0))}
        self.before = self.ranges
        """The ranges before the latest turn."""
        self.steps: list[RangeStep] = []
        self._extent = extent
        self._displacements: dict[Pair, frozenset[Cell]] = {}
        """Those from the second of two places to the first, in both orders."""
        for turn in episode.turns:
            self.before, self.steps = dict(self.ranges), []
            for evidence in evidence_in([turn]):
                self.steps += self._learn(evidence)

    def _learn(self, evidence: Evidence) -> Iterator[RangeStep]:
        """Narrow first where the agent stands, then what it was told, then all that follows."""
        here: list[Pair] = []
        told: list[Pair] = []
        close: list[Pair] = []
        for each in statements(evidence):
            pair = each.subject, each.anchor
            if isinstance(each, ExactPosition):
                yield self._located(each)
                told += [pair for pair in self._displacements if each.subject in pair]
                continue
            self._relate(pair, displacements(each.direction, each.distance, each.heading, self._extent))
            if isinstance(evidence, Observation) and each.anchor == evidence.standing_on:
                here.append(_turned(pair))
                told.append(pair)
            else:
                close += [pair, _turned(pair)]
        yield from self._propagated(deque([*here, *told, *close]))

    def _located(self, exact: ExactPosition) -> RangeStep:
        known = self.ranges.get(exact.subject)
        self.ranges[exact.subject] = left = Ranges(exact.displacement, exact.displacement)
        return RangeStep(exact.subject, left, known)

    def _relate(self, pair: Pair, possible: Sequence[Cell]) -> None:
        there = frozenset(possible)
        back = frozenset((-x, -y) for x, y in there)
        for order, found in ((pair, there), (_turned(pair), back)):
            self._displacements[order] = self._displacements.get(order, found) & found

    def _propagated(self, waiting: deque[Pair]) -> Iterator[RangeStep]:
        while waiting:
            name, origin = waiting.popleft()
            step = self._step(name, origin)
            if step is None:
                continue
            yield step
            self.ranges[name] = step.left
            waiting += [each for each in self._displacements if name in each and each not in waiting]

    def displacement(self, name: str, origin: str, at: Ranges, known: Ranges | None) -> Ranges | None:
        """The displacements from `origin` to `name` that fit all that was told of the two and the ranges of both.

        None where nothing was told of how one lies from the other, or nothing fits.
        """
        possible = self._displacements.get((name, origin), frozenset())
        if known is not None:
            least, most = difference(known.low, at.high), difference(known.high, at.low)
            possible = [d for d in possible if least[0] <= d[0] <= most[0] and least[1] <= d[1] <= most[1]]
        if not possible:
            return None
        (x0, *_, x1), (y0, *_, y1) = (sorted([*side, *side]) for side in zip(*possible, strict=True))
        return Ranges((x0, y0), (x1, y1))

    def _step(self, name: str, origin: str) -> RangeStep | None:
        """How a position is narrowed by one relation; None if it is not."""
        at, known = self.ranges.get(origin), self.ranges.get(name)
        displacement = None if at is None or name == START else self.displacement(name, origin, at, known)
        if at is None or displacement is None:
            return None
        found = at.plus(displacement)
        left = found if known is None else found.both(known)
        return None if left == known else RangeStep(name, left, known, origin, displacement, found)
