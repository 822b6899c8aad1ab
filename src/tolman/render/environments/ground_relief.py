"""Relief of the ground finer than its picture: leaf litter, sand, snow and asphalt, as normal maps that repeat."""

from collections.abc import Callable

import numpy as np

from tolman.core.seeds import rng
from tolman.render.building.relief import Floats, Stream, clouds, grid, relief
from tolman.render.shapes.mesh import Texture

RELIEF_METRES = 3.0
"""Metres after which it repeats."""


def leaf_litter(stream: Stream) -> Floats:
    """Fallen leaves, twigs and moss; metres."""
    return 0.011 * clouds(stream, 30, 3) + 0.014 * clouds(stream, 8, 2)


def sand(stream: Stream) -> Floats:
    """Ripples of the wind, 13 cm from crest to crest, and grains."""
    down, across = grid()
    along, aside = ((22, 8), (9, 21), (-20, 11))[int(stream.integers(3))]
    wave = np.sin(2 * np.pi * (along * across + aside * down) + 3.2 * clouds(stream, 3, 2))
    return 0.006 * wave * (0.7 + 0.3 * clouds(stream, 4, 2)) + 0.002 * clouds(stream, 90, 1)


def snow(stream: Stream) -> Floats:
    """Soft heaps and a crust."""
    return 0.016 * clouds(stream, 9, 3) + 0.003 * clouds(stream, 70, 1)


def asphalt(stream: Stream) -> Floats:
    """Chippings, and the wear of wheels."""
    return 0.0035 * clouds(stream, 110, 1) + 0.003 * clouds(stream, 10, 2)


def ground_relief(kind: Callable[[Stream], Floats], seed: int) -> Texture:
    """The relief of an environment's ground."""
    return relief(kind(rng(seed, "ground relief", kind.__name__)), RELIEF_METRES)
