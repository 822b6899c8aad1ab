"""The part of a reply that holds the answer (after `FINAL ANSWER:`, between answer tags, or all but the reasoning in
`<think>` tags; never raises), and why a reply could not be parsed: a closed set of reasons, each with a sentence for
reports.
"""

import re
from enum import Enum
from typing import TypeVar

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


A = TypeVar("A")


class ParseFailure(Enum):
    """Why a reply holds no gradable answer. The value is the code in tables and JSON."""

    MISSING = "no reply"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    FILTERED = "filtered"
    REFUSED = "refused"
    NO_ANSWER = "no answer found"
    SEVERAL = "several answers"
    NEGATED = "negated only"
    TAKEN_BACK = "taken back"
    UNSURE = "hedged"
    INCOMPLETE = "incomplete"
    NOT_JSON = "not JSON"
    NO_MAP = "JSON without a map"
    UNKNOWN_NAME = "unknown names"
    BAD_TURN = "not a turn"

    @property
    def sentence(self) -> str:
        """The reason as a sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    ParseFailure.MISSING: "No reply came.",
    ParseFailure.EMPTY: "The reply is empty.",
    ParseFailure.TRUNCATED: "A length limit ended the reply before it gave an answer.",
    ParseFailure.FILTERED: "A content filter ended the reply.",
    ParseFailure.REFUSED: "The reply declines to answer, or says that it can't be known.",
    ParseFailure.NO_ANSWER: "No answer in any known form was found.",
    ParseFailure.SEVERAL: "The reply gives several different answers, or leaves a choice between them.",
    ParseFailure.NEGATED: "The reply says only what the answer is not.",
    ParseFailure.TAKEN_BACK: "The reply takes its answer back and gives no other.",
    ParseFailure.UNSURE: "The reply says only what the answer might be.",
    ParseFailure.INCOMPLETE: "A part of the answer is missing, or there are more parts than were asked for.",
    ParseFailure.NOT_JSON: "The reply holds no JSON object, not even one that can be repaired.",
    ParseFailure.NO_MAP: "The JSON in the reply is not of the form that was asked for.",
    ParseFailure.UNKNOWN_NAME: "The reply names nothing of this world.",
    ParseFailure.BAD_TURN: "The actions are not a turn: unknown ones, no final action, or several.",
}
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)|i (?:can ?not|can't|could not|couldn't|won't|will not|must decline)"
    r"|(?:can ?not|can't|could not|impossible to|unable to) (?:be )?(?:determin|tell|answer|know|infer|say)\w*"
    r"|(?:do not|don't) (?:know|have enough)|(?:not enough|insufficient|no) information|not (?:been )?(?:observed|seen)"
    r"|as an ai\b|unknown\b|undetermined|indeterminate|unanswerable|n/a\b)",
    re.IGNORECASE,
)
_REFUSAL_CHARACTERS = 4_000


def failure_reason(reply: str | None, reason: ParseFailure, stop: str = "stop") -> ParseFailure:
    """The most informative reason: how the reply ended if it ended early, else `reason`, the parser's own.

    `stop` is the provider's stop reason: `stop`, `max_tokens`, `content_filter`, ...
    """
    if reply is None:
        return ParseFailure.MISSING
    if stop in ("max_tokens", "model_length"):
        return ParseFailure.TRUNCATED
    if stop == "content_filter":
        return ParseFailure.FILTERED
    if not reply.strip():
        return ParseFailure.EMPTY
    vague = reason in (ParseFailure.NO_ANSWER, ParseFailure.NOT_JSON, ParseFailure.NEGATED, ParseFailure.INCOMPLETE)
    refused = vague and _REFUSAL.search(reply[-_REFUSAL_CHARACTERS:].replace("’", "'"))
    return ParseFailure.REFUSED if refused else reason


def or_none(found: A | ParseFailure) -> A | None:
    """The parsed value, or None for a parse failure."""
    return None if isinstance(found, ParseFailure) else found
