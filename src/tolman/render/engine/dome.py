"""The sky as a picture of light: twice as wide as high, the first row straight up, the first column due north.

Columns run clockwise: the second quarter begins in the east. Values are linear light, not limited; the last row is
straight down.
"""

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
