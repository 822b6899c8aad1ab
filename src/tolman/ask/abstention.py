"""Questions that may be left open: the request, replies such as "cannot tell", and the points that a reply earns.

With a threshold t, a reply with score s earns (s - t) / (1 - t), so a right one 1 and a wrong one -t / (1 - t);
"cannot tell" earns 0. Answering pays in expectation exactly where the expected score is above t.
"""

import re
from dataclasses import dataclass
from typing import Literal

from tolman.ask.answer_extraction import without_markup
from tolman.ask.kinds.registry import grade
from tolman.ask.question import Grade, Question
from tolman.core.reading import ParseFailure, final_answer
from tolman.core.rules import STRICT
from tolman.core.wording import Wording, wording

CANNOT_TELL = "cannot tell"
"""The reply that leaves a question open."""
Decision = Literal["answered", "abstained", "unparseable"]

_PHRASE = re.compile(
    r"(?:i |we |you |one )?(?:(?:can ?not|can't|could ?n[o']t|could not|unable to|impossible to|no way to)"
    r" (?:really |be |reliably |yet )*(?:tell|say|know|determined?|decided?|answer(?:ed)?|inferr?(?:ed)?|established)\b"
    r"|(?:do not|don't) know\b|(?:is |it's )?(?:not determined|undetermined|indeterminate|unanswerable|unknown)\b"
    r"|(?:there is )?(?:not enough|insufficient|no) (?:information|evidence)\b)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"[\s\"'“”‘.:;>-]*+(?:f?box(?:ed)?+\s*+)?+(?:(?:the |my |final )*+answer(?: is)?[\s:=\"'-]*+)?+"
    r"(?:it |this |that )?+",
    re.IGNORECASE,
)
_LONGEST, _SHORT = 4_000, 300
"""Last characters of an answer that are searched, and most of one without `FINAL ANSWER:` that are so to the end."""


def abstention_request(threshold: float) -> str:
    """The text below a question that may be left open."""
    return _request().fill(loss=_plain(loss_of(threshold)), threshold=_plain(threshold))


def threshold_in(text: str) -> float | None:
    """The threshold in a message with `abstention_request`; None without one."""
    found = _request().read(text)
    try:
        return None if found is None else float(found["threshold"])
    except ValueError:
        return None


def _request() -> Wording:
    return wording("tolman.ask", "abstain")


def _plain(value: float) -> str:
    return f"{value:.4g}"


def loss_of(threshold: float) -> float:
    """Points lost for a wrong answer: t / (1 - t)."""
    return threshold / (1.0 - threshold)


def points_for(score: float, threshold: float) -> float:
    """Points for an answer of some score from 0 to 1; 0 is what `cannot tell` earns."""
    return (score - threshold) / (1.0 - threshold)


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """What a reply did with a question that it could leave open."""

    decision: Decision
    score: float
    """Of the answer, from 0 to 1; 0 where there is none."""
    read: str
    reason: ParseFailure | None = None

    def points(self, threshold: float) -> float:
        """Points earned. An unparseable reply counts as a wrong answer, so that it never beats `cannot tell`."""
        return 0.0 if self.decision == "abstained" else points_for(self.score, threshold)


def grade_decision(question: Question, reply: str) -> GradedDecision:
    """Whether a reply answers or abstains, and the strict score of an answer. Never raises, whatever the text.

    A reply abstains if its final answer is `cannot tell` or means it: as its first line after `FINAL ANSWER:`, as its
    last line, or anywhere in it if it holds no answer.
    """
    said = final_answer(reply, STRICT)
    text = without_markup(said[-_LONGEST:]).replace("’", "'")
    lines = [line for line in text.splitlines() if line.strip()]
    outer = [*lines[:1], *lines[-1:]] if said != reply else lines[-1:]
    if any(map(_abstains, outer)):
        return GradedDecision("abstained", 0.0, CANNOT_TELL)
    found: Grade = grade(question, reply, STRICT)
    if not found.format_failure:
        return GradedDecision("answered", found.score, found.read)
    if _PHRASE.search(text) and (said != reply or len(text) <= _SHORT):
        return GradedDecision("abstained", 0.0, CANNOT_TELL)
    return GradedDecision("unparseable", 0.0, "", found.reason)


def _abstains(line: str) -> bool:
    """Whether a line begins with a phrase that leaves the question open."""
    start = _BEFORE.match(line)
    return _PHRASE.match(line, start.end() if start else 0) is not None
