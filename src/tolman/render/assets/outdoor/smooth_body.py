"""Bodies without seams: limbs that flow into one another, as those of animals do.

A limb is a rod with round ends. The skin lies where the soft minimum of the distances to all limbs is zero, and is
cut out of a grid of points.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Triangles
from tolman.render.shapes.surface import Floats, Vector, skin

_CELLS = 72
"""Of the grid along the longest side."""


@dataclass(frozen=True, eq=False)
class Limb:
    """A rod from a to b, with a radius at each end, and what covers it."""

    a: Vector
    b: Vector
    radius: float
    end: float
    coat: Material

    def distance(self, points: Floats) -> Floats:
        """Metres from its surface, negative inside; nearly so where the radii differ."""
        first, way = np.array(self.a), np.subtract(self.b, self.a)
        share = np.clip((points - first) @ way / max(float(way @ way), 1e-12), 0, 1)
        gap = points - first - share[..., None] * way
        return np.sqrt((gap * gap).sum(axis=-1)) - (self.radius + (self.end - self.radius) * share)


@dataclass(frozen=True, eq=False)
class Patch:
    """A ball or ellipsoid; skin within it has another coat."""

    at: Vector
    radii: Vector
    coat: Material


def limb(a: Vector, b: Vector, radius: float, coat: Material, end: float | None = None) -> Limb:
    """A rod from a to b; as thick at b as at a unless `end` says otherwise."""
    return Limb(a, b, radius, radius if end is None else end, coat)


def both(*limbs: Limb) -> list[Limb]:
    """Each limb, and its mirror image on the left."""
    other = [Limb(_left(one.a), _left(one.b), one.radius, one.end, one.coat) for one in limbs]
    return [*limbs, *other]


def smooth_body(limbs: Sequence[Limb], patches: Sequence[Patch] = (), blend: float = 0.05) -> list[Mesh]:
    """The skin over all limbs, one mesh for each coat. Joints are rounded off over about `blend` metres."""
    ends = np.array([[*one.a, max(one.radius, one.end)] for one in limbs] + [[*one.b, one.end] for one in limbs])
    low, high = (ends[:, :3] - ends[:, 3:]).min(axis=0) - blend, (ends[:, :3] + ends[:, 3:]).max(axis=0) + blend
    step = float((high - low).max()) / _CELLS
    sides = [np.arange(a, b + step, step) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*sides, indexing="ij"), -1)
    points, triangles = _cut(_field(grid, limbs, blend), low, step)
    normals = _slope(points, limbs, blend)
    coats = {id(one.coat): one.coat for one in (*limbs, *patches)}
    number = {key: i for i, key in enumerate(coats)}
    worn = np.array([number[id(one.coat)] for one in limbs])[
        np.stack([one.distance(points) for one in limbs]).argmin(axis=0)
    ]
    for patch in patches:
        worn[(((points - patch.at) / patch.radii) ** 2).sum(axis=1) < 1] = number[id(patch.coat)]
    of_triangle = worn[triangles[:, 0]]
    return [
        _part(points, normals, triangles[of_triangle == i], coat)
        for i, coat in enumerate(coats.values())
        if (of_triangle == i).any()
    ]


def _left(point: Vector) -> Vector:
    return -point[0], point[1], point[2]


def _field(points: Floats, limbs: Sequence[Limb], blend: float) -> Floats:
    """The soft minimum of all distances."""
    sharp = 4.0 / blend
    total = np.zeros(points.shape[:-1])
    for one in limbs:
        total += np.exp(-sharp * np.clip(one.distance(points), -0.5, 1.0))
    return -np.log(total + 1e-300) / sharp


def _slope(points: Floats, limbs: Sequence[Limb], blend: float) -> Floats:
    by = 0.1 * blend
    return np.stack(
        [_field(points + by * axis, limbs, blend) - _field(points - by * axis, limbs, blend) for axis in np.eye(3)], -1
    )


def _cut(field: Floats, low: Floats, step: float) -> tuple[Floats, Triangles]:
    """The surface on which a field is zero (naive surface nets): one vertex in each cell that it passes through."""
    inside = field < 0
    shape = tuple(n - 1 for n in field.shape)
    total, count = np.zeros((*shape, 3)), np.zeros(shape)
    for axis in range(3):
        a, b = np.moveaxis(field, axis, 0)[:-1], np.moveaxis(field, axis, 0)[1:]
        crossed = np.moveaxis((a < 0) != (b < 0), 0, axis)
        share = np.moveaxis(a / np.where(np.abs(a - b) < 1e-12, 1.0, a - b), 0, axis)
        first, second = (other for other in range(3) if other != axis)
        for i in (0, 1):
            for j in (0, 1):
                window = [slice(None)] * 3
                window[first], window[second] = slice(i, i + shape[first]), slice(j, j + shape[second])
                hit = crossed[tuple(window)]
                at = np.zeros((*shape, 3))
                at[..., axis], at[..., first], at[..., second] = share[tuple(window)], i, j
                total += np.where(hit[..., None], at, 0.0)
                count += hit
    full = count > 0
    number = np.full(shape, -1)
    number[full] = np.arange(int(full.sum()))
    points = low + step * (np.argwhere(full) + total[full] / count[full][:, None])
    return points, _quads(inside, number)


def _quads(inside: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]", number: Floats) -> Triangles:
    """Two triangles for each edge of the grid that passes through the surface, seen from outside."""
    found: list[Floats] = []
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        a, b = np.moveaxis(inside, axis, 0)[:-1], np.moveaxis(inside, axis, 0)[1:]
        at = np.argwhere(np.moveaxis(a != b, 0, axis))
        at = at[(at[:, first] > 0) & (at[:, second] > 0)]
        at = at[(at[:, first] < number.shape[first]) & (at[:, second] < number.shape[second])]
        steps = np.eye(3, dtype=int)
        ring = [at, at - steps[first], at - steps[first] - steps[second], at - steps[second]]
        corners = np.stack([number[tuple(one.T)] for one in ring], 1)
        outward = inside[tuple(at.T)]
        corners[~outward] = corners[~outward][:, ::-1]
        found += [corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]
    return np.concatenate(found).astype(np.int32)


def _part(points: Floats, normals: Floats, triangles: Triangles, coat: Material) -> Mesh:
    used, renamed = np.unique(triangles, return_inverse=True)
    at = points[used]
    coordinates = np.stack([at[:, 1] + 0.31 * at[:, 0], at[:, 2] + 0.47 * at[:, 0]], 1)
    return skin(at, renamed.reshape(-1, 3).astype(np.int32), normals[used], coordinates, coat)
