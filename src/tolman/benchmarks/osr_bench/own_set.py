"""A set of rooms of our own: maps and questions of all its seeds, with what is common in the set itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TypeVar

from tolman.benchmarks.osr_bench.asking import negative_questions, standard_questions
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.negatives import Company, pool_of
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_rules import osr_rules
from tolman.benchmarks.osr_bench.own_rooms import room_map
from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.spread import spread
from tolman.world.space import space

PREFIX = "Tolman"
"""Of the names of scenes, as the authors' begin with where a picture came from."""
T = TypeVar("T")
_SLICE = 25


@dataclass(frozen=True)
class OwnRoom:
    """One room with both sets of questions."""

    seed: int
    cases: dict[AskedSet, OsrCase]

    @property
    def name(self) -> str:
        """Of its folder."""
        return scene_name(self.seed)

    @property
    def truth(self) -> GridMap:
        return self.cases["standard"].truth


def scene_name(seed: int) -> str:
    """The name of the folder of a room."""
    return f"{PREFIX}-room-{seed:05}"


def own_maps(seeds: Sequence[int], options: OsrOptions, jobs: int = 1) -> Iterator[GridMap]:
    """The maps of rooms, by so many processes."""
    return chain.from_iterable(spread(partial(_maps, options=options), slices(seeds), jobs))


def own_room(seed: int, truth: GridMap, company: Company, options: OsrOptions) -> OwnRoom:
    """One room with its questions."""
    rules = osr_rules(options.rules)
    absent = company.distractors(truth.classes, options.distractors)
    standard = standard_questions(truth, seed, options.each, rules)
    negative = negative_questions(truth, absent, seed, options.each, rules)
    return OwnRoom(
        seed,
        {
            "standard": OsrCase(str(seed), truth, pool_of(truth.classes, (), rules), tuple(standard), seed),
            "negative": OsrCase(str(seed), truth, pool_of(truth.classes, absent, rules), tuple(negative), seed),
        },
    )


def _maps(seeds: Sequence[int], options: OsrOptions) -> list[GridMap]:
    return [room_map(space(seed), options.grid, options.hand) for seed in seeds]


def slices(things: Sequence[T]) -> list[Sequence[T]]:
    """What a worker does at a time."""
    return [things[first : first + _SLICE] for first in range(0, len(things), _SLICE)]
