"""A stated map laid over the truth: which object is meant by which, what is invented, and what is missed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import scipy.optimize

from tolman.benchmarks.osr_bench.grid_map import GridMap, Place
from tolman.benchmarks.osr_bench.map_reading import Stated
from tolman.benchmarks.osr_bench.map_scores import NEAR
from tolman.benchmarks.osr_bench.pairing import TURNS

Verdict = Literal["found", "far", "extra", "invented"]
"""Near the object that is meant; too far from it; one too many of its class; or of a class that is not there."""
_assigned = cast("Any", scipy.optimize).linear_sum_assignment


@dataclass(frozen=True)
class Meant:
    """One stated object, turned as the whole map is."""

    name: str
    place: Place
    """Perhaps beyond the grid."""
    verdict: Verdict
    partner: int | None = None
    """The object that is meant, by its number among `objects_of`."""
    distance: float | None = None
    """From it, in cells."""


def objects_of(truth: GridMap) -> list[tuple[str, Place]]:
    """All objects of a room, class by class."""
    return [(name, place) for name, places in truth.instances.items() for place in places]


def matched(truth: GridMap, stated: Stated, quarters: int) -> list[Meant]:
    """Every stated object with what it means, the map turned clockwise by quarter turns; pairs add up to least."""
    numbers: dict[str, list[int]] = {}
    for number, (name, _) in enumerate(objects_of(truth)):
        numbers.setdefault(name, []).append(number)
    found: list[Meant] = []
    for name, places in stated.items():
        turned = [_turned(place, quarters, truth.size - 1) for place in places]
        pairs = _pairs(truth.instances.get(name, []), turned)
        for i, place in enumerate(turned):
            if i in pairs:
                j, distance = pairs[i]
                verdict: Verdict = "found" if distance <= NEAR else "far"
                found.append(Meant(name, place, verdict, numbers[name][j], distance))
            else:
                found.append(Meant(name, place, "extra" if name in numbers else "invented"))
    return found


def _pairs(there: Sequence[Place], stated: Sequence[Place]) -> dict[int, tuple[int, float]]:
    """By number of the stated object, that of the one in the room and the distance."""
    if not there or not stated:
        return {}
    costs = np.linalg.norm(np.array(stated, float)[:, None] - np.array(there, float)[None], axis=2)
    rows, columns = _assigned(costs)
    return {int(i): (int(j), float(costs[i, j])) for i, j in zip(rows, columns, strict=True)}


def _turned(place: Place, quarters: int, last: int) -> Place:
    (a, b, c), (d, e, f) = TURNS[quarters % 4]
    row, column = place
    return a * row + b * column + c * last, d * row + e * column + f * last
