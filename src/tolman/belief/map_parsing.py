"""Find and parse the JSON map in a model's reply; any text gives a map or a typed failure, and nothing raises."""

import json
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from tolman.belief.cognitive_map import CognitiveMap, Placement
from tolman.core.geometry import Heading
from tolman.core.reading import AssertedObject, ParseFailure, asserted_objects, outermost_braces
from tolman.core.rules import Rules

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]


def longest_json(text: str, rules: Rules) -> JsonObject | None:
    """The longest JSON object among fenced blocks and outermost pairs of braces, or None."""
    if rules.repaired_json:
        said = stated_json(text)
        return None if isinstance(said, ParseFailure) else cast("JsonObject", said.value)
    spans = [text[start:end] for start, end in outermost_braces(text)]
    braced = spans if rules.stray_braces_hide_no_map else _before_stray_brace(text)
    candidates = sorted((*fenced_blocks(text), *braced), key=len, reverse=True)
    return next(_objects(candidates), None)


def stated_json(text: str) -> AssertedObject | ParseFailure:
    """The longest object that a reply asserts, repaired if need be, or why there is none."""
    said = asserted_objects(text)
    return said if isinstance(said, ParseFailure) else max(said, key=lambda each: len(each.text))


def first_json_published(text: str) -> JsonObject | None:
    """The first JSON object among fenced blocks or, where there is no such block, among outermost pairs of braces."""
    return next(_objects(fenced_blocks(text) or _before_stray_brace(text)), None)


def _objects(candidates: list[str]) -> Iterator[JsonObject]:
    for candidate in candidates:
        try:
            value: object = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield cast("JsonObject", value)


_OPENS = re.compile(r"(?=```(?:json)?\s*(\{))", re.IGNORECASE)
_CLOSES = re.compile(r"\}\s*```")


def fenced_blocks(text: str) -> list[str]:
    """Fenced blocks that begin with a brace, marked `json` or not, each up to the first brace before a fence."""
    ends = [(found.start() + 1, found.end()) for found in _CLOSES.finditer(text)]
    blocks: list[str] = []
    after = 0
    for found in _OPENS.finditer(text):
        place = bisect_right(ends, found.start(1) + 1, key=lambda end: end[0])
        if found.start() >= after and place < len(ends):
            brace, after = ends[place]
            blocks.append(text[found.start(1) : brace])
    return blocks


def _before_stray_brace(text: str) -> list[str]:
    """Spans from an outermost brace to the one that closes it, as far as the first that is never closed."""
    spans: list[str] = []
    depth = start = 0
    for found in re.finditer(r"[{}]", text):
        if found.group() == "{":
            start = found.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                spans.append(text[start : found.end()])
    return spans


@dataclass(frozen=True, slots=True)
class NoMap:
    """A reply in which no map was found, and why."""

    reason: str
    code: ParseFailure = ParseFailure.NO_ANSWER


def no_json(text: str) -> NoMap:
    """Why no JSON object could be parsed from a reply."""
    said = asserted_objects(text)
    code = said if isinstance(said, ParseFailure) else ParseFailure.NOT_JSON
    reasons = {
        ParseFailure.NEGATED: "the reply denies its map",
        ParseFailure.TAKEN_BACK: "the reply takes its map back",
    }
    return NoMap(reasons.get(code, "the reply holds no JSON object"), code)


def read_global_map(text: str, names: Iterable[str], rules: Rules) -> CognitiveMap | NoMap:
    """The global map in a reply. `names` are those that may be on it, `agent` among them; others are dropped."""
    return _read(text, names, Heading.NORTH, rules, local=False)


def read_local_map(text: str, names: Iterable[str], heading: Heading, rules: Rules) -> CognitiveMap | NoMap:
    """The local map in a reply of an agent that faces `heading`, with facings made absolute."""
    return _read(text, names, heading, rules, local=True)


def read_old_map(text: str, names: Iterable[str], rules: Rules) -> CognitiveMap | NoMap:
    """The last map of an exploration, with which a revision is compared.

    As published: no nested map, names spelt with spaces or underscores, and any facing other than the four cardinal
    words is north.
    """
    if rules.forgiving_names:
        return read_global_map(text, names, rules)
    found = longest_json(text, rules)
    if found is None:
        return no_json(text)
    entries = ((name, found.get(name) or found.get(name.replace(" ", "_"))) for name in names)
    return _placements(entries, lambda word: _CARDINAL_WORDS.get(word.lower(), Heading.NORTH), rules)


def _read(text: str, names: Iterable[str], heading: Heading, rules: Rules, *, local: bool) -> CognitiveMap | NoMap:
    found = longest_json(text, rules)
    if found is None:
        return no_json(text)
    facing = partial(_facing, heading)
    if not rules.unreadable_facing_is_missing:
        facing = partial(_published_local_facing, heading) if local else _published_facing
    by_known_name = _by_known_name if rules.forgiving_names else _by_published_name
    said = _placements(by_known_name(_entries(found), tuple(names)), facing, rules)
    says_something = _entries(found) or any(found.get(section) for section in _SECTIONS)
    if says_something and rules.stray_braces_hide_no_map and isinstance(said, CognitiveMap) and not said.places:
        return NoMap("the JSON in the reply names nothing of this world", ParseFailure.UNKNOWN_NAME)
    return said


# ---- entries and names ----

Entries = Iterable[tuple[str, Json]]
_SECTIONS = ("objects", "gates")


def _entries(found: JsonObject) -> list[tuple[str, Json]]:
    """Name and entry of everything on a map, flat or under `objects` and `gates`; of equal names the last."""
    if not any(section in found for section in _SECTIONS):
        return list(found.items())
    flat = {_spaced(key): entry for key, entry in found.items() if key not in _SECTIONS and isinstance(entry, dict)}
    for name, entry in (listed for section in _SECTIONS for listed in _listed(found.get(section))):
        place = entry.get("position") or entry.get("pos") or entry.get("xy")
        if name and place is not None:
            flat[name] = {**entry, "position": place}
    return list(flat.items())


def _listed(section: Json) -> Iterator[tuple[str, JsonObject]]:
    """Name and entry of everything in a section: an object, or a list of entries with a name in each."""
    if isinstance(section, dict):
        yield from ((_spaced(name), entry) for name, entry in section.items() if isinstance(entry, dict))
    elif isinstance(section, list):
        yield from ((_spaced(_label(entry)), entry) for entry in section if isinstance(entry, dict))


def _label(entry: JsonObject) -> str:
    """The name in a listed entry."""
    labels = (entry.get(key) for key in ("label", "name", "id", "type"))
    return str(next(filter(None, labels), "")).strip()


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _by_published_name(entries: Entries, names: Sequence[str]) -> Entries:
    """The entries that the released code keeps: of equal names the last, with a position or not."""
    named = ((_published_name(key, names), entry) for key, entry in entries if isinstance(entry, dict))
    return {name: entry for name, entry in named if name is not None}.items()


def _published_name(key: str, names: Sequence[str]) -> str | None:
    """The known name that a key stands for: the same, or the same but for underscores.

    `shopping_cart` matches `shoppingcart`, but `red_door` does not match `red door`.
    """
    if key in names or "_" not in key:
        return key if key in names else None
    return next((name for name in names if name.replace("_", "") == key.replace("_", "")), None)


def _by_known_name(entries: Entries, names: Sequence[str]) -> Entries:
    """The entries of known names, in the world's spelling; exact spellings first."""
    listed = list(entries)
    yield from ((name, entry) for name, entry in listed if name in names)
    for spelling in (loose_name, _looser_name):
        known = {spelling(name): name for name in names}
        yield from ((known[plain], entry) for name, entry in listed if (plain := spelling(name)) in known)


def _looser_name(text: str) -> str:
    """`loose_name` without spaces: `shopping cart` matches `shoppingcart`."""
    return loose_name(text).replace(" ", "")


def loose_name(text: str) -> str:
    """A name without case, underscores, hyphens, repeated spaces and articles."""
    words = re.sub(r"[\W_]+", " ", text.lower()).strip()
    return re.sub(r"^(?:the|an?) ", "", words)


# ---- facings ----

_CARDINAL_WORDS = {heading.word: heading for heading in Heading}
_AXES = {"+y": Heading.NORTH, "+x": Heading.EAST, "-y": Heading.SOUTH, "-x": Heading.WEST}
_PUBLISHED_WORDS = {
    **_CARDINAL_WORDS,
    **_AXES,
    **{heading.word[0]: heading for heading in Heading},
    **dict.fromkeys(("forward", "front", "ahead"), Heading.NORTH),
    **dict.fromkeys(("back", "backward", "behind"), Heading.SOUTH),
    "right": Heading.EAST,
    "left": Heading.WEST,
}
_WORDS = {**_PUBLISHED_WORDS, "y": Heading.NORTH, "up": Heading.NORTH, "x": Heading.EAST, "down": Heading.SOUTH}


def _facing(heading: Heading, said: str) -> Heading | None:
    """The facing that a word states relative to `heading`; None for an unknown word."""
    ahead = _WORDS.get(said.strip().lower())
    return None if ahead is None else ahead.turned(heading.degrees)


def _published_facing(said: str) -> Heading:
    return _PUBLISHED_WORDS.get(said.strip().lower(), Heading.NORTH)


def _published_local_facing(heading: Heading, said: str) -> Heading:
    """Only axes are relative to the agent; the cardinal words are absolute, and any other word is north."""
    word = said.strip().lower()
    return _AXES[word].turned(heading.degrees) if word in _AXES else _CARDINAL_WORDS.get(word, Heading.NORTH)


# ---- one entry ----


COORDINATE_LIMIT = 1e9
"""Coordinates are clipped to this absolute value, in cells, so that arithmetic on them stays finite."""


def _placements(entries: Entries, facing: Callable[[str], Heading | None], rules: Rules) -> CognitiveMap | NoMap:
    """The placements of the entries that state a position; of equal names the first counts."""
    places: dict[str, Placement] = {}
    for name, entry in entries:
        position = entry.get("position") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or not isinstance(position, list) or len(position) != 2:
            continue
        x, y = map(_coordinate, position)
        if x is not None and y is not None:
            said = entry.get("facing")
            places.setdefault(name, Placement((x, y), facing(said) if isinstance(said, str) else None))
        elif not rules.stray_braces_hide_no_map and _has_a_word(position):
            return NoMap("the JSON in the reply has a word for a coordinate")
    return CognitiveMap(places)


def _has_a_word(position: list[Json]) -> bool:
    """Whether a coordinate is a word, for which the released code rejects the whole map."""
    words = (isinstance(value, str) and _coordinate(value) is None for value in position)
    return all(isinstance(value, int | float | str) for value in position) and any(words)


def _coordinate(value: Json) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, int | float) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return float(max(-COORDINATE_LIMIT, min(COORDINATE_LIMIT, value)))
