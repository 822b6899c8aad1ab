"""Outdoor kinds with their sizes, and the source of their assets: the furniture pack if fetched, else built-in."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from tolman.core.errors import UnknownNameError
from tolman.core.files import packaged_table
from tolman.core.seeds import digest, rng
from tolman.render.assets.builtin.builder import Stream
from tolman.render.assets.builtin.library import builtin_asset
from tolman.render.assets.choose import builtin_source
from tolman.render.assets.outdoor import animals, roadside
from tolman.render.assets.pack.source import PackSource, pack_source
from tolman.render.assets.pack.stored import asset_from_bytes
from tolman.render.assets.source import AssetSource, Credit, PackMissingError
from tolman.render.building.rooms import merged_by_material
from tolman.render.shapes.mesh import Asset
from tolman.world.vocabulary import ObjectKind, kinds_in

_TABLE = packaged_table("tolman.render.assets.outdoor", "kinds.toml")
OUTDOOR_KINDS: dict[str, ObjectKind] = {
    kind.name: kind for kind in sorted(kinds_in(_TABLE), key=lambda kind: kind.name)
}
LEVEL_KINDS: frozenset[str] = frozenset(_TABLE["level"])
"""Kinds that are upright on a slope; all others are tilted with it."""

_BUILDERS: dict[str, Callable[[Stream], Asset]] = {
    "bear": animals.bear,
    "cactus": roadside.cactus,
    "camel": animals.camel,
    "deer": animals.deer,
    "fox": animals.fox,
    "husky": animals.husky,
    "snowman": roadside.snowman,
    "snowy tree": roadside.snowy_tree,
    "tent": roadside.tent,
    "truck": roadside.truck,
}
_BUILTIN_NAMES = {"human": "person", "trash bin": "bin", "taxi": "car"}
"""Names of the built-in kinds that differ."""
OUTDOOR_VERSION = 2
"""Raised whenever one of `_BUILDERS` makes another asset."""
_REAL_SIZE_KINDS = frozenset({"human"})
"""Kinds whose assets in the pack have their own real sizes."""


@dataclass(frozen=True)
class OutdoorSource:
    """Assets of the pack, if any, and built-in ones for the rest."""

    pack: PackSource | None

    @property
    def name(self) -> str:
        return "built-in" if self.pack is None else f"{self.pack.name}, then built-in"

    @property
    def digest(self) -> str:
        """Over the pack's assets for outdoor kinds, and the versions of the built-in ones."""
        stored = {} if self.pack is None else self.pack.stored
        digests = {kind: [stored[name].digest for name in names] for kind, names in self._pack_names.items()}
        return digest(["outdoors", digests, OUTDOOR_VERSION, builtin_source().digest])

    @cached_property
    def _pack_names(self) -> dict[str, tuple[str, ...]]:
        """Names of the pack's assets by kind."""
        if self.pack is None:
            return {}
        found = {
            kind: tuple(n for n in names if n in self.pack.stored) for kind, names in self.pack.table.outdoors.items()
        }
        return {kind: names for kind, names in found.items() if names}

    def kinds(self) -> frozenset[str]:
        return frozenset(OUTDOOR_KINDS)

    def asset(self, kind: str, seed: int, version: int = 1) -> Asset:
        """An asset at its kind's size; consecutive seeds give different assets if there are several."""
        del version  # outdoors all sizes are real
        if kind not in OUTDOOR_KINDS:
            raise UnknownNameError(f"there is no outdoor kind {kind!r}; choose one of {', '.join(OUTDOOR_KINDS)}")
        names = self._pack_names.get(kind)
        if self.pack is None or names is None:
            return _built_outdoor_asset(kind, seed)
        cached = self.pack.stored[names[seed % len(names)]]
        return _load_outdoor_asset(self.pack.folder / cached.file, cached.digest, kind)

    def credits(self) -> tuple[Credit, ...]:
        """One for each kind and asset of the pack, and one for all built-in assets."""
        stored = {} if self.pack is None else self.pack.stored
        pack = (replace(stored[name].credit, kind=kind) for kind, names in self._pack_names.items() for name in names)
        return (*pack, *builtin_source().credits())


def outdoor_source(name: str = "auto") -> AssetSource:
    """The source of a name: `auto` uses the pack if it was fetched, `pack` requires it, `built-in` does not use it."""
    if name not in ("auto", "pack", "built-in"):
        raise UnknownNameError(f"outdoor assets are auto, pack or built-in, not {name!r}")
    if name == "built-in":
        return OutdoorSource(None)
    try:
        return OutdoorSource(pack_source())
    except PackMissingError:
        if name == "pack":
            raise
        return OutdoorSource(None)


@lru_cache(maxsize=64)
def _built_outdoor_asset(kind: str, seed: int) -> Asset:
    build = _BUILDERS.get(kind)
    asset = build(rng(seed, "outdoors", kind)) if build else builtin_asset(_BUILTIN_NAMES.get(kind, kind), seed)
    return _sized(roadside.taxi(asset) if kind == "taxi" else asset, kind)


@lru_cache(maxsize=64)
def _load_outdoor_asset(file: Path, digest: str, kind: str) -> Asset:
    asset = asset_from_bytes(file.read_bytes(), digest)
    if kind in _REAL_SIZE_KINDS:
        return Asset(tuple(merged_by_material(asset.meshes)))
    return _sized(roadside.taxi(asset) if kind == "taxi" else asset, kind)


def _sized(asset: Asset, kind: str) -> Asset:
    size = OUTDOOR_KINDS[kind]
    fitted = Asset(tuple(merged_by_material(asset.meshes))).fitted(size.width, size.depth, size.height)
    return Asset(tuple(replace(mesh, points=np.round(mesh.points, 6)) for mesh in fitted.meshes))
