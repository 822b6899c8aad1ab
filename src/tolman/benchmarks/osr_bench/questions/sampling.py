"""Sample distance and direction questions that have one clear answer, balanced over the answers."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.questions.question import (
    DIRECTIONS,
    NO_CANDIDATE,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    direction_word,
)
from tolman.benchmarks.osr_bench.rules import Rules

Names = tuple[str, ...]
Sampler = Callable[[], Names | None]
"""A way to draw a question of one sort; None where there is none, or luck was bad."""
_PATIENCE = 8


def sample_in_turn(
    stream: np.random.Generator, ways: Mapping[str, Sampler], each: int, *, once: bool
) -> Iterator[Names]:
    """So many questions, of all sorts in turn; round by round in another order.

    A sort that gives no question loses its turn, so that the others do not come more often for it.
    """
    done: set[Names] = set()
    turns = 0
    while turns < each and ways:
        for sort in shuffled(stream, list(ways))[: each - turns]:
            names = _new_draw(ways[sort], done)
            if names is not None:
                if once:
                    done.add(names)
                yield names
            turns += 1


def _new_draw(way: Sampler, done: set[Names]) -> Names | None:
    for _ in range(_PATIENCE):
        names = way()
        if names is None or names not in done:
            return names
    return None


def sample_distinct(stream: np.random.Generator, *pools: Sequence[str]) -> Names | None:
    """One name from each pool, all different."""
    names: list[str] = []
    for pool in pools:
        free = [name for name in pool if name not in names]
        if not free:
            return None
        names.append(free[int(stream.integers(len(free)))])
    return tuple(names)


def sample(stream: np.random.Generator, names: Sequence[str], count: int) -> list[str]:
    """So many different names, or all there are."""
    return [names[int(i)] for i in stream.permutation(len(names))[:count]]


def shuffled(stream: np.random.Generator, names: Sequence[str]) -> list[str]:
    return sample(stream, names, len(names))


_BEYOND_A_CIRCLE = 7.0


@dataclass(frozen=True)
class NearestObjects:
    """One row for each place to ask from, one column for each class; both in the map's order."""

    places: tuple[str, ...]
    """Classes of one object each."""
    classes: tuple[str, ...]
    own: NDArray[np.int64]
    """The column of each place's own class."""
    steps: NDArray[np.int64]
    """Rows and columns to the closest object; of equally close ones to the first clockwise from the right."""
    squared: NDArray[np.int64]
    """Squares of the distances in cells."""
    tied: NDArray[np.bool_]
    """Whether another object of the class is as close."""


@lru_cache(maxsize=16)
def nearest_objects(world: GridMap) -> NearestObjects:
    """The ways within a map. The standard and the negative questions of a room both ask for them."""
    classes = world.classes
    places = tuple(name for name in classes if world.counts[name] == 1)
    cells = [cell for name in classes for cell in world.places[name]]
    if not places:
        none = np.zeros((0, len(classes)), np.int64)
        return NearestObjects(places, classes, np.zeros(0, np.int64), np.stack([none, none], axis=2), none, none > 0)
    own = np.array([classes.index(name) for name in places], np.int64)
    origins = np.array([world.places[name][0] for name in places], np.int64).reshape(-1, 1, 2)
    steps = np.array(cells, np.int64).reshape(1, -1, 2) - origins
    squared = np.square(steps).sum(axis=2)
    lengths = [len(world.places[name]) for name in classes]
    first, owner = np.cumsum([0, *lengths[:-1]]), np.repeat(np.arange(len(classes)), lengths)
    keys = squared + np.arctan2(steps[..., 0], steps[..., 1]) % (2 * np.pi) / _BEYOND_A_CIRCLE
    is_closest = keys == np.minimum.reduceat(keys, first, axis=1)[:, owner]
    closest = np.add.reduceat(np.where(is_closest, np.arange(len(cells)), 0), first, axis=1)
    rows = np.arange(len(places))[:, None]
    least = squared[rows, closest]
    tied = np.add.reduceat(squared == least[:, owner], first, axis=1, dtype=np.int64) > 1
    return NearestObjects(places, classes, own, steps[rows, closest], least, tied)


MIN_OFF_AXIS = math.tan(math.radians(15))
"""A direction between two words is at least 15 degrees off both."""
_NO_DIRECTION = len(DIRECTIONS)
"""Number of what has no direction: faced or sought is where one stands."""
_BARRED = -1
_CODES = np.array(
    [
        [(*DIRECTIONS, "").index(direction_word((1, 0), (along, across))) for across in (-1, 0, 1)]
        for along in (-1, 0, 1)
    ]
)
"""Signs of the products along and across, from -1, to the number of the direction."""


def direction_samplers(world: GridMap, stream: np.random.Generator, rules: Rules) -> dict[str, Sampler]:
    """For each of the eight directions a way to draw triples that have it for their answer."""
    near, numbers = nearest_objects(world), direction_codes(world, rules).ravel()
    return {
        word: _TripleSampler(np.flatnonzero(numbers == number), near, stream, once=rules.questions_come_once)
        for number, word in enumerate(DIRECTIONS)
    }


def unbalanced_direction_samplers(world: GridMap, stream: np.random.Generator, rules: Rules) -> dict[str, Sampler]:
    """One way to draw any triple that has an answer, three times."""
    fit = np.flatnonzero((numbers := direction_codes(world, rules).ravel()) >= 0)
    bag = _TripleSampler(
        fit[numbers[fit] != _NO_DIRECTION], nearest_objects(world), stream, once=rules.questions_come_once
    )
    return {"answered, 1": bag, "answered, 2": bag, "answered, 3": bag}


def absence_samplers(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, rules: Rules
) -> dict[str, Sampler]:
    """Ways to draw triples in which something is absent, or not unique."""
    places, present = nearest_objects(world).places, list(world.classes)
    many = [name for name, cells in world.places.items() if len(cells) > 1]

    def one_missing() -> Names | None:
        sides = (absent, present) if stream.integers(2) else (present, absent)
        return sample_distinct(stream, places, *sides)

    ways: dict[str, Sampler] = {NO_OTHER: one_missing}
    if rules.absences_are_asked:
        ways[NOT_FOUND] = lambda: sample_distinct(stream, absent, present, present)
        ways[NOT_UNIQUE] = lambda: sample_distinct(stream, many, present, present)
    return ways


def is_clear_direction(world: GridMap, names: Names, rules: Rules) -> bool:
    """Whether a triple is clear enough. One with something absent is; the released code also asks where none is."""
    near = nearest_objects(world)
    if names[0] not in near.places or any(name not in world.counts for name in names):
        return True
    faced, sought = (near.classes.index(name) for name in names[1:])
    return bool(direction_codes(world, rules)[near.places.index(names[0]), faced, sought] != _BARRED)


@lru_cache(maxsize=16)
def direction_codes(world: GridMap, rules: Rules) -> NDArray[np.int64]:
    """Numbers of the directions, by place, what is faced and what is sought; negative for what may not be asked."""
    near = nearest_objects(world)
    down, right = near.steps[..., 0], near.steps[..., 1]
    along = down[:, :, None] * down[:, None] + right[:, :, None] * right[:, None]
    across = down[:, :, None] * right[:, None] - right[:, :, None] * down[:, None]
    numbers = _CODES[np.sign(along) + 1, np.sign(across) + 1]
    barred = np.broadcast_to(np.eye(len(near.classes), dtype=np.bool_), numbers.shape).copy()
    own = np.arange(len(near.places))
    barred[own, near.own] = True
    barred[own, :, near.own] = True
    if rules.objects_never_share_a_cell:
        same = (down[:, :, None] == down[:, None]) & (right[:, :, None] == right[:, None])
        barred |= same | (numbers == _NO_DIRECTION)
    if rules.ties_are_not_asked:
        barred |= near.tied[:, :, None] | near.tied[:, None]
    if rules.near_alignment_is_not_asked:
        less, more = np.minimum(abs(along), abs(across)), np.maximum(abs(along), abs(across))
        barred |= (less > 0) & (less < MIN_OFF_AXIS * more)
    return np.where(barred, _BARRED, numbers)


class _TripleSampler:
    """Triples to draw from by their numbers; without putting back where each is to come once."""

    def __init__(
        self, triples: NDArray[np.int64], near: NearestObjects, stream: np.random.Generator, *, once: bool
    ) -> None:
        self.triples, self.near, self.stream, self.once = triples, near, stream, once
        self.left = len(triples)

    def __call__(self) -> Names | None:
        if not self.left:
            return None
        at = int(self.stream.integers(self.left))
        triple = int(self.triples[at])
        if self.once:
            self.left -= 1
            self.triples[at] = self.triples[self.left]
        rest, sought = divmod(triple, len(self.near.classes))
        place, faced = divmod(rest, len(self.near.classes))
        return self.near.places[place], self.near.classes[faced], self.near.classes[sought]


CANDIDATES = 4
CLEAR_MARGIN = 1.0
"""Cells by which the closest candidate is closer than the next."""
_ROUNDS = 5
_TRIES = 40


def sample_clear_distances(world: GridMap, stream: np.random.Generator, each: int) -> Iterator[Names]:
    """Places with four candidates, one of them clearly the closest; some may come twice. Ends after many tries."""
    near = nearest_objects(world)
    if not near.places or len(near.classes) <= CANDIDATES:
        return
    distances = np.sqrt(near.squared)
    for _ in range(_ROUNDS):
        rows = stream.integers(len(near.places), size=_TRIES * each // _ROUNDS)
        order = stream.random((len(rows), len(near.classes)))
        order[np.arange(len(rows)), near.own[rows]] = 2.0
        four = order.argsort(axis=1)[:, :CANDIDATES]
        two = np.partition(distances[rows[:, None], four], 1, axis=1)
        for at in np.flatnonzero(two[:, 1] - two[:, 0] >= CLEAR_MARGIN):
            yield near.places[rows[at]], *(near.classes[column] for column in four[at])


def is_clear_distance(world: GridMap, names: Names) -> bool:
    """Whether one candidate that is there is clearly the closest, or none is there, or the place is not to be had."""
    near = nearest_objects(world)
    if names[0] not in near.places:
        return True
    distances = np.sqrt(near.squared[near.places.index(names[0])])
    return _stands_out(distances[[near.classes.index(name) for name in names[1:] if name in world.counts]])


def negative_distance_samplers(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, rules: Rules
) -> dict[str, Sampler]:
    """Half with an answer, though candidates are absent; else no candidate is there, or the place is absent or many."""
    near, present = nearest_objects(world), list(world.classes)
    many = [name for name, cells in world.places.items() if len(cells) > 1]

    def answered() -> Names | None:
        for _ in range(_TRIES if near.places else 0):
            place = near.places[int(stream.integers(len(near.places)))]
            there = sample(stream, [name for name in present if name != place], int(stream.integers(1, CANDIDATES)))
            names = place, *shuffled(stream, [*there, *sample(stream, absent, CANDIDATES - len(there))])
            if len(names) == 1 + CANDIDATES and (is_clear_distance(world, names) or not rules.ties_are_not_asked):
                return names
        return None

    return {
        "answered, 1": answered,
        "answered, 2": answered,
        "answered, 3": answered,
        NO_CANDIDATE: lambda: sample_distinct(stream, near.places, *[absent] * CANDIDATES),
        NOT_FOUND: lambda: sample_distinct(stream, absent, *[present] * CANDIDATES),
        NOT_UNIQUE: lambda: sample_distinct(stream, many, *[present] * CANDIDATES),
    }


def _stands_out(distances: NDArray[np.float64]) -> bool:
    if len(distances) < 2:
        return True
    first, second = np.partition(distances, 1)[:2]
    return bool(second - first >= CLEAR_MARGIN)
