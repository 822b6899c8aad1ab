"""What files of built-in assets are written with: the registry of builder functions, and draws from a random stream."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from tolman.render.shapes.mesh import Asset, Mesh

Stream = np.random.Generator
AssetBuilder = Callable[[Stream], Asset]

ASSET_BUILDERS: dict[str, AssetBuilder] = {}
"""By kind. A maker draws all its choices from the stream that it is given, so that a seed decides them."""


def register_asset(kind: str) -> Callable[[AssetBuilder], AssetBuilder]:
    """Enters a function into the table of makers."""

    def entered(maker: AssetBuilder) -> AssetBuilder:
        ASSET_BUILDERS[kind] = maker
        return maker

    return entered


def asset_from_parts(*parts: Mesh | Iterable[Mesh]) -> Asset:
    """A model from meshes and lists of meshes."""
    meshes: list[Mesh] = []
    for part in parts:
        meshes.extend([part] if isinstance(part, Mesh) else part)
    return Asset(tuple(meshes))


T = TypeVar("T")


def pick(stream: np.random.Generator, *options: T) -> T:
    """One of the options."""
    return options[int(stream.integers(len(options)))]


def between(stream: np.random.Generator, low: float, high: float) -> float:
    """A number from low to high."""
    return float(stream.uniform(low, high))


def whole_number(stream: np.random.Generator, low: int, high: int) -> int:
    """A whole number from low to high, both included."""
    return int(stream.integers(low, high + 1))
