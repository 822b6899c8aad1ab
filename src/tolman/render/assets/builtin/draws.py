"""Choices from a random stream."""

from typing import TypeVar

import numpy as np

T = TypeVar("T")


def pick(stream: np.random.Generator, *options: T) -> T:
    """One of the options."""
    return options[int(stream.integers(len(options)))]


def between(stream: np.random.Generator, low: float, high: float) -> float:
    """A number from low to high."""
    return float(stream.uniform(low, high))


def whole(stream: np.random.Generator, low: int, high: int) -> int:
    """A whole number from low to high, both included."""
    return int(stream.integers(low, high + 1))
