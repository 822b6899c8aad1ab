"""The built-in models by kind: no download, the same bytes from the same seed."""

import importlib
from dataclasses import replace
from functools import cache

import numpy as np

from tolman.errors import UnknownNameError
from tolman.render.assets.builtin.registry import MAKERS
from tolman.render.shapes.material import Texture
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.surface import joined
from tolman.seeds import check_seed, rng
from tolman.world.vocabulary import KIND_BY_NAME, Kind

FAMILIES = (
    "animals",
    "bathroom",
    "beds",
    "carried",
    "cars",
    "carts",
    "clocks",
    "containers",
    "cycles",
    "electronics",
    "furnishings",
    "kitchen",
    "lamps",
    "mirrors",
    "music",
    "outdoors",
    "people",
    "plants",
    "seating",
    "sewing",
    "storage",
    "tables",
    "toys",
)
"""Modules of this package that hold makers."""

OUTDOORS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("person", True, 0.65, 0.45, 1.75),
        Kind("car", True, 1.95, 4.25, 1.50),
        Kind("tree", False, 3.60, 3.60, 5.20),
        Kind("pine", False, 2.80, 2.80, 5.20),
        Kind("bush", False, 1.40, 1.40, 0.95),
        Kind("rock", False, 1.50, 1.40, 0.95),
        Kind("traffic cone", False, 0.40, 0.40, 0.72),
        Kind("bench", True, 1.50, 0.65, 0.90),
        Kind("fire hydrant", True, 0.46, 0.42, 0.78),
    )
}
"""Kinds that stand under the sky only, with their real size in metres."""

BUILTIN_KINDS: tuple[str, ...] = (*KIND_BY_NAME, *OUTDOORS)
"""All kinds that `builtin_model` can make."""
OUTDOOR_KINDS: tuple[str, ...] = tuple(OUTDOORS)


def builtin_model(kind: str, seed: int) -> Model:
    """A model of a kind: its colours, proportions and style are drawn from the seed.

    It is as large as the kind's width, depth and height allow, stands on z = 0 and looks towards +y.
    """
    size = KIND_BY_NAME.get(kind) or OUTDOORS.get(kind)
    if size is None:
        raise UnknownNameError(f"there is no built-in model of {kind!r}; choose one of {', '.join(BUILTIN_KINDS)}")
    check_seed(seed)
    _load_families()
    made = MAKERS[kind](rng(seed, "built-in model", kind))
    fitted = _merged(made).fitted(size.width, size.depth, size.height)
    return Model(tuple(replace(mesh, points=np.round(mesh.points, 6)) for mesh in fitted.meshes))


@cache
def _load_families() -> None:
    for family in FAMILIES:
        importlib.import_module(f"tolman.render.assets.builtin.{family}")


def _merged(model: Model) -> Model:
    """One mesh for each material, which is faster to build and to trace."""
    groups: dict[tuple[object, ...], list[Mesh]] = {}
    for mesh in model.meshes:
        material = mesh.material
        colour = id(material.colour) if isinstance(material.colour, Texture) else material.colour
        same = (colour, material.roughness, material.metallic, material.clear, material.glow)
        groups.setdefault(same, []).append(mesh)
    return Model(tuple(joined(meshes) for meshes in groups.values()))
