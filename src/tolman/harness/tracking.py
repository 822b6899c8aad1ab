"""How long-running work reports warnings and progress."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")

Tell = Callable[[str], None]
"""Prints one line of warning."""


class Track(Protocol):
    """Iterates over things and shows the progress."""

    def __call__(self, things: Sequence[T], description: str) -> Iterable[T]: ...


def untracked(things: Sequence[T], description: str) -> Iterable[T]:
    """Iterate without showing progress."""
    del description
    return things
