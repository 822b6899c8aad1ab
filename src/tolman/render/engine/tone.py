"""From light to the eight bits of a picture."""

import numpy as np
from numpy.typing import NDArray

EXPOSURE = 1.0
_SHOULDER = 0.75
"""Light up to which brightness is in proportion; beyond, it closes in on white."""


def to_srgb(light: NDArray[np.float32], exposure: float = EXPOSURE) -> NDArray[np.uint8]:
    """Eight bits a channel, sRGB. The same for every view, so that brightness can be compared."""
    linear = np.maximum(light.astype(np.float64) * exposure, 0)
    room = 1 - _SHOULDER
    soft = np.where(linear <= _SHOULDER, linear, 1 - room * np.exp(-(linear - _SHOULDER) / room))
    encoded = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * soft ** (1 / 2.4) - 0.055)
    return np.round(encoded * 255).astype(np.uint8)
