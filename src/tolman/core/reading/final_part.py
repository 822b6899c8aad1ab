"""The part of a reply that holds the answer: after `FINAL ANSWER:`, between answer tags, or all but the reasoning in
`<think>` tags. Never raises.
"""

import re

from tolman.core.reading.stance import retracts
from tolman.core.rules import Rules

_ANSWER = re.compile(r"<(/?)answer>", re.IGNORECASE)
_THOUGHT = re.compile(r"<(/?)think(?:ing)?\b[^<>]*>", re.IGNORECASE)
_MAX_TAGGED = 20_000
_MAX_REPLY = 200_000
"""Last characters of a reply that are read: by `final_part`, and by `final_answer` under the strict rules."""


def final_answer(text: str, rules: Rules) -> str:
    """The part of a reply that is graded: after `FINAL ANSWER:`, else inside answer tags, else all of it.

    Under `strict`, reasoning in `<think>` tags is removed first.
    """
    if rules.last_answer_wins:
        text = text[-_MAX_REPLY:]
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
    """The text between the last pair of answer tags, or after the last opening tag; else all but the reasoning.

    The text after the tags is included if it retracts the answer.
    """
    text, begin, end, rest = reply[-_MAX_TAGGED:], None, None, 0
    for tag in _ANSWER.finditer(text):
        if not tag[1]:
            begin, end = tag.end(), None
        elif begin is not None and end is None:
            end, rest = tag.start(), tag.end()
    if begin is None:
        return split_thoughts(text)[0]
    retracted = end is not None and retracts(text[rest:])
    return f"{text[begin:end]}\n{text[rest:]}" if retracted else text[begin:end]


def split_thoughts(reply: str) -> tuple[str, str]:
    """The answer of a reply and its reasoning: the text between `<think>` tags, before a closing tag without an opening
    one, or after an opening tag without a closing one (truncated while reasoning)."""
    answer: list[str] = []
    thoughts: list[str] = []
    thinking, at = False, 0
    for tag in _THOUGHT.finditer(reply):
        part, at = reply[at : tag.start()], tag.end()
        if tag[1] and not thinking:
            thoughts += [*answer, part]
            answer.clear()
        else:
            (thoughts if thinking else answer).append(part)
        thinking = not tag[1]
    if not at:
        return reply, ""
    (thoughts if thinking else answer).append(reply[at:])
    return _joined(answer), _joined(thoughts)


def _joined(parts: list[str]) -> str:
    return "\n".join(part.strip() for part in parts if part.strip())
