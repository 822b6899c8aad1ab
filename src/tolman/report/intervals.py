"""Intervals that respect the data: the scene is the unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import stats

from tolman.seeds import rng

RESAMPLES = 4000
_SAME = 1e-12
"""Values closer than this differ by rounding only, and have no spread to resample."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over scenes with the ends of its confidence interval."""

    mean: float
    low: float
    high: float


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
