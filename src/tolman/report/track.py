"""How long work is followed: who reads many logs says how far it has come."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """Goes through things and shows how far it has come."""

    def __call__(self, things: Sequence[T], description: str) -> Iterable[T]: ...


def silently(things: Sequence[T], description: str) -> Iterable[T]:
    """Go through things without a word."""
    del description
    return things
