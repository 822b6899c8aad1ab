"""Registry of the functions that build built-in assets, and random draws for them."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

import numpy as np

from tolman.render.shapes.mesh import Asset, Mesh

Stream = np.random.Generator
AssetBuilder = Callable[[Stream], Asset]

ASSET_BUILDERS: dict[str, AssetBuilder] = {}
"""By kind. A builder makes all its random choices with the stream that it is given."""


def register_asset(kind: str) -> Callable[[AssetBuilder], AssetBuilder]:
    """Decorator that registers the builder of a kind."""

    def register(builder: AssetBuilder) -> AssetBuilder:
        ASSET_BUILDERS[kind] = builder
        return builder

    return register


Parts: TypeAlias = "Mesh | Iterable[Parts]"
"""A mesh, or parts."""


def asset_from_parts(*parts: Parts) -> Asset:
    """An asset from meshes, lists of meshes, and lists of such lists."""
    return Asset(tuple(_meshes_in(parts)))


def _meshes_in(parts: Parts) -> Iterator[Mesh]:
    if isinstance(parts, Mesh):
        yield parts
    else:
        for part in parts:
            yield from _meshes_in(part)


T = TypeVar("T")


def pick(stream: np.random.Generator, *options: T) -> T:
    """A random one of the options."""
    return options[int(stream.integers(len(options)))]


def between(stream: np.random.Generator, low: float, high: float) -> float:
    """A random number from low to high."""
    return float(stream.uniform(low, high))


def whole_number(stream: np.random.Generator, low: int, high: int) -> int:
    """A random integer from low to high, both included."""
    return int(stream.integers(low, high + 1))
