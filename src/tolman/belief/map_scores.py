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
    direction = mean(map(float, _directions_agree(said, truth)))
    position = _position(said, truth, yardstick)
    return MapScore(direction, facing, position, mean((direction, facing, position)))


def _directions_agree(said: CognitiveMap, truth: CognitiveMap) -> Iterator[bool]:
    """For each pair in truth, the origin last, whether the map puts the first in the same direction from the second."""
    true_points = [*(placed.position for placed in truth.places.values()), ORIGIN]
    said_points = [*(said.places[n].position if n in said.places else None for n in truth.places), ORIGIN]
    for (true_a, said_a), (true_b, said_b) in combinations(zip(true_points, said_points, strict=True), 2):
        yield said_a is not None and said_b is not None and _direction(said_a, said_b) == _direction(true_a, true_b)


def _direction(a: Point, b: Point) -> CardinalBin:
    """Direction of the first from the second; north, as published, where they are on one spot."""
    return _direction_of(a[0] - b[0], a[1] - b[1])


@lru_cache(maxsize=65536)
def _direction_of(east: float, north: float) -> CardinalBin:
    return cardinal_bin(bearing(east, north))


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
    return math.hypot(*lengths) / math.sqrt(len(lengths))


def mean(values: Iterable[float | None]) -> float | None:
    """Mean of the values that are scored; None if none is."""
    scored = [value for value in values if value is not None]
    return sum(scored) / len(scored) if scored else None
