"""Fewer triangles for models that have far too many: points that lie close together become one."""

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.model import Mesh, Model


def thinned(model: Model, most: int) -> Model:
    """The model itself if it has no more than so many triangles, else on the finest grid that brings it below."""
    low, high = model.bounds
    cells, thin = 2048.0, model
    while sum(len(mesh.triangles) for mesh in thin.meshes) > most:
        cells /= 1.25
        thin = Model(tuple(_gathered(mesh, low, float((high - low).max()) / cells) for mesh in model.meshes))
        thin = Model(tuple(mesh for mesh in thin.meshes if len(mesh.triangles)))
    return thin


def _gathered(mesh: Mesh, low: NDArray[np.float64], side: float) -> Mesh:
    """Points in one cell of a grid, whose normals look the same way, become the first of them."""
    cell = np.floor((mesh.points - low) / side).astype(np.int64)
    look = np.zeros_like(cell) if mesh.normals is None else np.rint(mesh.normals).astype(np.int64)
    _, first, back = np.unique(np.column_stack([cell, look]), axis=0, return_index=True, return_inverse=True)
    triangles = back[mesh.triangles].reshape(-1, 3)
    a, b, c = triangles.T
    triangles = np.unique(triangles[(a != b) & (b != c) & (c != a)], axis=0)
    return Mesh(
        points=mesh.points[first],
        triangles=triangles.astype(np.int32),
        material=mesh.material,
        normals=None if mesh.normals is None else mesh.normals[first],
        coordinates=None if mesh.coordinates is None else mesh.coordinates[first],
    )
