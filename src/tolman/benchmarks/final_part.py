"""The part of a reply that answers: between answer tags, or else all but the thoughts. Never raises."""

import re

_ANSWER = re.compile(r"<(/?)answer>", re.IGNORECASE)
_THOUGHT = re.compile(r"<(/?)think(?:ing)?\b[^<>]*>", re.IGNORECASE)
_LONGEST = 20_000


def final_part(reply: str) -> str:
    """What stands between the last pair of answer tags, or after the last opening one; else all but the thoughts."""
    text, begin, end = reply[-_LONGEST:], None, None
    for tag in _ANSWER.finditer(text):
        if not tag[1]:
            begin, end = tag.end(), None
        elif begin is not None and end is None:
            end = tag.start()
    return split_thoughts(text)[0] if begin is None else text[begin:end]


def split_thoughts(reply: str) -> tuple[str, str]:
    """What a reply says, and what it only thinks: between tags, before a tag that was never opened, or after one that
    was never closed (cut off while thinking, which is no answer)."""
    said: list[str] = []
    thought: list[str] = []
    thinking, at = False, 0
    for tag in _THOUGHT.finditer(reply):
        part, at = reply[at : tag.start()], tag.end()
        if tag[1] and not thinking:
            thought += [*said, part]
            said.clear()
        else:
            (thought if thinking else said).append(part)
        thinking = not tag[1]
    if not at:
        return reply, ""
    (thought if thinking else said).append(reply[at:])
    return _joined(said), _joined(thought)


def _joined(parts: list[str]) -> str:
    return "\n".join(part.strip() for part in parts if part.strip())
