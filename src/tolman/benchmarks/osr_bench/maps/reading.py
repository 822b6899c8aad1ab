"""Parse the map in a reply: the cells of each class. Never raises on a model's text."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, GridCell
from tolman.benchmarks.osr_bench.rules import STRICT, Rules
from tolman.core.reading import ParseFailure, asserted_objects, load_json, load_repaired_json

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
