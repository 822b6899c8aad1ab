"""Materials, meshes, assets, and affine transforms of them. Metres, z up; an asset's front is towards +y."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""Red, green and blue in [0, 1], linear light."""
Image = NDArray[np.uint8]
"""Height, width and red, green, blue; sRGB. The first row is at v = 1."""


@dataclass(frozen=True, eq=False)
class Texture:
    """An image that repeats over a surface once per unit of its texture coordinates."""

    image: Image


@dataclass(frozen=True, eq=False)
class Material:
    """A two-sided surface."""

    colour: Colour | Texture
    roughness: float = 0.6
    """0 is a mirror, 1 is fully diffuse."""
    metallic: float = 0.0
    transparency: float = 0.0
    """Share of light that passes straight through: 0 for all but glass."""
    emission: float = 0.0
    """Emitted radiance in watts per square metre and steradian, times its colour."""
    relief: Texture | None = None
    """Normals as colours, x to the right, y up, z out of the surface; for textured meshes only."""
    relief_repeats: tuple[float, float] = (1.0, 1.0)
    """How often the relief repeats per unit of both texture coordinates."""
    gloss: Texture | None = None
    """Roughness in its first channel, in place of `roughness`."""


def srgb(code: str) -> Colour:
    """The linear colour of a code such as `#c8372d`."""
    parts = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


Points = NDArray[np.float32]
Triangles = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of one material, anticlockwise seen from outside. Lengths in metres."""

    points: Points
    """One row of x, y, z for each vertex."""
    triangles: Triangles
    """One row of three vertex indices for each triangle."""
    material: Material
    normals: Points | None = None
    """One unit vector for each vertex; None for flat shading."""
    coordinates: Points | None = None
    """Texture coordinates u, v for each vertex."""

    @property
    def area(self) -> float:
        """Square metres of all triangles."""
        a, b, c = (self.points[self.triangles[:, i]].astype(np.float64) for i in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)

    def moved(self, matrix: NDArray[np.float64]) -> "Mesh":
        """The mesh after an affine map without mirroring: a 3 by 4 matrix with the shift in its last column."""
        linear, shift = matrix[:, :3], matrix[:, 3]
        normals = self.normals
        if normals is not None:
            moved = normals @ np.linalg.inv(linear)
            normals = (moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-12)).astype(np.float32)
        return replace(self, points=(self.points @ linear.T + shift).astype(np.float32), normals=normals)


@dataclass(frozen=True, eq=False)
class Asset:
    """A 3D model of one thing: front towards +y, left towards -x, underside on z = 0, centred over the origin."""

    meshes: tuple[Mesh, ...]

    @property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lowest and highest x, y, z."""
        points = np.concatenate([mesh.points for mesh in self.meshes]).astype(np.float64)
        return points.min(axis=0), points.max(axis=0)

    def moved(self, matrix: NDArray[np.float64]) -> "Asset":
        """The asset after an affine map, as `Mesh.moved`."""
        return Asset(tuple(mesh.moved(matrix) for mesh in self.meshes))

    def fitted(self, width: float, depth: float, height: float) -> "Asset":
        """The asset centred over the origin on z = 0, and scaled in proportion to the largest size within a box."""
        low, high = self.bounds
        size = np.maximum(high - low, 1e-6)
        factor = float(min(width / size[0], depth / size[1], height / size[2]))
        centre = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
        return self.moved(np.column_stack([np.eye(3) * factor, -centre * factor]))


Axis = Literal["x", "y", "z"]
Matrix = NDArray[np.float64]
AXES: tuple[Axis, Axis, Axis] = ("x", "y", "z")


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Matrix:
    """A translation in metres."""
    return np.column_stack([np.eye(3), [x, y, z]])


def stretch(x: float = 1.0, y: float = 1.0, z: float = 1.0) -> Matrix:
    """A scaling along each axis about the origin."""
    return np.column_stack([np.diag([x, y, z]), np.zeros(3)])


def turn(axis: Axis, degrees: float, about: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Matrix:
    """A rotation about a point, anticlockwise seen with the axis pointing at the viewer."""
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    i = AXES.index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    matrix = np.eye(3)
    matrix[j, j], matrix[j, k], matrix[k, j], matrix[k, k] = cos, -sin, sin, cos
    point = np.array(about)
    return np.column_stack([matrix, point - matrix @ point])


def mirrored(mesh: Mesh) -> Mesh:
    """The mesh with left and right swapped, and triangles still facing outwards."""
    flip = np.array([-1, 1, 1], np.float32)
    normals = None if mesh.normals is None else mesh.normals * flip
    return replace(mesh, points=mesh.points * flip, normals=normals, triangles=mesh.triangles[:, ::-1])


def pair(*meshes: Mesh) -> list[Mesh]:
    """Each mesh, and its mirror image."""
    return [*meshes, *(mirrored(mesh) for mesh in meshes)]


def all_transformed(meshes: Iterable[Mesh], *matrices: Matrix) -> list[Mesh]:
    """Several meshes after a sequence of affine maps."""
    moved = list(meshes)
    for matrix in matrices:
        moved = [mesh.moved(matrix) for mesh in moved]
    return moved
