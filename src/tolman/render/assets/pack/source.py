"""The converted furniture pack: its table of assets by kind, its files on disk, and the pack as a source of assets."""

import hashlib
import json
import tomllib
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tolman.core.errors import UnknownNameError
from tolman.core.files import atomic_write, cache_folder
from tolman.core.seeds import digest, rng
from tolman.render.assets.pack.catalogue import Catalogue, credit_of
from tolman.render.assets.pack.convert import MOST_TRIANGLES, convert_entry, decimated
from tolman.render.assets.pack.stored import ASSET_FORMAT, DamagedAssetError, asset_from_bytes, asset_to_bytes
from tolman.render.assets.source import AssetError, Credit, DamagedAssetWarning, PackMissingError
from tolman.render.shapes.mesh import Asset
from tolman.world.vocabulary import KIND_BY_NAME, ObjectKind


@dataclass(frozen=True)
class PackTable:
    """What `table.toml` says."""

    models: dict[str, tuple[str, ...]]
    """Names of models by kind."""
    turned: dict[str, float]
    """Degrees anticlockwise from above, by model; 0 for most."""
    stretch: dict[str, float]
    """How many times longer one side of a kind's model may become than in proportion; 1 for most."""
    outdoors: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Names of models by kind, for things under the sky (see `render/assets/outdoor`)."""

    @property
    def names(self) -> tuple[str, ...]:
        """All models once, in a fixed order."""
        return tuple(sorted({name for names in (*self.models.values(), *self.outdoors.values()) for name in names}))


@cache
def read_pack_table() -> PackTable:
    """The table that comes along."""
    table = tomllib.loads(files("tolman.render.assets.pack").joinpath("table.toml").read_text(encoding="utf-8"))
    models, outdoors = (
        {str(kind): tuple(str(name) for name in names) for kind, names in table[part].items()}
        for part in ("models", "outdoors")
    )
    turned = {str(name): float(angle) for name, angle in table["turned"].items()}
    stretch = {str(kind): float(factor) for kind, factor in table["stretch"].items()}
    return PackTable(models, turned, stretch, outdoors)


PACK_INDEX = "index.json"
ProgressTracker: TypeAlias = Callable[[list[str]], Iterable[str]]


@dataclass(frozen=True)
class CachedAsset:
    """A model in the cache."""

    digest: str
    """SHA-256 of what is in it: its identity."""
    file_digest: str
    """SHA-256 of its file."""
    credit: Credit

    @property
    def file(self) -> str:
        return f"{self.digest[:32]}.model"


def pack_folder() -> Path:
    """Where the converted pack is kept."""
    return cache_folder() / "assets" / "furniture-pack"


def convert_pack(
    catalogues: Iterable[Catalogue], table: PackTable, folder: Path, track: ProgressTracker
) -> dict[str, CachedAsset]:
    """Convert every model of the table that the catalogues have; models kept from earlier stay.

    The index comes last, so an end at any moment leaves the folder as it was before.
    """
    owners = {name: catalogue for catalogue in catalogues for name in catalogue.entries}
    try:
        kept = read_pack_index(folder)
    except AssetError:
        kept = {}
    for name in track([name for name in table.names if name in owners]):
        kept[name] = _convert_asset(owners[name], name, table.turned.get(name, 0.0), folder)
    kept = {name: kept[name] for name in table.names if name in kept}
    index = {"format": ASSET_FORMAT, "models": {name: asdict(model) for name, model in kept.items()}}
    _write_file(folder / PACK_INDEX, json.dumps(index, indent=1, sort_keys=True).encode())
    _remove_unlisted(folder, {model.file for model in kept.values()})
    return kept


def read_pack_index(folder: Path) -> dict[str, CachedAsset]:
    """The models of a cache by name. AssetError when there is none, or it can't be read."""
    try:
        index: dict[str, Any] = json.loads((folder / PACK_INDEX).read_bytes())
        if index["format"] != ASSET_FORMAT:
            raise AssetError("the furniture pack was converted by another version; run `tolman assets fetch` again")
        models: dict[str, dict[str, Any]] = index["models"]
        return {name: _cached_asset(entry) for name, entry in models.items()}
    except FileNotFoundError:
        raise PackMissingError("there is no furniture pack yet: `tolman assets fetch` gets it") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise AssetError("the furniture pack's index is damaged; run `tolman assets fetch` again") from None


def _cached_asset(entry: dict[str, Any]) -> CachedAsset:
    digest, file_digest = (bytes.fromhex(entry[key]).hex() for key in ("digest", "file_digest"))
    return CachedAsset(digest, file_digest, Credit(**entry["credit"]))


def _convert_asset(catalogue: Catalogue, name: str, turned: float, folder: Path) -> CachedAsset:
    entry = catalogue.entries[name]
    model = decimated(convert_entry(catalogue, entry, turned), MOST_TRIANGLES)
    packed, digest = asset_to_bytes(model)
    kept = CachedAsset(digest, hashlib.sha256(packed).hexdigest(), credit_of(catalogue, entry))
    _write_file(folder / kept.file, packed)
    return kept


def _write_file(file: Path, content: bytes) -> None:
    """Whoever reads sees the whole file or none."""
    try:
        atomic_write(file, content)
    except OSError as error:
        raise AssetError(f"{file} can't be written: {error.strerror}") from None


def _remove_unlisted(folder: Path, wanted: set[str]) -> None:
    for file in folder.glob("*.model*"):
        if file.name not in wanted:
            with suppress(OSError):
                file.unlink()


@dataclass(frozen=True)
class PackSource:
    """Models of a converted pack, by the table. Damaged ones have been left out."""

    folder: Path
    kept: dict[str, CachedAsset]
    table: PackTable
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

    def model(self, kind: str, seed: int) -> Asset:
        """One of the kind's models, in its box."""
        names = self._choices.get(kind)
        if not names:
            raise UnknownNameError(f"the furniture pack has no {kind}")
        kept = self.kept[names[int(rng(seed, "furniture pack", kind).integers(len(names)))]]
        return _load_pack_asset(
            self.folder / kept.file, kept.digest, KIND_BY_NAME[kind], self.table.stretch.get(kind, 1.0)
        )

    def credits(self) -> tuple[Credit, ...]:
        """One for each kind and model."""
        return tuple(replace(self.kept[n].credit, kind=kind) for kind, names in self._choices.items() for n in names)


def pack_source(folder: Path | None = None) -> PackSource:
    """The pack in the user's cache. AssetError when it was not fetched; damaged models are told and left out."""
    place = folder or pack_folder()
    kept = read_pack_index(place)
    whole = {name: model for name, model in kept.items() if _is_complete(place, model)}
    lost = sorted(kept.keys() - whole.keys())
    if lost:
        what = f"{lost[0]} and {len(lost) - 1} more" if len(lost) > 1 else lost[0]
        told = f"the furniture pack's model {what} is damaged, others stand in; run `tolman assets fetch` again"
        warnings.warn(told, DamagedAssetWarning, stacklevel=2)
    return PackSource(place, whole, read_pack_table())


def fitted_to_box(model: Asset, kind: ObjectKind, stretch: float) -> Asset:
    """As large as the kind's box allows in proportion, then each side longer, up to `stretch` times, to fill it."""
    fitted = model.fitted(kind.width, kind.depth, kind.height)
    low, high = fitted.bounds
    room = np.array([kind.width, kind.depth, kind.height]) / np.maximum(high - low, 1e-6)
    factors = np.clip(room, 1.0, stretch)
    return fitted.moved(np.column_stack([np.diag(factors), np.zeros(3)])) if stretch > 1 else fitted


def _is_complete(folder: Path, model: CachedAsset) -> bool:
    try:
        return hashlib.sha256((folder / model.file).read_bytes()).hexdigest() == model.file_digest
    except OSError:
        return False


@lru_cache(maxsize=256)
def _load_pack_asset(file: Path, digest: str, kind: ObjectKind, stretch: float) -> Asset:
    try:
        return fitted_to_box(asset_from_bytes(file.read_bytes(), digest), kind, stretch)
    except (OSError, DamagedAssetError):
        raise AssetError(f"{file} is damaged; run `tolman assets fetch` again") from None
