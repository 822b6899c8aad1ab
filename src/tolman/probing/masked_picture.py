"""A picture of which it is known where things are."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class MaskedPicture:
    """A picture, the environment that it shows, and where the things in it are."""

    path: Path
    environment: str
    masks: Mapping[str, NDArray[np.bool_]]
