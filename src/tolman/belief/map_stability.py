"""Whether what an agent knew gets worse from one turn to the next."""

import math
from collections.abc import Iterable, Mapping

from tolman.belief.cognitive_map import CognitiveMap, Placed

POSSIBLE_CAP = 200
"""The published measure counts a thing's possible positions up to this number."""
TOLERANCE = 1e-9


def settled(names: Iterable[str], before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """The names about whose position a turn taught next to nothing.

    `before` and `now` give the number of positions that the evidence leaves to each name.
    """

    def change(name: str) -> int:
        return min(POSSIBLE_CAP, now.get(name, 0)) - min(POSSIBLE_CAP, before.get(name, 0))

    return [name for name in names if abs(change(name)) <= 1]


def steady_positions(names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap) -> list[bool]:
    """For each name on both maps, whether its position is no farther from the truth than it was."""
    return [
        math.dist(new.position, true.position) <= math.dist(old.position, true.position) + TOLERANCE
        for old, new, true in _on_both(names, before, now, truth)
    ]


def steady_facings(names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap) -> list[bool]:
    """For each name on both maps, whether its facing is right, or as wrong as it was and unchanged."""
    return [
        new.facing == true.facing or (old.facing != true.facing and old.facing == new.facing)
        for old, new, true in _on_both(names, before, now, truth)
    ]


def _on_both(
    names: Iterable[str], before: CognitiveMap, now: CognitiveMap, truth: CognitiveMap
) -> list[tuple[Placed, Placed, Placed]]:
    return [
        (before.places[name], now.places[name], truth.places[name])
        for name in names
        if name in before.places and name in now.places
    ]
