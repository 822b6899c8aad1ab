"""Taking out grain, with colour and normals of the first hit as guides: Open Image Denoise."""

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.errors import RenderError

Floats = NDArray[np.float32]


def denoise(colour: Floats, albedo: Floats, normals: Floats) -> Floats:
    """The picture without grain. All are height, width and three channels; linear light."""
    try:
        oidn: Any = importlib.import_module("pyoidn")
    except (ImportError, OSError):
        raise RenderError("taking out grain needs Open Image Denoise: pip install 'tolman[render]'") from None
    return oidn.denoise(
        colour, np.clip(albedo, 0, 1), np.clip(normals, -1, 1), hdr=True, clean_aux=True, quality="balanced"
    )
