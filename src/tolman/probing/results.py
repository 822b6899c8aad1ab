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
    """Back from JSON."""
    made = (SeedResult(**cast("Any", result)) for result in stored)
    return tuple(replace(result, grid=tuple(result.grid)) for result in made)
