"""JSON objects in a model's reply. Nothing here raises, and time grows with the length of the text only."""

import json
import re
from collections.abc import Iterator
from typing import cast

from tolman.rules import Rules

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]


def longest_json(text: str, rules: Rules) -> JsonObject | None:
    """The longest JSON object among fenced blocks and outermost pairs of braces, or None."""
    braced = _braced(text) if rules.stray_braces_hide_no_map else _before_stray_brace(text)
    candidates = sorted((*_fenced(text), *braced), key=len, reverse=True)
    return next(_objects(candidates), None)


def json_objects(text: str) -> Iterator[JsonObject]:
    """The JSON objects between outermost pairs of braces, in order."""
    return _objects(_braced(text))


def _objects(candidates: list[str]) -> Iterator[JsonObject]:
    for candidate in candidates:
        try:
            value: object = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield cast("JsonObject", value)


def _fenced(text: str) -> list[str]:
    """What stands between two fences and is in braces, a word such as `json` before it left out."""
    blocks = (re.sub(r"^\w+", "", block.strip()).strip() for block in text.split("```")[1:-1])
    return [block for block in blocks if block.startswith("{") and block.endswith("}")]


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


def _braced(text: str) -> list[str]:
    """Spans from a brace to the one that closes it, without those inside another such span."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for found in re.finditer(r"[{}]", text):
        if found.group() == "{":
            opened.append(found.start())
        elif opened:
            start = opened.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, found.end()))
    return [text[start:end] for start, end in spans]
