"""Models of things under the sky: from the furniture pack where it was fetched and has them, else made here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path

import numpy as np

import tolman.render
from tolman.errors import UnknownNameError
from tolman.render.assets.builtin.library import builtin_model
from tolman.render.assets.builtin.registry import Stream
from tolman.render.assets.choose import builtin_source
from tolman.render.assets.outdoor import animals, roadside
from tolman.render.assets.outdoor.kinds import OUTDOOR_KINDS
from tolman.render.assets.pack.source import PackSource, pack_source
from tolman.render.assets.pack.stored import from_bytes
from tolman.render.assets.source import Credit, NoPack, Source
from tolman.render.building.build import merged
from tolman.render.shapes.model import Model
from tolman.seeds import digest, rng

_MADE: dict[str, Callable[[Stream], Model]] = {
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
_LIKE = {"human": "person", "trash bin": "bin", "taxi": "car"}
"""Built-in kinds that go by another name."""
_REAL = frozenset({"human"})
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
        return digest(["outdoors", stored, _code(), builtin_source().digest])

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

    def model(self, kind: str, seed: int) -> Model:
        """A model in its kind's real size; seeds that follow one another give other models where there are several."""
        if kind not in OUTDOOR_KINDS:
            raise UnknownNameError(
                f"nothing under the sky is called {kind!r}; choose one of {', '.join(OUTDOOR_KINDS)}"
            )
        names = self._stored.get(kind)
        if self.pack is None or names is None:
            return _made(kind, seed)
        kept = self.pack.kept[names[seed % len(names)]]
        return _loaded(self.pack.folder / kept.file, kept.digest, kind)

    def credits(self) -> tuple[Credit, ...]:
        """One for each kind and model of the pack, and one for all else."""
        kept = {} if self.pack is None else self.pack.kept
        stored = (replace(kept[name].credit, kind=kind) for kind, names in self._stored.items() for name in names)
        return (*stored, *builtin_source().credits())


def outdoor_source(name: str = "auto") -> Source:
    """Models by a word: `auto` takes the pack where it was fetched, `pack` insists on it, `built-in` does without."""
    if name not in ("auto", "pack", "built-in"):
        raise UnknownNameError(f"models under the sky are auto, pack or built-in, not {name!r}")
    if name == "built-in":
        return OutdoorSource(None)
    try:
        return OutdoorSource(pack_source())
    except NoPack:
        if name == "pack":
            raise
        return OutdoorSource(None)


@lru_cache(maxsize=64)
def _made(kind: str, seed: int) -> Model:
    maker = _MADE.get(kind)
    made = maker(rng(seed, "outdoors", kind)) if maker else builtin_model(_LIKE.get(kind, kind), seed)
    return _sized(roadside.taxi(made) if kind == "taxi" else made, kind)


@lru_cache(maxsize=64)
def _loaded(file: Path, content: str, kind: str) -> Model:
    stored = from_bytes(file.read_bytes(), content)
    if kind in _REAL:
        return Model(tuple(merged(stored.meshes)))
    return _sized(roadside.taxi(stored) if kind == "taxi" else stored, kind)


def _sized(model: Model, kind: str) -> Model:
    size = OUTDOOR_KINDS[kind]
    fitted = Model(tuple(merged(model.meshes))).fitted(size.width, size.depth, size.height)
    return Model(tuple(replace(mesh, points=np.round(mesh.points, 6)) for mesh in fitted.meshes))


@cache
def _code() -> str:
    folder = Path(str(tolman.render.__file__)).parent
    return digest([file.read_text(encoding="utf-8") for file in sorted(folder.glob("assets/outdoor/*.py"))])
