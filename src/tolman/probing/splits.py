"""Which pictures train, which choose, and which are looked at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.errors import SettingsError

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Split:
    """Numbers of pictures, none in two parts."""

    train: Indices
    validation: Indices
    test: Indices


def split_of(kept: Indices, seed: int, validation: float, test: float) -> Split:
    """A split by seed, as released: shuffled, validation first, test last, training between."""
    shuffled = kept[np.random.RandomState(seed).permutation(len(kept))]
    first, last = int(validation * len(kept)), int(test * len(kept))
    if not first or not last or first + last >= len(kept):
        raise SettingsError(f"{len(kept)} pictures are too few to train, choose and test with")
    return Split(shuffled[first : len(kept) - last], shuffled[:first], shuffled[len(kept) - last :])
