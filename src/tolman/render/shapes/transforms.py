"""Affine maps for meshes and models, as 3 by 4 matrices: `mesh.moved(turn("z", 30))`."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.model import Mesh

Axis = Literal["x", "y", "z"]
Matrix = NDArray[np.float64]
AXES: tuple[Axis, Axis, Axis] = ("x", "y", "z")


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Matrix:
    """Moves by so many metres."""
    return np.column_stack([np.eye(3), [x, y, z]])


def stretch(x: float = 1.0, y: float = 1.0, z: float = 1.0) -> Matrix:
    """Makes longer along each axis, from the origin."""
    return np.column_stack([np.diag([x, y, z]), np.zeros(3)])


def turn(axis: Axis, degrees: float, about: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Matrix:
    """Turns anticlockwise, seen with the axis pointing at the onlooker, about a point."""
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    i = AXES.index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    matrix = np.eye(3)
    matrix[j, j], matrix[j, k], matrix[k, j], matrix[k, k] = cos, -sin, sin, cos
    point = np.array(about)
    return np.column_stack([matrix, point - matrix @ point])


def mirrored(mesh: Mesh) -> Mesh:
    """Left and right swapped; still seen from outside."""
    flip = np.array([-1, 1, 1], np.float32)
    normals = None if mesh.normals is None else mesh.normals * flip
    return replace(mesh, points=mesh.points * flip, normals=normals, triangles=mesh.triangles[:, ::-1])


def all_moved(meshes: Iterable[Mesh], *matrices: Matrix) -> list[Mesh]:
    """Several meshes after one map after another."""
    moved = list(meshes)
    for matrix in matrices:
        moved = [mesh.moved(matrix) for mesh in moved]
    return moved
