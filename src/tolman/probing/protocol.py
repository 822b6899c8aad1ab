"""The probing protocol, without torch: kinds of heads, training settings of the paper and of the release, data splits,
and stored results.
"""

import math
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import SettingsError, UnknownNameError
from tolman.probing import heads

HeadName = str
"""The name of a kind of head: that of its module in `probing/heads`."""
HEADS: tuple[HeadName, ...] = ("linear", "abmilp", "efficient")
"""The heads of the paper's tables, which `all` stands for. Other heads are trained only where they are named."""
PUBLISHED_HEADS: tuple[HeadName, ...] = (*HEADS, "cls")
"""All heads of the paper, in the order of tables; `cls` is a linear head on [CLS] alone."""


def heads_in_order(names: Iterable[HeadName]) -> list[HeadName]:
    """Each head once: the published ones in the order of tables, then others by name."""
    named = set(names)
    return [*(head for head in PUBLISHED_HEADS if head in named), *sorted(named - set(PUBLISHED_HEADS))]


def head_names() -> list[HeadName]:
    """Names of all heads that have a module; the modules, which need torch, are not imported."""
    return heads_in_order(module.name for module in pkgutil.iter_modules(heads.__path__))


def is_head_name(name: object) -> bool:
    """Whether a head may have that name. Results of heads that are not installed here can be read."""
    return isinstance(name, str) and name.isascii() and name.isidentifier()


Progress = Callable[[int, int], None]
"""Called with the number of items (pictures or epochs) done, and in total."""


ProtocolName = Literal["paper", "released"]
WeightsChoice = Literal["last", "epoch"]
"""Which weights of a training are validated and tested: those after the last epoch, or after the epoch that is best in
validation (of ties the first)."""


@dataclass(frozen=True)
class GridPoint:
    """One point of the hyperparameter grid."""

    rate: float
    """Learning rate."""
    dropout: float


@dataclass(frozen=True)
class Protocol:
    """Training settings of a head."""

    name: ProtocolName
    head: HeadName
    epochs: int
    warm_up: int
    """Epochs of learning rate warm-up."""
    rates: tuple[float, ...]
    dropouts: tuple[float, ...]
    split: tuple[float, float]
    """Shares for validation and test; the rest is for training."""
    scoring_layers: int
    selects: bool
    """Whether the grid point is selected by validation; else there is only one."""
    weight_decay: float = 1e-3
    batch: int = 256
    seeds: tuple[int, ...] = (8, 42)
    select: WeightsChoice = "last"

    def as_dict(self) -> dict[str, object]:
        """Plain values, as cells are named by; `select` only where it is not the usual one."""
        values = asdict(self)
        return {name: value for name, value in values.items() if (name, value) != ("select", "last")}

    @property
    def grid(self) -> tuple[GridPoint, ...]:
        return tuple(GridPoint(rate, dropout) for rate, dropout in product(self.rates, self.dropouts))


def find_protocol(name: str, head: HeadName, viewpoint: str = "ego") -> Protocol:
    """The protocol `paper` or `released` for a kind of head. Heads that the paper lacks are trained as AbMILP."""
    is_linear = head in {"linear", "cls"}
    if name == "paper":
        epochs, warm_up = (1000, 200) if is_linear else (500, 100)
        return Protocol(
            "paper", head, epochs, warm_up, (1e-2, 1e-3, 1e-4), (0.2, 0.4, 0.6), (0.1, 0.1), 2, selects=True
        )
    if name == "released":
        ego = viewpoint == "ego"
        epochs = 1000 if is_linear else 400 if ego else 500
        warm_up = (250 if ego else 100) if is_linear else (100 if ego else 50)
        return Protocol("released", head, epochs, warm_up, (1e-3,), (0.5,), (0.2, 0.1), 1, selects=False)
    raise UnknownNameError(f"there is no protocol {name!r}; choose paper or released")


def rate_at(step: int, warm_up: int, total: int) -> float:
    """The factor on the learning rate: linear warm-up, then decay along a quarter of a cosine."""
    if step <= warm_up:
        return 0.01 + 0.99 * step / max(warm_up, 1)
    return 0.01 + 0.99 * math.cos(math.pi / 2 * (step - warm_up) / max(total - warm_up, 1))


Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Split:
    """Indices of pictures; the parts are disjoint."""

    train: Indices
    validation: Indices
    test: Indices


def split_of(kept: Indices, seed: int, validation: float, test: float) -> Split:
    """A split by seed, as released: shuffled, validation first, test last, training between."""
    shuffled = kept[np.random.RandomState(seed).permutation(len(kept))]
    first, last = int(validation * len(kept)), int(test * len(kept))
    if not first or not last or first + last >= len(kept):
        raise SettingsError(f"{len(kept)} pictures are too few for training, validation and test")
    return Split(shuffled[first : len(kept) - last], shuffled[:first], shuffled[len(kept) - last :])


@dataclass(frozen=True)
class SeedResult:
    """The result of one seed. Accuracies are in [0, 1]."""

    seed: int
    rate: float
    dropout: float
    validation: float
    test: float
    balanced: float
    """Mean test accuracy over classes."""
    training_pictures: int
    test_pictures: int
    grid: tuple[float, ...]
    """Validation accuracy of all grid points, in order."""
    majority: float | None = None
    """Share of test pictures with the most frequent label, the accuracy of a constant answer. None in old results."""
    epoch: int | None = None
    """After which the tested weights were taken, from 1; None for the last."""

    def as_dict(self) -> dict[str, object]:
        """Plain values; `epoch` only where one was selected."""
        values = asdict(self)
        return {name: value for name, value in values.items() if (name, value) != ("epoch", None)}


def stored_results(results: Sequence[SeedResult]) -> list[dict[str, object]]:
    """Results as JSON values."""
    return [result.as_dict() for result in results]


def read_results(stored: Sequence[Mapping[str, object]]) -> tuple[SeedResult, ...]:
    """Results from JSON values; raises ValueError or TypeError for invalid ones."""
    made = (SeedResult(**cast("Any", result)) for result in stored)
    return tuple(_checked(replace(result, grid=tuple(result.grid))) for result in made)


def _checked(result: SeedResult) -> SeedResult:
    shares = (result.validation, result.test, result.balanced, *result.grid)
    if not all(0 <= float(value) <= 1 for value in (*shares, result.majority or 0)):
        raise ValueError(f"accuracies outside [0, 1]: {shares}")
    return replace(result, training_pictures=int(result.training_pictures), test_pictures=int(result.test_pictures))
