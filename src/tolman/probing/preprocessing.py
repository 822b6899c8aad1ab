"""From a file to what encoders are given: RGB, bicubic to 224 by 224 with no crop, ImageNet's mean and spread.

All encoders get the same, also those that were trained on other values, as published.
"""

import hashlib
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError
from torch import Tensor

from tolman.errors import SceneFileError

SIDE = 224
PREPROCESSING = "RGB, bicubic 224, ImageNet"
MEAN = (0.485, 0.456, 0.406)
SPREAD = (0.229, 0.224, 0.225)
Pixels = NDArray[np.uint8]


def read_picture(path: Path) -> tuple[Pixels, str]:
    """Pixels of a picture at 224 by 224 (rows, columns, colours), and the SHA-256 of its file."""
    try:
        stored = path.read_bytes()
        with Image.open(BytesIO(stored)) as picture:
            ready = picture.convert("RGB")
            if ready.size != (SIDE, SIDE):
                ready = ready.resize((SIDE, SIDE), Image.Resampling.BICUBIC)
            return np.array(ready), hashlib.sha256(stored).hexdigest()
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise SceneFileError(f"{path} is no picture that can be read ({type(error).__name__})") from None


def normalised(pixels: Tensor) -> Tensor:
    """Bytes (pictures, rows, columns, colours) as encoders take them: pictures, colours, rows, columns."""
    mean, spread = _mean_and_spread(pixels.device)
    return (pixels.permute(0, 3, 1, 2).float() / 255 - mean) / spread


@cache
def _mean_and_spread(device: torch.device) -> tuple[Tensor, Tensor]:
    """Brought to a device once: a GPU is waited for whenever numbers are brought to it."""
    return torch.tensor(MEAN, device=device).view(3, 1, 1), torch.tensor(SPREAD, device=device).view(3, 1, 1)
