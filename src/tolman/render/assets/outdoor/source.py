"""Outdoor kinds with their real size, and the source of their assets: the furniture pack where it was fetched, else
built-in.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np

import tolman.render
from tolman.core.errors import UnknownNameError
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
from tolman.world.vocabulary import ObjectKind

OUTDOOR_KINDS: dict[str, ObjectKind] = {
    kind.name: kind
    for kind in (
        ObjectKind("barrel", False, 0.75, 0.75, 0.95),
        ObjectKind("bear", True, 1.00, 2.25, 1.25),
        ObjectKind("bench", True, 1.60, 0.70, 0.90),
        ObjectKind("bicycle", True, 0.70, 1.75, 1.10),
        ObjectKind("cactus", False, 1.90, 1.90, 3.30),
        ObjectKind("camel", True, 0.90, 2.80, 2.25),
        ObjectKind("deer", True, 0.95, 1.80, 2.05),
        ObjectKind("fire hydrant", True, 0.55, 0.45, 0.90),
        ObjectKind("fox", True, 0.45, 1.25, 0.72),
        ObjectKind("human", True, 0.90, 0.70, 1.75),
        ObjectKind("husky", True, 0.45, 1.15, 0.92),
        ObjectKind("motor scooter", True, 0.95, 1.85, 1.30),
        ObjectKind("rock", False, 1.60, 1.45, 1.15),
        ObjectKind("snowman", True, 1.60, 1.20, 1.70),
        ObjectKind("snowy tree", False, 4.00, 4.00, 5.60),
        ObjectKind("taxi", True, 2.00, 4.50, 1.70),
        ObjectKind("tent", True, 2.60, 2.60, 1.50),
        ObjectKind("traffic cone", False, 0.46, 0.46, 0.80),
        ObjectKind("trash bin", False, 0.75, 0.75, 1.05),
        ObjectKind("tree", False, 4.00, 4.00, 5.60),
        ObjectKind("truck", True, 2.72, 6.30, 3.40),
    )
}
LEVEL_KINDS: frozenset[str] = frozenset(
    {"barrel", "cactus", "human", "rock", "snowman", "snowy tree", "tree", "fire hydrant", "trash bin"}
)
"""Kinds that stand upright on a slope; all others lean with it."""


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
"""Built-in kinds that go by another name."""
_REAL_SIZE_KINDS = frozenset({"human"})
"""Kinds of which every model of the pack is in its own real size."""


@dataclass(frozen=True)
class OutdoorSource:
    """A pack, or none, and what is made here."""

    pack: PackSource | None

    @property
    def name(self) -> str:
        return "built-in" if self.pack is None else f"{self.pack.name}, then built-in"

    @property
    def digest(self) -> str:
        """Over all models of the pack that stand for a kind, and the code that makes the others."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        kept = {} if self.pack is None else self.pack.kept
        stored = {kind: [kept[name].digest for name in names] for kind, names in self._stored.items()}
        return digest(["outdoors", stored, _outdoor_code_digest(), builtin_source().digest])

    @cached_property
    def _stored(self) -> dict[str, tuple[str, ...]]:
        if self.pack is None:
            return {}
        found = {
            kind: tuple(n for n in names if n in self.pack.kept) for kind, names in self.pack.table.outdoors.items()
        }
        return {kind: names for kind, names in found.items() if names}

    def kinds(self) -> frozenset[str]:
        """All kinds that stand under the sky."""
        return frozenset(OUTDOOR_KINDS)

    def model(self, kind: str, seed: int) -> Asset:
        """A model in its kind's real size; seeds that follow one another give other models where there are several."""
        if kind not in OUTDOOR_KINDS:
            raise UnknownNameError(
                f"nothing under the sky is called {kind!r}; choose one of {', '.join(OUTDOOR_KINDS)}"
            )
        names = self._stored.get(kind)
        if self.pack is None or names is None:
            return _built_outdoor_asset(kind, seed)
        kept = self.pack.kept[names[seed % len(names)]]
        return _load_outdoor_asset(self.pack.folder / kept.file, kept.digest, kind)

    def credits(self) -> tuple[Credit, ...]:
        """One for each kind and model of the pack, and one for all else."""
        kept = {} if self.pack is None else self.pack.kept
        stored = (replace(kept[name].credit, kind=kind) for kind, names in self._stored.items() for name in names)
        return (*stored, *builtin_source().credits())


def outdoor_source(name: str = "auto") -> AssetSource:
    """Models by a word: `auto` takes the pack where it was fetched, `pack` insists on it, `built-in` does without."""
    if name not in ("auto", "pack", "built-in"):
        raise UnknownNameError(f"models under the sky are auto, pack or built-in, not {name!r}")
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
    maker = _BUILDERS.get(kind)
    made = maker(rng(seed, "outdoors", kind)) if maker else builtin_asset(_BUILTIN_NAMES.get(kind, kind), seed)
    return _sized(roadside.taxi(made) if kind == "taxi" else made, kind)


@lru_cache(maxsize=64)
def _load_outdoor_asset(file: Path, content: str, kind: str) -> Asset:
    stored = asset_from_bytes(file.read_bytes(), content)
    if kind in _REAL_SIZE_KINDS:
        return Asset(tuple(merged_by_material(stored.meshes)))
    return _sized(roadside.taxi(stored) if kind == "taxi" else stored, kind)


def _sized(model: Asset, kind: str) -> Asset:
    size = OUTDOOR_KINDS[kind]
    fitted = Asset(tuple(merged_by_material(model.meshes))).fitted(size.width, size.depth, size.height)
    return Asset(tuple(replace(mesh, points=np.round(mesh.points, 6)) for mesh in fitted.meshes))


@cache
def _outdoor_code_digest() -> str:
    folder = Path(str(tolman.render.__file__)).parent
    return digest([file.read_text(encoding="utf-8") for file in sorted(folder.glob("assets/outdoor/*.py"))])
