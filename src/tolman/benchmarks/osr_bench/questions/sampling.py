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
"""Draws the names of a question of one category; None if there is none or the draws failed."""
_MAX_REDRAWS = 8


def sample_in_turn(
    stream: np.random.Generator, samplers: Mapping[str, Sampler], each: int, *, once: bool
) -> Iterator[Names]:
    """Up to `each` questions from all categories in turn, reshuffled every round.

    A category without a question loses its turn, so that the others are not drawn more often.
    """
    done: set[Names] = set()
    turns = 0
    while turns < each and samplers:
        for sort in shuffled(stream, list(samplers))[: each - turns]:
            names = _new_draw(samplers[sort], done)
            if names is not None:
                if once:
                    done.add(names)
                yield names
            turns += 1


def _new_draw(sampler: Sampler, done: set[Names]) -> Names | None:
    for _ in range(_MAX_REDRAWS):
        names = sampler()
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
    """`count` distinct names, or all if there are fewer."""
    return [names[int(i)] for i in stream.permutation(len(names))[:count]]


def shuffled(stream: np.random.Generator, names: Sequence[str]) -> list[str]:
    return sample(stream, names, len(names))


_BEYOND_A_CIRCLE = 7.0


@dataclass(frozen=True)
class NearestObjects:
    """The closest object of each class (column) to each possible positioning object (row), in the order of the map."""

    places: tuple[str, ...]
    """Possible positioning objects: classes with one object."""
    classes: tuple[str, ...]
    own: NDArray[np.int64]
    """Column of each positioning object's own class."""
    steps: NDArray[np.int64]
    """Offset in rows and columns to the closest object; among ties the first clockwise from the right."""
    squared: NDArray[np.int64]
    """Squares of the distances in cells."""
    tied: NDArray[np.bool_]
    """Whether another object of the class is as close."""


@lru_cache(maxsize=16)
def nearest_objects(world: GridMap) -> NearestObjects:
    """The closest objects in a map; cached, as standard and negative questions both need them."""
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
"""Tangent of 15 degrees, the minimum angle between an off-axis direction and an axis."""
_NO_DIRECTION = len(DIRECTIONS)
"""Code for no direction: the faced or queried object is in the observer's cell."""
_BARRED = -1
_CODES = np.array(
    [
        [(*DIRECTIONS, "").index(direction_word((1, 0), (along, across))) for across in (-1, 0, 1)]
        for along in (-1, 0, 1)
    ]
)
"""Direction code by the signs (-1, 0, 1) of the products along and across."""


def direction_samplers(world: GridMap, stream: np.random.Generator, rules: Rules) -> dict[str, Sampler]:
    """For each of the eight directions a sampler of triples with that answer."""
    near, numbers = nearest_objects(world), direction_codes(world, rules).ravel()
    return {
        word: _TripleSampler(np.flatnonzero(numbers == number), near, stream, once=rules.questions_come_once)
        for number, word in enumerate(DIRECTIONS)
    }


def unbalanced_direction_samplers(world: GridMap, stream: np.random.Generator, rules: Rules) -> dict[str, Sampler]:
    """A sampler of any triple that has an answer, listed three times."""
    fit = np.flatnonzero((numbers := direction_codes(world, rules).ravel()) >= 0)
    triples = _TripleSampler(
        fit[numbers[fit] != _NO_DIRECTION], nearest_objects(world), stream, once=rules.questions_come_once
    )
    return {"answered, 1": triples, "answered, 2": triples, "answered, 3": triples}


def absence_samplers(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, rules: Rules
) -> dict[str, Sampler]:
    """Samplers of triples in which an object is absent or not unique."""
    places, present = nearest_objects(world).places, list(world.classes)
    many = [name for name, cells in world.places.items() if len(cells) > 1]

    def one_missing() -> Names | None:
        sides = (absent, present) if stream.integers(2) else (present, absent)
        return sample_distinct(stream, places, *sides)

    samplers: dict[str, Sampler] = {NO_OTHER: one_missing}
    if rules.absences_are_asked:
        samplers[NOT_FOUND] = lambda: sample_distinct(stream, absent, present, present)
        samplers[NOT_UNIQUE] = lambda: sample_distinct(stream, many, present, present)
    return samplers


def is_clear_direction(world: GridMap, names: Names, rules: Rules) -> bool:
    """Whether a triple has a clear direction under the rules; one with a special answer does."""
    near = nearest_objects(world)
    if names[0] not in near.places or any(name not in world.counts for name in names):
        return True
    faced, sought = (near.classes.index(name) for name in names[1:])
    return bool(direction_codes(world, rules)[near.places.index(names[0]), faced, sought] != _BARRED)


@lru_cache(maxsize=16)
def direction_codes(world: GridMap, rules: Rules) -> NDArray[np.int64]:
    """Direction codes by positioning, faced and queried object; -1 for triples that the rules exclude."""
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
    """Draws triples by their indices, without replacement if `once`."""

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
"""Minimum margin in cells between the closest candidate and the next."""
_ROUNDS = 5
_TRIES = 40


def sample_clear_distances(world: GridMap, stream: np.random.Generator, each: int) -> Iterator[Names]:
    """Positioning objects with four candidates of which one is clearly closest; may repeat. Ends after many tries."""
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
    """Whether one present candidate is clearly closest, or the answer is a special one."""
    near = nearest_objects(world)
    if names[0] not in near.places:
        return True
    distances = np.sqrt(near.squared[near.places.index(names[0])])
    return _stands_out(distances[[near.classes.index(name) for name in names[1:] if name in world.counts]])


def negative_distance_samplers(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, rules: Rules
) -> dict[str, Sampler]:
    """Samplers by answer: half have a closest candidate among absent ones, the others a special answer."""
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
