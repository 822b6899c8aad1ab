"""Boxes along the axes, with texture coordinates in metres."""

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh

Corner = tuple[float, float, float]

_FACES = (
    (0, False, (1, 2)),
    (0, True, (1, 2)),
    (1, False, (0, 2)),
    (1, True, (0, 2)),
    (2, False, (0, 1)),
    (2, True, (0, 1)),
)
"""For each face the axis it is across, whether it is the higher one, and the axes along it."""


def slab(low: Corner, high: Corner, material: Material, repeat: float = 1.0) -> Mesh:
    """The box between two corners. A texture repeats every so many metres, counted from the world's origin."""
    ends = np.array([low, high], np.float64)
    quads: list[NDArray[np.float64]] = []
    flat: list[NDArray[np.float64]] = []
    for across, upper, (u, v) in _FACES:
        quad = np.empty((4, 3))
        quad[:, across] = ends[int(upper), across]
        quad[:, u] = ends[[0, 1, 1, 0], u]
        quad[:, v] = ends[[0, 0, 1, 1], v]
        if upper == (across == 1):
            quad = quad[::-1]
        quads.append(quad)
        flat.append(quad[:, [u, v]] / repeat)
    triangles = np.concatenate([[[i, i + 1, i + 2], [i, i + 2, i + 3]] for i in range(0, 24, 4)])
    return Mesh(
        np.concatenate(quads).astype(np.float32),
        triangles.astype(np.int32),
        material,
        coordinates=np.concatenate(flat).astype(np.float32),
    )
