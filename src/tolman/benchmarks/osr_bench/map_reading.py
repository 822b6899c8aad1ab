"""The map in a reply: for each class its cells. Never raises on what a model wrote."""

import json
import math
import re
from collections.abc import Mapping
from typing import cast

from tolman.benchmarks.osr_bench.grid_map import SIZE, GridMap, Place, from_instances
from tolman.benchmarks.osr_bench.osr_rules import STRICT, OsrRules

Stated = dict[str, list[Place]]
"""For each class the rows and columns that a reply gives, some of them perhaps beyond the grid."""
_BRACES = re.compile(r"[{}]")
_PAIR = re.compile(r"\(([^()\[\]{}]*)\)")
_TRAILING = re.compile(r",(\s*[}\]])")
_LONGEST = 200_000
_TRIED = 32
"""Objects in a reply that are looked at, from the last."""
_FAR = 1e6


def read_map(reply: str, rules: OsrRules = STRICT, size: int = SIZE) -> Stated | None:
    """The map that a reply states, or None where it states none."""
    text = reply[-_LONGEST:]
    spans = _braced(text)
    if not rules.forgiving_maps:
        is_last = bool(spans) and spans[-1].stop == text.rfind("}") + 1
        found = _loads(text[spans[-1]]) if is_last else None
        return None if found is None else _plain(found, size)
    read = [stated for span in spans[: -_TRIED - 1 : -1] if (stated := _forgiving(text[span])) is not None]
    return next(filter(None, read), read[0] if read else None)


def drawn(stated: Stated, size: int = SIZE) -> GridMap:
    """A stated map on its grid; places beyond it are left out."""
    return from_instances(stated, size)


def _braced(text: str) -> list[slice]:
    """Where braces belong together, in the order of the closing ones."""
    opened: list[int] = []
    spans: list[slice] = []
    for brace in _BRACES.finditer(text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            spans.append(slice(opened.pop(), brace.end()))
    return spans


def _loads(text: str) -> Mapping[str, object] | None:
    try:
        value = cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def _plain(found: Mapping[str, object], size: int) -> Stated | None:
    """As the released reader takes it: one value that is no pair of whole numbers spoils the whole map."""
    stated: Stated = {}
    for name, pairs in found.items():
        if not isinstance(pairs, list):
            return None
        places = [_whole(pair, size) for pair in cast("list[object]", pairs)]
        if None in places:
            return None
        stated[name] = cast("list[Place]", places)
    return stated


def _whole(pair: object, size: int) -> Place | None:
    if (numbers := _numbers(pair)) is None:
        return None
    x, y = numbers
    inside = 0 <= x < size and 0 <= y < size
    if inside and not (isinstance(x, int) and isinstance(y, int)):
        return None
    return (int(y), int(x)) if inside else (-1, -1)


def _forgiving(text: str) -> Stated | None:
    """Whatever can be read of an object that looks like a map, also where it lies in an object around it."""
    found = _loads(text) or _loads(_TRAILING.sub(r"\1", _PAIR.sub(r"[\1]", text)))
    while found is not None and len(found) == 1 and isinstance(inner := next(iter(found.values())), dict):
        found = cast("Mapping[str, object]", inner)
    if found is None or not all(isinstance(pairs, list) for pairs in found.values()):
        return None
    stated: Stated = {}
    for name, pairs in cast("Mapping[str, list[object]]", found).items():
        places = map(_near, [pairs] if _numbers(pairs) is not None else pairs)
        stated.setdefault(name.strip().lower(), []).extend(place for place in places if place is not None)
    return stated


def _near(pair: object) -> Place | None:
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
