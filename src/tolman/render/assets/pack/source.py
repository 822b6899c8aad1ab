"""The converted furniture pack: its table of assets by kind, its files in the cache, and the pack as asset source."""

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tolman.core.errors import UnknownNameError
from tolman.core.files import atomic_write, cache_folder, packaged_table
from tolman.core.seeds import digest, one_of, rng
from tolman.render.assets.pack.catalogue import Catalogue, credit_of
from tolman.render.assets.pack.convert import MOST_TRIANGLES, convert_entry, decimated
from tolman.render.assets.pack.stored import ASSET_FORMAT, DamagedAssetError, asset_from_bytes, asset_to_bytes
from tolman.render.assets.source import AssetError, Credit, DamagedAssetWarning, PackMissingError
from tolman.render.shapes.mesh import Asset
from tolman.render.shapes.split import REAR_SHARE, RearShade, two_toned
from tolman.world.vocabulary import KIND_BY_NAME, ObjectKind, kind_in


@dataclass(frozen=True)
class PackTable:
    """Content of `table.toml`."""

    assets: dict[str, tuple[str, ...]]
    """Names of assets by kind."""
    turned: dict[str, float]
    """Degrees by which to turn an asset anticlockwise seen from above, by name; 0 if missing."""
    stretch: dict[str, float]
    """Most by which one side of a kind's assets may be stretched to fill its box, by kind; 1 if missing."""
    two_toned: frozenset[str] = frozenset()
    rear: dict[str, RearShade] = field(default_factory=dict[str, RearShade])
    """Shades of the rear part of two-toned assets, by kind, where it is not one of their own colours."""
    """Names of assets whose rear part is shown in another shade, as their sides look alike."""
    outdoors: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Names of assets by outdoor kind (see `render/assets/outdoor`)."""

    @property
    def names(self) -> tuple[str, ...]:
        """Distinct names of all assets, sorted."""
        return tuple(sorted({name for names in (*self.assets.values(), *self.outdoors.values()) for name in names}))


@cache
def read_pack_table() -> PackTable:
    table = packaged_table("tolman.render.assets.pack", "table.toml")
    assets, outdoors = (
        {str(kind): tuple(str(name) for name in names) for kind, names in table[part].items()}
        for part in ("models", "outdoors")
    )
    turned = {str(name): float(angle) for name, angle in table["turned"].items()}
    stretch = {str(kind): float(factor) for kind, factor in table["stretch"].items()}
    sides = table["sides"]
    rear = {
        str(kind): RearShade(float(kept), (red, green, blue))
        for kind, (kept, red, green, blue) in sides["rear"].items()
    }
    return PackTable(assets, turned, stretch, frozenset(map(str, sides["two_toned"])), rear, outdoors)


PACK_INDEX = "index.json"
ProgressTracker: TypeAlias = Callable[[list[str]], Iterable[str]]


@dataclass(frozen=True)
class CachedAsset:
    """An asset in the cache."""

    digest: str
    """SHA-256 of its uncompressed content."""
    file_digest: str
    """SHA-256 of its file."""
    credit: Credit

    @property
    def file(self) -> str:
        return f"{self.digest[:32]}.model"


def pack_folder() -> Path:
    """Folder of the converted pack."""
    return cache_folder() / "assets" / "furniture-pack"


def convert_pack(
    catalogues: Iterable[Catalogue], table: PackTable, folder: Path, track: ProgressTracker
) -> dict[str, CachedAsset]:
    """Convert every asset of the table that the catalogues have, and add it to those already in the folder.

    The index is written last, so that an interruption leaves the previous state.
    """
    owners = {name: catalogue for catalogue in catalogues for name in catalogue.entries}
    try:
        stored = read_pack_index(folder)
    except AssetError:
        stored = {}
    for name in track([name for name in table.names if name in owners]):
        stored[name] = _convert_asset(owners[name], name, table.turned.get(name, 0.0), folder)
    stored = {name: stored[name] for name in table.names if name in stored}
    index = {"format": ASSET_FORMAT, "models": {name: asdict(cached) for name, cached in stored.items()}}
    _write_file(folder / PACK_INDEX, json.dumps(index, indent=1, sort_keys=True).encode())
    for file in folder.glob("*.model*"):
        if file.name not in {cached.file for cached in stored.values()}:
            with suppress(OSError):
                file.unlink()
    return stored


def read_pack_index(folder: Path) -> dict[str, CachedAsset]:
    """The assets of a folder by name; AssetError if there is no valid index."""
    try:
        index: dict[str, Any] = json.loads((folder / PACK_INDEX).read_bytes())
        if index["format"] != ASSET_FORMAT:
            raise AssetError("the furniture pack was converted by another version; run `tolman assets fetch` again")
        entries: dict[str, dict[str, Any]] = index["models"]
        return {name: _cached_asset(entry) for name, entry in entries.items()}
    except FileNotFoundError:
        raise PackMissingError("there is no furniture pack yet; run `tolman assets fetch`") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise AssetError("the furniture pack's index is damaged; run `tolman assets fetch` again") from None


def _cached_asset(entry: dict[str, Any]) -> CachedAsset:
    digest, file_digest = (bytes.fromhex(entry[key]).hex() for key in ("digest", "file_digest"))
    return CachedAsset(digest, file_digest, Credit(**entry["credit"]))


def _convert_asset(catalogue: Catalogue, name: str, turned: float, folder: Path) -> CachedAsset:
    entry = catalogue.entries[name]
    asset = decimated(convert_entry(catalogue, entry, turned), MOST_TRIANGLES)
    packed, digest = asset_to_bytes(asset)
    cached = CachedAsset(digest, hashlib.sha256(packed).hexdigest(), credit_of(catalogue, entry))
    _write_file(folder / cached.file, packed)
    return cached


def _write_file(file: Path, content: bytes) -> None:
    try:
        atomic_write(file, content)
    except OSError as error:
        raise AssetError(f"{file} can't be written: {error.strerror}") from None


@dataclass(frozen=True)
class PackSource:
    """Assets of a converted pack, without damaged ones."""

    folder: Path
    stored: dict[str, CachedAsset]
    table: PackTable
    name: str = "furniture pack"

    @cached_property
    def _choices(self) -> dict[str, tuple[str, ...]]:
        found = {kind: tuple(n for n in names if n in self.stored) for kind, names in self.table.assets.items()}
        return {kind: names for kind, names in found.items() if names and kind in KIND_BY_NAME}

    @property
    def digest(self) -> str:
        """Over the digests of all assets, the stretch factors, and which assets are two-toned."""
        assets = {kind: [self.stored[n].digest for n in names] for kind, names in self._choices.items()}
        rear = {kind: [shade.kept, *shade.added] for kind, shade in self.table.rear.items()}
        return digest(["furniture pack", assets, self.table.stretch, sorted(self.table.two_toned), REAR_SHARE, rear])

    def kinds(self) -> frozenset[str]:
        return frozenset(self._choices)

    def names(self, kind: str) -> tuple[str, ...]:
        """Names of a kind's assets."""
        return self._choices.get(kind, ())

    def asset(self, kind: str, seed: int, version: int = 1) -> Asset:
        """One of the kind's assets, scaled to its box."""
        names = self._choices.get(kind)
        if not names:
            raise UnknownNameError(f"the furniture pack has no {kind}")
        return self.named_asset(one_of(rng(seed, "furniture pack", kind), names), kind, version)

    def named_asset(self, name: str, kind: str, version: int = 1) -> Asset:
        """The asset of that name as one of the kind, scaled to its box; only in version 1 stretched to fill it."""
        cached, stretch = self.stored[name], self.table.stretch.get(kind, 1.0) if version == 1 else 1.0
        rear = (REAR_SHARE, self.table.rear.get(kind)) if name in self.table.two_toned else None
        size = kind_in(kind, version) or KIND_BY_NAME[kind]
        return _load_pack_asset(self.folder / cached.file, cached.digest, size, stretch, rear)

    def credits(self) -> tuple[Credit, ...]:
        """One for each kind and asset."""
        return tuple(replace(self.stored[n].credit, kind=kind) for kind, names in self._choices.items() for n in names)


def pack_source(folder: Path | None = None) -> PackSource:
    """The pack in the user's cache; AssetError if it was not fetched. Damaged assets are left out with a warning."""
    folder = folder or pack_folder()
    stored = read_pack_index(folder)
    intact = {name: cached for name, cached in stored.items() if _is_intact(folder, cached)}
    damaged = sorted(stored.keys() - intact.keys())
    if damaged:
        names = f"{damaged[0]} and {len(damaged) - 1} more" if len(damaged) > 1 else damaged[0]
        warnings.warn(
            f"the furniture pack's asset {names} is damaged, others are used instead; run `tolman assets fetch` again",
            DamagedAssetWarning,
            stacklevel=2,
        )
    return PackSource(folder, intact, read_pack_table())


def fitted_to_box(asset: Asset, kind: ObjectKind, stretch: float) -> Asset:
    """The asset scaled in proportion to the kind's box, then each side stretched up to `stretch` times to fill it."""
    fitted = asset.fitted(kind.width, kind.depth, kind.height)
    low, high = fitted.bounds
    factors = np.clip(np.array([kind.width, kind.depth, kind.height]) / np.maximum(high - low, 1e-6), 1.0, stretch)
    return fitted.moved(np.column_stack([np.diag(factors), np.zeros(3)])) if stretch > 1 else fitted


def _is_intact(folder: Path, cached: CachedAsset) -> bool:
    try:
        return hashlib.sha256((folder / cached.file).read_bytes()).hexdigest() == cached.file_digest
    except OSError:
        return False


@lru_cache(maxsize=256)
def _load_pack_asset(
    file: Path, digest: str, kind: ObjectKind, stretch: float, rear: tuple[float, RearShade | None] | None
) -> Asset:
    try:
        asset = asset_from_bytes(file.read_bytes(), digest)
    except (OSError, DamagedAssetError):
        raise AssetError(f"{file} is damaged; run `tolman assets fetch` again") from None
    return fitted_to_box(two_toned(asset, *rear) if rear else asset, kind, stretch)
