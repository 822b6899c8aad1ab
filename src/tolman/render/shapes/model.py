"""Models of things: some meshes, standing on the floor with their front towards +y."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.material import Material

Points = NDArray[np.float32]
Triangles = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of one material, anticlockwise seen from outside. Lengths in metres."""

    points: Points
    """One row of x, y, z for each vertex."""
    triangles: Triangles
    """One row of three vertices for each."""
    material: Material
    normals: Points | None = None
    """One for each vertex, of length 1; None for flat faces."""
    coordinates: Points | None = None
    """Texture coordinates u, v for each vertex."""

    def moved(self, matrix: NDArray[np.float64]) -> "Mesh":
        """The mesh after an affine map without mirroring: a 3 by 4 matrix, the shift in its last column."""
        turn, shift = matrix[:, :3], matrix[:, 3]
        normals = self.normals
        if normals is not None:
            turned = normals @ np.linalg.inv(turn)
            normals = (turned / np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-12)).astype(np.float32)
        return replace(self, points=(self.points @ turn.T + shift).astype(np.float32), normals=normals)


@dataclass(frozen=True, eq=False)
class Model:
    """One thing: its front is towards +y, its left is -x, it stands on z = 0 and its middle is over the origin."""

    meshes: tuple[Mesh, ...]

    @property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lowest and highest x, y, z."""
        points = np.concatenate([mesh.points for mesh in self.meshes]).astype(np.float64)
        return points.min(axis=0), points.max(axis=0)

    def moved(self, matrix: NDArray[np.float64]) -> "Model":
        """The model after an affine map."""
        return Model(tuple(mesh.moved(matrix) for mesh in self.meshes))

    def fitted(self, width: float, depth: float, height: float) -> "Model":
        """Moved over the origin onto the floor, and made as large as it can be within these lengths, in proportion."""
        low, high = self.bounds
        size = np.maximum(high - low, 1e-6)
        factor = float(min(width / size[0], depth / size[1], height / size[2]))
        middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
        return self.moved(np.column_stack([np.eye(3) * factor, -middle * factor]))


def together(models: Iterable[Model]) -> Model:
    """Several models as one."""
    return Model(tuple(mesh for model in models for mesh in model.meshes))
