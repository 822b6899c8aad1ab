"""Parse the relation that a reply names and score it; an unparseable reply is wrong. Never raises on a model's text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tolman.benchmarks.sparrta.case import LoggedCase, RelationQuestion
from tolman.benchmarks.sparrta.sample import RELATIONS, Relation
from tolman.core.reading import Mention, ParseFailure, final_part, or_none, resolve_answer, retracts
from tolman.harness.records import GradedReply, graded_reply

_MARKED = re.compile(r"\b(?:final\s{1,3})?answer\b(?:\s{1,3}is\b)?\s{0,9}[:=]*+", re.IGNORECASE)
_DECOR = re.compile(r"\\[a-z]*|[*_`\"“”{}$]|</?\w{1,20}>", re.IGNORECASE)
_WORD = re.compile(r"\b(front|back|left|right)\b", re.IGNORECASE)
_CORRECT = re.compile(
    r"\b(?:that's|that is|all) right\b|, right\?"
    r"|\bright\s{1,3}(?=(?:answer|option|choice|letter|in front|in back|ahead)\b)",
    re.IGNORECASE,
)
"""Uses of "right" that mean "correct" or "directly"."""
_LETTER = re.compile(
    r"(?<![\w'-])(?:([B-D])(?![\w'])|(A)(?=\s{0,3}(?:[.:,;()\]/—-]|$)"
    r"|\s{1,3}(?:or|and|not|but|is|because|since|as|rather|which|front|back|left|right)\b))"
)
"""A letter on its own; A only where it can't be an article."""
_CHOSEN = re.compile(r"\b(?i:option|choice|letter)\s{1,3}(?:(?i:is)\s{1,3})?([A-D])\b")
_SMALL = re.compile(r"\s*+\(?([a-d])\)?\s*+\.?\s*+")
_SHORT = 60
"""Maximum length of a last line that is taken as the answer where the lines above name several."""


def read_relation(question: RelationQuestion, reply: str) -> Relation | None:
    """The one relation that a reply settles on; None if it names none, several, or a word that contradicts its letter.

    "Behind" is not parsed: it is ambiguous between front, in the sense used here, and back.
    """
    return or_none(find_relation(question, reply))


def find_relation(question: RelationQuestion, reply: str) -> Relation | ParseFailure:
    """The one relation that a reply settles on, or why there is none."""
    text = _DECOR.sub(" ", final_part(reply)).replace("’", "'").strip()
    text = _CORRECT.sub(lambda match: " " * len(match[0]), text)
    marks = list(_MARKED.finditer(text))
    marked = _named(question, text[marks[-1].end() :]) if marks else ParseFailure.NO_ANSWER
    if marked not in (ParseFailure.NO_ANSWER, ParseFailure.NEGATED):
        return marked
    found = _named(question, text)
    last = text.splitlines()[-1].strip() if text else ""
    if found is ParseFailure.SEVERAL and "\n" in text and len(last) <= _SHORT and not retracts(last):
        alone = _named(question, last)
        return found if isinstance(alone, ParseFailure) else alone
    return found


def _named(question: RelationQuestion, text: str) -> Relation | ParseFailure:
    """The one relation that a text names, by word or by letter."""
    found: list[Mention[Relation]] = [
        Mention(*match.span(), relation)
        for match in _WORD.finditer(text)
        for relation in RELATIONS
        if relation == match[1].lower()
    ]
    letters = [*_CHOSEN.finditer(text), *_LETTER.finditer(text)]
    if small := _SMALL.fullmatch(text):
        letters.append(small)
    for match in letters:
        letter = next(filter(None, match.groups())).upper()
        found.append(Mention(*match.span(), question.by_letter[letter]))
    return resolve_answer(text, sorted(found, key=lambda mention: mention.start))


@dataclass(frozen=True)
class ScoredAnswer:
    """One question with its reply and the parsed relation."""

    question: RelationQuestion
    reply: str | None
    """None if there was no reply."""
    said: Relation | None
    """The parsed relation; None if unparseable."""

    @property
    def right(self) -> bool:
        return self.said == self.question.answer


def score_case(logged: LoggedCase) -> tuple[ScoredAnswer, ...]:
    """The answers to all questions of a case, in their order."""
    replies = logged.record.replies
    return tuple(_scored(question, replies.get(question.viewpoint)) for question in logged.case.questions)


def _scored(question: RelationQuestion, reply: str | None) -> ScoredAnswer:
    return ScoredAnswer(question, reply, None if reply is None else read_relation(question, reply))


def graded_replies(logged: LoggedCase, answers: Sequence[ScoredAnswer]) -> Iterator[GradedReply]:
    """The replies to all questions about a picture."""
    calls = {call.name: call for call in logged.record.calls}
    for answer in answers:
        name = answer.question.viewpoint
        said = ParseFailure.MISSING if answer.reply is None else find_relation(answer.question, answer.reply)
        reason = said if isinstance(said, ParseFailure) else None
        yield graded_reply(logged.case.id, name, calls.get(name), "answers", float(answer.right), reason)
