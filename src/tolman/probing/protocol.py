"""How heads are trained: the paper's Table 2, or what the released code does."""

import math
from dataclasses import dataclass
from itertools import product
from typing import Literal

from tolman.errors import UnknownNameError
from tolman.probing.head_names import HeadName

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
