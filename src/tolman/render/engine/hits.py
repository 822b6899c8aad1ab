"""What rays meet."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ids = NDArray[np.int32]

NOTHING = -1
"""Id of pixels in which there is nothing at all."""


@dataclass(frozen=True, eq=False)
class Hits:
    """What the ray through the middle of each pixel meets first. All of one height and width."""

    depth: Floats
    """Metres along the ray through the middle of the pixel; infinite where there is nothing."""
    ids: Ids
    """Number of the thing or door in the middle of the pixel, 0 for the building."""
    normals: Floats
    """East, north, up, of length 1; zero where there is nothing."""
