"""Cameras: the ray of each pixel. World frame: x east, y north, z up, metres; one cell is one metre."""

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Vector = tuple[float, float, float]
Axes = tuple[Vector, Vector, Vector]


@dataclass(frozen=True)
class CameraPlace:
    """Where a camera is and which way it faces, in clockwise degrees from north."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    heading: float = 0.0
    axes: Axes | None = None
    """Where the lens's own right, ahead and up point to, for a camera that is not level; `heading` is nothing then."""


class Camera(Protocol):
    """Anything that tells for each point of its picture where the ray begins and which way it goes."""

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        ...

    @property
    def place(self) -> CameraPlace:
        """What takes `lens` to where the camera is."""
        ...

    @property
    def lens(self) -> "Camera":
        """The same camera at the origin, facing north: its rays serve all places. It can be a key of a dict."""
        ...

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        """Origins and unit directions for points of the picture, in pixels from its upper left corner."""
        ...


@dataclass(frozen=True)
class Perspective:
    """A level camera with square pixels. `heading` in clockwise degrees from north, `field` its horizontal angle."""

    x: float
    y: float
    z: float
    heading: float
    field: float = 90.0
    width: int = 384
    height: int = 384

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

    @property
    def place(self) -> CameraPlace:
        return CameraPlace(self.x, self.y, self.z, self.heading)

    @property
    def lens(self) -> Camera:
        return replace(self, x=0.0, y=0.0, z=0.0, heading=0.0)

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        scale = math.tan(math.radians(self.field) / 2) / (self.width / 2)
        right, up = (columns - self.width / 2) * scale, (self.height / 2 - rows) * scale
        sin, cos = math.sin(math.radians(self.heading)), math.cos(math.radians(self.heading))
        directions = np.stack([right * cos + sin, cos - right * sin, up], axis=-1)
        directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
        return _same_for_all((self.x, self.y, self.z), rows), directions.astype(np.float32)


@dataclass(frozen=True)
class Panorama:
    """All directions around a point, equirectangular, twice as wide as high. `heading` is in the middle column.

    Columns run clockwise as seen from above: what is to the right of the heading is right of the middle.
    """

    x: float
    y: float
    z: float
    heading: float = 0.0
    width: int = 1024

    @property
    def shape(self) -> tuple[int, int]:
        return self.width // 2, self.width

    @property
    def place(self) -> CameraPlace:
        return CameraPlace(self.x, self.y, self.z, self.heading)

    @property
    def lens(self) -> Camera:
        return replace(self, x=0.0, y=0.0, z=0.0, heading=0.0)

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        height = self.width // 2
        bearing = math.radians(self.heading) + (columns / self.width - 0.5) * 2 * math.pi
        rise = (0.5 - rows / height) * math.pi
        level = np.cos(rise)
        directions = np.stack([np.sin(bearing) * level, np.cos(bearing) * level, np.sin(rise)], axis=-1)
        return _same_for_all((self.x, self.y, self.z), rows), directions.astype(np.float32)


@dataclass(frozen=True)
class TopDown:
    """Straight down, north up, without perspective: a rectangle of the floor in metres, `scale` pixels a metre."""

    west: float
    south: float
    east: float
    north: float
    z: float
    """Height from which it looks, below any ceiling that is to be seen through."""
    scale: float = 32.0

    @property
    def shape(self) -> tuple[int, int]:
        return round((self.north - self.south) * self.scale), round((self.east - self.west) * self.scale)

    @property
    def place(self) -> CameraPlace:
        return CameraPlace()

    @property
    def lens(self) -> Camera:
        return self

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        x, y = self.west + columns / self.scale, self.north - rows / self.scale
        origins = np.stack([x, y, np.full_like(x, self.z)], axis=-1).astype(np.float32)
        return origins, _same_for_all((0.0, 0.0, -1.0), rows)


def _same_for_all(vector: tuple[float, float, float], like: Floats) -> Floats:
    return np.broadcast_to(np.array(vector, np.float32), (*like.shape, 3))


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
    def place(self) -> CameraPlace:
        return CameraPlace(*self.at, axes=self.axes)

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
        return LookAt(
            _vector_of(at), (_vector_of(axes[0]), _vector_of(axes[1]), _vector_of(axes[2])), self.field, self.size
        )


def look_at(at: Vector, point: Vector, field: float, size: int) -> LookAt:
    """A camera that has a point in its middle and is not tilted to a side."""
    ahead = np.subtract(point, at)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.array([ahead[1], -ahead[0], 0.0])
    right /= max(float(np.linalg.norm(right)), 1e-9)
    return LookAt(at, (_vector_of(right), _vector_of(ahead), _vector_of(np.cross(right, ahead))), field, size)


def _vector_of(vector: NDArray[np.float64]) -> Vector:
    return float(vector[0]), float(vector[1]), float(vector[2])
