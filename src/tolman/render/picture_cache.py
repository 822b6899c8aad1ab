"""Pictures that were made before, found by all that they depend on: in the cache folder, or by `tolman render`."""

import hashlib
import io
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.cache_folder import cache_folder
from tolman.whole_file import write_whole

FOLDER = "pictures"
ENGINE = Lock()
"""The engine does one thing at a time: whoever renders holds this."""


def kept(name: str, render: Callable[[], NDArray[np.uint8]]) -> bytes:
    """A picture from the cache as the bytes of a PNG, or made and put there. One that is damaged is made again."""
    file = cache_folder() / FOLDER / name[:2] / f"{name}.png"
    with suppress(OSError, ValueError, SyntaxError):
        data = file.read_bytes()
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            picture.load()
        return data
    buffer = io.BytesIO()
    Image.fromarray(render()).save(buffer, "PNG")
    with suppress(OSError):
        write_whole(file, buffer.getvalue())
    return buffer.getvalue()


FOLDERS = "TOLMAN_PICTURES"
"""Environment variable that names folders which `tolman render` filled, as PATH does."""


@dataclass(frozen=True)
class Prerendered:
    """A folder of pictures."""

    folder: Path
    engine: str
    files: dict[str, tuple[str, str]]
    """Path and SHA-256 of each picture, by its digest."""

    def get(self, digest: str) -> bytes | None:
        """The PNG file of a picture; None where it is not here, or no longer what it was."""
        path, sha256 = self.files.get(digest, ("", ""))
        with suppress(OSError):
            data = (self.folder / path).read_bytes() if path else b""
            return data if hashlib.sha256(data).hexdigest() == sha256 else None
        return None


def prerendered_folders() -> tuple[Prerendered, ...]:
    """All folders that are named; RenderError in one sentence where one is none."""
    named = os.environ.get(FOLDERS, "")
    return tuple(_opened(Path(name)) for name in named.split(os.pathsep) if name)


def find_prerendered(digest_for: Callable[[str], str]) -> bytes | None:
    """A picture from any of the folders. `digest_for` gives its digest when made with an engine.

    Folders may come from a machine with another engine: whoever names one wants its pictures.
    """
    for folder in prerendered_folders():
        if (data := folder.get(digest_for(folder.engine))) is not None:
            return data
    return None


@lru_cache(maxsize=16)
def _opened(folder: Path) -> Prerendered:
    from tolman.render.picture_index import read_index  # noqa: PLC0415 loads all that renders

    rows = list(read_index(folder))
    engine = str(rows[0]["engine"]) if rows else ""
    return Prerendered(folder, engine, {row["digest"]: (row["rgb"], row["sha256"]) for row in rows})
