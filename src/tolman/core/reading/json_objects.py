"""JSON objects in a model's reply: repair of nearly valid JSON, and the objects that the reply asserts under the
strict rules.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from tolman.core.reading.final_part import split_thoughts
from tolman.core.reading.stance import Mention, Stance, latest_mentions, stance
from tolman.core.reading.unparseable import ParseFailure

MAX_REPAIRED = 40_000
"""Characters of a text up to which its JSON is repaired."""
_TOKEN = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|//[^\n]*+|\#[^\n]*+|/\*|\+(?=\.?\d)|\b(?:None|True|False)\b"
    r"|[()]|[^\"'/#+()NTF]++|[/NTF]",
    re.DOTALL,
)
_TRAILING = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|,(?=\s*+[}\]])")
_PYTHON = {"None": "null", "True": "true", "False": "false", "(": "[", ")": "]", "+": ""}
_ESCAPED = re.compile(r"\\.|\"", re.DOTALL)


def load_json(text: str) -> object:
    """The value of a JSON text; None for anything else (and for `null`)."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def repair_json(text: str) -> str | None:
    """The text as valid JSON after small repairs (quotes, comments, trailing commas, Python literals); None if these do
    not apply."""
    parts: list[str] = []
    place = 0
    while place < len(text) <= MAX_REPAIRED:
        token = _TOKEN.match(text, place)
        if token is None:
            return None
        found, place = token[0], token.end()
        if found == "/*":
            end = text.find("*/", place)
            if end < 0:
                return None
            place = end + 2
        elif found[0] == "'":
            parts.append(f'"{_ESCAPED.sub(_double_quoted, found[1:-1])}"')
        elif found[0] != "#" and found[:2] != "//":
            parts.append(_PYTHON.get(found, found))
    joined = "".join(parts)
    return _TRAILING.sub(lambda match: match[0] if match[0] != "," else "", joined) if joined else None


def _double_quoted(match: re.Match[str]) -> str:
    return {'"': '\\"', "\\'": "'"}.get(match[0], match[0])


def load_repaired_json(text: str) -> tuple[object, bool]:
    """The value of a JSON text, repaired if need be (None if that fails), and whether it was repaired."""
    value = load_json(text)
    if value is not None:
        return value, False
    repaired = repair_json(text)
    return (None, False) if repaired is None else (load_json(repaired), True)


_MAX_SEARCHED = 60_000
"""Last characters of a reply that are searched."""
_MAX_OBJECTS = 64
"""Last objects in a reply that are tried."""
_BLANK = "\ufffc"
_FINAL_ANSWER_MARK = re.compile(r"FINAL ANSWER[\s*]*+:", re.IGNORECASE)


@dataclass(frozen=True)
class AssertedObject:
    """A JSON object in a reply."""

    text: str
    value: dict[str, object]
    repaired: bool
    """Whether the text was not valid JSON before its repair."""


def asserted_objects(reply: str) -> Sequence[AssertedObject] | ParseFailure:
    """The outermost JSON objects of a reply in order, without those that it denies or retracts.

    Objects before `FINAL ANSWER:` count only if there is none after it.
    """
    text = reply[-_MAX_SEARCHED:]
    text = split_thoughts(text)[0] if "<" in text else text
    marks = [found.end() for found in _FINAL_ANSWER_MARK.finditer(text)]
    found = _objects(text[marks[-1] :]) if marks else ParseFailure.NOT_JSON
    return _objects(text) if found is ParseFailure.NOT_JSON else found


def _objects(text: str) -> Sequence[AssertedObject] | ParseFailure:
    spans = outermost_braces(text)[-_MAX_OBJECTS:]
    loaded = [(span, load_repaired_json(text[span[0] : span[1]])) for span in spans]
    found = [
        Mention(*span, AssertedObject(text[span[0] : span[1]], cast("dict[str, object]", value), repaired))
        for span, (value, repaired) in loaded
        if isinstance(value, dict)
    ]
    if not found:
        return ParseFailure.NOT_JSON
    around = _blanked(text, spans)
    kept = latest_mentions(around, found)
    if isinstance(kept, ParseFailure):
        return kept
    return [each.value for each in kept if stance(around, *each.span) is not Stance.DENIED] or ParseFailure.NEGATED


def outermost_braces(text: str) -> list[tuple[int, int]]:
    """Spans of matching braces that are not inside another such span."""
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
    return spans


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with the content of some spans masked, so that it is not taken for a remark on them."""
    parts: list[str] = []
    place = 0
    for start, end in spans:
        parts += (text[place:start], _BLANK * (end - start))
        place = end
    return "".join((*parts, text[place:]))
