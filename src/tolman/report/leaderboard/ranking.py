"""Leagues of entries with the same cases and options, and ranks; entries that tests cannot separate share one."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tolman.harness.registry import BENCHMARKS
from tolman.report.leaderboard.benchmark import VerifiedEntry
from tolman.report.statistics import ALPHA, Comparison, compare


@dataclass(frozen=True)
class RankedEntry:
    """An entry with its rank, from 1; None where it has no answers to be ranked by."""

    rank: int | None
    verified: VerifiedEntry
    behind: Comparison | None
    """Against the best of the rank that it was held against: its own, or where it begins one, the rank above."""
    p: float
    """Of that comparison, corrected; NaN where there was none."""


def rank_entries(entries: Sequence[VerifiedEntry]) -> list[RankedEntry]:
    """Entries from the best strict answers to the worst.

    Each is held against the best entry of the rank above it, by a permutation test over scenes, and shares that rank
    unless it is worse with p ≤ 0.05, corrected for the number of such tests (Bonferroni). Being tied is not handed
    on: two entries share a rank when neither can be told from the best of it.
    """
    order = sorted(entries, key=lambda entry: -mean if not math.isnan(mean := _mean(entry)) else math.inf)
    known = [entry for entry in order if not math.isnan(_mean(entry))]
    standings: list[RankedEntry] = []
    leader = 0
    for place, entry in enumerate(known):
        if not place:
            standings.append(RankedEntry(1, entry, None, math.nan))
            continue
        found = compare(_answers(entry), _answers(known[leader]))
        p = min(1.0, found.p * (len(known) - 1))
        leader = place if p <= ALPHA else leader
        standings.append(RankedEntry(leader + 1, entry, found, p))
    return standings + [RankedEntry(None, entry, None, math.nan) for entry in order[len(known) :]]


def _mean(entry: VerifiedEntry) -> float:
    return entry.measured["strict"].interval(entry.ranked_by).mean


def _answers(entry: VerifiedEntry) -> dict[str, tuple[float, ...]]:
    return dict(entry.measured["strict"].values.get(entry.ranked_by, {}))


@dataclass(frozen=True)
class League:
    """Entries from the first to the last."""

    title: str
    standings: tuple[RankedEntry, ...]
    from_seeds: bool
    """Whether anyone can make the scenes again."""

    @property
    def benchmark(self) -> str:
        return self.standings[0].verified.entry.benchmark


def leagues(entries: Iterable[VerifiedEntry]) -> tuple[League, ...]:
    """All leagues by benchmark: those that anyone can check first, then in the benchmark's order, then the largest."""
    groups: dict[str, list[VerifiedEntry]] = {}
    for entry in entries:
        groups.setdefault(f"{entry.entry.benchmark}/{entry.league}", []).append(entry)
    found = [League(group[0].title, tuple(rank_entries(group)), group[0].from_seeds) for group in groups.values()]
    return tuple(sorted(found, key=_place))


def _place(league: League) -> tuple[int, bool, tuple[str, ...], int, str]:
    order = league.standings[0].verified.order
    benchmark = list(BENCHMARKS).index(league.benchmark)
    return benchmark, not league.from_seeds, order, -len(league.standings), league.title


_SPANS = 4
"""Ranges of seeds that are spelled out."""


def seed_ranges(seeds: Sequence[int]) -> str:
    """Seeds as ranges of neighbours; the first few where there are many."""
    spans: list[list[int]] = []
    for seed in sorted(seeds):
        if spans and seed == spans[-1][1] + 1:
            spans[-1][1] = seed
        else:
            spans.append([seed, seed])
    told = [f"{first}–{last}" if last > first else str(first) for first, last in spans]
    return ", ".join(told[:_SPANS] + ["…"] * (len(told) > _SPANS))
