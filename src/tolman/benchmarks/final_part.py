"""The part of a reply that answers: between answer tags, or else all but the thoughts. Never raises."""

import re

_ANSWER = re.compile(r"<(/?)answer>", re.IGNORECASE)
_THOUGHT = re.compile(r"<(/?)think>", re.IGNORECASE)
_LONGEST = 20_000


def final_part(reply: str) -> str:
    """What stands between the last pair of answer tags, or after the last opening one; else all but the thoughts."""
    text, begin, end = reply[-_LONGEST:], None, None
    for tag in _ANSWER.finditer(text):
        if not tag[1]:
            begin, end = tag.end(), None
        elif begin is not None and end is None:
            end = tag.start()
    return _without_thoughts(text) if begin is None else text[begin:end]


def _without_thoughts(text: str) -> str:
    """What stands outside the tags for thoughts; one never opened starts the text, and one never closed ends it."""
    parts: list[str] = []
    at: int | None = 0
    for tag in _THOUGHT.finditer(text):
        if tag[1]:
            if at is not None:
                parts.clear()
            at = tag.end()
        elif at is not None:
            parts.append(text[at : tag.start()])
            at = None
    return " ".join(parts if at is None else [*parts, text[at:]])
