"""Ranks that respect the data: entries that these scenes can't tell apart share one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tolman.report.comparisons import ALPHA, Comparison, compare
from tolman.report.leaderboard.verify import Verified
from tolman.report.theory_of_space.figures import ANSWERS


@dataclass(frozen=True)
class Standing:
    """An entry with its rank, from 1; None where it has no answers to be ranked by."""

    rank: int | None
    verified: Verified
    behind: Comparison | None
    """Against the best of the rank that it was held against: its own, or where it begins one, the rank above."""
    p: float
    """Of that comparison, corrected; NaN where there was none."""


def ranked(entries: Sequence[Verified]) -> list[Standing]:
    """Entries from the best strict answers to the worst.

    Each is held against the best entry of the rank above it, by a permutation test over scenes, and shares that rank
    unless it is worse with p ≤ 0.05, corrected for the number of such tests (Bonferroni). Being tied is not handed
    on: two entries share a rank when neither can be told from the best of it.
    """
    order = sorted(entries, key=lambda entry: -mean if not math.isnan(mean := _mean(entry)) else math.inf)
    known = [entry for entry in order if not math.isnan(_mean(entry))]
    standings: list[Standing] = []
    leader = 0
    for place, entry in enumerate(known):
        if not place:
            standings.append(Standing(1, entry, None, math.nan))
            continue
        found = compare(_answers(entry), _answers(known[leader]))
        p = min(1.0, found.p * (len(known) - 1))
        leader = place if p <= ALPHA else leader
        standings.append(Standing(leader + 1, entry, found, p))
    return standings + [Standing(None, entry, None, math.nan) for entry in order[len(known) :]]


def _mean(entry: Verified) -> float:
    return entry.measured["strict"].interval(ANSWERS).mean


def _answers(entry: Verified) -> dict[str, tuple[float, ...]]:
    return dict(entry.measured["strict"].values.get(ANSWERS, {}))
