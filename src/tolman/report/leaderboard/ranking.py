"""Leagues of entries with the same cases and options; ranks by a macro mean, shared where tests find no difference."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.core.grouping import grouped
from tolman.core.seeds import rng
from tolman.harness.registry import BENCHMARKS
from tolman.report.leaderboard.benchmark import VerifiedEntry
from tolman.report.statistics import ALPHA, RESAMPLES, UNKNOWN, ByCase, Comparison, Interval, compare

Floats = NDArray[np.float64]
_ENDS = (0.025, 0.975)


def equally_weighted(groups: Sequence[ByCase]) -> dict[str, tuple[float, ...]]:
    """Values by case whose mean is the mean over groups of each group's own mean, however many values these have.

    Entries that were asked the same have the same weights, so that their values can be compared by case.
    """
    kept = [group for group in groups if any(group.values())]
    counts = [sum(map(len, group.values())) for group in kept]
    found: dict[str, tuple[float, ...]] = {}
    for group, count in zip(kept, counts, strict=True):
        weight = sum(counts) / (len(kept) * count)
        for case, values in group.items():
            found[case] = found.get(case, ()) + tuple(weight * value for value in values)
    return found


def macro_interval(groups: Sequence[ByCase]) -> Interval:
    """The mean over groups of each group's own mean, with a 95 % interval from resampling cases whole.

    The ends are NaN with fewer than three cases.
    """
    kept = [group for group in groups if any(group.values())]
    cases = list(dict.fromkeys(case for group in kept for case in group))
    if not cases:
        return UNKNOWN
    sums: Floats = np.array([[sum(group.get(case, ())) for group in kept] for case in cases], dtype=float)
    counts: Floats = np.array([[len(group.get(case, ())) for group in kept] for case in cases], dtype=float)
    mean = float((sums.sum(axis=0) / counts.sum(axis=0)).mean())
    if len(cases) < 3:
        return Interval(mean, float("nan"), float("nan"))
    drawn = rng(0, "cases again").multinomial(len(cases), [1 / len(cases)] * len(cases), size=RESAMPLES)
    asked = drawn @ counts
    means: Floats = np.divide(drawn @ sums, asked, out=np.full_like(asked, np.nan), where=asked > 0)
    low, high = np.quantile(np.nanmean(means, axis=1), _ENDS)
    return Interval(mean, float(low), float(high))


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
    groups = grouped(entries, lambda entry: f"{entry.entry.benchmark}/{entry.league}")
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
