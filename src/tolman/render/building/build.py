"""A whole scene as parts for the engine: one number for each thing and door, in the scene's order from 1."""

from collections.abc import Sequence

import numpy as np

from tolman.render.building.doors import frame, leaf
from tolman.render.building.shell import shell
from tolman.render.building.things import ModelOf, placed
from tolman.render.engine.parts import Part
from tolman.render.shapes.model import Mesh
from tolman.world import Door, Item, Scene


def look_of(scene: Scene) -> int:
    """The seed of how a scene looks: its finishes, windows and models."""
    return int(scene.digest[:12], 16)


def build(scene: Scene, model_of: ModelOf, look: int) -> list[Part]:
    """Walls, floors and lights first, then everything that has a name."""
    parts = [
        Part(mesh, 0) for mesh in merged([*shell(scene, look), *(mesh for door in scene.doors for mesh in frame(door))])
    ]
    for number, item in enumerate(scene.items, start=1):
        parts += [Part(mesh, number, item.cell) for mesh in merged(_meshes(item, model_of, look))]
    return parts


def _meshes(item: Item, model_of: ModelOf, look: int) -> list[Mesh]:
    return list(leaf(item) if isinstance(item, Door) else placed(item, model_of, look))


def merged(meshes: Sequence[Mesh]) -> list[Mesh]:
    """One mesh for each material: the engine is slow with many."""
    groups: dict[tuple[int, bool, bool], list[Mesh]] = {}
    for mesh in meshes:
        key = id(mesh.material), mesh.normals is None, mesh.coordinates is None
        groups.setdefault(key, []).append(mesh)
    return [_joined(group) for group in groups.values()]


def _joined(group: Sequence[Mesh]) -> Mesh:
    first = group[0]
    starts = np.cumsum([0, *(len(mesh.points) for mesh in group[:-1])])
    return Mesh(
        np.concatenate([mesh.points for mesh in group]),
        np.concatenate([mesh.triangles + start for mesh, start in zip(group, starts.tolist(), strict=True)]).astype(
            np.int32
        ),
        first.material,
        None if first.normals is None else np.concatenate([m.normals for m in group if m.normals is not None]),
        None
        if first.coordinates is None
        else np.concatenate([m.coordinates for m in group if m.coordinates is not None]),
    )
