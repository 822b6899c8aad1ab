"""Questions for distances with one clear answer, and negative ones of every sort."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.osr_bench.answers import NO_CANDIDATE, NOT_FOUND, NOT_UNIQUE
from tolman.benchmarks.osr_bench.drawing import Names, Way, sample, shuffled, slots
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.osr_rules import OsrRules
from tolman.benchmarks.osr_bench.reach import reach

CANDIDATES = 4
CLEAR = 1.0
"""Cells by which the closest candidate is closer than the next."""
_ROUNDS = 5
_TRIES = 40


def clear_distances(world: GridMap, stream: np.random.Generator, each: int) -> Iterator[Names]:
    """Places with four candidates, one of them clearly the closest; some may come twice. Ends after many tries."""
    near = reach(world)
    if not near.places or len(near.classes) <= CANDIDATES:
        return
    distances = np.sqrt(near.squared)
    for _ in range(_ROUNDS):
        rows = stream.integers(len(near.places), size=_TRIES * each // _ROUNDS)
        order = stream.random((len(rows), len(near.classes)))
        order[np.arange(len(rows)), near.own[rows]] = 2.0
        four = order.argsort(axis=1)[:, :CANDIDATES]
        two = np.partition(distances[rows[:, None], four], 1, axis=1)
        for at in np.flatnonzero(two[:, 1] - two[:, 0] >= CLEAR):
            yield near.places[rows[at]], *(near.classes[column] for column in four[at])


def is_clear(world: GridMap, names: Names) -> bool:
    """Whether one candidate that is there is clearly the closest, or none is there, or the place is not to be had."""
    near = reach(world)
    if names[0] not in near.places:
        return True
    distances = np.sqrt(near.squared[near.places.index(names[0])])
    return _stands_out(distances[[near.classes.index(name) for name in names[1:] if name in world.counts]])


def negative_distances(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, rules: OsrRules
) -> dict[str, Way]:
    """Half with an answer, though candidates are absent; else no candidate is there, or the place is absent or many."""
    near, present = reach(world), list(world.classes)
    many = [name for name, cells in world.places.items() if len(cells) > 1]

    def answered() -> Names | None:
        for _ in range(_TRIES if near.places else 0):
            place = near.places[int(stream.integers(len(near.places)))]
            there = sample(stream, [name for name in present if name != place], int(stream.integers(1, CANDIDATES)))
            names = place, *shuffled(stream, [*there, *sample(stream, absent, CANDIDATES - len(there))])
            if len(names) == 1 + CANDIDATES and (is_clear(world, names) or not rules.ties_are_not_asked):
                return names
        return None

    return {
        "answered, 1": answered,
        "answered, 2": answered,
        "answered, 3": answered,
        NO_CANDIDATE: lambda: slots(stream, near.places, *[absent] * CANDIDATES),
        NOT_FOUND: lambda: slots(stream, absent, *[present] * CANDIDATES),
        NOT_UNIQUE: lambda: slots(stream, many, *[present] * CANDIDATES),
    }


def _stands_out(distances: NDArray[np.float64]) -> bool:
    if len(distances) < 2:
        return True
    first, second = np.partition(distances, 1)[:2]
    return bool(second - first >= CLEAR)
