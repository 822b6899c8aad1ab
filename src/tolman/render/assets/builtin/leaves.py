"""Leaves and foliage: thin sheets, lit from both sides."""

import numpy as np

from tolman.render.assets.builtin.registry import Stream
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.surface import Floats, Vector, grid_triangles, skin


def blade(length: float, width: float, material: Material, bend: float = 0.6, tip: float = 1.0) -> Mesh:
    """A leaf from the origin up, bending over towards +x by about `bend` radians; `tip` 0 keeps it wide."""
    share = np.linspace(0, 1, 7)
    wide = width / 2 * np.sin(np.pi * np.clip(share, 0.02, 1) ** 0.8) ** (0.4 + 0.6 * tip)
    wide[0] = 0.12 * width
    angle = np.pi / 2 - bend * share * 1.6
    along = np.concatenate([[0.0], np.cumsum(np.cos(angle)[1:] * length / 6)])
    up = np.concatenate([[0.0], np.cumsum(np.sin(angle)[1:] * length / 6)])
    side = np.array([-1.0, 0.0, 1.0])
    fold = 0.25 * wide[:, None] * np.abs(side)
    points = np.stack(
        [
            along[:, None] - fold * np.sin(angle)[:, None],
            wide[:, None] * side,
            up[:, None] + fold * np.cos(angle)[:, None],
        ],
        -1,
    )
    normals = np.stack(
        [-np.sin(angle)[:, None] + 0 * side, -0.3 * side + 0 * angle[:, None], np.cos(angle)[:, None] + 0 * side], -1
    )
    flat = points.reshape(-1, 3)
    return skin(flat, grid_triangles(7, 3)[:, ::-1], normals.reshape(-1, 3), flat[:, :2], material)


def foliage(stream: Stream, middle: Vector, radii: Vector, number: int, size: float, material: Material) -> Mesh:
    """Small leaves scattered near the surface of an ellipsoid, looking outwards and a little anyhow."""
    outward = stream.normal(size=(number, 3))
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    depth = stream.uniform(0.72, 1.0, (number, 1))
    centres = np.array(middle) + outward * np.array(radii) * depth
    facing = outward + 0.5 * stream.normal(size=(number, 3))
    return _diamonds(stream, centres, facing, size * stream.uniform(0.7, 1.3, (number, 1)), material, outward)


def _diamonds(stream: Stream, centres: Floats, facing: Floats, size: Floats, material: Material, light: Floats) -> Mesh:
    """Flat leaves of two triangles each; `light` are the normals with which they are shaded."""
    normal = facing / np.linalg.norm(facing, axis=1, keepdims=True)
    anyhow: Floats = stream.normal(size=(len(normal), 3))
    first = np.cross(normal, anyhow)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(normal, first)
    corners = [
        centres + first * size,
        centres + 0.55 * second * size,
        centres - first * size,
        centres - 0.55 * second * size,
    ]
    points = np.stack(corners, 1).reshape(-1, 3)
    start = 4 * np.arange(len(centres))[:, None]
    triangles = np.concatenate([start + np.array(corner) for corner in ((0, 1, 2), (0, 2, 3))]).astype(np.int32)
    shading = np.repeat(0.6 * light + 0.4 * normal, 4, axis=0)
    coordinates = np.tile(np.array([[0.0, 0.0], [0.1, 0.0], [0.1, 0.1], [0.0, 0.1]]), (len(centres), 1))
    return skin(points, triangles, shading, coordinates, material)
