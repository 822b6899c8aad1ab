"""A picture with object masks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class MaskedPicture:
    """A picture, its environment, and the masks of the objects in it by name."""

    path: Path
    environment: str
    masks: Mapping[str, NDArray[np.bool_]]
