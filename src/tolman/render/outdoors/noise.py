"""Smooth random values over the plane, from a seed. They can be asked for at any point."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.seeds import rng

Floats = NDArray[np.floating[Any]]
_SIDE = 256
"""Cells after which the values repeat: far more than is ever seen of one scale."""


class Noise:
    """Values in [0, 1]. Seeds and names that differ give fields that share nothing."""

    def __init__(self, seed: int, *names: str | int) -> None:
        self._table = rng(seed, "noise", *names).random((_SIDE, _SIDE), np.float32)

    def __call__(self, x: Floats, y: Floats, size: float) -> Floats:
        """One value for each point; bumps are about `size` metres wide. A row of x with a column of y makes a grid."""
        if is_grid(x, y):
            return self._on_grid(x[0] / np.float32(size), y[:, 0] / np.float32(size))
        column, row = np.asarray(x, np.float32) / np.float32(size), np.asarray(y, np.float32) / np.float32(size)
        left, low = np.floor(column), np.floor(row)
        across, up = _ease(column - left), _ease(row - low)
        i, j = left.astype(np.int32) % _SIDE, low.astype(np.int32) % _SIDE
        right, high = (i + 1) % _SIDE, (j + 1) % _SIDE
        table = self._table
        lower = table[j, i] + (table[j, right] - table[j, i]) * across
        upper = table[high, i] + (table[high, right] - table[high, i]) * across
        return lower + (upper - lower) * up

    def _on_grid(self, column: Floats, row: Floats) -> Floats:
        """The same in a tenth of the time: first along all rows of the table, then across."""
        left, low = np.floor(column), np.floor(row)
        across, up = _ease(column - left), _ease(row - low)[:, None]
        i, j = left.astype(np.int32) % _SIDE, low.astype(np.int32) % _SIDE
        lines = self._table[j] + (self._table[(j + 1) % _SIDE] - self._table[j]) * up
        first = lines[:, i]
        return first + (lines[:, (i + 1) % _SIDE] - first) * across

    def layered(self, x: Floats, y: Floats, size: float, layers: int = 4, fading: float = 0.5) -> Floats:
        """Several scales together, each half as large and `fading` times as strong as the one before; in [0, 1]."""
        total, weight, strength = np.zeros(np.broadcast(x, y).shape, np.float32), 0.0, 1.0
        for layer in range(layers):
            turned = 0.0 if is_grid(x, y) else 0.6 * layer  # so that the lattices do not line up
            cos, sin, shifted = np.float32(np.cos(turned)), np.float32(np.sin(turned)), np.float32(37.7 * layer)
            a, b = (x * cos - y * sin, x * sin + y * cos) if turned else (x, y)
            total += strength * self(a + shifted, b - shifted, size / 2**layer)
            weight += strength
            strength *= fading
        return total / np.float32(weight)


def is_grid(x: Floats, y: Floats) -> bool:
    """Whether points are given as a row of x and a column of y."""
    return np.ndim(x) == 2 and x.shape[0] == 1 and y.shape[1] == 1 and x.shape[1] > 1 and y.shape[0] > 1


def _ease(share: Floats) -> Floats:
    return share * share * (3 - 2 * share)


def between(low: float, high: float, value: Floats) -> Floats:
    """0 up to `low`, 1 from `high` on, and a smooth way between."""
    return _ease(np.clip((value - low) / (high - low), 0, 1))
