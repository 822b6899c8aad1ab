"""Direction and distance labels of many displacements at once, directions of all pairs, and closeness of points, as
arrays.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tolman.core.bins import CardinalBin, DistanceBin, EgoBin, cardinal_bin, ego_relation, facing_label
from tolman.core.geometry import Heading, bearing

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

EGO, CARDINAL, DISTANCE = tuple(EgoBin), tuple(CardinalBin), tuple(DistanceBin)
"""Labels by index."""
BEYOND = EGO.index(EgoBin.BEYOND_FOV)
SMALLEST = 64
"""Least reach of a table in cells, so that most worlds share one."""
SAME = DISTANCE.index(DistanceBin.SAME)
FRONTLESS = -1
"""In place of the index of a heading, for a thing without a front."""
QUARTERS = {facing_label(Heading(quarter), Heading.NORTH): quarter for quarter in range(4)}
"""Quarter turns clockwise from an observer's heading to the front of a thing, by its facing."""


@dataclass(frozen=True, eq=False)
class LabelTables:
    """Labels of every displacement of up to `reach` cells along each axis; zero is in the middle of a table."""

    reach: int
    ego: Ints
    """Egocentric direction for an observer who faces north."""
    cardinal: Ints
    distance: Ints
    bearing: Floats
    """Clockwise degrees from north."""

    def seen(self, apart: Ints, heading: Ints | int) -> tuple[Ints, Ints]:
        """Direction and distance of displacements (rows of x, y) for an observer who faces `heading`."""
        x, y = self._clipped(to_ego(apart, heading))
        return self.ego[x, y], self.distance[x, y]

    def on_map(self, apart: Ints) -> tuple[Ints, Ints]:
        """Direction and distance of displacements, on a map with north up."""
        x, y = self._clipped(apart)
        return self.cardinal[x, y], self.distance[x, y]

    def bearings(self, apart: Ints) -> Floats:
        """Bearings of displacements in clockwise degrees from north."""
        x, y = self._clipped(apart)
        return self.bearing[x, y]

    def _clipped(self, apart: Ints) -> tuple[Ints, Ints]:
        """Indices into the tables. A displacement beyond their reach is shortened to about the same direction."""
        if np.abs(apart).max(initial=0) > self.reach:
            times = np.maximum(1, -(-np.abs(apart).max(axis=-1, keepdims=True) // self.reach))
            apart = np.trunc(apart / times).astype(np.int64)
        return apart[..., 0] + self.reach, apart[..., 1] + self.reach


def to_ego(apart: Ints, heading: Ints | int) -> Ints:
    """Displacements as (cells to the right, cells ahead) for an observer who faces `heading`."""
    x, y = apart[..., 0], apart[..., 1]
    sin, cos = np.array([0, 1, 0, -1])[heading], np.array([1, 0, -1, 0])[heading]
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)


def label_tables(reach: int) -> LabelTables:
    """Tables for displacements of at least up to `reach` cells."""
    return _label_tables(max(SMALLEST, 1 << (reach - 1).bit_length()))


@cache
def _label_tables(reach: int) -> LabelTables:
    side = range(-reach, reach + 1)
    number = {label: i for kinds in (EGO, CARDINAL, DISTANCE) for i, label in enumerate(kinds)}
    seen = [[ego_relation((x, y), Heading.NORTH) for y in side] for x in side]
    around = [[cardinal_bin(bearing(x, y)) for y in side] for x in side]
    return LabelTables(
        reach,
        np.array([[number[direction] for direction, _ in row] for row in seen]),
        np.array([[number[direction] for direction in row] for row in around]),
        np.array([[number[distance] for _, distance in row] for row in seen]),
        np.array([[bearing(x, y) for y in side] for x in side]),
    )


def pair_directions(cells: Ints, labels: LabelTables) -> Ints:
    """Direction labels of all pairs of names and the start, which is last; `cells` are (worlds, names, x and y)."""
    first, second = np.triu_indices(cells.shape[1] + 1, 1)
    points = np.concatenate([cells, np.zeros((len(cells), 1, 2), np.int64)], axis=1)
    return labels.on_map(points[:, first] - points[:, second])[0]


def closeness(error: Floats, scale: Floats) -> Floats:
    """exp(-error / scale); where the scale is 0, 1 for no error and else 0."""
    falling = np.exp(np.divide(-error, np.maximum(scale, 1e-12)))
    return np.asarray(np.where(scale > 0, falling, error == 0), np.float64)
