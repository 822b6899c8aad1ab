"""What surfaces look like. Plain values; the engine turns them into its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""Red, green and blue in [0, 1], linear light."""
Image = NDArray[np.uint8]
"""Height, width and red, green, blue; sRGB. The first row is at v = 1, as pictures are drawn."""


@dataclass(frozen=True, eq=False)
class Texture:
    """A picture that repeats over a surface once for each unit of its texture coordinates."""

    image: Image


@dataclass(frozen=True, eq=False)
class Material:
    """A surface, lit alike from both sides."""

    colour: Colour | Texture
    roughness: float = 0.6
    """0 is a mirror, 1 is chalk."""
    metallic: float = 0.0
    clear: float = 0.0
    """Share of light that goes straight through: 0 for all but glass."""
    glow: float = 0.0
    """Light that it gives off by itself, in watts per square metre and steradian times its colour."""


def srgb(code: str) -> Colour:
    """The linear colour of a code such as `#c8372d`."""
    parts = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue
