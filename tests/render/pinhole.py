"""What a pin-hole camera sees of some triangles, worked out with numpy alone: a second opinion on pictures.

Camera frame: metres to the right, ahead and up. Pictures are square, 90 degrees wide, and `SIZE` pixels a side.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tolman.render.building.walls import EYE
from tolman.render.shapes.mesh import Mesh
from tolman.world import Pose

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Pixels = NDArray[np.intp]

SIZE = 384
_HALF = SIZE / 2


def corners_of(meshes: Iterable[Mesh]) -> Floats:
    """All triangles in the world: for each its three corners, for each of them x, y, z."""
    return np.concatenate([mesh.points[mesh.triangles] for mesh in meshes]).astype(np.float64)


def from_pose(points: Floats, pose: Pose) -> Floats:
    """Points of the world in the frame of a camera at a pose."""
    east, north = points[..., 0] - pose.cell[0], points[..., 1] - pose.cell[1]
    x, y = pose.heading.vector
    return np.stack([east * y - north * x, east * x + north * y, points[..., 2] - EYE], axis=-1)


def rays(rows: Pixels, columns: Pixels) -> Floats:
    """Unit vectors through the middles of pixels, in the camera's frame."""
    right, up = (columns + 0.5 - _HALF) / _HALF, (_HALF - rows - 0.5) / _HALF
    ways = np.stack([right, np.ones(len(rows)), up], axis=-1)
    return ways / np.linalg.norm(ways, axis=-1, keepdims=True)


def bearing_of(columns: Pixels) -> float:
    """Degrees clockwise from straight ahead of the middle of some pixels; not a number for none."""
    if not len(columns):
        return float("nan")
    return float(np.degrees(np.arctan((columns.mean() + 0.5 - _HALF) / _HALF)))


def silhouette(corners: Floats) -> Mask:
    """Pixels whose middle lies in one of the triangles, all of which are ahead of the camera."""
    right, ahead, up = np.moveaxis(corners, -1, 0)
    x, y = _HALF + _HALF * right / ahead, _HALF - _HALF * up / ahead
    first = np.clip(np.ceil(y.min(axis=1) - 0.5), 0, SIZE).astype(int)
    end = np.clip(np.ceil(y.max(axis=1) - 0.5), 0, SIZE).astype(int)
    which = np.repeat(np.arange(len(x)), end - first)
    row = np.arange(len(which)) - np.repeat(np.cumsum(end - first) - end, end - first)
    west, east = _span(x[which], y[which], (row + 0.5).astype(np.float64))
    steps = np.bincount(row * (SIZE + 1) + _column(west), minlength=SIZE * (SIZE + 1))
    steps -= np.bincount(row * (SIZE + 1) + _column(east), minlength=SIZE * (SIZE + 1))
    return np.cumsum(steps.reshape(SIZE, SIZE + 1), axis=1)[:, :SIZE] > 0


def _span(x: Floats, y: Floats, height: Floats) -> tuple[Floats, Floats]:
    """Where each triangle begins and ends on its line of pixels."""
    low, high = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        crosses = (y[:, a] <= height) != (y[:, b] <= height)
        rise = np.where(crosses, y[:, b] - y[:, a], 1.0)
        at = x[:, a] + (height - y[:, a]) * (x[:, b] - x[:, a]) / rise
        low, high = np.where(crosses, np.minimum(low, at), low), np.where(crosses, np.maximum(high, at), high)
    return low, high


def _column(x: Floats) -> NDArray[np.int64]:
    return np.clip(np.ceil(x - 0.5), 0, SIZE).astype(np.int64)


def depth_along(corners: Floats, way: Floats) -> float:
    """Metres from the camera along a ray to the first triangle; infinite where it meets none."""
    start, one, two = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(way, two)
    size = (across * one).sum(axis=1)
    scale = 1 / np.where(np.abs(size) > 1e-15, size, np.inf)
    u = -(across * start).sum(axis=1) * scale
    turned = np.cross(-start, one)
    v, far = (turned @ way) * scale, (turned * two).sum(axis=1) * scale
    met = (scale != 0) & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 0)
    return float(far[met].min(initial=np.inf))
