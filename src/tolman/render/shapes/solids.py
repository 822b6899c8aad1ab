"""Simple solids: boxes, pads, balls, cylinders. Lengths in metres.

`at` is the centre of a ball, and the centre of the underside of other solids.
"""

from functools import cache
from itertools import product

import numpy as np

from tolman.render.shapes.mesh import Axis, Material, Mesh, Triangles, shift, turn
from tolman.render.shapes.sweep import TILE, Floats, Vector, grid_mesh, lathe, outward, smooth_mesh


def box(size: Vector, at: Vector, material: Material, bevel: float = 0.005, *, level: bool = False) -> Mesh:
    """A box with bevelled edges, shaded as if round.

    Textures run along the longer side of each face, or with `level` horizontally, as bricks do.
    """
    half = np.array(size, np.float64) / 2
    cut = min(bevel, 0.45 * float(min(size)))
    signs, triangles = _box_skeleton()
    corners, faces = np.repeat(signs, 3, axis=0), np.tile(np.arange(3), 8)
    normals = np.eye(3)[faces] * corners
    points = corners * half - (1 - np.abs(normals)) * corners * cut + np.array([0.0, 0.0, half[2]]) + np.array(at)
    order = [0.0, 1.0, 2.0] if level else [-length for length in size]
    axes = [sorted((axis for axis in range(3) if axis != face), key=order.__getitem__) for face in range(3)]
    along = np.array(axes)[faces]
    coordinates = np.take_along_axis(points, along, axis=1)
    return smooth_mesh(points, triangles, normals, coordinates, material)


@cache
def _box_skeleton() -> tuple[Floats, Triangles]:
    """Signs of the eight corners, and triangles between three vertices at each: one for each face that meets there."""
    signs = np.array(list(product((-1.0, 1.0), repeat=3)))
    number = {tuple(sign): 3 * i for i, sign in enumerate(signs)}
    flat = [[3 * i + axis for i, sign in enumerate(signs) if sign[axis] == s] for axis in range(3) for s in (-1, 1)]
    rims: list[list[int]] = []
    for i, sign in enumerate(signs):
        for axis in range(3):
            if sign[axis] < 0:
                other = sign.copy()
                other[axis] = 1
                j, (a, b) = number[tuple(other)], [k for k in range(3) if k != axis]
                rims.append([3 * i + a, 3 * i + b, j + a, j + b])
    quads = [triangle for a, b, c, d in flat + rims for triangle in ((a, b, d), (a, d, c))]
    triangles = np.array(quads + [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(8)])
    points = np.repeat(signs, 3, axis=0) * (1 + np.tile(np.eye(3), (8, 1)))
    a, b, c = (points[triangles[:, i]] for i in range(3))
    inside_out = (np.cross(b - a, c - a) * (a + b + c)).sum(axis=1) < 0
    triangles[inside_out] = triangles[inside_out, ::-1]
    return signs, triangles.astype(np.int32)


def pad(size: Vector, at: Vector, material: Material, radius: float = 0.05, steps: int = 3) -> Mesh:
    """A box with round edges and flat faces: upholstery, appliances."""
    half = np.array(size, np.float64) / 2
    round_off = np.minimum(radius, half * 0.999)
    quarter = np.linspace(0, np.pi / 2, steps + 1)
    around = np.concatenate([quarter + i * np.pi / 2 for i in range(4)] + [[2 * np.pi]])
    upward = np.concatenate([[-np.pi / 2], quarter - np.pi / 2, quarter, [np.pi / 2]])
    side_x = np.repeat([1, -1, -1, 1, 1], [steps + 1] * 4 + [1])
    side_y = np.repeat([1, 1, -1, -1, 1], [steps + 1] * 4 + [1])
    side_z = np.repeat([-1, 1], steps + 2)
    level = np.cos(upward)[:, None]
    normals = np.stack([level * np.cos(around), level * np.sin(around), np.sin(upward)[:, None] + 0 * around], -1)
    sides = np.stack(np.broadcast_arrays(side_x[None], side_y[None], side_z[:, None]), -1)
    points = sides * (half - round_off) + normals * round_off
    points[[0, -1], :, :2] = 0
    points += np.array([0, 0, half[2]]) + np.array(at)
    flat, face = points.reshape(-1, 3), np.abs(normals / round_off).argmax(-1).ravel()
    coordinates = np.take_along_axis(flat, np.array([[1, 2], [0, 2], [0, 1]])[face], axis=1)
    return outward(grid_mesh(points, normals / round_off, material, coordinates))


def cushion(size: Vector, at: Vector, material: Material, square: float = 0.45, steps: int = 8) -> Mesh:
    """A superellipsoid. Seen from above, `square` 1 gives an ellipse, 0 a rectangle."""
    half = np.array(size, np.float64) / 2
    up, around = np.linspace(-np.pi / 2, np.pi / 2, steps + 1), np.linspace(0, 2 * np.pi, 4 * steps + 1)
    level, rise = np.cos(up)[:, None], np.sin(up)[:, None]
    cos, sin = _power(np.cos(around), square)[None], _power(np.sin(around), square)[None]
    high = _power(rise, 0.8) + 0 * cos
    points = np.stack([_power(level, 0.8) * cos, _power(level, 0.8) * sin, high], -1) * half
    steep = (_power(level, 1.2), _power(rise, 1.2))
    flat_cos, flat_sin = _power(np.cos(around), 2 - square)[None], _power(np.sin(around), 2 - square)[None]
    normals = np.stack([steep[0] * flat_cos, steep[0] * flat_sin, steep[1] + 0 * flat_cos], -1) / half
    points = points + np.array([0, 0, half[2]]) + np.array(at)
    girth = np.stack(np.broadcast_arrays(around[None] * half[:2].mean(), up[:, None] * half[:2].mean()), -1)
    return outward(grid_mesh(points, normals, material, girth))


def _power(value: Floats, exponent: float) -> Floats:
    return np.sign(value) * np.abs(value) ** exponent


def ball(radii: Vector | float, at: Vector, material: Material, steps: int = 10) -> Mesh:
    """A sphere, or an ellipsoid with three radii."""
    x, y, z = (radii, radii, radii) if isinstance(radii, float | int) else radii
    up, around = np.linspace(-np.pi / 2, np.pi / 2, steps + 1)[:, None], np.linspace(0, 2 * np.pi, 2 * steps + 1)[None]
    normals = np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up) + 0 * around], -1)
    radius = np.array([x, y, z], np.float64)
    coordinates = np.stack(np.broadcast_arrays(around * (x + y) / 2, up * z), -1)
    return outward(grid_mesh(normals * radius + np.array(at), normals / radius, material, coordinates))


def cylinder(
    radius: float, height: float, at: Vector, material: Material, top: float | None = None, sides: int = 24
) -> Mesh:
    """An upright cylinder with small bevels; `top` is the upper radius of a frustum, 0 for a cone."""
    upper = radius if top is None else top
    soft = min(0.06 * height, 0.12 * max(radius, upper), 0.006)
    lid = [(upper - soft, height), (0.0, height)] if upper > soft else [(0.0, height)]
    foot = [(0.0, 0.0), (radius - soft, 0.0)] if radius > soft else [(0.0, 0.0)]
    lower_side = [(radius, soft)] if radius > soft else []
    upper_side = [(upper, height - soft)] if upper > soft else []
    return lathe([*foot, *lower_side, *upper_side, *lid], material, sides).moved(shift(*at))


def disc(radius: float, length: float, at: Vector, material: Material, axis: Axis = "y", sides: int = 20) -> Mesh:
    """A cylinder along an axis, starting at `at`: knobs, wheels, lenses."""
    rotation = {"x": turn("y", 90), "y": turn("x", -90), "z": turn("z", 0)}[axis]
    return cylinder(radius, length, (0.0, 0.0, 0.0), material, sides=sides).moved(rotation).moved(shift(*at))


def panel(width: float, height: float, at: Vector, material: Material) -> Mesh:
    """A flat rectangle facing +y that the texture fills once; the middle of its lower edge is at `at`."""
    x, z = np.array([1, -1, -1, 1]) * width / 2, np.array([0, 0, 1, 1]) * height
    points = np.stack([x, np.zeros(4), z], 1) + np.array(at)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * TILE
    return smooth_mesh(
        points, np.array([[0, 1, 2], [0, 2, 3]], np.int32), np.tile([0.0, 1.0, 0.0], (4, 1)), corners, material
    )
