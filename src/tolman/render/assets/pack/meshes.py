"""From an OBJ file's triangles to meshes of one material each, with shared vertices and normals that agree."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tolman.render.assets.pack.normals import corner_normals
from tolman.render.assets.pack.obj import MISSING, Shape
from tolman.render.shapes.material import Material, Texture
from tolman.render.shapes.model import Mesh

STEPS = 8192
"""Steps of a normal's parts: two corners whose normals differ by less share a vertex."""
FARTHEST = 1000.0
"""Texture coordinates beyond it are mistakes of the program that wrote the file."""


def meshes_of(shape: Shape, material: Callable[[str], Material]) -> tuple[Mesh, ...]:
    """The shape as meshes, in its own axes and units. Triangles without area are dropped."""
    normals = _corner_normals(shape)
    corners = shape.points[shape.corners[:, :, 0]]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    solid = np.linalg.norm(across, axis=1) > 0
    backwards = (across * normals.sum(axis=1)).sum(axis=1) < 0
    found: list[Mesh] = []
    for number in np.unique(shape.material):
        chosen = np.flatnonzero((shape.material == number) & solid)
        if len(chosen):
            mesh = _mesh(shape, chosen, normals[chosen], material(shape.materials[int(number)]))
            turned = np.where(backwards[chosen, None], mesh.triangles[:, ::-1], mesh.triangles)
            found.append(replace(mesh, triangles=np.asarray(turned, dtype=np.int32)))
    return tuple(found)


def _corner_normals(shape: Shape) -> NDArray[np.float64]:
    """The file's own normals where a triangle has all three, else made ones."""
    places = shape.corners[:, :, 2]
    named = (places != MISSING).all(axis=1)
    if named.all() and len(named):
        return shape.normals[places]
    made = corner_normals(shape.points, shape.corners[:, :, 0], shape.smooth)
    made[named] = shape.normals[places[named]]
    return made


def _mesh(shape: Shape, chosen: NDArray[np.int64], normals: NDArray[np.float64], material: Material) -> Mesh:
    flat = shape.corners[chosen].reshape(-1, 3)
    steps = np.rint(normals.reshape(-1, 3) * STEPS).astype(np.int64)
    if not isinstance(material.colour, Texture):
        flat[:, 1] = MISSING
    keys = np.column_stack([flat[:, :2], steps])
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    coordinates = None
    if isinstance(material.colour, Texture):
        table = np.vstack([shape.coordinates, np.zeros((1, 2))])
        coordinates = np.where(np.abs(table) < FARTHEST, table, 0.0)[flat[first, 1]].astype(np.float32)
    length = np.maximum(np.linalg.norm(steps[first], axis=1, keepdims=True), 1)
    return Mesh(
        points=shape.points[flat[first, 0]].astype(np.float32),
        triangles=back.reshape(-1, 3).astype(np.int32),
        material=material,
        normals=(steps[first] / length).astype(np.float32),
        coordinates=coordinates,
    )
