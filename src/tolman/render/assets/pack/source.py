"""The furniture pack as a source of models."""

import hashlib
import warnings
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from tolman.errors import UnknownNameError
from tolman.render.assets.pack.cache import Kept, pack_folder, read_index
from tolman.render.assets.pack.stored import DamagedModel, from_bytes
from tolman.render.assets.pack.table import Table, read_table
from tolman.render.assets.source import AssetError, Credit, DamagedPart
from tolman.render.shapes.model import Model
from tolman.seeds import digest, rng
from tolman.world.vocabulary import KIND_BY_NAME, Kind


@dataclass(frozen=True)
class PackSource:
    """Models of a converted pack, by the table. Damaged ones have been left out."""

    folder: Path
    kept: dict[str, Kept]
    table: Table
    name: str = "furniture pack"

    @cached_property
    def _choices(self) -> dict[str, tuple[str, ...]]:
        found = {kind: tuple(n for n in names if n in self.kept) for kind, names in self.table.models.items()}
        return {kind: names for kind, names in found.items() if names and kind in KIND_BY_NAME}

    @property
    def digest(self) -> str:
        """Over every model and how it is set up."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        models = {kind: [self.kept[n].digest for n in names] for kind, names in self._choices.items()}
        return digest(["furniture pack", models, self.table.stretch])

    def kinds(self) -> frozenset[str]:
        """Kinds that the pack has a good model for."""
        return frozenset(self._choices)

    def model(self, kind: str, seed: int) -> Model:
        """One of the kind's models, in its box."""
        names = self._choices.get(kind)
        if not names:
            raise UnknownNameError(f"the furniture pack has no {kind}")
        kept = self.kept[names[int(rng(seed, "furniture pack", kind).integers(len(names)))]]
        return _loaded(self.folder / kept.file, kept.digest, KIND_BY_NAME[kind], self.table.stretch.get(kind, 1.0))

    def credits(self) -> tuple[Credit, ...]:
        """One for each kind and model."""
        return tuple(replace(self.kept[n].credit, kind=kind) for kind, names in self._choices.items() for n in names)


def pack_source(folder: Path | None = None) -> PackSource:
    """The pack in the user's cache. AssetError when it was not fetched; damaged models are told and left out."""
    place = folder or pack_folder()
    kept = read_index(place)
    whole = {name: model for name, model in kept.items() if _is_whole(place, model)}
    lost = sorted(kept.keys() - whole.keys())
    if lost:
        what = f"{lost[0]} and {len(lost) - 1} more" if len(lost) > 1 else lost[0]
        told = f"the furniture pack's model {what} is damaged, others stand in; run `tolman assets fetch` again"
        warnings.warn(told, DamagedPart, stacklevel=2)
    return PackSource(place, whole, read_table())


def in_box(model: Model, kind: Kind, stretch: float) -> Model:
    """As large as the kind's box allows in proportion, then each side longer, up to `stretch` times, to fill it."""
    fitted = model.fitted(kind.width, kind.depth, kind.height)
    low, high = fitted.bounds
    room = np.array([kind.width, kind.depth, kind.height]) / np.maximum(high - low, 1e-6)
    factors = np.clip(room, 1.0, stretch)
    return fitted.moved(np.column_stack([np.diag(factors), np.zeros(3)])) if stretch > 1 else fitted


def _is_whole(folder: Path, model: Kept) -> bool:
    try:
        return hashlib.sha256((folder / model.file).read_bytes()).hexdigest() == model.file_digest
    except OSError:
        return False


@lru_cache(maxsize=256)
def _loaded(file: Path, digest: str, kind: Kind, stretch: float) -> Model:
    try:
        return in_box(from_bytes(file.read_bytes(), digest), kind, stretch)
    except (OSError, DamagedModel):
        raise AssetError(f"{file} is damaged; run `tolman assets fetch` again") from None
