"""Cases from seeds: furnished rooms of our own with questions about them."""

from collections.abc import Sequence
from functools import lru_cache

from tolman.benchmarks.osr_bench.negatives import Company
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.own_set import own_maps, own_room

SOCIETY = range(100)
"""Seeds of the rooms that tell which things are common, and which go together: the same for every choice of scenes."""


def own_cases(seeds: Sequence[int], options: OsrOptions) -> list[OsrCase]:
    """The rooms of some seeds. What is asked about a room depends on its seed and on the options only."""
    company = _society() if options.asked == "negative" else Company()
    chosen = list(dict.fromkeys(seeds))
    rooms = zip(chosen, own_maps(chosen, options), strict=True)
    return [own_room(seed, truth, company, options).cases[options.asked] for seed, truth in rooms]


@lru_cache(maxsize=1)
def _society() -> Company:
    return Company.of(truth.classes for truth in own_maps(SOCIETY, OsrOptions()))
