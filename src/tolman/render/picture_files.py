"""Pictures as files: colours and ids as PNG, depth as PNG of sixteen bits."""

import io
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

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
