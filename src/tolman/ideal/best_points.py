"""The points to state for several names at once that have the highest expected score: directions between all pairs, and
closeness.

Directions depend on pairs only, so their expectation is a sum over the probabilities of each pair's direction. From
several starts, one name after another is moved to the best of its probable cells, then by fractions of a cell, until no
move of one name gains. What this loses at most follows from an upper bound: every pair with its most probable
direction, and every name on its own best cell (docs/design/010).
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tolman.ideal.labels import Floats, Ints, closeness

_TRIED = 48
"""Cells tried for a name, the most probable first."""
_LIKELY = 6
"""Most probable joint positions among the starts."""
_ASCENTS = 3
"""Starts from which points are moved, the best first."""
_SWEEPS = 6
_FRACTIONS = np.array([(x / 4, y / 4) for x in range(-2, 3) for y in range(-2, 3)])
_FINE = 2
"""Points tried along a cell for the bound, where points need not be cells."""
ZERO = 8
"""Direction of a pair on one point, where that counts as one; else it is north."""


@dataclass(frozen=True, eq=False)
class PositionScore:
    """`directions` times the share of pairs with the right one, plus `closeness` times exp(-RMS error / scale)."""

    directions: float
    closeness: float
    pairs: int
    """Pairs that count, stated or not; the origin is in each name's pair."""
    scale: Floats
    """For each scene, in cells; 0 where only no error at all counts."""
    on_map: bool = False
    """Whether points are cells of a map, on which a pair on one point has a direction of its own."""


@dataclass(frozen=True, eq=False)
class BestPoints:
    """Points to state, of shape (names, 2), and their score in each scene."""

    points: Floats
    scores: Floats
    lost: float
    """At most this much is the expected score, by the weights they were chosen by, below that of any other points."""


def best_points(cells: Ints, weights: Floats, score: PositionScore) -> BestPoints:
    """The best points found, given true cells of shape (scenes, names, 2). Scenes without weight are only scored."""
    every = _Search(cells, weights, score)
    some = weights > 0
    search = _Search(cells[some], weights[some] / weights.sum(), replace(score, scale=score.scale[some]))
    starts = sorted(search.starts(), key=lambda points: -round(search.expected(points), 12))
    found = [search.ascend(points) for points in starts[:_ASCENTS]]
    points = max(found, key=lambda points: round(search.expected(points), 12))
    return BestPoints(points, every.scores(points), max(0.0, search.bound - search.expected(points)))


def directions(apart: Floats, zero_counts: bool) -> Ints:
    """Eight directions of displacements, north first; `ZERO` for none at all where that counts."""
    degrees = np.degrees(np.arctan2(apart[..., 0], apart[..., 1]))
    eighth = ((degrees % 360.0 + 22.5) // 45.0).astype(np.int64) % 8
    return np.where((apart == 0).all(axis=-1), ZERO if zero_counts else 0, eighth)


@dataclass(frozen=True, eq=False)
class _Search:
    cells: Ints
    weights: Floats
    score: PositionScore
    groups: list[Ints] = field(init=False)
    """Names that share a cell in every scene move together."""

    def __post_init__(self) -> None:
        _, which = np.unique(self.cells.reshape(len(self.cells), -1, 2).transpose(1, 0, 2), axis=0, return_inverse=True)
        object.__setattr__(self, "groups", [np.flatnonzero(which.ravel() == i) for i in range(which.max() + 1)])

    @cached_property
    def with_origin(self) -> Ints:
        return np.concatenate([self.cells, np.zeros((len(self.cells), 1, 2), np.int64)], axis=1)

    @cached_property
    def pair_chances(self) -> Floats:
        """Probability of each direction of each pair of names and the origin, of shape (names + 1, names + 1, 9)."""
        true = self.true_directions
        return np.stack([np.einsum("s,sab->ab", self.weights, true == label) for label in range(ZERO + 1)], axis=-1)

    @cached_property
    def true_directions(self) -> Ints:
        apart = self.with_origin[:, :, None] - self.with_origin[:, None]
        return directions(apart.astype(np.float64), self.score.on_map)

    def scores(self, points: Floats) -> Floats:
        """The score of some points in each scene."""
        first, second = np.triu_indices(self.cells.shape[1] + 1, 1)
        stated = np.concatenate([points, np.zeros((1, 2))])
        said = directions(stated[first] - stated[second], self.score.on_map)
        right = (self.true_directions[:, first, second] == said).sum(axis=1) / self.score.pairs
        squared = ((self.cells - points) ** 2).sum(axis=(1, 2))
        return self.score.directions * right + self.score.closeness * self._close(squared)

    def expected(self, points: Floats) -> float:
        return float(self.weights @ self.scores(points))

    def _close(self, squared: Floats) -> Floats:
        """Closeness, given the sum of squared errors along the first axis of scenes."""
        scale = self.score.scale.reshape(-1, *(1,) * (squared.ndim - 1))
        return closeness(np.sqrt(squared / self.cells.shape[1]), scale)

    @cached_property
    def bound(self) -> float:
        """No points have a higher expected score.

        The root mean square of errors is at least their mean, and a geometric mean at most the arithmetic one, so
        closeness is at most the mean over names of exp(-error / scale), in which each name has a best cell of its own.
        """
        first, second = np.triu_indices(self.cells.shape[1] + 1, 1)
        right = float(self.pair_chances[first, second].max(axis=1).sum()) / self.score.pairs
        close = float(np.mean([self._most_close(number) for number in range(self.cells.shape[1])]))
        return self.score.directions * right + self.score.closeness * min(1.0, close)

    def _most_close(self, number: int) -> float:
        """The largest expectation of exp(-error / scale) for one name, on any cell; off the map, at any point."""
        cells, which = np.unique(self.cells[:, number], axis=0, return_inverse=True)
        chances = np.bincount(which.ravel(), self.weights)
        scale = float(self.score.scale.max())
        if len(cells) == 1 or scale <= 0:
            return float(chances.max())
        fine = 1 if self.score.on_map else _FINE
        low = cells.min(axis=0)
        wide = (cells.max(axis=0) - low) * fine + 1
        tried: Floats = np.stack(np.divmod(np.arange(int(wide.prod())), int(wide[1])), axis=1) / fine + low
        apart = np.sqrt(((tried[:, None] - cells[None]) ** 2).sum(axis=2))
        between = 0.0 if self.score.on_map else math.sqrt(0.5) / fine
        return float((np.exp(-apart / scale) @ chances).max()) * math.exp(between / scale)

    def starts(self) -> list[Floats]:
        """Probable joint positions, the mean, the median, and each name's most probable cell."""
        rows, which = np.unique(self.cells.reshape(len(self.cells), -1), axis=0, return_inverse=True)
        likely = np.argsort(-np.bincount(which.ravel(), self.weights), kind="stable")[:_LIKELY]
        joint = [rows[i].reshape(-1, 2).astype(np.float64) for i in likely]
        if len(rows) == 1:
            return joint
        mean = np.rint(np.einsum("s,snc->nc", self.weights, self.cells))
        order = np.argsort(self.cells, axis=0)
        heaps = np.cumsum(self.weights[order], axis=0)
        middle = np.minimum((heaps < 0.5).sum(axis=0), len(self.cells) - 1)
        median = np.take_along_axis(np.sort(self.cells, axis=0), middle[None], axis=0)[0].astype(np.float64)
        modes = np.stack([self._probable(np.array([i]))[0] for i in range(self.cells.shape[1])])
        return [*joint, mean, median, modes]

    def _probable(self, group: Ints) -> Floats:
        """Cells of a group, the most probable first."""
        cells, which = np.unique(self.cells[:, group[0]], axis=0, return_inverse=True)
        order = np.argsort(-np.bincount(which.ravel(), self.weights), kind="stable")
        return cells[order[:_TRIED]].astype(np.float64)

    def ascend(self, points: Floats) -> Floats:
        """The points after moves of one group at a time, as long as one gains."""
        tried = [self._probable(group) for group in self.groups]
        for fractions in (False,) if self.score.on_map else (False, True):
            for _ in range(_SWEEPS):
                before = points
                for group, cells in zip(self.groups, tried, strict=True):
                    if len(cells) > 1:
                        points = self._moved(points, group, points[group[0]] + _FRACTIONS if fractions else cells)
                if (points == before).all():
                    break
        return points

    def _moved(self, points: Floats, group: Ints, cells: Floats) -> Floats:
        """The points with one group on the best of some cells, or where it is."""
        cells = np.concatenate([points[group[:1]], cells])
        stated = np.concatenate([points, np.zeros((1, 2))])
        others = [i for i in range(len(stated)) if i not in group]
        gain = np.zeros(len(cells))
        for other in others:
            said = directions(cells - stated[other], self.score.on_map)
            gain += self.pair_chances[group[:, None], other, said].sum(axis=0)
        rest = ((self.cells - points) ** 2).sum(axis=2)
        rest = rest.sum(axis=1) - rest[:, group].sum(axis=1)
        apart = self.cells[:, group[0]][:, None] - cells[None]
        close = self.weights @ self._close(rest[:, None] + len(group) * (apart**2).sum(axis=2))
        total = self.score.directions * gain / self.score.pairs + self.score.closeness * close
        best = int(np.argmax(np.round(total, 12)))
        moved = points.copy()
        moved[group] = cells[best]
        return moved
