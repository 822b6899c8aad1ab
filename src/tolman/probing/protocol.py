"""The probing protocol without torch: kinds of heads, training settings of the paper and the release, data splits,
and stored results.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import SettingsError, UnknownNameError

HeadName = Literal["linear", "abmilp", "efficient", "cls"]
EVERY_HEAD: tuple[HeadName, ...] = get_args(HeadName)
HEADS: tuple[HeadName, ...] = ("linear", "abmilp", "efficient")
"""Those of the paper's tables; `cls` is a linear head on [CLS] alone."""


ProtocolName = Literal["paper", "released"]


@dataclass(frozen=True)
class GridPoint:
    """One setting of what is searched for."""

    rate: float
    """Of learning."""
    dropout: float


@dataclass(frozen=True)
class Protocol:
    """A way to train a head."""

    name: ProtocolName
    head: HeadName
    epochs: int
    warm_up: int
    """Epochs in which the rate of learning rises."""
    rates: tuple[float, ...]
    dropouts: tuple[float, ...]
    split: tuple[float, float]
    """Shares for validation and test; the rest is for training."""
    scoring_layers: int
    selects: bool
    """Whether the setting is chosen by validation; else there is just one, and the last epoch counts."""
    weight_decay: float = 1e-3
    batch: int = 256
    seeds: tuple[int, ...] = (8, 42)

    @property
    def grid(self) -> tuple[GridPoint, ...]:
        return tuple(GridPoint(rate, dropout) for rate, dropout in product(self.rates, self.dropouts))


def find_protocol(name: str, head: HeadName, viewpoint: str = "ego") -> Protocol:
    """The protocol called `paper` or `released`, for a kind of head."""
    if name == "paper":
        epochs, warm_up = (1000, 200) if head == "linear" else (500, 100)
        return Protocol(
            "paper", head, epochs, warm_up, (1e-2, 1e-3, 1e-4), (0.2, 0.4, 0.6), (0.1, 0.1), 2, selects=True
        )
    if name == "released":
        ego = viewpoint == "ego"
        epochs = 1000 if head == "linear" else 400 if ego else 500
        warm_up = (250 if ego else 100) if head == "linear" else (100 if ego else 50)
        return Protocol("released", head, epochs, warm_up, (1e-3,), (0.5,), (0.2, 0.1), 1, selects=False)
    raise UnknownNameError(f"there is no protocol {name!r}; choose paper or released")


def rate_at(step: int, warm_up: int, total: int) -> float:
    """The share of the full rate of learning: it rises in a line, then falls along a quarter of a cosine."""
    if step <= warm_up:
        return 0.01 + 0.99 * step / max(warm_up, 1)
    return 0.01 + 0.99 * math.cos(math.pi / 2 * (step - warm_up) / max(total - warm_up, 1))


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


@dataclass(frozen=True)
class SeedResult:
    """What one seed gave. Shares of pictures that were right, from 0 to 1."""

    seed: int
    rate: float
    dropout: float
    validation: float
    test: float
    balanced: float
    """The mean over classes of the share that was right in the test."""
    training_pictures: int
    test_pictures: int
    grid: tuple[float, ...]
    """Validation of all grid points, in their order."""
    majority: float | None = None
    """The share of test pictures with the commonest label: what saying the same always is worth. None where results
    are so old that nobody counted."""


def stored_results(results: Sequence[SeedResult]) -> list[dict[str, object]]:
    """As JSON keeps them."""
    return [asdict(result) for result in results]


def read_results(stored: Sequence[Mapping[str, object]]) -> tuple[SeedResult, ...]:
    """Back from JSON; ValueError or TypeError where a number is none."""
    made = (SeedResult(**cast("Any", result)) for result in stored)
    return tuple(_checked(replace(result, grid=tuple(result.grid))) for result in made)


def _checked(result: SeedResult) -> SeedResult:
    shares = (result.validation, result.test, result.balanced, *result.grid)
    if not all(0 <= float(value) <= 1 for value in (*shares, result.majority or 0)):
        raise ValueError(f"shares are {shares}")
    return replace(result, training_pictures=int(result.training_pictures), test_pictures=int(result.test_pictures))
