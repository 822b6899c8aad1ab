"""Whether what an agent knew gets worse from one turn to the next."""

import math
from collections.abc import Iterable, Mapping

import numpy as np

from tolman.belief.cognitive_map import CognitiveMap, Placed, Point
from tolman.belief.map_scores import Yardstick
from tolman.rules import Rules

POSSIBLE_CAP = 200
"""The published measure counts a thing's possible positions up to this number."""
TOLERANCE = 1e-9


def settled(names: Iterable[str], before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """The names about whose position a turn taught next to nothing.

    `before` and `now` give the number of positions that the evidence leaves to each name.
    """

    def change(name: str) -> int:
        return min(POSSIBLE_CAP, now[name]) - min(POSSIBLE_CAP, before[name])

    return [name for name in names if name in before and name in now and abs(change(name)) <= 1]


def steady_positions(
    names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap, rules: Rules
) -> list[bool]:
    """For each name on both maps, whether its position is no farther from the truth than it was."""
    far, slack = (math.dist, TOLERANCE) if rules.rounding_moves_nothing else (_published_distance, 0.0)
    return [
        far(new.position, true.position) <= far(old.position, true.position) + slack
        for old, new, true in _on_both(names, before, now, truth)
    ]


def _published_distance(a: Point, b: Point) -> float:
    """By the same function as in the released code: equal distances may differ in the last digit, and that counts."""
    return float(np.linalg.norm(np.subtract(a, b)))


def steady_facings(names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap) -> list[bool]:
    """For each name on both maps, whether its facing is right, or as wrong as it was and unchanged."""
    return [
        new.facing == true.facing or (old.facing != true.facing and old.facing == new.facing)
        for old, new, true in _on_both(names, before, now, truth)
    ]


def kept_positions(
    names: Iterable[str],
    before: CognitiveMap,
    now: CognitiveMap,
    truth: CognitiveMap,
    yardstick: Yardstick,
    rules: Rules,
) -> list[float]:
    """For each name how right its position is, in [0, 1], if it got no worse; 0 if it did, or a map leaves it out."""
    names = list(names)
    pairs = _on_both(names, before, now, truth)
    errors = [math.dist(new.position, true.position) for _, new, true in pairs]
    steady = steady_positions(names, before, now, truth, rules)
    kept = [yardstick.closeness(error) if same else 0.0 for error, same in zip(errors, steady, strict=True)]
    return kept + [0.0] * (len(names) - len(pairs))


def kept_facings(names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap) -> list[bool]:
    """For each name whether its facing is right; what a map leaves out is not."""
    names = list(names)
    right = [new.facing == true.facing for _, new, true in _on_both(names, before, now, truth)]
    return right + [False] * (len(names) - len(right))


def _on_both(
    names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap
) -> list[tuple[Placed, Placed, Placed]]:
    return [
        (before.places[name], now.places[name], truth.places[name])
        for name in names
        if name in before.places and name in now.places
    ]
