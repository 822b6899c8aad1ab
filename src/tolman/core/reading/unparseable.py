"""Why a reply could not be parsed: a closed set of reasons, each with a sentence for reports."""

import re
from enum import Enum
from typing import TypeVar

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
