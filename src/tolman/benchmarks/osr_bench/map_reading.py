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
_PAIR = re.compile(r"\(([^()\[\]{}]*)\)")
_TRAILING = re.compile(r",(\s*[}\]])")
_LONGEST = 200_000


def read_map(reply: str, rules: OsrRules = STRICT, size: int = SIZE) -> Stated | None:
    """The map that a reply states, or None where it states none."""
    if rules.forgiving_maps:
        return _forgiving(reply[-_LONGEST:])
    found = _loads(_last_object(reply[-_LONGEST:]))
    return None if found is None else _plain(found, size)


def drawn(stated: Stated, size: int = SIZE) -> GridMap:
    """A stated map on its grid; places beyond it are left out."""
    return from_instances(stated, size)


def _last_object(text: str) -> str:
    """From the last closing brace back to the one that opens it."""
    end, depth = text.rfind("}"), 0
    for at in range(end, -1, -1):
        depth += (text[at] == "}") - (text[at] == "{")
        if depth == 0 and end >= 0:
            return text[at : end + 1]
    return ""


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
    if not isinstance(pair, list) or len(values := cast("list[object]", pair)) != 2:
        return None
    x, y = values
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        return None
    inside = 0 <= x < size and 0 <= y < size
    if inside and not (isinstance(x, int) and isinstance(y, int)):
        return None
    return (int(y), int(x)) if inside else (-1, -1)


def _forgiving(reply: str) -> Stated | None:
    """The last object in a reply that looks like a map, with whatever in it can be read."""
    end = len(reply)
    while (end := reply.rfind("}", 0, end)) >= 0:
        text = _last_object(reply[: end + 1])
        found = _loads(text) or _loads(_TRAILING.sub(r"\1", _PAIR.sub(r"[\1]", text)))
        stated = None if found is None else _lenient(found)
        if stated is not None:
            return stated
    return None


def _lenient(found: Mapping[str, object]) -> Stated | None:
    if len(found) == 1 and isinstance(inner := next(iter(found.values())), dict):
        return _lenient(cast("Mapping[str, object]", inner))
    stated: Stated = {}
    for name, pairs in found.items():
        if not isinstance(pairs, list):
            return None
        listed = cast("list[object]", pairs)
        single = len(listed) == 2 and all(isinstance(value, int | float) for value in listed)
        places = [_near(pair) for pair in ([listed] if single else listed)]
        stated[name.strip().lower()] = [place for place in places if place is not None]
    return stated


def _near(pair: object) -> Place | None:
    if not isinstance(pair, list) or len(values := cast("list[object]", pair)) != 2:
        return None
    x, y = values
    numbers = isinstance(x, int | float) and isinstance(y, int | float) and math.isfinite(x) and math.isfinite(y)
    if not numbers or isinstance(x, bool) or isinstance(y, bool) or max(abs(x), abs(y)) > 1e6:
        return None
    return math.floor(y), math.floor(x)
