"""From a room to its map: the grid lies over the box around the room's layout, with cells as wide as they are high."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from tolman.benchmarks.osr_bench.grid_map import SIZE, GridMap, Place, from_instances

Point = tuple[float, float]
"""Metres in a frame seen from above: x to the right, y up."""
Handedness = Literal["true", "released"]


def chart(
    layout: Sequence[Point],
    objects: Iterable[tuple[str, Point]],
    *,
    size: int = SIZE,
    handedness: Handedness = "true",
) -> GridMap:
    """The map of objects in a room with corners at `layout`; what lies outside goes to the nearest cell at the border.

    `released` gives the mirror image, as the authors' maps are.
    """
    place = charted(layout, size=size, handedness=handedness)
    instances: dict[str, list[Place]] = {}
    for name, point in objects:
        instances.setdefault(name, []).append(place(point))
    return from_instances(instances, size)


class charted:  # noqa: N801 - reads as a function of a layout that gives a function of points
    """Where points of a room come to lie on its grid."""

    def __init__(self, layout: Sequence[Point], *, size: int = SIZE, handedness: Handedness = "true") -> None:
        xs, ys = zip(*layout, strict=True)
        self.west, self.east, self.north = min(xs), max(xs), max(ys)
        self.side = max(self.east - self.west, self.north - min(ys)) / size
        """Metres along a cell."""
        self.size, self.handedness = size, handedness

    def __call__(self, point: Point) -> Place:
        x, y = point
        right = x - self.west if self.handedness == "true" else self.east - x
        return self._cell(self.north - y), self._cell(right)

    def _cell(self, metres: float) -> int:
        return min(max(math.floor(metres / self.side), 0), self.size - 1)
