"""A folder of the user's own models: GLB files, and `models.toml`, which says what each is and where its front is.

[[model]]
kind = "chair"          # a kind of the vocabulary
file = "oak.glb"        # beside models.toml
front = "+z"            # the axis that its front looks along in the file; GLB files have y up
name = "Oak chair"      # the rest is for the credits, and may be left out
author = "A. Joiner"
licence = "CC BY 4.0"
link = "https://..."
"""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tolman.errors import UnknownNameError
from tolman.render.assets.glb import FRONTS, read_glb
from tolman.render.assets.source import AssetError, Credit
from tolman.render.shapes.model import Model
from tolman.seeds import digest, rng
from tolman.world.vocabulary import KIND_BY_NAME

TABLE = "models.toml"


@dataclass(frozen=True)
class Listed:
    """One line of the table."""

    kind: str
    file: Path
    front: str
    credit: Credit


@dataclass(frozen=True)
class FolderSource:
    """The models that a folder's table lists."""

    folder: Path
    listed: tuple[Listed, ...]

    @property
    def name(self) -> str:
        """The folder's own name."""
        return f"folder {self.folder.name}"

    @property
    def digest(self) -> str:
        """Over the bytes of every file and how it is set up."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return digest([[one.kind, one.front, hashlib.sha256(_bytes(one.file)).hexdigest()] for one in self.listed])

    def kinds(self) -> frozenset[str]:
        """Kinds that the table lists."""
        return frozenset(one.kind for one in self.listed)

    def model(self, kind: str, seed: int) -> Model:
        """One of the kind's models, as large as its box allows in proportion."""
        choices = [one for one in self.listed if one.kind == kind]
        if not choices:
            raise UnknownNameError(f"{self.folder} has no {kind}")
        one = choices[int(rng(seed, "folder", kind).integers(len(choices)))]
        return _loaded(one.file, one.front, kind, self.digest)

    def credits(self) -> tuple[Credit, ...]:
        """As the table says."""
        return tuple(one.credit for one in self.listed)


def folder_source(folder: Path) -> FolderSource:
    """Read a folder's table. AssetError in one sentence when a line lacks something; files are read when needed."""
    try:
        table: dict[str, Any] = tomllib.loads((folder / TABLE).read_text(encoding="utf-8"))
    except OSError:
        raise AssetError(f"{folder} has no {TABLE}, which says what each GLB file is (see docs/assets.md)") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AssetError(f"{folder / TABLE} can't be read: {error}") from None
    rows = table.get("model")
    if not isinstance(rows, list) or not rows:
        raise AssetError(f"{folder / TABLE} lists no [[model]]")
    return FolderSource(folder, tuple(_listed(folder, row) for row in rows))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _listed(folder: Path, row: object) -> Listed:
    values: dict[str, str] = {str(k): str(v) for k, v in row.items()} if isinstance(row, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    where = f"{folder / TABLE}: {values.get('file') or 'a model without a file'}"
    kind, file, front = (values.get(key, "") for key in ("kind", "file", "front"))
    if kind not in KIND_BY_NAME:
        raise AssetError(f"{where} is of the kind {kind!r}, which is not in the vocabulary (see `tolman assets list`)")
    if front not in FRONTS:
        raise AssetError(f'{where} has no front: add front = "+z" or another of {", ".join(FRONTS)}')
    if not file or Path(file).name != file or not (folder / file).is_file():
        raise AssetError(f"{where} is not a file beside it")
    credit = Credit(
        kind,
        values.get("name", file),
        values.get("author", "unknown"),
        values.get("licence", "unknown"),
        values.get("link", ""),
    )
    return Listed(kind, folder / file, front, credit)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise AssetError(f"{file} can't be read: {error.strerror}") from None


@lru_cache(maxsize=256)
def _loaded(file: Path, front: str, kind: str, digest: str) -> Model:
    """`digest` is that of the whole folder: another one means that the files are others."""
    del digest
    model = read_glb(_bytes(file), file.name).moved(np.column_stack([FRONTS[front], np.zeros(3)]))
    size = KIND_BY_NAME[kind]
    return model.fitted(size.width, size.depth, size.height)
