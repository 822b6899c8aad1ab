"""Light as the engine takes and gives it: the sky as a picture of light, and from light to the eight bits of a picture.

Columns run clockwise: the second quarter begins in the east. Values are linear light, not limited; the last row is
straight down.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.engine.surfaces import engine_floats
from tolman.render.engine.variant import mitsuba

SKY = "sky"
"""Its name in a scene of the engine."""


def dome(light: NDArray[np.float32]) -> dict[str, Any]:
    """The description of a sky."""
    mi = mitsuba()
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    return {"type": "envmap", "bitmap": mi.Bitmap(np.ascontiguousarray(light)), "to_world": upright}


def change_dome(values: Any, light: NDArray[np.float32]) -> None:
    """Give a scene's traversed `values` another sky of the same size.

    The engine has the last column before the first one as well, and the first one after the last.
    """
    key = f"{SKY}.data"
    closed = np.concatenate([light[:, -1:], light, light[:, :1]], axis=1)
    values[key] = type(values[key])(engine_floats(closed), closed.shape)


EXPOSURE = 1.0
_SHOULDER = 0.75
"""Light up to which brightness is in proportion; beyond, it closes in on white."""
_FINE = 32768
_WHITEST = 4


def to_srgb(light: NDArray[np.float32], exposure: float = EXPOSURE) -> NDArray[np.uint8]:
    """Eight bits a channel, sRGB. The same for every view, so that brightness can be compared."""
    steps = _steps()
    at = np.clip(light * np.float32(exposure * _FINE), 0, len(steps) - 1)
    return steps[at.astype(np.uint32)]


@cache
def _steps() -> NDArray[np.uint8]:
    """Eight bits for light in steps of a `_FINE`th, up to where all is white: finer than eight bits can tell."""
    linear = np.arange(_WHITEST * _FINE, dtype=np.float64) / _FINE
    room = 1 - _SHOULDER
    soft = np.where(linear <= _SHOULDER, linear, 1 - room * np.exp(-(linear - _SHOULDER) / room))
    encoded = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * soft ** (1 / 2.4) - 0.055)
    return np.round(encoded * 255).astype(np.uint8)
