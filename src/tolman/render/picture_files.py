"""Pictures as files: colours and ids as PNG, depth as PNG of sixteen bits, words inside where no one sees them."""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError
from PIL.PngImagePlugin import PngInfo

from tolman.render.renderer import Picture

MILLIMETRES = 1000
FARTHEST = 65_535
"""Stands for depths of more than 65.534 m, and for nothing at all."""


def rgb_png(picture: Picture) -> bytes:
    """Colours, eight bits each."""
    return _png(picture.rgb)


def ids_png(picture: Picture) -> bytes:
    """Numbers of things and doors from 1; 0 is the building and everything else."""
    return _png(np.maximum(picture.ids, 0).astype(np.uint16))


def depth_png(picture: Picture) -> bytes:
    """Millimetres along each pixel's ray."""
    millimetres = np.minimum(np.nan_to_num(picture.depth, posinf=1e9) * MILLIMETRES, FARTHEST)
    return _png(np.round(millimetres).astype(np.uint16))


ENCODERS: dict[str, Callable[[Picture], bytes]] = {"rgb": rgb_png, "ids": ids_png, "depth": depth_png}
"""By the folder that a file goes into."""


def _png(values: NDArray[np.uint8] | NDArray[np.uint16]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(values).save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def is_whole_png(path: Path) -> bool:
    """Whether a PNG file is there, with all its parts as they were written."""
    try:
        with Image.open(path, formats=["PNG"]) as picture:
            picture.verify()
    except (OSError, ValueError, SyntaxError):
        return False
    return True


_CHUNK = "tolman-caption"


def with_caption(png: bytes, words: str) -> bytes:
    """The same picture, with words in a text chunk of its file."""
    chunks = PngInfo()
    chunks.add_itxt(_CHUNK, words)
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.save(buffer, "PNG", pnginfo=chunks)
    return buffer.getvalue()


def caption_of(data: bytes) -> str:
    """The words in a picture's file; empty where there are none. Whatever the bytes are, it never raises."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            picture.load()
            return str(picture.info.get(_CHUNK, ""))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""
