"""How well one map agrees with another: direction, facing, position, and their mean."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tolman.belief.cognitive_map import CognitiveMap, Point
from tolman.bins import CardinalBin, cardinal_bin
from tolman.geometry import bearing, distance
from tolman.rules import Rules
from tolman.world import AGENT, Scene

ORIGIN = (0.0, 0.0)
INITIAL = "initial"
"""The name under which the origin takes its place in the alphabet, as published."""
SAME_SPOT = 1e-6
"""Points closer than this along both axes, in cells, are on one spot."""


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
class Yardstick:
    """What of a scene all its map scores share."""

    length: float
    """Root mean square distance of all things from the start, in cells: an error as long as this scores 1/e."""
    fronted: frozenset[str]
    """Names whose facing counts: things with a front, and the agent."""

    @classmethod
    def of(cls, scene: Scene) -> "Yardstick":
        distances = [distance(scene.from_start(thing.name)) for thing in scene.things]
        fronted = (thing.name for thing in scene.things if thing.front is not None)
        return cls(_root_mean_square(distances) if distances else 0.0, frozenset((*fronted, AGENT)))

    def closeness(self, error: float) -> float:
        """1 for no error in cells, falling off with its ratio to the length."""
        if self.length == 0.0:
            return 1.0 if error == 0.0 else 0.0
        return math.exp(-error / self.length)


def score_map(said: CognitiveMap, truth: CognitiveMap, yardstick: Yardstick, rules: Rules) -> MapScore | None:
    """Score a map against another one; None where the other is empty. Maps are compared as they are, never fitted."""
    if not truth.places:
        return None
    facing = mean(map(float, _facings_agree(said, truth, yardstick)))
    if facing is None and not rules.nothing_to_compare_is_unscored:
        facing = 1.0
    direction = mean(map(float, _directions_agree(said, truth, rules)))
    position = _position(said, truth, yardstick)
    return MapScore(direction, facing, position, mean((direction, facing, position)))


def _directions_agree(said: CognitiveMap, truth: CognitiveMap, rules: Rules) -> Iterator[bool]:
    """For each pair of names in truth and the origin, whether the map puts one in the same direction from the other.

    Pairs are taken in the order of the alphabet, which matters as published for points on one spot, and not otherwise.
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
    """The way from the second to the first; nothing at all where they are on one spot."""
    east, north = a[0] - b[0], a[1] - b[1]
    return ORIGIN if abs(east) < SAME_SPOT and abs(north) < SAME_SPOT else (east, north)


def _agree_in_order(true: Point, said: Point) -> bool:
    """Whether two ways are in one direction; no way at all is north, so that it matters from whom to whom it leads."""
    return _direction(true) == _direction(said)


def _agree_in_any_order(true: Point, said: Point) -> bool:
    """Whether two ways, there or back, are in one direction, or both are none."""
    if ORIGIN in (true, said):
        return true == said
    sign = 1 if true > ORIGIN else -1
    return _direction((sign * true[0], sign * true[1])) == _direction((sign * said[0], sign * said[1]))


@lru_cache(maxsize=65536)
def _direction(way: Point) -> CardinalBin:
    """As published, no way at all is north."""
    return cardinal_bin(bearing(*way))


def _facings_agree(said: CognitiveMap, truth: CognitiveMap, yardstick: Yardstick) -> Iterator[bool]:
    for name, placed in truth.places.items():
        if name in yardstick.fronted:
            yield name in said.places and said.places[name].facing == placed.facing


def _position(said: CognitiveMap, truth: CognitiveMap, yardstick: Yardstick) -> float:
    both = [name for name in truth.places if name in said.places]
    if not both:
        return 0.0
    errors = [math.dist(said.places[name].position, truth.places[name].position) for name in both]
    return len(both) / len(truth.places) * yardstick.closeness(_root_mean_square(errors))


def _root_mean_square(lengths: list[float]) -> float:
    """Summed exactly, so that the order of listing changes nothing, not even the last digit."""
    return math.sqrt(math.fsum(length * length for length in lengths) / len(lengths))


def mean(values: Iterable[float | None]) -> float | None:
    """Mean of the values that are scored; None if none is."""
    scored = [value for value in values if value is not None]
    return sum(scored) / len(scored) if scored else None
