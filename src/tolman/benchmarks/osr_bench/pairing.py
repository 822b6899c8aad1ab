"""Objects of one class paired with stated ones so that distances add up to least, in many orientations at once."""

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import scipy.optimize

from tolman.benchmarks.osr_bench.grid_map import Place

Distances = tuple[float, ...]
"""Cells between the objects of each pair."""
Orientation = tuple[tuple[int, int, int], tuple[int, int, int]]
"""How often the old row, the old column and the last row go into the new row, and the same for the new column."""
TURNS: tuple[Orientation, ...] = (
    ((1, 0, 0), (0, 1, 0)),
    ((0, 1, 0), (-1, 0, 1)),
    ((-1, 0, 1), (0, -1, 1)),
    ((0, -1, 1), (1, 0, 0)),
)
"""Clockwise quarter turns of a grid."""
MIRRORED_TURNS: tuple[Orientation, ...] = (
    ((1, 0, 0), (0, -1, 1)),
    ((0, -1, 1), (-1, 0, 1)),
    ((-1, 0, 1), (0, 1, 0)),
    ((0, 1, 0), (1, 0, 0)),
)
"""The same after left and right are exchanged."""
_assigned = cast("Any", scipy.optimize).linear_sum_assignment


def paired(there: Sequence[Place], stated: Sequence[Place], turns: Sequence[Orientation], last: int) -> list[Distances]:
    """The distances of all pairs, for each orientation of what is stated; `last` is the number of the last row."""
    if len(there) == 1 or len(stated) == 1:
        return [(math.sqrt(_least(there, stated, turn, last)),) for turn in turns]
    turned = np.einsum("tij,nj->tni", np.array(turns), np.array([(*at, last) for at in stated]))
    costs = np.sqrt(np.square(np.array(there)[None, :, None] - turned[:, None]).sum(axis=3))
    return [tuple(cost[_assigned(cost)].tolist()) for cost in costs]


def _least(there: Sequence[Place], stated: Sequence[Place], turn: Orientation, last: int) -> int:
    """The square of the least distance: where one side has one object, only one pair is made."""
    (a, b, c), (d, e, f) = turn
    turned = [(a * row + b * column + c * last, d * row + e * column + f * last) for row, column in stated]
    return min((row - r) ** 2 + (column - c) ** 2 for row, column in turned for r, c in there)
