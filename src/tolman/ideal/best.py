"""The reply of highest expected score."""

from dataclasses import dataclass

import numpy as np

from tolman.ideal.labels import Floats, Ints


@dataclass(frozen=True)
class Best:
    """A reply, and the score to be expected of it under the strict rules."""

    reply: str
    expected: float
    exact: bool
    """Whether all worlds were weighed; else the expectation is over draws."""


def likeliest(codes: Ints, weights: Floats) -> tuple[int, float]:
    """The most probable of some whole numbers, of several the lowest, and its probability."""
    values, which = np.unique(codes, return_inverse=True)
    sums = np.bincount(which, weights, len(values))
    best = int(np.argmax(np.round(sums, 12)))
    return int(values[best]), float(sums[best] / sums.sum())
