"""The mean of several means, such as of those of each kind of question, by which entries of a league are ranked."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import rng
from tolman.report.leaderboard.benchmark import ByCase
from tolman.report.statistics import RESAMPLES, UNKNOWN, Interval

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
