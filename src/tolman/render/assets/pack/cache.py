"""The converted pack on disk: one file a model, and an index that is written last."""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tolman.cache_folder import cache_folder
from tolman.render.assets.pack.catalogue import Catalogue
from tolman.render.assets.pack.convert import MOST_TRIANGLES, convert
from tolman.render.assets.pack.licence import credit_of
from tolman.render.assets.pack.stored import FORMAT, to_bytes
from tolman.render.assets.pack.table import Table
from tolman.render.assets.pack.thin import thinned
from tolman.render.assets.source import AssetError, Credit, NoPack
from tolman.whole_file import write_whole

INDEX = "index.json"
Track: TypeAlias = Callable[[list[str]], Iterable[str]]


@dataclass(frozen=True)
class Kept:
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


def convert_all(catalogues: Iterable[Catalogue], table: Table, folder: Path, track: Track) -> dict[str, Kept]:
    """Convert every model of the table that the catalogues have; models kept from earlier stay.

    The index comes last, so an end at any moment leaves the folder as it was before.
    """
    owners = {name: catalogue for catalogue in catalogues for name in catalogue.entries}
    try:
        kept = read_index(folder)
    except AssetError:
        kept = {}
    for name in track([name for name in table.names if name in owners]):
        kept[name] = _convert(owners[name], name, table.turned.get(name, 0.0), folder)
    kept = {name: kept[name] for name in table.names if name in kept}
    index = {"format": FORMAT, "models": {name: asdict(model) for name, model in kept.items()}}
    _write(folder / INDEX, json.dumps(index, indent=1, sort_keys=True).encode())
    _tidy(folder, {model.file for model in kept.values()})
    return kept


def read_index(folder: Path) -> dict[str, Kept]:
    """The models of a cache by name. AssetError when there is none, or it can't be read."""
    try:
        index: dict[str, Any] = json.loads((folder / INDEX).read_bytes())
        if index["format"] != FORMAT:
            raise AssetError("the furniture pack was converted by another version; run `tolman assets fetch` again")
        models: dict[str, dict[str, Any]] = index["models"]
        return {name: _kept(entry) for name, entry in models.items()}
    except FileNotFoundError:
        raise NoPack("there is no furniture pack yet: `tolman assets fetch` gets it") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise AssetError("the furniture pack's index is damaged; run `tolman assets fetch` again") from None


def _kept(entry: dict[str, Any]) -> Kept:
    digest, file_digest = (bytes.fromhex(entry[key]).hex() for key in ("digest", "file_digest"))
    return Kept(digest, file_digest, Credit(**entry["credit"]))


def _convert(catalogue: Catalogue, name: str, turned: float, folder: Path) -> Kept:
    entry = catalogue.entries[name]
    model = thinned(convert(catalogue, entry, turned), MOST_TRIANGLES)
    packed, digest = to_bytes(model)
    kept = Kept(digest, hashlib.sha256(packed).hexdigest(), credit_of(catalogue, entry))
    _write(folder / kept.file, packed)
    return kept


def _write(file: Path, content: bytes) -> None:
    """Whoever reads sees the whole file or none."""
    try:
        write_whole(file, content)
    except OSError as error:
        raise AssetError(f"{file} can't be written: {error.strerror}") from None


def _tidy(folder: Path, wanted: set[str]) -> None:
    for file in folder.glob("*.model*"):
        if file.name not in wanted:
            with suppress(OSError):
                file.unlink()
