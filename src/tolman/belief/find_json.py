"""JSON objects in a model's reply. Nothing here raises, and time grows with the length of the text only."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import cast

from tolman.reading import SaidObject, Unread, outermost_braces, said_objects
from tolman.rules import Rules

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]


def longest_json(text: str, rules: Rules) -> JsonObject | None:
    """The longest JSON object among fenced blocks and outermost pairs of braces, or None."""
    if rules.repaired_json:
        said = said_json(text)
        return None if isinstance(said, Unread) else cast("JsonObject", said.value)
    spans = [text[start:end] for start, end in outermost_braces(text)]
    braced = spans if rules.stray_braces_hide_no_map else _before_stray_brace(text)
    candidates = sorted((*fenced_blocks(text), *braced), key=len, reverse=True)
    return next(_objects(candidates), None)


def said_json(text: str) -> SaidObject | Unread:
    """The longest object that a reply stands by, repaired where it needs it, or why there is none."""
    said = said_objects(text)
    return said if isinstance(said, Unread) else max(said, key=lambda each: len(each.text))


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
    """Fenced blocks that begin with a brace, `json` before it or not: each up to the first brace before a fence."""
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
    """Spans from an outermost brace to the one that closes it, up to one that is never closed."""
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
