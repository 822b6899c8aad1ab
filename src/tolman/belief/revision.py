"""How well a belief is revised after the world has changed without the agent seeing it.

Maps are plain mappings from name to position and facing; positions are in cells of one frame for all arguments. A thing
is scored once, by the map stated after the first turn in which it came into view again. Things for which a score is
undefined are listed in the result, never dropped silently.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tolman.core.geometry import Heading
from tolman.core.rules import Rules
from tolman.world import Change
from tolman.world.perturb import ChangeKind

MapPosition = tuple[float, float]
MappedPose = tuple[MapPosition, Heading | None]
"""Position and facing on a map; None for no facing."""
PoseMap = Mapping[str, MappedPose]

_ZERO = 1e-9


@dataclass(frozen=True, slots=True)
class Identification:
    """F1 in [0, 1] of a report of changes; None where there is no such change, true or reported."""

    overall: float | None
    """Over pairs of name and kind of change."""
    position: float | None
    """Over names of moved things."""
    orientation: float | None
    """Over names of rotated things."""


def identification(reported: Iterable[Change], true: Collection[Change], rules: Rules) -> Identification:
    """How well a report names what changed. Duplicates count once; a missing report counts as an empty one.

    The number of changes is announced. Under `strict` only as many can be right, the first ones named; the rest counts
    as wrong, so that naming everything scores less than a guess.
    """
    said, is_so = dict.fromkeys(reported), set(true)
    counting = set(islice(said, len(is_so))) if rules.only_announced_changes_count else set(said)

    def f1(kinds: Collection[ChangeKind]) -> float | None:
        there, named = (sum(change.kind in kinds for change in changes) for changes in (is_so, said))
        right = sum(change.kind in kinds for change in counting & is_so)
        return 2 * right / (named + there) if named or there else None

    return Identification(f1(("position", "orientation")), f1(("position",)), f1(("orientation",)))


def redundant_cost(turns: Iterable[tuple[int, Collection[str]]], changed: Collection[str]) -> int | None:
    """Cost of the turns after all changed things have been in view; None if they never have.

    A turn is given by its cost and the names in view.
    """
    unseen, cost = set(changed), 0
    for turn_cost, in_view in turns:
        cost += 0 if unseen else turn_cost
        unseen.difference_update(in_view)
    return None if unseen else cost


@dataclass(frozen=True, slots=True)
class Revisited:
    """A thing when it first came into view again: the old belief, the new belief, and the truth."""

    old: MappedPose | None
    new: MappedPose | None
    truth: MappedPose
    mapped: bool
    """Whether any map was stated after that turn."""


def revisited(
    views: Sequence[Collection[str]], maps: Sequence[PoseMap | None], old: PoseMap, truth: PoseMap
) -> dict[str, Revisited]:
    """Everything that came into view, by name. `maps` holds the map stated after the turn of each view, if any."""
    found: dict[str, Revisited] = {}
    for in_view, stated in zip(views, maps, strict=True):
        for name in in_view:
            if name not in found and name in truth:
                new = None if stated is None else stated.get(name)
                found[name] = Revisited(old.get(name), new, truth[name], stated is not None)
    return found


def position_correctness(thing: Revisited, scale: float, rules: Rules) -> float | None:
    """How close the new belief is to the truth, in [0, 1]; 0 for a thing missing from the map."""
    if thing.new is None:
        return 0.0 if thing.mapped or rules.missing_map_scores_zero else None
    return math.exp(-math.dist(thing.new[0], thing.truth[0]) / scale)


def facing_correctness(thing: Revisited, rules: Rules) -> float | None:
    """1 if the new belief has the true facing, else 0."""
    if thing.new is None:
        return 0.0 if thing.mapped or rules.missing_map_scores_zero else None
    return float(thing.new[1] == thing.truth[1])


def position_retention(thing: Revisited, scale: float, rules: Rules) -> float | None:
    """How close the new belief is to the old one, in [0, 1]; None unless the thing is on both maps.

    As published, 0 for a thing missing from the new map.
    """
    if thing.old is None or _has_no_new_belief(thing, rules):
        return None
    return 0.0 if thing.new is None else math.exp(-math.dist(thing.new[0], thing.old[0]) / scale)


def facing_inertia(thing: Revisited, rules: Rules) -> float | None:
    """1 if the facing is still the old one, else 0; None unless the thing is on both maps.

    As published, 1 where the old map stated no facing, whether or not the thing is on the new map.
    """
    if thing.old is None or _has_no_new_belief(thing, rules):
        return None
    if thing.old[1] is None:
        return None if rules.unknown_facing_has_no_inertia else 1.0
    return float(thing.new is not None and thing.new[1] == thing.old[1])


def _has_no_new_belief(thing: Revisited, rules: Rules) -> bool:
    return thing.new is None and (rules.left_out_things_have_no_inertia or not thing.mapped)


def position_inertia(thing: Revisited, sigma: float, rules: Rules) -> float | None:
    """Cosine between the error and the direction to the old belief, times the closeness of new and old; in [-1, 1].

    `sigma` in cells is the noise of the maps. None unless the thing is on both maps, and where the old belief still
    holds in the changed world.
    """
    if thing.new is None or thing.old is None:
        return None
    new, old, truth = thing.new[0], thing.old[0], thing.truth[0]
    offset, error = math.dist(old, truth), math.dist(new, truth)
    if offset < _ZERO:
        return None
    if error < _ZERO:
        return 0.0 if rules.perfect_updates_have_no_inertia else None
    along = sum((n - t) / error * ((o - t) / offset) for n, o, t in zip(new, old, truth, strict=True))
    cosine = max(-1.0, min(1.0, along / (1 + _ZERO / (offset * error))))
    apart = 0.0 if sigma < _ZERO else math.dist(new, old) / math.hypot(math.sqrt(2) * sigma, math.sqrt(_ZERO))
    return cosine * math.exp(-apart * apart)


def noise_scale(unchanged: Iterable[Revisited]) -> float:
    """The dynamic sigma: root mean square error in cells over unchanged things on the new maps; 1 if there are none."""
    errors = [math.dist(thing.new[0], thing.truth[0]) for thing in unchanged if thing.new is not None]
    return math.sqrt(math.fsum(error * error for error in errors) / len(errors)) if errors else 1.0


@dataclass(frozen=True, slots=True)
class Tally:
    """Scores by name, and the names whose score is undefined."""

    scores: tuple[tuple[str, float], ...] = ()
    undefined: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Iterable[tuple[str, float | None]]) -> "Tally":
        listed = list(values)
        scores = tuple((name, value) for name, value in listed if value is not None)
        return cls(scores, tuple(name for name, value in listed if value is None))

    @property
    def mean(self) -> float | None:
        return sum(value for _, value in self.scores) / len(self.scores) if self.scores else None

    def __add__(self, other: "Tally") -> "Tally":
        """Both pooled: the mean is then over things, not over episodes."""
        return Tally(self.scores + other.scores, self.undefined + other.undefined)


@dataclass(frozen=True, slots=True)
class RevisionScores:
    """Position scores are over moved things, facing scores over rotated ones. `sigma`: noise of the maps in cells."""

    sigma: float
    position_correctness: Tally
    facing_correctness: Tally
    position_retention: Tally
    position_inertia: Tally
    facing_inertia: Tally
    """Called retention of facing in the released logs."""


def revision_scores(
    seen: Mapping[str, Revisited], changes: Iterable[Change], scale: float, rules: Rules
) -> RevisionScores:
    """Scores of all changed things; those that never came into view again are undefined in every score.

    `scale` is the published unit of length: root mean square distance in cells of all things from the start, before
    the world changed.
    """
    kinds = {change.name: change.kind for change in changes}
    sigma = noise_scale(thing for name, thing in seen.items() if name not in kinds)
    moved = {name: seen.get(name) for name, kind in kinds.items() if kind == "position"}
    turned = {name: seen.get(name) for name, kind in kinds.items() if kind == "orientation"}
    return RevisionScores(
        sigma=sigma,
        position_correctness=Tally.of((n, t and position_correctness(t, scale, rules)) for n, t in moved.items()),
        facing_correctness=Tally.of((n, t and facing_correctness(t, rules)) for n, t in turned.items()),
        position_retention=Tally.of((n, t and position_retention(t, scale, rules)) for n, t in moved.items()),
        position_inertia=Tally.of((n, t and position_inertia(t, sigma, rules)) for n, t in moved.items()),
        facing_inertia=Tally.of((n, t and facing_inertia(t, rules)) for n, t in turned.items()),
    )
