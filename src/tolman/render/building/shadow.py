"""How much there is to see of a model: the area of the shadow it would throw on a wall."""

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.model import Model

Floats = NDArray[np.float64]

STEP = 0.005
"""Side of the squares in which the shadow is counted, in metres."""


def shadow(model: Model, along: int) -> float:
    """Square metres on a wall that runs along x (0: the model is lit from its front) or y (1: from its side)."""
    low, high = (end / STEP for end in model.bounds)
    corners = np.concatenate([mesh.points[mesh.triangles] for mesh in model.meshes]).astype(np.float64) / STEP
    x, z = corners[..., along] - low[along], corners[..., 2] - low[2]
    rows, columns = (int(np.ceil(high[axis] - low[axis])) + 1 for axis in (2, along))
    first, end = (np.ceil(edge - 0.5).astype(int) for edge in (z.min(axis=1), z.max(axis=1)))
    count = end - first
    which = np.repeat(np.arange(len(x)), count)
    row = np.arange(len(which)) - np.repeat(np.cumsum(count) - end, count)
    starts, ends = _span(x[which], z[which], (row + 0.5).astype(np.float64))
    steps = np.bincount(row * columns + starts, minlength=rows * columns)
    steps -= np.bincount(row * columns + ends, minlength=rows * columns)
    return float((np.cumsum(steps.reshape(rows, columns), axis=1) > 0).sum()) * STEP**2


def _span(x: Floats, z: Floats, height: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first square of each triangle in its row, and the first after it."""
    low, high = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        crosses = (z[:, a] <= height) != (z[:, b] <= height)
        at = x[:, a] + (height - z[:, a]) * (x[:, b] - x[:, a]) / np.where(crosses, z[:, b] - z[:, a], 1.0)
        low, high = np.where(crosses, np.minimum(low, at), low), np.where(crosses, np.maximum(high, at), high)
    return np.ceil(low - 0.5).astype(np.int64), np.ceil(high - 0.5).astype(np.int64)
