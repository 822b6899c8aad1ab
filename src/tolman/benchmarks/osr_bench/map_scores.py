"""How near a stated map comes to the truth: objects are paired class by class, in the best of four orientations."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from tolman.benchmarks.osr_bench.grid_map import GridMap, Place
from tolman.benchmarks.osr_bench.map_reading import Stated
from tolman.benchmarks.osr_bench.osr_rules import STRICT, OsrRules
from tolman.benchmarks.osr_bench.tally import FARTHEST, Tally

NEAR = 2.0
"""Cells within which a stated object counts as found."""


@dataclass(frozen=True)
class MapScore:
    """A stated map against the truth."""

    read: bool
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    distance: float = FARTHEST
    """Mean in cells."""
    tally: Tally = field(default_factory=Tally)
    """Over all classes, whatever the formula."""
    classes: dict[str, Tally] = field(default_factory=dict[str, Tally])
    quarters: int = 0
    """Clockwise quarter turns of the stated map that fit best."""
    mirrored_f1: float | None = None
    """What the best orientation of its mirror image would have given; only measured under the mended rules."""
    invented_classes: tuple[str, ...] = ()
    """Stated, but nowhere in the room."""
    stated_classes: int = 0
    invented_objects: int = 0
    stated_objects: int = 0

    @property
    def invents(self) -> bool:
        """Whether any class is stated that is not there (CHAIR by map)."""
        return bool(self.invented_classes)

    @property
    def invented_class_rate(self) -> float:
        """Share of stated classes that are not there (CHAIR by class)."""
        return len(self.invented_classes) / self.stated_classes if self.stated_classes else 0.0

    @property
    def invented_object_rate(self) -> float:
        """Share of stated objects whose class is not there (CHAIR by instance)."""
        return self.invented_objects / self.stated_objects if self.stated_objects else 0.0


UNREAD = MapScore(read=False)


def score_map(truth: GridMap, stated: Stated | None, rules: OsrRules = STRICT, order: Sequence[str] = ()) -> MapScore:
    """Score a map. The released formula depends on the order of classes; by default it is the truth's, then the map's."""
    if stated is None:
        return UNREAD
    used = _counted(truth, stated, rules)
    fits = [_fit(truth, used, quarters, order, rules) for quarters in range(4)]
    if fits[0] is None:
        return UNREAD
    best = max((fit for fit in fits if fit is not None), key=lambda fit: fit.f1)
    invented = tuple(name for name in used if name not in truth.counts)
    return replace(
        best,
        mirrored_f1=_mirrored_f1(truth, used, rules) if rules.true_handedness else None,
        invented_classes=invented,
        stated_classes=len(used),
        invented_objects=sum(len(used[name]) for name in invented),
        stated_objects=sum(map(len, used.values())),
    )


def _counted(truth: GridMap, stated: Stated, rules: OsrRules) -> Stated:
    """The stated places that count, under the truth's names."""
    names = {plain_name(name): name for name in truth.classes}
    used: Stated = {}
    for name, places in stated.items():
        kept = [at for at in places if rules.points_outside_are_wrong or _is_inside(at, truth.size)]
        if kept:
            known = names.get(plain_name(name), name) if rules.forgiving_maps else name
            used.setdefault(known, []).extend(kept)
    return used


def plain_name(name: str) -> str:
    """A class in small letters, with spaces for underscores and hyphens."""
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def _is_inside(place: Place, size: int) -> bool:
    return 0 <= place[0] < size and 0 <= place[1] < size


def _fit(truth: GridMap, stated: Stated, quarters: int, order: Sequence[str], rules: OsrRules) -> MapScore | None:
    """The score in one orientation; None where the released code gives up."""
    names = [
        name for name in dict.fromkeys((*order, *truth.classes, *stated)) if name in truth.counts or name in stated
    ]
    classes = {
        name: _matched(truth.instances.get(name, []), _turned(stated.get(name, []), truth.size, quarters))
        for name in names
    }
    whole = sum(classes.values(), Tally())
    shared = [i for i, name in enumerate(names) if name in truth.counts and name in stated]
    if not shared and not rules.maps_may_share_no_class:
        return None
    judged = whole
    if not rules.every_class_counts:
        judged = sum(list(classes.values())[: shared[-1] + 1], Tally())
    return MapScore(True, judged.precision, judged.recall, judged.f1, whole.distance, whole, classes, quarters)


def _turned(places: Sequence[Place], size: int, quarters: int) -> list[Place]:
    """Places after clockwise quarter turns of the grid."""
    turned = list(places)
    for _ in range(quarters):
        turned = [(column, size - 1 - row) for row, column in turned]
    return turned


def _matched(there: Sequence[Place], stated: Sequence[Place]) -> Tally:
    """Objects of one class, paired so that distances add up to least."""
    if not there or not stated:
        return Tally(invented=len(stated), missed=len(there))
    costs = np.sqrt(((np.array(there)[:, None] - np.array(stated)[None]) ** 2).sum(axis=2))
    distances = costs[linear_sum_assignment(costs)]
    found = int((distances <= NEAR).sum())
    return Tally(found, len(stated) - found, len(there) - found, tuple(map(float, distances)))


def _mirrored_f1(truth: GridMap, stated: Stated, rules: OsrRules) -> float:
    """The best that the mirror image of a stated map would have got."""
    mirrored = {name: [(row, truth.size - 1 - column) for row, column in places] for name, places in stated.items()}
    fits = (_fit(truth, mirrored, quarters, (), rules) for quarters in range(4))
    return max(fit.f1 for fit in fits if fit is not None)
