"""Normals for models that come without: smooth over soft edges, broken at sharp ones."""

import numpy as np
from numpy.typing import NDArray

SHARP = 50.0
"""Degrees between two faces from which their edge stays an edge."""


def corner_normals(
    points: NDArray[np.float64], triangles: NDArray[np.int64], smooth: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """A normal for each corner of each triangle: the mean, by angle, of the faces around it that bend away little.

    Faces that are not smooth, and those without area, keep their own.
    """
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    faces = _unit(across)
    normals = np.repeat(faces[:, None, :], 3, axis=1)
    soft = np.flatnonzero(smooth)
    if len(soft):
        normals[soft] = _rounded(triangles[soft], _angles(corners[soft]), faces[soft])
    return normals


def _rounded(
    triangles: NDArray[np.int64], angles: NDArray[np.float64], faces: NDArray[np.float64]
) -> NDArray[np.float64]:
    vertex = triangles.reshape(-1)
    owner = np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(vertex, kind="stable")
    _, start, size = np.unique(vertex[order], return_index=True, return_counts=True)
    totals = np.zeros((len(vertex), 3))
    for length in np.unique(size):
        group = order[start[size == length][:, None] + np.arange(length)]
        of = owner[group]
        near = np.einsum("gik,gjk->gij", faces[of], faces[of]) >= np.cos(np.radians(SHARP))
        shares = angles.reshape(-1)[group][:, :, None] * faces[of]
        totals[group] = np.einsum("gij,gjk->gik", near.astype(np.float64), shares)
    rounded = _unit(totals)
    flat = (totals == 0).all(axis=1)
    rounded[flat] = faces[owner[flat]]
    return rounded.reshape(-1, 3, 3)


def _angles(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Radians at each corner of each triangle."""
    ahead = _unit(np.roll(corners, -1, axis=1) - corners)
    back = _unit(np.roll(corners, 1, axis=1) - corners)
    return np.arccos(np.clip((ahead * back).sum(axis=2), -1.0, 1.0))


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-30)
