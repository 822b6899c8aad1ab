"""What stands in the open: stones, and what stands along a street."""

import numpy as np

from tolman.render.outdoors.scatter import Stream
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.solids import ball, box, cylinder
from tolman.render.shapes.surface import joined, skin
from tolman.render.shapes.sweep import tube
from tolman.render.shapes.transforms import shift


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


IRON = Material(srgb("#2e3235"), roughness=0.55)
GLASS = Material(srgb("#e8e4d2"), roughness=0.3)


def lamp(high: float = 4.6) -> tuple[Mesh, ...]:
    """A lamp post with a globe."""
    post = joined(
        [
            cylinder(0.13, 0.5, (0, 0, 0), IRON, top=0.09, sides=12),
            cylinder(0.05, high - 0.9, (0, 0, 0.5), IRON, top=0.04, sides=10),
            cylinder(0.16, 0.06, (0, 0, high - 0.42), IRON, sides=12),
            cylinder(0.17, 0.12, (0, 0, high - 0.02), IRON, top=0.03, sides=12),
        ]
    )
    return post, ball(0.17, (0, 0, high - 0.2), GLASS, 8)


def arm_lamp(high: float = 7.5, reach: float = 1.8) -> tuple[Mesh, ...]:
    """A street lamp with an arm towards +x."""
    way = [(0, 0, 0), (0, 0, high - 0.8), (0.25 * reach, 0, high - 0.15), (reach, 0, high)]
    post = joined([tube(way, [0.1, 0.06, 0.05, 0.04], IRON, 8), cylinder(0.16, 0.35, (0, 0, 0), IRON, sides=10)])
    return post, box((0.6, 0.2, 0.09), (reach, 0, high - 0.06), GLASS, 0.02)


def railing(x: float, first: float, last: float, z: float, material: Material) -> Mesh:
    """A railing along y at some x: posts, a hand rail and bars."""
    length, middle = last - first, (first + last) / 2
    parts = [box((0.07, length, 0.07), (x, middle, z + up), material, 0.01) for up in (0.12, 1.05)]
    posts = np.arange(first, last + 0.1, 2.0)
    parts += [box((0.09, 0.09, 1.12), (x, float(y), z), material, 0.01) for y in posts]
    bars = np.arange(first, last, 0.25)
    bar = box((0.022, 0.022, 0.95), (x, 0.0, z + 0.12), material, 0.002)
    parts += [bar.moved(shift(0, float(y), 0)) for y in bars]
    return joined(parts)


def fence(stream: Stream, length: float, material: Material) -> Mesh:
    """A garden fence along x about the origin: pales and two rails."""
    pales = [
        box((0.09, 0.02, 0.95 + float(stream.uniform(-0.04, 0.04))), (float(x), 0.0, 0.0), material, 0.004)
        for x in np.arange(-length / 2, length / 2, 0.16)
    ]
    rails = [box((length, 0.04, 0.07), (0, -0.03, up), material, 0.004) for up in (0.25, 0.7)]
    return joined([*pales, *rails])


def kerb(x: float, first: float, last: float, wide: float, high: float, material: Material) -> Mesh:
    """A long stone along y at some x, from the ground up."""
    return box((wide, last - first, high + 0.2), (x, (first + last) / 2, -0.2), material, 0.02)
