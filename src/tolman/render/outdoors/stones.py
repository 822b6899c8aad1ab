"""Stones with broken faces, from pebbles to boulders."""

import numpy as np

from tolman.render.outdoors.scatter import Stream
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.solids import ball
from tolman.render.shapes.surface import skin


def stone(stream: Stream, material: Material, steps: int) -> Mesh:
    """A stone about 1.4 metres wide; more `steps`, finer faces. Its underside is at -0.3 metres."""
    points = ball(1.0, (0.0, 0.0, 0.0), material, steps).points.astype(np.float64)
    triangles = ball(1.0, (0.0, 0.0, 0.0), material, steps).triangles
    for _ in range(18):
        way = stream.normal(size=3)
        way /= np.linalg.norm(way)
        points -= np.maximum(points @ way - stream.uniform(0.55, 0.85), 0)[:, None] * way
    points *= np.array([0.85, stream.uniform(0.6, 0.8), stream.uniform(0.5, 0.75)])
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept = np.linalg.norm(normals, axis=1) > 1e-9
    flat = corners[kept].reshape(-1, 3)
    faces, round_ones = np.repeat(normals[kept], 3, axis=0), flat / np.array([0.7, 0.5, 0.4])
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    shading = 0.75 * faces + 0.25 * round_ones / np.linalg.norm(round_ones, axis=1, keepdims=True)
    return skin(
        flat,
        np.arange(len(flat), dtype=np.int32).reshape(-1, 3),
        shading,
        flat[:, [0, 2]] + flat[:, [1, 1]],
        material,
    )
