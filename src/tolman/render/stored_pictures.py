"""Stored pictures: the digest that identifies a picture, the cache folder, and folders filled by `tolman render`."""

import hashlib
import io
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.core.files import atomic_write, cache_folder
from tolman.core.seeds import digest
from tolman.render.camera import Panorama, Perspective, TopDown
from tolman.render.engine.values import RenderPreset
from tolman.world import Scene
from tolman.world.space.furnished_space import Space

LOOK_VERSION = 3
"""Raised whenever the same scene would come out looking otherwise."""


def picture_digest(
    scene: Scene | Space,
    camera: Perspective | Panorama | TopDown,
    preset: RenderPreset,
    models: str,
    engine: str,
    in_the_look_of: Scene | None = None,
) -> str:
    """The identity of a picture; `models` is the digest of their source, `engine` the variant that renders.

    A changed world looks as it did before the change, so that one is named with it.
    """
    return digest(
        {
            "look": LOOK_VERSION,
            "scene": scene.digest,
            "in the look of": (in_the_look_of or scene).digest,
            "camera": [type(camera).__name__, asdict(camera)],
            "preset": asdict(preset),
            "models": models,
            "engine": [engine, _package_version("mitsuba"), _package_version("pyoidn") if preset.denoised else ""],
        }
    )


def _package_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


CACHE_SUBFOLDER = "pictures"
ENGINE_LOCK = Lock()
"""The engine does one thing at a time: whoever renders holds this."""


def cached_png(name: str, render: Callable[[], NDArray[np.uint8]]) -> bytes:
    """A picture from the cache as the bytes of a PNG, or made and put there. One that is damaged is made again."""
    file = cache_folder() / CACHE_SUBFOLDER / name[:2] / f"{name}.png"
    with suppress(OSError, ValueError, SyntaxError):
        data = file.read_bytes()
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            picture.load()
        return data
    buffer = io.BytesIO()
    Image.fromarray(render()).save(buffer, "PNG")
    with suppress(OSError):
        atomic_write(file, buffer.getvalue())
    return buffer.getvalue()


FOLDERS_VARIABLE = "TOLMAN_PICTURES"
"""Environment variable that names folders which `tolman render` filled, as PATH does."""


@dataclass(frozen=True)
class PrerenderedFolder:
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


def prerendered_folders() -> tuple[PrerenderedFolder, ...]:
    """All folders that are named; RenderError in one sentence where one is none."""
    named = os.environ.get(FOLDERS_VARIABLE, "")
    return tuple(_open_prerendered(Path(name)) for name in named.split(os.pathsep) if name)


def find_prerendered(digest_for: Callable[[str], str]) -> bytes | None:
    """A picture from any of the folders. `digest_for` gives its digest when made with an engine.

    Folders may come from a machine with another engine: whoever names one wants its pictures.
    """
    for folder in prerendered_folders():
        if (data := folder.get(digest_for(folder.engine))) is not None:
            return data
    return None


@lru_cache(maxsize=16)
def _open_prerendered(folder: Path) -> PrerenderedFolder:
    from tolman.render.prerender import read_picture_index  # noqa: PLC0415 loads all that renders

    rows = list(read_picture_index(folder))
    engine = str(rows[0]["engine"]) if rows else ""
    return PrerenderedFolder(folder, engine, {row["digest"]: (row["rgb"], row["sha256"]) for row in rows})
