"""Cognitive maps on a grid: which classes of objects lie in which cells (row 0 at the top, column 0 at the left),
and how the floor of a room is laid on the grid.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tolman.core.errors import SceneFileError

GRID_SIZE = 10
"""Cells along a side, as published."""
GridCell = tuple[int, int]
"""Row and column."""
Cells = tuple[tuple[tuple[str, ...], ...], ...]


@dataclass(frozen=True)
class GridMap:
    """Objects in the cells of a square grid. A cell holds any number, of one class or several."""

    cells: Cells

    def __post_init__(self) -> None:
        if not self.cells or any(len(row) != len(self.cells) for row in self.cells):
            raise SceneFileError("a map is a square of cells")

    @property
    def size(self) -> int:
        """Cells along a side."""
        return len(self.cells)

    @cached_property
    def instances(self) -> dict[str, list[GridCell]]:
        """Cells of the objects of each class, row by row; a cell is repeated for each object in it."""
        found: dict[str, list[GridCell]] = {}
        for row, line in enumerate(self.cells):
            for column, names in enumerate(line):
                for name in names:
                    found.setdefault(name, []).append((row, column))
        return found

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of objects of each class, in row-by-row order of first occurrence."""
        return {name: len(places) for name, places in self.instances.items()}

    @cached_property
    def places(self) -> dict[str, list[GridCell]]:
        """Distinct cells that hold a class, row by row."""
        return {name: list(dict.fromkeys(places)) for name, places in self.instances.items()}

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.counts)

    def turned(self, quarters: int) -> "GridMap":
        """Turned clockwise by quarter turns."""
        cells = self.cells
        for _ in range(quarters % 4):
            cells = tuple(tuple(line) for line in zip(*reversed(cells), strict=True))
        return GridMap(cells)

    @property
    def mirrored(self) -> "GridMap":
        """Left and right exchanged."""
        return GridMap(tuple(tuple(reversed(line)) for line in self.cells))

    @property
    def as_lists(self) -> list[list[list[str]]]:
        """As the authors store it."""
        return [[list(names) for names in line] for line in self.cells]

    @property
    def as_coordinates(self) -> dict[str, list[list[int]]]:
        """In the reply format: [column, row] pairs of each class."""
        return {name: [[column, row] for row, column in places] for name, places in self.instances.items()}


def map_from_lists(value: object) -> GridMap:
    """A map as the authors store it: rows of cells of names."""
    rows = _list(value)
    return GridMap(tuple(tuple(tuple(_name(n) for n in _list(cell)) for cell in _list(row)) for row in rows))


def map_from_instances(instances: Mapping[str, Iterable[GridCell]], size: int = GRID_SIZE) -> GridMap:
    """A map from the cells of each class; cells outside the grid are left out."""
    cells: list[list[list[str]]] = [[[] for _ in range(size)] for _ in range(size)]
    for name, places in instances.items():
        for row, column in places:
            if 0 <= row < size and 0 <= column < size:
                cells[row][column].append(name)
    return GridMap(tuple(tuple(tuple(names) for names in line) for line in cells))


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise SceneFileError("a map is a list of rows, a row a list of cells, and a cell a list of names")
    return value  # pyright: ignore[reportUnknownVariableType]


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise SceneFileError(f"a class is a name, not {value!r}")
    return value


Point = tuple[float, float]
"""Metres in a frame seen from above: x to the right, y up."""
Handedness = Literal["true", "released"]


def map_of_room(
    layout: Sequence[Point],
    objects: Iterable[tuple[str, Point]],
    *,
    size: int = GRID_SIZE,
    handedness: Handedness = "true",
) -> GridMap:
    """The map of objects in a room with corners at `layout`; objects outside go to the nearest border cell.

    `released` gives the mirror image, like the authors' maps.
    """
    place = GridFrame(layout, size=size, handedness=handedness)
    instances: dict[str, list[GridCell]] = {}
    for name, point in objects:
        instances.setdefault(name, []).append(place(point))
    return map_from_instances(instances, size)


class GridFrame:
    """Maps points of a room to cells of its grid."""

    def __init__(self, layout: Sequence[Point], *, size: int = GRID_SIZE, handedness: Handedness = "true") -> None:
        xs, ys = zip(*layout, strict=True)
        self.west, self.east, self.north = min(xs), max(xs), max(ys)
        self.side = max(self.east - self.west, self.north - min(ys)) / size
        """Side of a cell in metres."""
        self.size, self.handedness = size, handedness

    def __call__(self, point: Point) -> GridCell:
        x, y = point
        right = x - self.west if self.handedness == "true" else self.east - x
        return self._cell(self.north - y), self._cell(right)

    def _cell(self, metres: float) -> int:
        return min(max(math.floor(metres / self.side), 0), self.size - 1)
