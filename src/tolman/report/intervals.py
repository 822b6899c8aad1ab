"""Intervals that respect the data: the scene is the unit."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr, ndtri

from tolman.report.table.cells import UNKNOWN, Interval
from tolman.seeds import rng

__all__ = ["RESAMPLES", "UNKNOWN", "Interval", "mean_interval", "pooled_interval"]

RESAMPLES = 4000
_SAME = 1e-12
"""Values closer than this differ by rounding only, and have no spread to resample."""

Floats = NDArray[np.float64]


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Interval:
    """Bias-corrected and accelerated bootstrap of the mean over scenes; NaN ends where there are too few scenes."""
    data = np.asarray(values, dtype=float)
    mean = float(data.mean())
    if len(data) < 3:
        return Interval(mean, float("nan"), float("nan"))
    if np.ptp(data) < _SAME:
        return Interval(mean, mean, mean)
    result = cast("Any", stats).bootstrap(
        (data,), np.mean, confidence_level=confidence, n_resamples=RESAMPLES, method="BCa", rng=rng(0, "bootstrap")
    )
    low, high = result.confidence_interval
    return Interval(mean, float(low), float(high))


def pooled_interval(groups: Iterable[Sequence[float]], confidence: float = 0.95) -> Interval:
    """Mean over all values, with an interval from resampling their groups whole; a group is a scene.

    Values of one scene rise and fall together, so scenes are what is drawn again, and the mean is the ratio of two
    sums. Bias-corrected and accelerated like `mean_interval`, since scores near 0 or 1 are skewed, and a plain
    percentile interval of few scenes would be too narrow there. In simulated answers it held the truth 94 times in 100
    with 30 scenes or more, 91 times with 10, and 78 times with 4. Without values the mean is NaN, and with values from
    fewer than three scenes so are the ends.
    """
    kept = [group for group in groups if len(group)]
    if not kept:
        return UNKNOWN
    sums: Floats = np.array([sum(group) for group in kept], dtype=float)
    counts: Floats = np.array([len(group) for group in kept], dtype=float)
    mean = float(sums.sum() / counts.sum())
    if len(kept) < 3:
        return Interval(mean, float("nan"), float("nan"))
    drawn = _draws(len(kept))
    resampled: Floats = (drawn @ sums) / (drawn @ counts)
    if np.ptp(resampled) < _SAME:
        return Interval(mean, mean, mean)
    without: Floats = (sums.sum() - sums) / (counts.sum() - counts)
    low, high = np.quantile(resampled, _levels(resampled, mean, without, confidence))
    return Interval(mean, float(low), float(high))


@lru_cache(maxsize=32)
def _draws(scenes: int) -> Floats:
    """How often each scene is drawn in each resample; the same draws serve all columns of a table."""
    drawn = rng(0, "cluster bootstrap").multinomial(scenes, [1 / scenes] * scenes, size=RESAMPLES)
    return drawn.astype(np.float64)


def _levels(resampled: Floats, mean: float, without: Floats, confidence: float) -> Floats:
    """The quantiles at which to read off the ends. `without` holds the mean with each scene left out in turn."""
    below = np.mean(resampled < mean - _SAME) / 2 + np.mean(resampled <= mean + _SAME) / 2
    bias = ndtri(np.clip(below, 1 / RESAMPLES, 1 - 1 / RESAMPLES))
    apart: Floats = without.mean() - without
    spread = float((apart**2).sum())
    acceleration = float((apart**3).sum()) / (6 * spread**1.5) if spread > _SAME**2 else 0.0
    ends: Floats = bias + ndtri(np.array([(1 - confidence) / 2, (1 + confidence) / 2]))
    return ndtr(bias + ends / (1 - acceleration * ends))
