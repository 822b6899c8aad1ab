"""Find the map in a reply. Any text gives a map or a typed failure; nothing raises, and time grows with length only."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tolman.belief.cognitive_map import CognitiveMap, Placed
from tolman.belief.find_json import Json, JsonObject, longest_json
from tolman.geometry import Heading
from tolman.rules import Rules


@dataclass(frozen=True, slots=True)
class NoMap:
    """A reply in which no map was found, and why."""

    reason: str


def read_global_map(text: str, names: Iterable[str], rules: Rules) -> CognitiveMap | NoMap:
    """The global map in a reply. `names` are those that may be on it, `agent` among them; others are dropped."""
    return _read(text, names, Heading.NORTH, rules)


def read_local_map(text: str, names: Iterable[str], heading: Heading, rules: Rules) -> CognitiveMap | NoMap:
    """The local map in a reply by someone who faces `heading`, with facings made absolute."""
    return _read(text, names, heading, rules)


def _read(text: str, names: Iterable[str], heading: Heading, rules: Rules) -> CognitiveMap | NoMap:
    found = longest_json(text, rules)
    if found is None:
        return NoMap("the reply holds no JSON object")
    places: dict[str, Placed] = {}
    for name, entry in _by_known_name(_entries(found), tuple(names), rules):
        placed = _placed(entry, heading, rules)
        if placed is not None:
            places.setdefault(name, placed)
    if not places and rules.stray_braces_hide_no_map and any(_entries(found)):
        return NoMap("the JSON in the reply names nothing of this world")
    return CognitiveMap(places)


# ---- entries and names ----

Entries = Iterator[tuple[str, Json]]


def _entries(found: JsonObject) -> Entries:
    """Name and entry of everything on a map, be it flat or under `objects` and `gates`."""
    parts = [part for part in (found.get("objects"), found.get("gates")) if isinstance(part, dict | list)]
    if not parts:
        yield from found.items()
    for part in parts:
        listed = part.items() if isinstance(part, dict) else ((_label(entry), entry) for entry in part)
        yield from ((name.replace("_", " ").strip(), entry) for name, entry in listed)


def _label(entry: Json) -> str:
    """What a listed entry calls itself."""
    if isinstance(entry, dict):
        for label in (entry.get(key) for key in ("label", "name", "id", "type")):
            if isinstance(label, str):
                return label
    return ""


def _by_known_name(entries: Entries, names: tuple[str, ...], rules: Rules) -> Entries:
    """The entries that are about a known name, under the world's spelling of it; exact spellings first."""
    listed = list(entries)
    yield from ((name, entry) for name, entry in listed if name in names)
    if rules.forgiving_names:
        known = {loose_name(name): name for name in names}
        yield from ((known[plain], entry) for name, entry in listed if (plain := loose_name(name)) in known)


def loose_name(text: str) -> str:
    """A name without what people spell in different ways: case, underscores, hyphens, spaces and articles."""
    words = re.sub(r"[\W_]+", " ", text.lower()).strip()
    return re.sub(r"^(?:the|an?) ", "", words)


# ---- one entry ----

_FACINGS = {
    Heading.NORTH: ("north", "n", "+y", "y", "forward", "front", "up"),
    Heading.EAST: ("east", "e", "+x", "x", "right"),
    Heading.SOUTH: ("south", "s", "-y", "backward", "back", "down"),
    Heading.WEST: ("west", "w", "-x", "left"),
}
_BY_WORD = {word: heading for heading, words in _FACINGS.items() for word in words}


FAR = 1e9
"""Coordinates are cut off here, in cells: as wrong as can be, and safe to calculate with."""


def _placed(entry: Json, heading: Heading, rules: Rules) -> Placed | None:
    if not isinstance(entry, dict):
        return None
    position = entry.get("position")
    if not isinstance(position, list) or len(position) != 2:
        return None
    x, y = map(_coordinate, position)
    facing = _facing(entry.get("facing"), rules)
    absolute = None if facing is None else facing.turned(heading.degrees)
    return None if x is None or y is None else Placed((x, y), absolute)


def _coordinate(value: Json) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, int | float) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return float(max(-FAR, min(FAR, value)))


def _facing(value: Json, rules: Rules) -> Heading | None:
    if not isinstance(value, str):
        return None
    unknown = None if rules.unreadable_facing_is_missing else Heading.NORTH
    return _BY_WORD.get(value.strip().lower(), unknown)
