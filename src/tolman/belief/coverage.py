"""Node and edge coverage of an exploration: objects seen, and pairs of which one was seen from the other."""

import math
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations

from tolman.sense import Observation
from tolman.world import START, Scene


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares in [0, 1] of things and doors seen, and of pairs in one room observed directly; NaN for an empty scene."""

    node: float
    edge: float


def coverage(scene: Scene, observations: Iterable[Observation]) -> Coverage:
    """Coverage after some observations. A pair counts once one of it was seen from the other; the start is a node."""
    seen: set[str] = set()
    related: set[frozenset[str]] = set()
    for observation in observations:
        seen.update(observation.names)
        related.update(frozenset((observation.standing_on, name)) for name in observation.names)
    rooms = (scene.items_in((number,)) for number in scene.room_ids)
    pairs = {frozenset((a.name, b.name)) for items in rooms for a, b in combinations(items, 2)}
    return Coverage(
        _share(seen, set(scene.names)),
        _share(related, pairs | {frozenset((START, item.name)) for item in scene.items_in((1,))}),
    )


def _share(reached: AbstractSet[object], every: AbstractSet[object]) -> float:
    return len(reached & every) / len(every) if every else math.nan
