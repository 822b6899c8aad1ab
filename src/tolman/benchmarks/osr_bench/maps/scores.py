"""Scores of a stated map against the true one: objects are matched class by class, in the best of four rotations."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import scipy.optimize

from tolman.benchmarks.osr_bench.maps.grid import GridCell, GridMap, StatedMap
from tolman.benchmarks.osr_bench.rules import STRICT, Rules

NO_MATCH_DISTANCE = 15.0
"""Distance in cells that is assigned where no pair is matched."""


@dataclass(frozen=True)
class MatchCounts:
    """Objects found, invented and missed, with the distances of all pairs in cells."""

    found: int = 0
    invented: int = 0
    missed: int = 0
    distances: tuple[float, ...] = ()

    def __add__(self, other: "MatchCounts") -> "MatchCounts":
        return MatchCounts(
            self.found + other.found,
            self.invented + other.invented,
            self.missed + other.missed,
            self.distances + other.distances,
        )

    @property
    def precision(self) -> float:
        stated = self.found + self.invented
        return self.found / stated if stated else 0.0

    @property
    def recall(self) -> float:
        there = self.found + self.missed
        return self.found / there if there else 0.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def distance(self) -> float:
        """Mean over all matched pairs, including those beyond the match distance."""
        return sum(self.distances) / len(self.distances) if self.distances else NO_MATCH_DISTANCE


Distances = tuple[float, ...]
"""Distance of each matched pair, in cells."""
Orientation = tuple[tuple[int, int, int], tuple[int, int, int]]
"""Coefficients of row, column and last index that give the new row, and those that give the new column."""
ROTATIONS: tuple[Orientation, ...] = (
    ((1, 0, 0), (0, 1, 0)),
    ((0, 1, 0), (-1, 0, 1)),
    ((-1, 0, 1), (0, -1, 1)),
    ((0, -1, 1), (1, 0, 0)),
)
"""Clockwise quarter turns of a grid."""
MIRRORED_ROTATIONS: tuple[Orientation, ...] = (
    ((1, 0, 0), (0, -1, 1)),
    ((0, -1, 1), (-1, 0, 1)),
    ((-1, 0, 1), (0, 1, 0)),
    ((0, 1, 0), (1, 0, 0)),
)
"""The same after left and right are exchanged."""
_assignment = cast("Any", scipy.optimize).linear_sum_assignment


def matched_distances(
    there: Sequence[GridCell], stated: Sequence[GridCell], turns: Sequence[Orientation], last: int
) -> list[Distances]:
    """Distances of the matched pairs for each orientation of the stated cells; `last` is the index of the last row."""
    if len(there) == 1 or len(stated) == 1:
        return [(math.sqrt(_least(there, stated, turn, last)),) for turn in turns]
    turned = np.einsum("tij,nj->tni", np.array(turns), np.array([(*at, last) for at in stated]))
    costs = np.sqrt(np.square(np.array(there)[None, :, None] - turned[:, None]).sum(axis=3))
    return [tuple(cost[_assignment(cost)].tolist()) for cost in costs]


def _least(there: Sequence[GridCell], stated: Sequence[GridCell], turn: Orientation, last: int) -> int:
    """The least squared distance: where one side has one object, there is one pair."""
    (a, b, c), (d, e, f) = turn
    turned = [(a * row + b * column + c * last, d * row + e * column + f * last) for row, column in stated]
    return min((row - r) ** 2 + (column - c) ** 2 for row, column in turned for r, c in there)


MATCH_DISTANCE = 2.0
"""Cells within which a stated object counts as found."""


@dataclass(frozen=True)
class GridMapScore:
    """A stated map against the truth."""

    read: bool
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    distance: float = NO_MATCH_DISTANCE
    """Mean in cells."""
    tally: MatchCounts = field(default_factory=MatchCounts)
    """Counts over all classes, under either rule set."""
    classes: dict[str, MatchCounts] = field(default_factory=dict[str, MatchCounts])
    quarters: int = 0
    """Clockwise quarter turns of the stated map that fit best."""
    mirrored_f1: float | None = None
    """F1 of the mirror image in its best rotation; strict rules only."""
    invented_classes: tuple[str, ...] = ()
    """Stated classes that are not in the room."""
    stated_classes: int = 0
    invented_objects: int = 0
    stated_objects: int = 0

    @property
    def invents(self) -> bool:
        """Whether any stated class is not in the room (CHAIR by map)."""
        return bool(self.invented_classes)

    @property
    def invented_class_rate(self) -> float:
        """Share of stated classes that are not in the room (CHAIR by class)."""
        return len(self.invented_classes) / self.stated_classes if self.stated_classes else 0.0

    @property
    def invented_object_rate(self) -> float:
        """Share of stated objects whose class is not in the room (CHAIR by instance)."""
        return self.invented_objects / self.stated_objects if self.stated_objects else 0.0


UNPARSEABLE_MAP = GridMapScore(read=False)


def score_map(
    truth: GridMap, stated: StatedMap | None, rules: Rules = STRICT, order: Sequence[str] = ()
) -> GridMapScore:
    """Score a map. The released formula depends on the order of classes; by default the truth's, then the map's."""
    used = None if stated is None else scored_places(truth, stated, rules)
    if used is None or not (rules.maps_may_share_no_class or any(name in truth.counts for name in used)):
        return UNPARSEABLE_MAP
    names = [name for name in dict.fromkeys((*order, *truth.classes, *used)) if name in truth.counts or name in used]
    turns = (*ROTATIONS, *MIRRORED_ROTATIONS) if rules.true_handedness else ROTATIONS
    pairs = {
        name: matched_distances(truth.instances[name], used[name], turns, truth.size - 1)
        for name in _shared(names, truth, used)
    }
    judged = names if rules.every_class_counts else _released_part(names, truth, used)
    parts = [
        _match_counts(truth, used, judged, {name: pairs[name][turn] for name in pairs}) for turn in range(len(turns))
    ]
    best = max(range(len(ROTATIONS)), key=lambda turn: parts[turn].f1)
    classes = {
        name: _match_counts(truth, used, (name,), {name: pairs[name][best]} if name in pairs else {}) for name in names
    }
    part, whole = parts[best], sum(classes.values(), MatchCounts())
    invented = tuple(name for name in used if name not in truth.counts)
    return GridMapScore(
        read=True,
        precision=part.precision,
        recall=part.recall,
        f1=part.f1,
        distance=whole.distance,
        tally=whole,
        classes=classes,
        quarters=best,
        mirrored_f1=max((mirrored.f1 for mirrored in parts[len(ROTATIONS) :]), default=None),
        invented_classes=invented,
        stated_classes=len(used),
        invented_objects=sum(len(used[name]) for name in invented),
        stated_objects=sum(map(len, used.values())),
    )


def scored_places(truth: GridMap, stated: StatedMap, rules: Rules) -> StatedMap:
    """The stated cells that are scored, with class names normalised to those of the truth."""
    names = {normalised_name(name): name for name in truth.classes}
    used: StatedMap = {}
    for name, places in stated.items():
        kept = [at for at in places if rules.points_outside_are_wrong or _is_inside(at, truth.size)]
        if kept:
            known = names.get(normalised_name(name), name) if rules.forgiving_maps else name
            used.setdefault(known, []).extend(kept)
    return used


def normalised_name(name: str) -> str:
    """A class name in lower case, with spaces for underscores and hyphens."""
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def _is_inside(place: GridCell, size: int) -> bool:
    return 0 <= place[0] < size and 0 <= place[1] < size


def _match_counts(
    truth: GridMap, stated: StatedMap, names: Sequence[str], pairs: Mapping[str, Distances]
) -> MatchCounts:
    """Counts for some classes, given the distances of all matched pairs."""
    distances = tuple(distance for name in names for distance in pairs.get(name, ()))
    found = sum(distance <= MATCH_DISTANCE for distance in distances)
    said, there = (sum(len(places.get(name, ())) for name in names) for places in (stated, truth.instances))
    return MatchCounts(found, said - found, there - found, distances)


def _shared(names: Sequence[str], truth: GridMap, stated: StatedMap) -> list[str]:
    return [name for name in names if name in truth.counts and name in stated]


def _released_part(names: Sequence[str], truth: GridMap, stated: StatedMap) -> Sequence[str]:
    """The classes that the released formula covers: up to the last one that both maps have."""
    shared = _shared(names, truth, stated)
    return names[: names.index(shared[-1]) + 1] if shared else names
