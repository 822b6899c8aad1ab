"""Pictures in the cache folder, each under the digest of all that it depends on."""

import io
from collections.abc import Callable
from contextlib import suppress
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
