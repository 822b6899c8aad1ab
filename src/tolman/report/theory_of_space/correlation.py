"""Pearson's correlation over scenes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import stats

from tolman.report.intervals import UNKNOWN, Interval

_SPREAD = 1e-9
"""Values closer than this differ by rounding only."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """`r` with its 95 % interval (Fisher's), the p value of r = 0, and the number of scenes. NaN where undefined."""

    r: Interval
    p: float
    scenes: int


def correlation(pairs: Sequence[tuple[float, float]]) -> Correlation:
    """How two numbers of a scene go together. Undefined for less than three scenes, and where either never varies."""
    scenes = len(pairs)
    if scenes < 3 or min(np.ptp(np.array(pairs), axis=0)) < _SPREAD:
        return Correlation(UNKNOWN, float("nan"), scenes)
    one, other = zip(*pairs, strict=True)
    found = cast("Any", stats).pearsonr(one, other)
    low, high = found.confidence_interval(0.95) if scenes > 3 else (float("nan"), float("nan"))
    return Correlation(Interval(float(found.statistic), float(low), float(high)), float(found.pvalue), scenes)
