"""The built-in assets by kind: procedural, without a download, the same bytes from the same seed."""

from dataclasses import replace

import numpy as np

from tolman.core.errors import UnknownNameError
from tolman.core.files import import_modules
from tolman.core.seeds import check_seed, rng
from tolman.render.assets.builtin.builder import ASSET_BUILDERS
from tolman.render.shapes.mesh import Asset, Mesh, Texture, stretch
from tolman.render.shapes.split import REAR_SHARE, RearShade, two_toned
from tolman.render.shapes.sweep import joined
from tolman.world.vocabulary import KIND_BY_NAME, ObjectKind, kind_in

BUILTIN_OUTDOOR_KINDS: dict[str, ObjectKind] = {
    kind.name: kind
    for kind in (
        ObjectKind("person", True, 0.65, 0.45, 1.75),
        ObjectKind("car", True, 1.95, 4.25, 1.50),
        ObjectKind("tree", False, 3.60, 3.60, 5.20),
        ObjectKind("pine", False, 2.80, 2.80, 5.20),
        ObjectKind("bush", False, 1.40, 1.40, 0.95),
        ObjectKind("rock", False, 1.50, 1.40, 0.95),
        ObjectKind("traffic cone", False, 0.40, 0.40, 0.72),
        ObjectKind("bench", True, 1.50, 0.65, 0.90),
        ObjectKind("fire hydrant", True, 0.46, 0.42, 0.78),
    )
}
"""Kinds for outdoor scenes only, with their sizes in metres."""

BUILTIN_KINDS: tuple[str, ...] = (*KIND_BY_NAME, *BUILTIN_OUTDOOR_KINDS)
"""All kinds that `builtin_asset` can make."""


TWO_TONED: frozenset[str] = frozenset(
    (
        "air conditioner", "alarm clock", "armchair", "backpack", "bathtub", "bicycle", "bookcase", "cabinet", "desk",
        "dishwasher", "dresser", "grandfather clock", "microwave", "mirror", "oven", "piano",
        "printer", "projector", "radio", "refrigerator", "rocking horse", "shoes", "shopping cart", "sink", "sofa",
        "stove", "suitcase", "teddy bear", "television", "wardrobe", "whiteboard",
    )
)  # fmt: skip
"""Kinds whose sides would look alike if their rear part did not have another shade (`tolman assets check`)."""


_REAR_SHADES: dict[str, RearShade] = {
    "backpack": RearShade(0.2, (0.45, 0.20, 0.03)),
    "cabinet": RearShade(1.0, (0.52, 0.26, 0.04)),
    "desk": RearShade(0.3, (0.03, 0.10, 0.26)),
    "dresser": RearShade(0.1, (0.02, 0.16, 0.05)),
    "piano": RearShade(0.1, (0.03, 0.05, 0.20)),
    "sofa": RearShade(0.2, (0.05, 0.035, 0.02)),
    "wardrobe": RearShade(1.0, (0.42, 0.30, 0.16)),
}
"""Of kinds that would otherwise resemble other kinds from behind."""
UNSQUEEZED: frozenset[str] = frozenset(
    ("bathtub", "bed", "desk", "fireplace", "motor scooter", "piano", "sofa", "wardrobe", "whiteboard")
)
"""Kinds that are built to fit one cell; in world version 2 they are stretched to their real width and depth."""


def builtin_asset(kind: str, seed: int, version: int = 1) -> Asset:
    """An asset of a kind, with colours, proportions and style drawn from the seed.

    It is scaled in proportion to the kind's width, depth and height, has its underside on z = 0 and faces +y.
    """
    size = kind_in(kind, version) or BUILTIN_OUTDOOR_KINDS.get(kind)
    if size is None:
        raise UnknownNameError(f"there is no built-in asset of {kind!r}; choose one of {', '.join(BUILTIN_KINDS)}")
    check_seed(seed)
    import_modules("tolman.render.assets.builtin")
    asset = _one_mesh_per_material(ASSET_BUILDERS[kind](rng(seed, "built-in model", kind)))
    asset = two_toned(asset, REAR_SHARE, _REAR_SHADES.get(kind)) if kind in TWO_TONED else asset
    fitted = asset.fitted(size.width, size.depth, size.height)
    if version != 1 and kind in UNSQUEEZED:
        low, high = fitted.bounds
        fitted = fitted.moved(stretch(*(np.array([size.width, size.depth, size.height]) / (high - low)).tolist()))
    return Asset(tuple(replace(mesh, points=np.round(mesh.points, 6)) for mesh in fitted.meshes))


def _one_mesh_per_material(asset: Asset) -> Asset:
    """One mesh for each material, which is faster to build and to trace."""
    groups: dict[tuple[object, ...], list[Mesh]] = {}
    for mesh in asset.meshes:
        material = mesh.material
        colour = id(material.colour) if isinstance(material.colour, Texture) else material.colour
        key = (colour, material.roughness, material.metallic, material.transparency, material.emission)
        groups.setdefault(key, []).append(mesh)
    return Asset(tuple(joined(meshes) for meshes in groups.values()))
