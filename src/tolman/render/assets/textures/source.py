"""The fetched texture pack: its table, its files in the cache, and what rooms take from it."""

import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.core.errors import UnknownNameError
from tolman.core.files import cache_folder, packaged_table
from tolman.core.seeds import digest
from tolman.render.assets.source import AssetError, Credit, PackMissingError
from tolman.render.assets.textures.convert import FileKey, SkyRow, SurfaceRow, sky_from_bytes
from tolman.render.building.finishes import Use
from tolman.render.building.relief import Surface
from tolman.render.shapes.mesh import Asset, Material, Texture

TEXTURE_FORMAT = 1
"""Raised whenever the same finish would be stored as other bytes."""
INDEX = "index.json"
_AGAIN = "run `tolman assets fetch --textures` again"


@dataclass(frozen=True)
class TexturePackage:
    """A package that files come from."""

    title: str
    fetch: tuple[str, ...]
    """The command that downloads it into the current folder, without installing it."""
    file: str
    megabytes: int
    link: str
    inside: str = ""
    """Name of the zip archive within it that holds the files."""


@dataclass(frozen=True)
class TextureTable:
    """Content of `table.toml`."""

    packages: dict[str, TexturePackage]
    surfaces: tuple[SurfaceRow, ...]
    skies: tuple[SkyRow, ...]

    @property
    def rows(self) -> tuple[SurfaceRow | SkyRow, ...]:
        """All finishes and skies."""
        return *self.surfaces, *self.skies


@cache
def read_texture_table() -> TextureTable:
    table = packaged_table("tolman.render.assets.textures", "table.toml")
    packages = {str(name): _package(row) for name, row in table["package"].items()}
    return TextureTable(
        packages,
        tuple(SurfaceRow(**_with_keys(row)) for row in table["surface"]),
        tuple(SkyRow(**_with_keys(row)) for row in table["sky"]),
    )


def _package(row: dict[str, Any]) -> TexturePackage:
    values: dict[str, Any] = {**row, "fetch": tuple(row["fetch"])}
    return TexturePackage(**values)


def _with_keys(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _file_key(value) if type(value) is list else value for name, value in row.items()}


def _file_key(parts: Any) -> FileKey:
    package, path, sha256 = parts
    return package, path, sha256


@dataclass(frozen=True)
class TextureFiles:
    """The files of a finish or sky, by the name of the map: each is named by its SHA-256."""

    name: str
    maps: dict[str, str]


def texture_folder() -> Path:
    """Folder of the fetched pack."""
    return cache_folder() / "assets" / "texture-pack"


def index_bytes(stored: Iterable[TextureFiles]) -> bytes:
    """The index of a pack."""
    return json.dumps({"format": TEXTURE_FORMAT, "stored": [asdict(one) for one in stored]}, indent=1).encode()


def read_texture_index(folder: Path) -> dict[str, TextureFiles]:
    """What a folder holds, by name; PackMissingError without an index."""
    try:
        index: dict[str, Any] = json.loads((folder / INDEX).read_bytes())
        if index["format"] != TEXTURE_FORMAT:
            raise AssetError(f"the texture pack was stored by another version; {_AGAIN}")
        return {
            row["name"]: TextureFiles(row["name"], {key: bytes.fromhex(sha).hex() for key, sha in row["maps"].items()})
            for row in index["stored"]
        }
    except FileNotFoundError:
        raise PackMissingError("there is no texture pack yet; run `tolman assets fetch --textures`") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise AssetError(f"the texture pack's index is damaged; {_AGAIN}") from None


@dataclass(frozen=True)
class TextureSource:
    """Finishes and skies; as an asset source it has no kinds, and adds its digest and credits to those of others."""

    folder: Path
    stored: dict[str, TextureFiles]
    table: TextureTable
    name: str = "texture pack"

    @property
    def digest(self) -> str:
        """Over all maps, their sizes and chances."""
        rows = [
            [row.name, self.stored[row.name].maps, getattr(row, "repeat", 0.0), getattr(row, "weight", 1.0)]
            for row in self._rows
        ]
        return digest(["texture pack", TEXTURE_FORMAT, rows])

    @property
    def _rows(self) -> list[SurfaceRow | SkyRow]:
        return [row for row in self.table.rows if row.name in self.stored]

    def kinds(self) -> frozenset[str]:
        return frozenset()

    def asset(self, kind: str, seed: int, version: int = 1) -> Asset:
        del seed, version
        raise UnknownNameError(f"the texture pack has no {kind}")

    def credits(self) -> tuple[Credit, ...]:
        """One for each finish and sky."""
        return tuple(
            Credit(
                f"{row.use} finish" if isinstance(row, SurfaceRow) else "sky",
                row.name,
                row.author,
                row.licence,
                self.table.packages[row.files[0][0]].link,
            )
            for row in self._rows
        )

    def surfaces(self, use: Use) -> Sequence[Surface]:
        """All finishes for floors or for walls."""
        return self._surfaces[use]

    @cached_property
    def _surfaces(self) -> dict[str, list[Surface]]:
        found: dict[str, list[Surface]] = {"floor": [], "wall": []}
        for row in self.table.surfaces:
            if row.name in self.stored:
                found[row.use].append(Surface(self._material(row), row.repeat, row.weight))
        return found

    def _material(self, row: SurfaceRow) -> Material:
        maps = {name: _texture(self._bytes(sha)) for name, sha in self.stored[row.name].maps.items()}
        if row.use == "wall":
            return Material(maps["colour"], row.roughness)
        gloss = maps.get("gloss")
        if gloss is not None:
            gloss = Texture(np.ascontiguousarray(gloss.image[..., :1]), fine=True)
        return Material(maps["colour"], row.roughness, relief=maps["relief"], gloss=gloss)

    def skies(self) -> Sequence[NDArray[np.float32]]:
        """Environment maps, as `Sky.picture` but of any brightness."""
        return self._skies

    @cached_property
    def _skies(self) -> list[NDArray[np.float32]]:
        names = [row.name for row in self.table.skies if row.name in self.stored]
        return [sky_from_bytes(self._bytes(self.stored[name].maps["light"])) for name in names]

    def _bytes(self, sha256: str) -> bytes:
        try:
            data = (self.folder / sha256).read_bytes()
        except OSError:
            data = b""
        if hashlib.sha256(data).hexdigest() != sha256:
            raise AssetError(f"a file of the texture pack is missing or damaged; {_AGAIN}")
        return data


def texture_source(folder: Path | None = None) -> TextureSource:
    """The pack in the user's cache; PackMissingError if it was not fetched."""
    folder = folder or texture_folder()
    return TextureSource(folder, read_texture_index(folder), read_texture_table())


def _texture(data: bytes) -> Texture:
    with Image.open(io.BytesIO(data), formats=["JPEG"]) as picture:
        return Texture(np.array(picture.convert("RGB"), np.uint8), fine=True)
