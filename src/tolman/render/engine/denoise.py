"""Taking out grain, with colour and normals of the first hit as guides: Open Image Denoise, on a CPU or a GPU."""

import importlib
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.errors import RenderError
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


_CUDA = 3
_FLOAT3 = 3
_BALANCED = 5
_PICTURES = ("color", "albedo", "normal", "output")


class GpuDenoiser:
    """Takes grain out of pictures of one size."""

    def __init__(self, device: Any, height: int, width: int) -> None:
        oidn: Any = importlib.import_module("pyoidn")
        self._shape, self._bytes = (height, width, 3), height * width * 12
        self._memory = {name: oidn.Buffer(device, self._bytes) for name in _PICTURES}
        self._filter = oidn.Filter(device, "RT")
        for name, buffer in self._memory.items():
            self._filter.set_image(name, buffer, _FLOAT3, width, height)
        self._filter.set_bool("hdr", True)
        self._filter.set_bool("cleanAux", True)
        self._filter.set_quality(_BALANCED)
        self._filter.commit()

    def __call__(self, colour: Floats, albedo: Floats, normals: Floats) -> Floats:
        """The picture without grain. All are height, width and three channels; linear light."""
        for name, values in zip(_PICTURES, (colour, albedo, normals), strict=False):
            self._memory[name].write(0, self._bytes, np.ascontiguousarray(values, np.float32).reshape(-1))
        self._filter.execute()
        clean = np.empty(self._shape, np.float32)
        self._memory["output"].read(0, self._bytes, clean.reshape(-1))
        return clean


@cache
def gpu_denoiser(height: int, width: int) -> GpuDenoiser | None:
    """A denoiser for pictures of a size; None where there is no GPU that can do it."""
    device = _device()
    return None if device is None else GpuDenoiser(device, height, width)


@cache
def _device() -> Any:
    oidn: Any = importlib.import_module("pyoidn")
    if not oidn.Device.is_cuda_available():
        return None
    device = oidn.Device(_CUDA)
    device.commit()
    return device if device.get_error() is None else None
