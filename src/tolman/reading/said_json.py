"""JSON objects in a reply under `strict`: repaired where they need it, and only those that the reply stands by."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from tolman.reading.final_part import split_thoughts
from tolman.reading.repaired_json import load_nearly_json
from tolman.reading.stance import Mention, Stance, latest, stance
from tolman.reading.unread import Unread

LONGEST = 60_000
"""Characters of a reply that are looked at, from the last."""
_TRIED = 64
"""Objects in a reply that are tried, from the last."""
_BLANK = "\ufffc"
_MARK = re.compile(r"FINAL ANSWER[\s*]*+:", re.IGNORECASE)


@dataclass(frozen=True)
class SaidObject:
    """A JSON object in a reply."""

    text: str
    value: dict[str, object]
    repaired: bool
    """Whether it had to be repaired to be read."""


def said_objects(reply: str) -> Sequence[SaidObject] | Unread:
    """The outermost JSON objects of a reply in order, without those that it denies or takes back.

    Objects in the thoughts or before `FINAL ANSWER:` count only where there is none after it.
    """
    text = reply[-LONGEST:]
    text = split_thoughts(text)[0] if "<" in text else text
    marks = [found.end() for found in _MARK.finditer(text)]
    found = _objects(text[marks[-1] :]) if marks else Unread.NOT_JSON
    return _objects(text) if found is Unread.NOT_JSON else found


def _objects(text: str) -> Sequence[SaidObject] | Unread:
    spans = outermost_braces(text)[-_TRIED:]
    loaded = [(span, load_nearly_json(text[span[0] : span[1]])) for span in spans]
    found = [
        Mention(*span, SaidObject(text[span[0] : span[1]], cast("dict[str, object]", value), repaired))
        for span, (value, repaired) in loaded
        if isinstance(value, dict)
    ]
    if not found:
        return Unread.NOT_JSON
    around = _blanked(text, spans)
    kept = latest(around, found)
    if isinstance(kept, Unread):
        return kept
    return [each.value for each in kept if stance(around, *each.span) is not Stance.DENIED] or Unread.NEGATED


def outermost_braces(text: str) -> list[tuple[int, int]]:
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
    return spans


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text around some spans: what stands in them tells nothing about them."""
    parts: list[str] = []
    place = 0
    for start, end in spans:
        parts += (text[place:start], _BLANK * (end - start))
        place = end
    return "".join((*parts, text[place:]))
