"""Stored pictures: the digest that identifies a picture, the cache folder, and folders filled by `tolman render`."""

import hashlib
import io
import os
import zlib
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

from tolman.core.files import atomic_write, cache_folder, encoded
from tolman.core.seeds import digest
from tolman.render.camera import Panorama, Perspective, TopDown
from tolman.render.engine.values import RenderPreset
from tolman.world import Scene
from tolman.world.space.furnished_space import Space

LOOK_VERSION = 6
"""Raised whenever the same scene would be rendered differently."""


def picture_digest(
    scene: Scene | Space,
    camera: Perspective | Panorama | TopDown,
    preset: RenderPreset,
    assets: str,
    engine: str,
    appearance_of: Scene | None = None,
) -> str:
    """Identity of a picture; `assets` is the digest of the asset source, `engine` the Mitsuba variant.

    `appearance_of` is the scene before a change, whose appearance a changed scene keeps.
    """
    return digest(
        {
            "look": LOOK_VERSION,
            "scene": scene.digest,
            "in the look of": (appearance_of or scene).digest,
            "camera": [type(camera).__name__, asdict(camera)],
            "preset": asdict(preset),
            "models": assets,
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
"""Held while rendering: the engine is not thread-safe."""


_RENDERED = {"compress_type": zlib.Z_RLE}
"""How colours and ids are compressed: a quarter of the time of zlib's default strategy, and no larger."""
_GRADIENTS = {"compress_level": 3}
"""How depth is, in which longer repetitions are worth finding: half the time of level 6, a third larger."""


def png_bytes(values: NDArray[np.uint8] | NDArray[np.uint16], *, gradients: bool = False) -> bytes:
    """A rendered array as a PNG file; `gradients` for values that hardly ever repeat, such as depth."""
    return encoded(Image.fromarray(values), "PNG", **(_GRADIENTS if gradients else _RENDERED))


def cached_png(name: str, render: Callable[[], NDArray[np.uint8]]) -> bytes:
    """A PNG from the cache; if it is missing or damaged there, it is rendered and stored."""
    file = cache_folder() / CACHE_SUBFOLDER / name[:2] / f"{name}.png"
    with suppress(OSError, ValueError, SyntaxError):
        data = file.read_bytes()
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            picture.load()
        return data
    data = png_bytes(render())
    with suppress(OSError):
        atomic_write(file, data)
    return data


FOLDERS_VARIABLE = "TOLMAN_PICTURES"
"""Environment variable with folders of `tolman render`, separated as in PATH."""


@dataclass(frozen=True)
class PrerenderedFolder:
    """A folder of pictures by `tolman render`."""

    folder: Path
    engine: str
    files: dict[str, tuple[str, str]]
    """Path and SHA-256 of each picture, by its digest."""

    def get(self, digest: str) -> bytes | None:
        """The PNG of a picture; None if it is missing or was changed."""
        path, sha256 = self.files.get(digest, ("", ""))
        with suppress(OSError):
            data = (self.folder / path).read_bytes() if path else b""
            return data if hashlib.sha256(data).hexdigest() == sha256 else None
        return None


def prerendered_folders() -> tuple[PrerenderedFolder, ...]:
    """The folders in the environment variable; RenderError if one is not such a folder."""
    names = os.environ.get(FOLDERS_VARIABLE, "")
    return tuple(_open_prerendered(Path(name)) for name in names.split(os.pathsep) if name)


def find_prerendered(digest_for: Callable[[str], str]) -> bytes | None:
    """A picture from any of the folders. `digest_for` gives its digest for the engine of a folder, which may come from
    another machine."""
    for folder in prerendered_folders():
        if (data := folder.get(digest_for(folder.engine))) is not None:
            return data
    return None


@lru_cache(maxsize=16)
def _open_prerendered(folder: Path) -> PrerenderedFolder:
    from tolman.render.prerender import read_picture_index  # noqa: PLC0415 imports the whole renderer

    rows = list(read_picture_index(folder))
    engine = str(rows[0]["engine"]) if rows else ""
    return PrerenderedFolder(folder, engine, {row["digest"]: (row["rgb"], row["sha256"]) for row in rows})
