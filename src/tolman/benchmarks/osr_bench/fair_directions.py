"""Questions for directions with one clear answer, so that no answer comes more often than the others."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.osr_bench.answers import DIRECTIONS, NO_OTHER, NOT_FOUND, NOT_UNIQUE, word_of
from tolman.benchmarks.osr_bench.drawing import Names, Way, slots
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.osr_rules import OsrRules
from tolman.benchmarks.osr_bench.reach import Reach, reach

ASIDE = math.tan(math.radians(15))
"""A direction between two words is at least 15 degrees off both."""
_WORDLESS = len(DIRECTIONS)
"""Number of what has no direction: faced or sought is where one stands."""
_BARRED = -1
_NUMBERS = np.array(
    [[(*DIRECTIONS, "").index(word_of((1, 0), (along, across))) for across in (-1, 0, 1)] for along in (-1, 0, 1)]
)
"""Signs of the products along and across, from -1, to the number of the direction."""


def direction_ways(world: GridMap, stream: np.random.Generator, rules: OsrRules) -> dict[str, Way]:
    """For each of the eight directions a way to draw triples that have it for their answer."""
    near, numbers = reach(world), direction_numbers(world, rules).ravel()
    return {
        word: _Bag(np.flatnonzero(numbers == number), near, stream, once=rules.questions_come_once)
        for number, word in enumerate(DIRECTIONS)
    }


def any_direction(world: GridMap, stream: np.random.Generator, rules: OsrRules) -> dict[str, Way]:
    """One way to draw any triple that has an answer, three times."""
    fit = np.flatnonzero((numbers := direction_numbers(world, rules).ravel()) >= 0)
    bag = _Bag(fit[numbers[fit] != _WORDLESS], reach(world), stream, once=rules.questions_come_once)
    return {"answered, 1": bag, "answered, 2": bag, "answered, 3": bag}


def absent_ways(world: GridMap, absent: Sequence[str], stream: np.random.Generator, rules: OsrRules) -> dict[str, Way]:
    """Ways to draw triples in which something is absent, or not unique."""
    places, present = reach(world).places, list(world.classes)
    many = [name for name, cells in world.places.items() if len(cells) > 1]

    def one_missing() -> Names | None:
        sides = (absent, present) if stream.integers(2) else (present, absent)
        return slots(stream, places, *sides)

    ways: dict[str, Way] = {NO_OTHER: one_missing}
    if rules.absences_are_asked:
        ways[NOT_FOUND] = lambda: slots(stream, absent, present, present)
        ways[NOT_UNIQUE] = lambda: slots(stream, many, present, present)
    return ways


def may_be_asked(world: GridMap, names: Names, rules: OsrRules) -> bool:
    """Whether a triple is clear enough. One with something absent is; the released code also asks where none is."""
    near = reach(world)
    if names[0] not in near.places or any(name not in world.counts for name in names):
        return True
    faced, sought = (near.classes.index(name) for name in names[1:])
    return bool(direction_numbers(world, rules)[near.places.index(names[0]), faced, sought] != _BARRED)


@lru_cache(maxsize=16)
def direction_numbers(world: GridMap, rules: OsrRules) -> NDArray[np.int64]:
    """Numbers of the directions, by place, what is faced and what is sought; negative for what may not be asked."""
    near = reach(world)
    down, right = near.steps[..., 0], near.steps[..., 1]
    along = down[:, :, None] * down[:, None] + right[:, :, None] * right[:, None]
    across = down[:, :, None] * right[:, None] - right[:, :, None] * down[:, None]
    numbers = _NUMBERS[np.sign(along) + 1, np.sign(across) + 1]
    barred = np.broadcast_to(np.eye(len(near.classes), dtype=np.bool_), numbers.shape).copy()
    own = np.arange(len(near.places))
    barred[own, near.own] = True
    barred[own, :, near.own] = True
    if rules.objects_never_share_a_cell:
        same = (down[:, :, None] == down[:, None]) & (right[:, :, None] == right[:, None])
        barred |= same | (numbers == _WORDLESS)
    if rules.ties_are_not_asked:
        barred |= near.tied[:, :, None] | near.tied[:, None]
    if rules.near_alignment_is_not_asked:
        less, more = np.minimum(abs(along), abs(across)), np.maximum(abs(along), abs(across))
        barred |= (less > 0) & (less < ASIDE * more)
    return np.where(barred, _BARRED, numbers)


class _Bag:
    """Triples to draw from by their numbers; without putting back where each is to come once."""

    def __init__(self, triples: NDArray[np.int64], near: Reach, stream: np.random.Generator, *, once: bool) -> None:
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
