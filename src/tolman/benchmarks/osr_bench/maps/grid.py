"""Cognitive maps on a grid: which classes of objects lie in which cells (row 0 at the top, column 0 at the left), how
the floor of a room is laid on the grid, and the map in a reply. Parsing never raises on a model's text.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

from tolman.benchmarks.osr_bench.rules import STRICT, Rules
from tolman.core.errors import SceneFileError
from tolman.core.grouping import gathered
from tolman.core.reading import ParseFailure, asserted_objects, load_json, load_repaired_json

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
        return gathered(
            (name, (row, column))
            for row, line in enumerate(self.cells)
            for column, names in enumerate(line)
            for name in names
        )

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
    instances = gathered((name, place(point)) for name, point in objects)
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


StatedMap = dict[str, list[GridCell]]
"""Row and column of each stated object by class; they may lie outside the grid."""
_BRACES = re.compile(r"[{}]")
_LONGEST = 200_000
_TRIED, _SMALL = 32, 4_000
"""How many nested JSON objects are tried, from the last, and the maximum length of one that is repaired."""
_FAR = 1e6


@dataclass(frozen=True)
class ParsedMap:
    """A map in a reply."""

    stated: StatedMap
    repaired: bool
    """Whether its JSON had to be repaired."""


def read_map(reply: str, rules: Rules = STRICT, size: int = GRID_SIZE) -> StatedMap | None:
    """The map that a reply states, or None where it states none."""
    if rules.forgiving_maps:
        found = find_map(reply)
        return None if isinstance(found, ParseFailure) else found.stated
    text = reply[-_LONGEST:]
    spans = _braced(text)
    is_last = bool(spans) and spans[-1].stop == text.rfind("}") + 1
    value = load_json(text[spans[-1]]) if is_last else None
    return _plain(cast("Mapping[str, object]", value), size) if isinstance(value, dict) else None


def find_map(reply: str) -> ParsedMap | ParseFailure:
    """The last map that a reply asserts, preferably a non-empty one; or why there is none."""
    said = asserted_objects(reply)
    if isinstance(said, ParseFailure):
        return (_inner(reply) or said) if said is ParseFailure.NOT_JSON else said
    found = [ParsedMap(stated, each.repaired) for each in said if (stated := _forgiving(each.value)) is not None]
    return _last(found) or _inner(reply) or ParseFailure.NO_MAP


def _last(found: Sequence[ParsedMap]) -> ParsedMap | None:
    return next((each for each in reversed(found) if each.stated), found[-1] if found else None)


def _inner(reply: str) -> ParsedMap | None:
    """The last map nested inside another braced object."""
    text = reply[-_SMALL * 8 :]
    found: list[ParsedMap] = []
    for span in _braced(text)[-_TRIED:]:
        value, repaired = load_repaired_json(text[span]) if span.stop - span.start <= _SMALL else (None, False)
        stated = _forgiving(cast("object", value)) if isinstance(value, dict) else None
        found += [ParsedMap(stated, repaired)] if stated is not None else []
    return _last(found)


def _braced(text: str) -> list[slice]:
    """Spans of matching braces, in the order of the closing brace."""
    opened: list[int] = []
    spans: list[slice] = []
    for brace in _BRACES.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            spans.append(slice(opened.pop(), brace.end()))
    return spans


def _plain(found: Mapping[str, object], size: int) -> StatedMap | None:
    """As the released parser reads it: one value that is not a pair of integers invalidates the whole map."""
    stated: StatedMap = {}
    for name, pairs in found.items():
        if not isinstance(pairs, list):
            return None
        places = [_whole(pair, size) for pair in cast("list[object]", pairs)]
        if None in places:
            return None
        stated[name] = cast("list[GridCell]", places)
    return stated


def _whole(pair: object, size: int) -> GridCell | None:
    if (numbers := _numbers(pair)) is None:
        return None
    x, y = numbers
    inside = 0 <= x < size and 0 <= y < size
    if inside and not (isinstance(x, int) and isinstance(y, int)):
        return None
    return (int(y), int(x)) if inside else (-1, -1)


def _forgiving(value: object) -> StatedMap | None:
    """All valid entries of an object that looks like a map, also if it is wrapped in other objects."""
    found = cast("Mapping[str, object]", value)
    while len(found) == 1 and isinstance(inner := next(iter(found.values())), dict):
        found = cast("Mapping[str, object]", inner)
    if not all(isinstance(pairs, list) for pairs in found.values()):
        return None
    stated: StatedMap = {}
    for name, pairs in cast("Mapping[str, list[object]]", found).items():
        places = map(_near, [pairs] if _numbers(pairs) is not None else pairs)
        stated.setdefault(name.strip().lower(), []).extend(place for place in places if place is not None)
    return stated


def _near(pair: object) -> GridCell | None:
    numbers = _numbers(pair)
    if numbers is None or any(isinstance(value, bool) or not -_FAR < value < _FAR for value in numbers):
        return None
    x, y = numbers
    return math.floor(y), math.floor(x)


def _numbers(pair: object) -> tuple[float, float] | None:
    if not isinstance(pair, list) or len(values := cast("list[object]", pair)) != 2:
        return None
    x, y = values
    return (x, y) if isinstance(x, int | float) and isinstance(y, int | float) else None
