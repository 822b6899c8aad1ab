"""Many pictures on one sheet: the engine is slow with many meshes, and each picture would make one."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tolman.render.shapes.material import Texture
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.surface import joined

_SHEET = 4096
"""Pixels across."""


def on_one_sheet(meshes: Sequence[Mesh]) -> list[Mesh]:
    """Walls with pictures of their own as one mesh with one picture, on which all of them lie side by side."""
    walls = [mesh for mesh in meshes if isinstance(mesh.material.colour, Texture) and mesh.coordinates is not None]
    if not walls:
        return list(meshes)
    pictures = [mesh.material.colour.image for mesh in walls if isinstance(mesh.material.colour, Texture)]
    order = sorted(range(len(walls)), key=lambda i: -len(pictures[i]))
    left = top = shelf = 0
    places: dict[int, tuple[int, int]] = {}
    for i in order:
        rows, columns = pictures[i].shape[:2]
        if left + columns > _SHEET:
            left, top, shelf = 0, top + shelf, 0
        places[i], left, shelf = (top, left), left + columns, max(shelf, rows)
    sheet = np.zeros((top + shelf, _SHEET, 3), np.uint8)
    moved: list[Mesh] = []
    for i, mesh in enumerate(walls):
        (row, column), (rows, columns) = places[i], pictures[i].shape[:2]
        sheet[row : row + rows, column : column + columns] = pictures[i]
        share = np.clip(
            mesh.coordinates if mesh.coordinates is not None else 0, 0.5 / max(rows, 1), 1 - 0.5 / max(rows, 1)
        )
        u, v = (column + share[:, 0] * columns) / _SHEET, 1 - (row + (1 - share[:, 1]) * rows) / len(sheet)
        moved.append(replace(mesh, coordinates=np.stack([u, v], 1).astype(np.float32)))
    painted = replace(walls[0].material, colour=Texture(sheet))
    return [
        joined([replace(mesh, material=painted) for mesh in moved]),
        *(mesh for mesh in meshes if not isinstance(mesh.material.colour, Texture)),
    ]
