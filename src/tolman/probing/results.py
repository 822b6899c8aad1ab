"""What came of training a head, and how it is kept. Read without torch."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast


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
