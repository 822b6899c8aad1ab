"""A camera that looks at a point, or from anywhere in any direction."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Axes, Camera, Floats, Perspective, Place, Vector


@dataclass(frozen=True)
class LookAt:
    """A square picture of `size` pixels, `field` degrees across, from a place; `axes` are its right, ahead and up."""

    at: Vector
    axes: Axes
    field: float
    size: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    @property
    def place(self) -> Place:
        return Place(*self.at, axes=self.axes)

    @property
    def lens(self) -> Camera:
        return Perspective(0.0, 0.0, 0.0, 0.0, self.field, self.size, self.size)

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        _, directions = self.lens.rays(rows, columns)
        origin = np.broadcast_to(np.array(self.at, np.float32), (*rows.shape, 3))
        return origin, (directions @ np.array(self.axes, np.float32)).astype(np.float32)

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Column, row and metres ahead of points of the world."""
        right, ahead, up = np.array(self.axes) @ (points - np.array(self.at)).T
        scale = self.size / 2 / math.tan(math.radians(self.field) / 2)
        far = np.where(np.abs(ahead) < 1e-9, 1e-9, ahead)
        return np.stack([self.size / 2 + scale * right / far, self.size / 2 - scale * up / far, ahead], 1)

    def seen_from(self, pose: NDArray[np.float64]) -> "LookAt":
        """The same camera in the frame of a thing that the pose, a rotation with a shift, brings into the world."""
        turn, shift = pose[:, :3], pose[:, 3]
        at, axes = (np.array(self.at) - shift) @ turn, np.array(self.axes) @ turn
        return LookAt(_three(at), (_three(axes[0]), _three(axes[1]), _three(axes[2])), self.field, self.size)


def look_at(at: Vector, point: Vector, field: float, size: int) -> LookAt:
    """A camera that has a point in its middle and is not tilted to a side."""
    ahead = np.subtract(point, at)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.array([ahead[1], -ahead[0], 0.0])
    right /= max(float(np.linalg.norm(right)), 1e-9)
    return LookAt(at, (_three(right), _three(ahead), _three(np.cross(right, ahead))), field, size)


def _three(vector: NDArray[np.float64]) -> Vector:
    return float(vector[0]), float(vector[1]), float(vector[2])
