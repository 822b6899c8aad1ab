"""Cases from seeds: furnished rooms of our own with questions about them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from tolman.benchmarks.osr_bench.negatives import Company, decoys, pool_of
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_rules import osr_rules
from tolman.benchmarks.osr_bench.own_set import own_maps, own_room

SOCIETY = range(100)
"""Seeds of the rooms that tell which things are common, and which go together: the same for every choice of scenes."""


def own_cases(seeds: Sequence[int], options: OsrOptions) -> list[OsrCase]:
    """The rooms of some seeds. What is asked about a room depends on its seed and on the options only."""
    company = society() if options.asked == "negative" else Company()
    chosen = list(dict.fromkeys(seeds))
    rooms = zip(chosen, own_maps(chosen, options), strict=True)
    cases = [own_room(seed, truth, company, options).cases[options.asked] for seed, truth in rooms]
    return with_decoys(cases, society(), options) if options.lists_distractors else cases


def with_decoys(cases: Iterable[OsrCase], company: Company, options: OsrOptions) -> list[OsrCase]:
    """The same cases, but for classes in their lists that are not there."""
    rules = osr_rules(options.rules)
    return [replace(case, pool=pool_of(case.pool, decoys(case.truth, company), rules)) for case in cases]


@lru_cache(maxsize=1)
def society() -> Company:
    """What is common in rooms of our own, and goes together."""
    return Company.of(truth.classes for truth in own_maps(SOCIETY, OsrOptions()))
