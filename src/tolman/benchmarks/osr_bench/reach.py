"""How the closest object of every class lies from every object that is alone of its class: all at once, as arrays."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.osr_bench.grid_map import GridMap

_BEYOND_A_CIRCLE = 7.0


@dataclass(frozen=True)
class Reach:
    """One row for each place to ask from, one column for each class; both in the map's order."""

    places: tuple[str, ...]
    """Classes of one object each."""
    classes: tuple[str, ...]
    own: NDArray[np.int64]
    """The column of each place's own class."""
    steps: NDArray[np.int64]
    """Rows and columns to the closest object; of equally close ones to the first clockwise from the right."""
    squared: NDArray[np.int64]
    """Squares of the distances in cells."""
    tied: NDArray[np.bool_]
    """Whether another object of the class is as close."""


@lru_cache(maxsize=16)
def reach(world: GridMap) -> Reach:
    """The ways within a map. The standard and the negative questions of a room both ask for them."""
    classes = world.classes
    places = tuple(name for name in classes if world.counts[name] == 1)
    cells = [cell for name in classes for cell in world.places[name]]
    if not places:
        none = np.zeros((0, len(classes)), np.int64)
        return Reach(places, classes, np.zeros(0, np.int64), np.stack([none, none], axis=2), none, none > 0)
    own = np.array([classes.index(name) for name in places], np.int64)
    origins = np.array([world.places[name][0] for name in places], np.int64).reshape(-1, 1, 2)
    steps = np.array(cells, np.int64).reshape(1, -1, 2) - origins
    squared = np.square(steps).sum(axis=2)
    lengths = [len(world.places[name]) for name in classes]
    first, owner = np.cumsum([0, *lengths[:-1]]), np.repeat(np.arange(len(classes)), lengths)
    keys = squared + np.arctan2(steps[..., 0], steps[..., 1]) % (2 * np.pi) / _BEYOND_A_CIRCLE
    is_closest = keys == np.minimum.reduceat(keys, first, axis=1)[:, owner]
    closest = np.add.reduceat(np.where(is_closest, np.arange(len(cells)), 0), first, axis=1)
    rows = np.arange(len(places))[:, None]
    least = squared[rows, closest]
    tied = np.add.reduceat(squared == least[:, owner], first, axis=1, dtype=np.int64) > 1
    return Reach(places, classes, own, steps[rows, closest], least, tied)
