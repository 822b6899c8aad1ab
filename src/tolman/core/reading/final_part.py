"""The part of a reply that answers: after its mark, between answer tags, or all but the thoughts. Never raises."""

import re

from tolman.core.reading.stance import retracts
from tolman.core.rules import Rules

_ANSWER = re.compile(r"<(/?)answer>", re.IGNORECASE)
_THOUGHT = re.compile(r"<(/?)think(?:ing)?\b[^<>]*>", re.IGNORECASE)
_LONGEST = 20_000
_LONGEST_REPLY = 200_000
"""Characters of a reply that are looked at under the strict rules, from the last."""


def final_answer(text: str, rules: Rules) -> str:
    """The part of a reply that counts: after `FINAL ANSWER:`, else inside answer tags, else all of it.

    Under `strict` thoughts between tags for them are left out first.
    """
    if rules.last_answer_wins:
        text = text[-_LONGEST_REPLY:]
        text = split_thoughts(text)[0] if "<" in text else text
    text = re.sub(r"<\|(?:begin|end)_of_box\|>", "", text)
    which = -1 if rules.last_answer_wins else 0
    marks = list(
        re.finditer(r"FINAL ANSWER[\s*]*+:" if rules.last_answer_wins else r"FINAL ANSWER:", text, re.IGNORECASE)
    )
    if marks:
        return text[marks[which].end() :]
    tags = [found.end() for found in re.finditer(r"<answer>", text, re.IGNORECASE)]
    ends = [found.start() for found in re.finditer(r"</answer>", text, re.IGNORECASE)]
    if tags and ends and tags[0] <= ends[-1]:
        start = max(tag for tag in tags if tag <= ends[-1]) if rules.last_answer_wins else tags[0]
        end = next(end for end in ends if end >= start)
        rest = text[end + len("</answer>") :]
        return text[start:end] if not (rules.last_answer_wins and retracts(rest)) else f"{text[start:end]}\n{rest}"
    return text


def final_part(reply: str) -> str:
    """What stands between the last pair of answer tags, or after the last opening one; else all but the thoughts.

    What follows the tags counts too where it takes the answer back.
    """
    text, begin, end, rest = reply[-_LONGEST:], None, None, 0
    for tag in _ANSWER.finditer(text):
        if not tag[1]:
            begin, end = tag.end(), None
        elif begin is not None and end is None:
            end, rest = tag.start(), tag.end()
    if begin is None:
        return split_thoughts(text)[0]
    taken_back = end is not None and retracts(text[rest:])
    return f"{text[begin:end]}\n{text[rest:]}" if taken_back else text[begin:end]


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
