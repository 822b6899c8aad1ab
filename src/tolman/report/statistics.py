"""Intervals and paired comparisons with the scene as the unit: bootstrap, permutation tests, Holm's correction; and
Wilson's interval of a share."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from statistics import fmean, stdev
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from tolman.core.grouping import gathered
from tolman.core.seeds import rng
from tolman.report.table.value import UNKNOWN, Interval, interval_as_dict

RESAMPLES = 4000
_FEWEST, _FEW = 3, 10
"""Scenes from which on there are intervals, and from which on they are not too narrow."""
_SAME = 1e-12
"""Values closer than this differ by rounding only, and have no spread to resample."""

Floats = NDArray[np.float64]


def few_scenes_notes(scenes: Iterable[int]) -> tuple[str, ...]:
    """A note if any of these numbers of scenes is enough for intervals, but not for good ones; else none."""
    note = f"Intervals over fewer than {_FEW} scenes are too narrow: over 4 scenes, about 1 in 5 misses the true mean."
    return (note,) * any(_FEWEST <= count < _FEW for count in scenes)


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Interval:
    """Bias-corrected and accelerated bootstrap of the mean over scenes; NaN ends where there are too few scenes."""
    data = np.asarray(values, dtype=float)
    mean = float(data.mean())
    if len(data) < _FEWEST:
        return Interval(mean, float("nan"), float("nan"))
    if np.ptp(data) < _SAME:
        return Interval(mean, mean, mean)
    from scipy import stats  # noqa: PLC0415 - takes half a second

    result = cast("Any", stats).bootstrap(
        (data,), np.mean, confidence_level=confidence, n_resamples=RESAMPLES, method="BCa", rng=rng(0, "bootstrap")
    )
    low, high = result.confidence_interval
    return Interval(mean, float(low), float(high))


def pooled_interval(groups: Iterable[Sequence[float]], confidence: float = 0.95) -> Interval:
    """Mean over all values, with an interval from resampling their groups whole; a group is a scene.

    Values of one scene are correlated, so whole scenes are resampled, and the mean is the ratio of two sums. Bias-
    corrected and accelerated like `mean_interval`, since scores near 0 or 1 are skewed, and a plain percentile interval
    of few scenes would be too narrow there. In simulations its coverage was 94 % with 30 scenes or more, 91 % with 10,
    and 78 % with 4. Without values the mean is NaN, and with values from fewer than three scenes so are the ends.
    """
    kept = [group for group in groups if len(group)]
    if not kept:
        return UNKNOWN
    sums: Floats = np.array([sum(group) for group in kept], dtype=float)
    counts: Floats = np.array([len(group) for group in kept], dtype=float)
    mean = float(sums.sum() / counts.sum())
    if len(kept) < _FEWEST:
        return Interval(mean, float("nan"), float("nan"))
    drawn = _draws(len(kept))
    resampled: Floats = (drawn @ sums) / (drawn @ counts)
    if np.ptp(resampled) < _SAME:
        return Interval(mean, mean, mean)
    without: Floats = (sums.sum() - sums) / (counts.sum() - counts)
    low, high = np.quantile(resampled, _levels(resampled, mean, without, confidence))
    return Interval(mean, float(low), float(high))


V = TypeVar("V")


def joined_by_scene(scenes: Iterable[str], groups: Iterable[Sequence[V]]) -> list[list[V]]:
    """Values of each scene, from those of its runs: a scene that was run several times is one group."""
    found: dict[str, list[V]] = {}
    for scene, group in zip(scenes, groups, strict=True):
        found.setdefault(scene, []).extend(group)
    return list(found.values())


ByCase = Mapping[str, tuple[float, ...]]
"""Values of one column, by case."""


@dataclass(frozen=True)
class ScoreColumns:
    """The columns of a run under one rule set."""

    values: Mapping[str, ByCase]
    intervals: Mapping[str, Interval]

    def interval(self, column: str) -> Interval:
        return self.intervals.get(column, UNKNOWN)

    def as_dict(self) -> dict[str, object]:
        """Each column with its interval, and its values by scene, ready for JSON."""
        return {
            name: {
                **interval_as_dict(interval),
                "values": sum(map(len, self.values[name].values())),
                "by_scene": {case: list(values) for case, values in self.values[name].items()},
            }
            for name, interval in self.intervals.items()
        }


def values_by_case(cases: Iterable[tuple[str, ByCase]]) -> dict[str, dict[str, tuple[float, ...]]]:
    """Values by column and case, from the columns of each case; those of repeated cases are joined."""
    found: dict[str, dict[str, tuple[float, ...]]] = {}
    for case, columns in cases:
        for column, values in columns.items():
            by_case = found.setdefault(column, {})
            by_case[case] = by_case.get(case, ()) + values
    return found


def column_intervals(values: Mapping[str, ByCase]) -> dict[str, Interval]:
    """The mean over all values of each column, with intervals over cases."""
    return {column: pooled_interval(list(by_case.values())) for column, by_case in values.items()}


def pooled_columns(cases: Iterable[Mapping[str, Sequence[float]]]) -> dict[str, Interval]:
    """The same from the columns of each case, which was run once."""
    columns = gathered((column, values) for case in cases for column, values in case.items())
    return {column: pooled_interval(values) for column, values in columns.items()}


@lru_cache(maxsize=32)
def _draws(scenes: int) -> Floats:
    """How often each scene is drawn in each resample; the same draws serve all columns of a table."""
    drawn = rng(0, "cluster bootstrap").multinomial(scenes, [1 / scenes] * scenes, size=RESAMPLES)
    return drawn.astype(np.float64)


def _levels(resampled: Floats, mean: float, without: Floats, confidence: float) -> Floats:
    """The quantiles at which to read off the ends. `without` holds the mean with each scene left out in turn."""
    below = np.mean(resampled < mean - _SAME) / 2 + np.mean(resampled <= mean + _SAME) / 2
    bias = ndtri(np.clip(below, 1 / RESAMPLES, 1 - 1 / RESAMPLES))
    deviations: Floats = without.mean() - without
    spread = float((deviations**2).sum())
    acceleration = float((deviations**3).sum()) / (6 * spread**1.5) if spread > _SAME**2 else 0.0
    ends: Floats = bias + ndtri(np.array([(1 - confidence) / 2, (1 + confidence) / 2]))
    return ndtr(bias + ends / (1 - acceleration * ends))


_Z = float(ndtri(0.975))


def wilson_interval(share: float, count: int) -> tuple[float, float]:
    """Ends of Wilson's 95 % interval of a share (0 to 1) of `count` independent cases; NaN without cases.

    It stays between 0 and 1, and is valid for few cases.
    """
    if not count:
        return math.nan, math.nan
    middle = share + _Z**2 / (2 * count)
    reach = _Z * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    scale = 1 + _Z**2 / count
    return max((middle - reach) / scale, 0.0), min((middle + reach) / scale, 1.0)


ALPHA, POWER = 0.05, 0.8
ENUMERATED, FLIPS = 12, 10_000
"""With up to 12 scenes all sign flips are enumerated; with more, 10,000 are drawn."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much higher the first model scored than the second, in units of the values; NaN where nothing is known."""

    difference: Interval
    p: float
    """Two-sided p value of a permutation test; not corrected for multiple tests."""
    by_scene: Mapping[str, float]
    """Difference of the means in each scene that both have values of."""

    @property
    def scenes(self) -> int:
        return len(self.by_scene)

    @property
    def least_detectable(self) -> float:
        return minimum_detectable_difference(list(self.by_scene.values()))

    def scenes_needed(self, difference: float) -> int | None:
        return scenes_needed(list(self.by_scene.values()), difference)


def compare(a: Mapping[str, Sequence[float]], b: Mapping[str, Sequence[float]], confidence: float = 0.95) -> Comparison:
    """Compare values by scene, over the scenes that both have values of.

    The difference is a mean over scenes, in which a scene weighs as many values as it has: where both models have
    equally many of a scene, as is usual, it is the difference of their pooled means. Its interval is that of
    `pooled_interval`, and its p value that of a permutation test: under the null hypothesis, models are exchangeable
    within a scene, so that each scene's difference may have either sign. The ends and p are NaN with fewer than three
    scenes. The smallest p of n scenes is 2 ** (1 - n): five can't get below 0.05.
    """
    common = [scene for scene in a if len(a[scene]) and len(b.get(scene, ()))]
    differences = {scene: fmean(a[scene]) - fmean(b[scene]) for scene in common}
    weights = {scene: len(a[scene]) + len(b[scene]) for scene in common}
    interval = pooled_interval([[differences[scene]] * weights[scene] for scene in common], confidence)
    total = sum(weights.values())
    return Comparison(
        interval, _sign_flips([differences[scene] * weights[scene] / total for scene in common]), differences
    )


def _sign_flips(contributions: Sequence[float]) -> float:
    """Share of sign flips whose sum is at least as far from 0 as the observed one, which is included."""
    if len(contributions) < 3:
        return float("nan")
    parts: Floats = np.array(contributions)
    extreme = np.abs(_signs(len(parts)) @ parts) >= abs(parts.sum()) - _SAME
    drawn = len(parts) > ENUMERATED
    return (int(extreme.sum()) + drawn) / (len(extreme) + drawn)


@lru_cache(maxsize=32)
def _signs(scenes: int) -> Floats:
    """Rows of signs, one for each scene; the same rows serve all pairs of a table."""
    if scenes <= ENUMERATED:
        return np.array(list(product((1.0, -1.0), repeat=scenes)))
    return rng(0, "sign flips").choice(np.array([1.0, -1.0]), size=(FLIPS, scenes))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values of several tests, adjusted by Holm's method to control the family-wise error rate.

    The smallest is multiplied by the number of tests, the next by one less, and so on; none falls below a smaller one.
    Tests without a p value (NaN) do not count.
    """
    adjusted = list(p_values)
    known = sorted((i for i, p in enumerate(p_values) if not math.isnan(p)), key=lambda i: p_values[i])
    least = 0.0
    for rank, i in enumerate(known):
        least = max(least, min(1.0, (len(known) - rank) * p_values[i]))
        adjusted[i] = least
    return adjusted


def minimum_detectable_difference(differences: Sequence[float], power: float = POWER, alpha: float = ALPHA) -> float:
    """The smallest true difference that as many scenes detect with this power, given their spread.

    A normal approximation for one two-sided test of paired differences by scene, all of one weight: the spread is taken
    as known, and multiple tests are not corrected for. NaN where the scenes have no spread, or are too few for any p
    value of `alpha`.
    """
    if len(differences) < fewest_scenes(alpha) or (spread := stdev(differences)) < _SAME:
        return float("nan")
    return _reach(power, alpha) * spread / math.sqrt(len(differences))


def scenes_needed(
    differences: Sequence[float], difference: float, power: float = POWER, alpha: float = ALPHA
) -> int | None:
    """How many scenes like these would detect a true difference of this size, not 0: the same approximation.

    Never less than `fewest_scenes`; None where the scenes have no spread, or are fewer than three.
    """
    if len(differences) < 3 or (spread := stdev(differences)) < _SAME:
        return None
    return max(fewest_scenes(alpha), math.ceil((_reach(power, alpha) * spread / difference) ** 2))


def fewest_scenes(alpha: float = ALPHA) -> int:
    """With fewer scenes than this no difference, however large, has a p value of `alpha` or less."""
    return math.ceil(1 - math.log2(alpha))


def _reach(power: float, alpha: float) -> float:
    """How many standard errors a true difference must be away from 0."""
    return float(ndtri(1 - alpha / 2) + ndtri(power))
