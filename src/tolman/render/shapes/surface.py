"""From rows of points to meshes: what all solids are built with."""

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.material import Material, Texture
from tolman.render.shapes.model import Mesh, Triangles

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]

TILE = 0.5
"""Metres over which a texture repeats."""


def skin(points: Floats, triangles: Triangles, normals: Floats, coordinates: Floats, material: Material) -> Mesh:
    """A mesh with smooth normals; `coordinates` in metres on the surface are kept where the material has a texture."""
    length = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    textured = isinstance(material.colour, Texture)
    return Mesh(
        points=points.astype(np.float32),
        triangles=triangles.astype(np.int32),
        material=material,
        normals=(normals / length).astype(np.float32),
        coordinates=(coordinates / TILE).astype(np.float32) if textured else None,
    )


def joined(meshes: list[Mesh]) -> Mesh:
    """Several meshes of the first one's material as one."""
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]
    normals = [mesh.normals for mesh in meshes if mesh.normals is not None]
    coordinates = [mesh.coordinates for mesh in meshes if mesh.coordinates is not None]
    return Mesh(
        points=np.concatenate([mesh.points for mesh in meshes]),
        triangles=np.concatenate(triangles).astype(np.int32),
        material=meshes[0].material,
        normals=np.concatenate(normals) if len(normals) == len(meshes) else None,
        coordinates=np.concatenate(coordinates) if len(coordinates) == len(meshes) else None,
    )


def grid_triangles(rows: int, columns: int) -> Triangles:
    """Two triangles for each cell of a grid of points, row after row."""
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = first, first + 1, first + columns + 1, first + columns
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.int32)


def fan(ring: Floats, normal: Floats, material: Material) -> Mesh:
    """A flat lid on a ring of points that is seen whole from its middle."""
    middle = ring.mean(axis=0)
    points = np.vstack([middle, ring])
    n = len(ring)
    triangles = np.stack([np.zeros(n), 1 + np.arange(n), 1 + (np.arange(n) + 1) % n], 1).astype(np.int32)
    first, second = ring[0] - middle, np.cross(normal, ring[0] - middle)
    across = [(points - middle) @ (axis / max(float(np.linalg.norm(axis)), 1e-12)) for axis in (first, second)]
    turned = np.cross(ring - middle, np.roll(ring, -1, axis=0) - middle).sum(axis=0) @ normal
    return skin(
        points,
        triangles if turned > 0 else triangles[:, ::-1],
        np.tile(normal, (n + 1, 1)),
        np.stack(across, 1),
        material,
    )


def volume(mesh: Mesh) -> float:
    """Cubic metres inside a closed mesh, or as if it were closed from its middle; negative where it is inside out."""
    points = mesh.points.astype(np.float64) - mesh.points.mean(axis=0, dtype=np.float64)
    a, b, c = (points[mesh.triangles[:, i]] for i in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


def outward(mesh: Mesh) -> Mesh:
    """The closed mesh with its triangles seen from outside and its normals on the same side as they."""
    triangles = mesh.triangles if volume(mesh) > 0 else mesh.triangles[:, ::-1]
    a, b, c = (mesh.points[triangles[:, i]] for i in range(3))
    normals = mesh.normals
    if normals is not None:
        agree = (np.cross(b - a, c - a) * normals[triangles].sum(axis=1)).sum()
        normals = normals if agree > 0 else -normals
    return Mesh(mesh.points, triangles, mesh.material, normals, mesh.coordinates)
