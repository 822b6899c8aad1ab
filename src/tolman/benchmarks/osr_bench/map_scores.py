"""How near a stated map comes to the truth: objects are paired class by class, in the best of four orientations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tolman.benchmarks.osr_bench.grid_map import GridMap, Place
from tolman.benchmarks.osr_bench.map_reading import Stated
from tolman.benchmarks.osr_bench.osr_rules import STRICT, OsrRules
from tolman.benchmarks.osr_bench.pairing import MIRRORED_TURNS, TURNS, Distances, paired
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
    """What the best orientation of its mirror image would have given; only measured under the corrected rules."""
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
    """Score a map. The released formula depends on the order of classes; by default the truth's, then the map's."""
    used = None if stated is None else counted(truth, stated, rules)
    if used is None or not (rules.maps_may_share_no_class or any(name in truth.counts for name in used)):
        return UNREAD
    names = [name for name in dict.fromkeys((*order, *truth.classes, *used)) if name in truth.counts or name in used]
    turns = (*TURNS, *MIRRORED_TURNS) if rules.true_handedness else TURNS
    pairs = {
        name: paired(truth.instances[name], used[name], turns, truth.size - 1) for name in _shared(names, truth, used)
    }
    judged = names if rules.every_class_counts else _released_part(names, truth, used)
    parts = [_tally(truth, used, judged, {name: pairs[name][turn] for name in pairs}) for turn in range(len(turns))]
    best = max(range(len(TURNS)), key=lambda turn: parts[turn].f1)
    classes = {name: _tally(truth, used, (name,), {name: pairs[name][best]} if name in pairs else {}) for name in names}
    part, whole = parts[best], sum(classes.values(), Tally())
    invented = tuple(name for name in used if name not in truth.counts)
    return MapScore(
        read=True,
        precision=part.precision,
        recall=part.recall,
        f1=part.f1,
        distance=whole.distance,
        tally=whole,
        classes=classes,
        quarters=best,
        mirrored_f1=max((mirrored.f1 for mirrored in parts[len(TURNS) :]), default=None),
        invented_classes=invented,
        stated_classes=len(used),
        invented_objects=sum(len(used[name]) for name in invented),
        stated_objects=sum(map(len, used.values())),
    )


def counted(truth: GridMap, stated: Stated, rules: OsrRules) -> Stated:
    """The stated places that count, under the names of the truth."""
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


def _tally(truth: GridMap, stated: Stated, names: Sequence[str], pairs: Mapping[str, Distances]) -> Tally:
    """What is found of some classes, given the distances of all pairs."""
    distances = tuple(distance for name in names for distance in pairs.get(name, ()))
    found = sum(distance <= NEAR for distance in distances)
    said, there = (sum(len(places.get(name, ())) for name in names) for places in (stated, truth.instances))
    return Tally(found, said - found, there - found, distances)


def _shared(names: Sequence[str], truth: GridMap, stated: Stated) -> list[str]:
    return [name for name in names if name in truth.counts and name in stated]


def _released_part(names: Sequence[str], truth: GridMap, stated: Stated) -> Sequence[str]:
    """The classes that the released formula comes to: those up to the last that both maps have."""
    shared = _shared(names, truth, stated)
    return names[: names.index(shared[-1]) + 1] if shared else names
