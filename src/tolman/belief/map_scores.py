"""Scores of cognitive maps: agreement of one map with another, consistency of local and global maps, and stability
from turn to turn.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Literal

import numpy as np

from tolman.belief.cognitive_map import CognitiveMap, Placement, Point
from tolman.core.bins import CardinalBin, cardinal_bin
from tolman.core.geometry import Heading, bearing, distance
from tolman.core.rules import Rules
from tolman.world import AGENT, Scene

ORIGIN = (0.0, 0.0)
INITIAL = "initial"
"""Name of the origin in the alphabetical order of pairs, as published."""
SAME_SPOT = 1e-6
"""Points closer than this along both axes, in cells, coincide."""


@dataclass(frozen=True, slots=True)
class MapScore:
    """Each in [0, 1], or None where there was nothing to compare. `overall` is the mean of those that are scored."""

    direction: float | None
    facing: float | None
    position: float | None
    overall: float | None


ZERO = MapScore(0.0, 0.0, 0.0, 0.0)
PERFECT = MapScore(1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class MapScale:
    """The unit of length of a scene's map scores, and the names whose facing is scored."""

    length: float
    """Root mean square distance of all things from the start, in cells: an error as long as this scores 1/e."""
    fronted: frozenset[str]
    """Names whose facing counts: things with a front, and the agent."""

    @classmethod
    def of(cls, scene: Scene) -> "MapScale":
        distances = [distance(scene.from_start(thing.name)) for thing in scene.things]
        fronted = (thing.name for thing in scene.things if thing.front is not None)
        return cls(_root_mean_square(distances) if distances else 0.0, frozenset((*fronted, AGENT)))

    def closeness(self, error: float) -> float:
        """exp(-error / length) for an error in cells; where the length is 0, 1 for no error and else 0."""
        if self.length == 0.0:
            return 1.0 if error == 0.0 else 0.0
        return math.exp(-error / self.length)


def score_map(said: CognitiveMap, truth: CognitiveMap, scale: MapScale, rules: Rules) -> MapScore | None:
    """Score a map against another; None where the other is empty. Maps are compared as they are, without alignment."""
    if not truth.places:
        return None
    facing = mean(map(float, _facings_agree(said, truth, scale)))
    if facing is None and not rules.nothing_to_compare_is_unscored:
        facing = 1.0
    direction = mean(map(float, _directions_agree(said, truth, rules)))
    position = _position(said, truth, scale)
    return MapScore(direction, facing, position, mean((direction, facing, position)))


def _directions_agree(said: CognitiveMap, truth: CognitiveMap, rules: Rules) -> Iterator[bool]:
    """For each pair among the true names and the origin, whether its direction on the map is the true one.

    Pairs are in alphabetical order, which matters as published for coincident points, and not otherwise.
    """
    agree = _agree_in_any_order if rules.coincident_points_have_no_direction else _agree_in_order
    true_points = {name: placed.position for name, placed in truth.places.items()} | {INITIAL: ORIGIN}
    said_points = {name: placed.position for name, placed in said.places.items()} | {INITIAL: ORIGIN}
    for a, b in combinations(sorted(true_points), 2):
        yield (
            a in said_points
            and b in said_points
            and agree(_apart(true_points[a], true_points[b]), _apart(said_points[a], said_points[b]))
        )


def _apart(a: Point, b: Point) -> Point:
    """The displacement from the second to the first; zero where they coincide."""
    east, north = a[0] - b[0], a[1] - b[1]
    return ORIGIN if abs(east) < SAME_SPOT and abs(north) < SAME_SPOT else (east, north)


def _agree_in_order(true: Point, said: Point) -> bool:
    """Whether two displacements have one direction; a zero one counts as north, so the order of the pair matters."""
    return _direction(true) == _direction(said)


def _agree_in_any_order(true: Point, said: Point) -> bool:
    """Whether two displacements have one direction whichever way the pair is taken, or both are zero."""
    if ORIGIN in (true, said):
        return true == said
    sign = 1 if true > ORIGIN else -1
    return _direction((sign * true[0], sign * true[1])) == _direction((sign * said[0], sign * said[1]))


@lru_cache(maxsize=65536)
def _direction(displacement: Point) -> CardinalBin:
    """As published, a zero displacement is north."""
    return cardinal_bin(bearing(*displacement))


def _facings_agree(said: CognitiveMap, truth: CognitiveMap, scale: MapScale) -> Iterator[bool]:
    for name, placed in truth.places.items():
        if name in scale.fronted:
            yield name in said.places and said.places[name].facing == placed.facing


def _position(said: CognitiveMap, truth: CognitiveMap, scale: MapScale) -> float:
    both = [name for name in truth.places if name in said.places]
    if not both:
        return 0.0
    errors = [math.dist(said.places[name].position, truth.places[name].position) for name in both]
    return len(both) / len(truth.places) * scale.closeness(_root_mean_square(errors))


def _root_mean_square(lengths: list[float]) -> float:
    """Summed exactly, so that the result does not depend on the order."""
    return math.sqrt(math.fsum(length * length for length in lengths) / len(lengths))


def mean(values: Iterable[float | None]) -> float | None:
    """Mean of the values that are scored; None if none is."""
    scored = [value for value in values if value is not None]
    return sum(scored) / len(scored) if scored else None


def consistency(
    local: CognitiveMap, whole: CognitiveMap, view: CognitiveMap, scene: Scene, scale: MapScale, rules: Rules
) -> MapScore | None:
    """Score a local map against the global one, transformed to the frame of the agent on the global map.

    `view` is the true local map. As published, the names on both maps count, and their facings where the global map
    states one, except for doors; None where the global map does not hold the agent (one without a facing faces north).
    Under `strict` everything in view counts, and no part scores higher than that of the local map against the truth.
    """
    if rules.agreement_needs_truth:
        return _earned_consistency(local, whole, view, scale, rules)
    agent = whole.places.get(AGENT)
    heading = Heading.NORTH if agent and not rules.unreadable_facing_is_missing else None
    heading = agent.facing if agent and agent.facing is not None else heading
    if agent is None or heading is None:
        return None
    if not local.places:
        return None if rules.nothing_to_compare_is_unscored else PERFECT
    expected = in_agent_frame(whole.only(local.places), agent.position, heading)
    if not expected.places:
        return ZERO
    doors = {door.name for door in scene.doors}
    faced = (name for name, placed in expected.places.items() if placed.facing is not None and name not in doors)
    return score_map(local, expected, replace(scale, fronted=frozenset(faced)), rules)


def consistency_coverage(local: CognitiveMap, whole: CognitiveMap, view: CognitiveMap) -> float | None:
    """Share of the names in view that are on both maps; None where nothing is in view."""
    if not view.places:
        return None
    return sum(name in local.places and name in whole.places for name in view.places) / len(view.places)


def _earned_consistency(
    local: CognitiveMap, whole: CognitiveMap, view: CognitiveMap, scale: MapScale, rules: Rules
) -> MapScore | None:
    """Agreement over all names in view, missing ones counted as wrong, and at most the score against the truth."""
    right, agent = score_map(local, view, scale, rules), whole.places.get(AGENT)
    if right is None:
        return None
    if agent is None or agent.facing is None:
        return _partwise_minimum(right, ZERO)
    expected = in_agent_frame(whole.only(view.places), agent.position, agent.facing)
    agreed = score_map(local, expected, scale, rules) or ZERO
    visible, both = len(view.places), len(expected.places)
    fronts, faced = (len(scale.fronted.intersection(each.places)) for each in (view, expected))
    shares = MapScore(
        direction=both * (both + 1) / (visible * (visible + 1)),
        facing=faced / fronts if fronts else None,
        position=both / visible,
        overall=None,
    )
    return _partwise_minimum(right, agreed, shares)


def _partwise_minimum(right: MapScore, agreed: MapScore, shares: MapScore = PERFECT) -> MapScore:
    """Part by part the lesser of the score against the truth and the agreement times its share of the view."""

    def part(name: Literal["direction", "facing", "position"]) -> float | None:
        own: float | None = getattr(right, name)
        return None if own is None else min(own, (getattr(agreed, name) or 0.0) * (getattr(shares, name) or 0.0))

    direction, facing, position = part("direction"), part("facing"), part("position")
    return MapScore(direction, facing, position, mean((direction, facing, position)))


def in_agent_frame(whole: CognitiveMap, origin: Point, heading: Heading) -> CognitiveMap:
    """A global map in cells to the right and ahead of a pose; facings stay absolute."""
    (x0, y0), (east, north) = origin, heading.vector

    def turned(x: float, y: float) -> Point:
        return (x * north - y * east, x * east + y * north)

    return CognitiveMap(
        {
            name: Placement(turned(placed.position[0] - x0, placed.position[1] - y0), placed.facing)
            for name, placed in whole.places.items()
        }
    )


POSSIBLE_CAP = 200
"""The published measure counts an object's possible positions up to this number."""
TOLERANCE = 1e-9


def with_settled_position(names: Iterable[str], before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """The names whose number of possible positions a turn changed by at most one.

    `before` and `now` give the number of positions that the evidence allows for each name.
    """

    def change(name: str) -> int:
        return min(POSSIBLE_CAP, now[name]) - min(POSSIBLE_CAP, before[name])

    return [name for name in names if name in before and name in now and abs(change(name)) <= 1]


def steady_positions(
    names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap, rules: Rules
) -> list[bool]:
    """For each name on both maps, whether its position error did not grow."""
    far, slack = (math.dist, TOLERANCE) if rules.rounding_moves_nothing else (_published_distance, 0.0)
    return [
        far(new.position, true.position) <= far(old.position, true.position) + slack
        for old, new, true in _on_both(names, before, now, truth)
    ]


def _published_distance(a: Point, b: Point) -> float:
    """Computed as in the released code, where equal distances may differ in the last digit, which counts."""
    return float(np.linalg.norm(np.subtract(a, b)))


def steady_facings(names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap) -> list[bool]:
    """For each name on both maps, whether its facing is right, or was wrong and is unchanged."""
    return [
        new.facing == true.facing or (old.facing != true.facing and old.facing == new.facing)
        for old, new, true in _on_both(names, before, now, truth)
    ]


def unworsened_positions(
    names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap, rules: Rules
) -> list[bool]:
    """For each name on the map before, whether its position error did not grow; False where the new map lacks it."""
    stated = [name for name in names if name in before.places]
    steady = steady_positions(stated, before, now, truth, rules)
    return steady + [False] * (len(stated) - len(steady))


def unworsened_facings(
    names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap
) -> list[bool]:
    """For each name on the map before, whether its facing did not go from right to wrong, or out of the map."""
    stated = [name for name in names if name in before.places]
    steady = [
        new.facing == true.facing or old.facing != true.facing
        for old, new, true in _on_both(stated, before, now, truth)
    ]
    return steady + [False] * (len(stated) - len(steady))


def kept_positions(
    names: Iterable[str],
    before: CognitiveMap,
    now: CognitiveMap,
    truth: CognitiveMap,
    scale: MapScale,
    rules: Rules,
) -> list[float]:
    """For each name the closeness of its position in [0, 1]; 0 if its error grew or a map lacks it."""
    names = list(names)
    pairs = _on_both(names, before, now, truth)
    errors = [math.dist(new.position, true.position) for _, new, true in pairs]
    steady = steady_positions(names, before, now, truth, rules)
    kept = [scale.closeness(error) if same else 0.0 for error, same in zip(errors, steady, strict=True)]
    return kept + [0.0] * (len(names) - len(pairs))


def kept_facings(names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap) -> list[bool]:
    """For each name whether its facing is right; False where a map lacks it."""
    names = list(names)
    right = [new.facing == true.facing for _, new, true in _on_both(names, before, now, truth)]
    return right + [False] * (len(names) - len(right))


def _on_both(
    names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap
) -> list[tuple[Placement, Placement, Placement]]:
    return [
        (before.places[name], now.places[name], truth.places[name])
        for name in names
        if name in before.places and name in now.places
    ]
