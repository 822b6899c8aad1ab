"""Cameras: the ray of each pixel. World frame: x east, y north, z up, metres; one cell is one metre."""

import math
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Vector = tuple[float, float, float]
Axes = tuple[Vector, Vector, Vector]


@dataclass(frozen=True)
class CameraPlace:
    """Position of a camera, and its heading in clockwise degrees from north."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    heading: float = 0.0
    axes: Axes | None = None
    """Directions of the camera's right, ahead and up, for a camera that is not level; replaces `heading`."""


class Camera(Protocol):
    """Anything that gives the ray through each point of its picture."""

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        ...

    @property
    def place(self) -> CameraPlace:
        """The pose that takes `lens` to the camera."""
        ...

    @property
    def lens(self) -> "Camera":
        """The same camera at the origin, facing north, hashable: its rays are computed once for all poses."""
        ...

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        """Origins and unit directions of rays through points of the picture, in pixels from its upper left corner."""
        ...


@dataclass(frozen=True)
class LevelCamera:
    """A level camera; `heading` in clockwise degrees from north."""

    x: float
    y: float
    z: float
    heading: float = 0.0

    @property
    def place(self) -> CameraPlace:
        return CameraPlace(self.x, self.y, self.z, self.heading)

    @property
    def lens(self) -> Self:
        return replace(self, x=0.0, y=0.0, z=0.0, heading=0.0)


@dataclass(frozen=True)
class Perspective(LevelCamera):
    """A pinhole camera with square pixels and a horizontal field of view of `field` degrees."""

    field: float = 90.0
    width: int = 384
    height: int = 384

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        scale = math.tan(math.radians(self.field) / 2) / (self.width / 2)
        right, up = (columns - self.width / 2) * scale, (self.height / 2 - rows) * scale
        sin, cos = math.sin(math.radians(self.heading)), math.cos(math.radians(self.heading))
        directions = np.stack([right * cos + sin, cos - right * sin, up], axis=-1)
        directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
        return _repeated((self.x, self.y, self.z), rows), directions.astype(np.float32)


@dataclass(frozen=True)
class Panorama(LevelCamera):
    """An equirectangular panorama, twice as wide as high, with `heading` in the middle column.

    Columns run clockwise seen from above: directions to the right of the heading are right of the middle.
    """

    width: int = 1024

    @property
    def shape(self) -> tuple[int, int]:
        return self.width // 2, self.width

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        height = self.width // 2
        bearing = math.radians(self.heading) + (columns / self.width - 0.5) * 2 * math.pi
        elevation = (0.5 - rows / height) * math.pi
        level = np.cos(elevation)
        directions = np.stack([np.sin(bearing) * level, np.cos(bearing) * level, np.sin(elevation)], axis=-1)
        return _repeated((self.x, self.y, self.z), rows), directions.astype(np.float32)


class FixedCamera:
    """A camera whose rays are given in the world's frame."""

    place = CameraPlace()

    @property
    def lens(self) -> Self:
        return self


@dataclass(frozen=True)
class TopDown(FixedCamera):
    """An orthographic view straight down, north up: a rectangle in metres, `scale` pixels per metre."""

    west: float
    south: float
    east: float
    north: float
    z: float
    """Height of the camera, below the ceiling so that the ceiling is not in the picture."""
    scale: float = 32.0

    @property
    def shape(self) -> tuple[int, int]:
        return round((self.north - self.south) * self.scale), round((self.east - self.west) * self.scale)

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        x, y = self.west + columns / self.scale, self.north - rows / self.scale
        origins = np.stack([x, y, np.full_like(x, self.z)], axis=-1).astype(np.float32)
        return origins, _repeated((0.0, 0.0, -1.0), rows)


def _repeated(vector: Vector, like: Floats) -> Floats:
    return np.broadcast_to(np.array(vector, np.float32), (*like.shape, 3))


@dataclass(frozen=True)
class LookAt:
    """A pinhole camera of any orientation: a square picture of `size` pixels and `field` degrees from the point `at`;
    `axes` are its right, ahead and up."""

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
        return _repeated(self.at, rows), (directions @ np.array(self.axes, np.float32)).astype(np.float32)

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Column, row and metres ahead of world points."""
        right, ahead, up = np.array(self.axes) @ (points - np.array(self.at)).T
        scale = self.size / 2 / math.tan(math.radians(self.field) / 2)
        depth = np.where(np.abs(ahead) < 1e-9, 1e-9, ahead)
        return np.stack([self.size / 2 + scale * right / depth, self.size / 2 - scale * up / depth, ahead], 1)

    def in_frame_of(self, pose: NDArray[np.float64]) -> "LookAt":
        """The same camera in the frame of an object whose pose in the world is a 3 by 4 matrix [rotation, shift]."""
        rotation, shift = pose[:, :3], pose[:, 3]
        at, axes = (np.array(self.at) - shift) @ rotation, np.array(self.axes) @ rotation
        return LookAt(_vector(at), (_vector(axes[0]), _vector(axes[1]), _vector(axes[2])), self.field, self.size)


def look_at(at: Vector, point: Vector, field: float, size: int) -> LookAt:
    """A camera without roll that has a point in the middle of its picture."""
    ahead = np.subtract(point, at)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.array([ahead[1], -ahead[0], 0.0])
    right /= max(float(np.linalg.norm(right)), 1e-9)
    return LookAt(at, (_vector(right), _vector(ahead), _vector(np.cross(right, ahead))), field, size)


def _vector(values: NDArray[np.float64]) -> Vector:
    return float(values[0]), float(values[1]), float(values[2])
