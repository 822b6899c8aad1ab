"""Values that belong together."""

from collections.abc import Callable, Hashable, Iterable
from operator import itemgetter
from typing import TypeVar

T = TypeVar("T")
V = TypeVar("V")
K = TypeVar("K", bound=Hashable)


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The items by key, in order; keys in the order in which they first occur."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def gathered(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key, in order; keys in the order in which they first occur."""
    return {key: [value for _, value in found] for key, found in grouped(pairs, itemgetter(0)).items()}
