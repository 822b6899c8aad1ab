"""Questions with one clear answer each, and no answer that is right more often than the others."""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tolman.benchmarks.osr_bench.answers import (
    DIRECTIONS,
    NO_CANDIDATE,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    minus,
    nearest,
    squared,
)
from tolman.benchmarks.osr_bench.grid_map import GridMap, Place

Names = tuple[str, ...]
CLEAR = 1.0
"""Cells by which the closest object is closer than the next."""
ASIDE = math.tan(math.radians(15))
"""A direction between two words is at least 15 degrees off both."""
_CANDIDATES = 4
_TRIES = 40
_WORDS = {
    (1, 0): 0, (1, -1): 1, (0, -1): 2, (-1, -1): 3, (-1, 0): 4, (-1, 1): 5, (0, 1): 6, (1, 1): 7,
}  # fmt: skip
"""Signs of the product along and across to the number of the direction."""


def fair_distances(world: GridMap, stream: np.random.Generator, each: int) -> Iterator[Names]:
    """Places with four candidates that are there, one of them clearly the closest. No question comes twice."""
    asked: set[frozenset[str]] = set()
    places = _only_ones(world)
    reach = {place: _distances(world, place) for place in places}
    for _ in range(_TRIES * each if places else 0):
        place = places[int(stream.integers(len(places)))]
        names = _sample(stream, list(reach[place]), _CANDIDATES)
        key = frozenset((place, *names))
        if len(names) == _CANDIDATES and key not in asked and _is_clear([reach[place][name] for name in names]):
            asked.add(key)
            yield place, *names
        if len(asked) == each:
            return


def fair_directions(world: GridMap, stream: np.random.Generator, each: int) -> Iterator[Names]:
    """Triples whose answers go round all eight directions; one that the room does not offer is passed over."""
    offered = _directions(world)
    yield from _in_turn(stream, {word: _drawn(stream, offered[i]) for i, word in enumerate(DIRECTIONS)}, each)


def fair_negative_distances(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, each: int
) -> Iterator[Names]:
    """Half with an answer, though some candidates are absent; else with none, or with a place that is absent or many."""
    places, many = _only_ones(world), [name for name, cells in world.places.items() if len(cells) > 1]
    present = list(world.classes)

    def answered() -> Names | None:
        for _ in range(_TRIES if places else 0):
            place = places[int(stream.integers(len(places)))]
            reach = _distances(world, place)
            there = _sample(stream, list(reach), int(stream.integers(1, _CANDIDATES)))
            names = _shuffled(stream, [*there, *_sample(stream, absent, _CANDIDATES - len(there))])
            if len(names) == _CANDIDATES and there and _is_clear([reach[name] for name in there]):
                return place, *names
        return None

    def none_there() -> Names | None:
        return _slots(stream, places, absent, absent, absent, absent)

    def nowhere() -> Names | None:
        return _slots(stream, absent, present, present, present, present)

    def several() -> Names | None:
        return _slots(stream, many, present, present, present, present)

    kinds = {"1": answered, "2": answered, "3": answered}
    yield from _in_turn(stream, {**kinds, NO_CANDIDATE: none_there, NOT_FOUND: nowhere, NOT_UNIQUE: several}, each)


def fair_negative_directions(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, each: int
) -> Iterator[Names]:
    """Triples whose answers go round the eight directions and the three sentences for what is not there or not one."""
    offered = _directions(world)
    places, many = _only_ones(world), [name for name, cells in world.places.items() if len(cells) > 1]
    present = list(world.classes)

    def one_missing() -> Names | None:
        sides = (absent, present) if stream.integers(2) else (present, absent)
        return _slots(stream, places, *sides)

    ways: dict[str, Callable[[], Names | None]] = {
        NOT_FOUND: lambda: _slots(stream, absent, present, present),
        NOT_UNIQUE: lambda: _slots(stream, many, present, present),
        NO_OTHER: one_missing,
    }
    words = {word: _drawn(stream, offered[i]) for i, word in enumerate(DIRECTIONS)}
    yield from _in_turn(stream, {**words, **ways}, each)


def _in_turn(stream: np.random.Generator, ways: dict[str, Callable[[], Names | None]], each: int) -> Iterator[Names]:
    """So many questions, of all sorts in turn; round by round in another order. What gives none has no turn."""
    done: set[Names] = set()
    turns = 0
    while turns < each:
        for way in _shuffled(stream, list(ways)):
            names = ways[way]()
            if names is not None and names not in done:
                done.add(names)
                yield names
            turns += 1
            if turns == each:
                return


def _slots(stream: np.random.Generator, *pools: Sequence[str]) -> Names | None:
    """One name from each pool, all different."""
    names: list[str] = []
    for pool in pools:
        free = [name for name in pool if name not in names]
        if not free:
            return None
        names.append(free[int(stream.integers(len(free)))])
    return tuple(names)


def _drawn(stream: np.random.Generator, triples: Sequence[Names]) -> Callable[[], Names | None]:
    left = list(triples)

    def draw() -> Names | None:
        return left.pop(int(stream.integers(len(left)))) if left else None

    return draw


def _only_ones(world: GridMap) -> list[str]:
    return [name for name, count in world.counts.items() if count == 1]


def _distances(world: GridMap, place: str) -> dict[str, float]:
    """Cells from a place to the closest object of each other class."""
    origin = world.places[place][0]
    others = ((name, cells) for name, cells in world.places.items() if name != place)
    return {name: math.sqrt(min(squared(origin, cell) for cell in cells)) for name, cells in others}


def _is_clear(distances: Sequence[float]) -> bool:
    first, *rest = sorted(distances)
    return not rest or rest[0] - first >= CLEAR


def _steps(world: GridMap, place: str) -> dict[str, Place]:
    """The way from a place to the one closest object of each other class that lies in another cell."""
    origin = world.places[place][0]
    steps: dict[str, Place] = {}
    for name, cells in world.places.items():
        near = sorted(squared(origin, cell) for cell in cells)
        if name != place and near[0] > 0 and (len(near) == 1 or near[1] > near[0]):
            steps[name] = minus(nearest(world, origin, name), origin)
    return steps


def _directions(world: GridMap) -> list[list[Names]]:
    """For each of the eight directions the triples that have it for their answer, clearly."""
    found: list[list[Names]] = [[] for _ in DIRECTIONS]
    for place in _only_ones(world):
        steps = _steps(world, place)
        names, ways = list(steps), np.array(list(steps.values()), np.int64).reshape(-1, 2)
        along = ways @ ways.T
        across = np.outer(ways[:, 0], ways[:, 1]) - np.outer(ways[:, 1], ways[:, 0])
        less, more = np.minimum(abs(along), abs(across)), np.maximum(abs(along), abs(across))
        apart = (ways[:, None] != ways[None]).any(axis=2)
        for faced, sought in zip(*np.nonzero(apart & ((less == 0) | (less >= ASIDE * more))), strict=True):
            word = _WORDS[int(np.sign(along[faced, sought])), int(np.sign(across[faced, sought]))]
            found[word].append((place, names[faced], names[sought]))
    return found


def _sample(stream: np.random.Generator, names: Sequence[str], count: int) -> list[str]:
    return [names[int(i)] for i in stream.permutation(len(names))[:count]]


def _shuffled(stream: np.random.Generator, names: Sequence[str]) -> list[str]:
    return _sample(stream, names, len(names))
