"""How much of a scene an agent has looked at: things seen, and pairs seen one from the other."""

import math
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations

from tolman.sense import Observation
from tolman.world import START, Scene


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares in [0, 1]: things and doors seen, and pairs of one room related directly; NaN of an empty scene."""

    node: float
    edge: float


def coverage(scene: Scene, observations: Iterable[Observation]) -> Coverage:
    """Coverage after some looks. A pair counts when one end was seen from the other; the start counts as an end."""
    seen: set[str] = set()
    related: set[frozenset[str]] = set()
    for observation in observations:
        seen.update(observation.names)
        related.update(frozenset((observation.standing_on, name)) for name in observation.names)
    edges = _edges(scene)
    return Coverage(_share(seen, set(scene.names)), _share(related, edges))


def _share(reached: AbstractSet[object], all_of_them: AbstractSet[object]) -> float:
    return len(reached & all_of_them) / len(all_of_them) if all_of_them else math.nan


def _edges(scene: Scene) -> set[frozenset[str]]:
    rooms = (scene.items_in((number,)) for number in scene.room_ids)
    pairs = {frozenset((a.name, b.name)) for items in rooms for a, b in combinations(items, 2)}
    return pairs | {frozenset((START, item.name)) for item in scene.items_in((1,))}
