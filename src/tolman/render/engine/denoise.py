"""Taking out grain, with colour and normals of the first hit as guides: Open Image Denoise."""

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.errors import RenderError
from tolman.render.engine.gpu_denoise import gpu_denoiser
from tolman.render.engine.variant import variant

Floats = NDArray[np.float32]


def denoise(colour: Floats, albedo: Floats, normals: Floats) -> Floats:
    """The picture without grain. All are height, width and three channels; linear light, albedo in [0, 1]."""
    try:
        oidn: Any = importlib.import_module("pyoidn")
    except (ImportError, OSError):
        raise RenderError("taking out grain needs Open Image Denoise: pip install 'tolman[render]'") from None
    on_gpu = gpu_denoiser(*colour.shape[:2]) if variant() == "cuda_ad_rgb" else None
    if on_gpu is not None:
        return on_gpu(colour, albedo, normals)
    return oidn.denoise(colour, albedo, normals, hdr=True, clean_aux=True, quality="balanced")
