"""Whether one model is better than another, or whether that is noise: the scene is the unit.

Two models that lived through the same scenes are compared scene by scene, so that a scene which is hard for both
counts for neither. In simulated answers of equal models, p was 0.05 or less 4 times in 100 with 10 or 30 scenes, twice
with 6, and never with 4.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from statistics import fmean, stdev

import numpy as np
from scipy.special import ndtri

from tolman.report.intervals import Floats, Interval, pooled_interval
from tolman.seeds import rng

ALPHA, POWER = 0.05, 0.8
ENUMERATED, FLIPS = 12, 10_000
"""Up to so many scenes all flips of signs are tried, each once; of more scenes, so many flips are drawn."""
_SAME = 1e-12
"""Values closer than this differ by rounding only."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much higher the first model scored than the second, in units of the values; NaN where nothing is known."""

    difference: Interval
    p: float
    """How often chance alone would set equal models this far apart, either way; not corrected for other tests."""
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
    `pooled_interval`, and its p value that of a permutation test: were the models equal, either could have said what
    the other said in a scene, and each scene's difference could as well have the other sign. The ends and p are NaN
    with fewer than three scenes. The smallest p of n scenes is 2 ** (1 - n): five can't get below 0.05.
    """
    common = [scene for scene in a if len(a[scene]) and len(b.get(scene, ()))]
    apart = {scene: fmean(a[scene]) - fmean(b[scene]) for scene in common}
    weights = {scene: len(a[scene]) + len(b[scene]) for scene in common}
    interval = pooled_interval([[apart[scene]] * weights[scene] for scene in common], confidence)
    total = sum(weights.values())
    return Comparison(interval, _sign_flips([apart[scene] * weights[scene] / total for scene in common]), apart)


def _sign_flips(contributions: Sequence[float]) -> float:
    """Share of flips of their signs that take their sum as far from 0 as it is, it being one of them."""
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
    """The p values of several tests, raised so that all of them together cry wolf no more often than one.

    Holm's: the smallest counts as often as there are tests, the next once less, and none falls below a smaller one.
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
    """The smallest true difference that so many scenes find with this power, given how far theirs spread.

    A normal approximation for one two-sided test of paired differences by scene, all of one weight: the spread is
    taken for known, and no room is left for other tests. NaN where the scenes have no spread, or are too few for any
    p value of `alpha`.
    """
    if len(differences) < fewest_scenes(alpha) or (spread := stdev(differences)) < _SAME:
        return float("nan")
    return _reach(power, alpha) * spread / math.sqrt(len(differences))


def scenes_needed(
    differences: Sequence[float], difference: float, power: float = POWER, alpha: float = ALPHA
) -> int | None:
    """How many scenes like these would find a true difference of this size, not 0: the same approximation.

    Never less than `fewest_scenes`; None where the scenes have no spread to go by, or are fewer than three.
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
