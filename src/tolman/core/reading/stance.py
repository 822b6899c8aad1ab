"""Whether a text asserts, denies, hedges or retracts an answer that it mentions.

Rules of general English, independent of any benchmark. A parser finds the mentions of possible answers; here those
before a self-correction and those that are denied are dropped, and an open choice between several is no answer.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Generic, TypeVar

from tolman.core.reading.unparseable import ParseFailure

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Mention(Generic[A]):
    """A place in a text where a possible answer is named."""

    start: int
    end: int
    value: A

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


class Stance(Enum):
    """How a text presents a mention."""

    ASSERTED = "asserted"
    DENIED = "denied"
    HEDGED = "hedged"


# ---- denied or hedged, within a clause ----

_RETRACTION = re.compile(
    r"(?:(?:(?:^|[.,;:!?…()\n—–-])[ \t\n]{0,3}|\b(?:oh|ah|well|um+) )(?:no|nope)\b"
    r"(?=\s*(?:[,:;.!…\n—–]|-(?!\w)|$|(?:wait|it|that|i)\b))"
    r"|\b(?:wait|oh|hmm+)\W{0,3}no\b"
    r"|\b(?:(?:scratch|strike) that|i take (?:that|it) back|i misspoke|my (?:mistake|bad)|make that|or rather|i meant?"
    r"|i(?: was| am|'m) (?:wrong|mistaken)|i made an? (?:mistake|error)|on second thoughts?"
    r"|let me correct (?:that|this|myself|it)"
    r"|that(?:'s| is| was) (?:wrong|incorrect|an? (?:mistake|error)|not (?:right|correct|it))"
    r"|that (?:isn't|wasn't) (?:right|correct|it))\b(?!\s+(?:in front|of|ahead|behind|side))"
    r"|(?<!no )\bcorrect(?:ion|ed)(?: answer)?\s{0,3}[:,—–-])[\s,:;.!…—–-]*",
    re.IGNORECASE,
)
_CONTEXT_BEFORE, _CONTEXT_AFTER = 160, 60
"""Characters around a mention that are read."""
_IDIOMS = re.compile(
    r"\b(?:(?:no|without(?: an?y?)?) (?:doubt|question)|more or less|sooner or later|whether or not)\b",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"\([^()]*+\)")
_SUBJECTS = "it|it's|its|this|that|these|those|the|there|i|i'm|we|you|he|she|they|my|our|which|is|are"
_NEW_CLAUSE = re.compile(
    r"[.!?…](?=\s|$)|[;\n]|—|\s-{1,2}\s|\banswer\b(?:\s*(?:is\b|:|=))?"
    r"|(?<!thing )(?<!\ball )\bbut\b"
    r"|\b(?:so|thus|hence|therefore|because|since|although|though|while|whereas|however|then)\b"
    r"|\binstead\b(?! of)|\brather\b(?! than)|\b(?:wait|oh|hmm+)\W{0,3}no\b"
    rf"|,\s*(?:and\s+)?(?=(?:{_SUBJECTS})\b)",
    re.IGNORECASE,
)
_OPPOSITES = "opposite|reverse|inverse|converse|contrary|mirror image|negation"
_NOT = re.compile(
    r"\b(?:not|never|cannot|neither|nor|none of|without|except(?:ing)?|exclud(?:e|es|ed|ing)|other than|no longer"
    r"|(?:rul|eliminat|reject|discard|dismiss)(?:e|es|ed|ing)?(?: out)?|wrong(?:ly)?|incorrect(?:ly)?|false(?:ly)?"
    r"|impossible|rather than|instead of|(?:any|every)thing but|all but|no way|nowhere near|reversed|flipped"
    rf"|(?:{_OPPOSITES}) (?:direction |order )?(?:of|to|from))\b|n't\b|\b(?:cant|isnt)\b|\bno\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_AUXILIARIES = "is|was|are|were|would|could|can|does|did|has|must|should"
_DENIED_AFTER = re.compile(
    r"[\s)\"'*]*+(?:"
    rf"(?:{_AUXILIARIES}|seems?|looks?)\b\s*+(?:\w++\s++)?(?:be\s++)?"
    r"(?:not|never|wrong|incorrect|impossible|false|unlikely|(?:ruled|left) out|excluded|out)\b"
    rf"|(?:{_AUXILIARIES}|wo|ca)n't\b|cannot\b|\?\s*+(?:no|nope|not|never|wrong|incorrect)\b"
    r"|\(\s*+(?:wrong|incorrect|no|not(?: this)?|false)\s*+\)|(?:reversed|backwards|in reverse|the other way)\b)",
    re.IGNORECASE,
)
_MAYBE = re.compile(
    r"\b(?:maybe|perhaps|possibly|potentially|conceivably|might|may|could (?:also |well |equally )?(?:be|have)"
    r"|can also be|either|whether|alternatively|unsure|uncertain|unclear)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\bor(?! rather\b)(?:\s+[\w'-]+){0,3}[\s(\[{\"'*:]*$", re.IGNORECASE)
_MAYBE_AFTER = re.compile(
    r"[\s)\"'*]*+(?:\((?:maybe|perhaps|possibly|\?)\)|,?\s*+(?:maybe|perhaps|possibly)(?:\s*+[.!?]|\s*+$)|\?(?!\s*+\w))",
    re.IGNORECASE,
)


def stance(text: str, start: int, end: int, begin: int = 0) -> Stance:
    """The stance of a text to its mention from `start` to `end`; the text before `begin` is ignored."""
    before = _straight_quotes(text[max(begin, start - _CONTEXT_BEFORE) : start])
    before = _PARENTHESIS.sub(" ", _IDIOMS.sub(" ", before))
    for found in _RETRACTION.finditer(f"{before}\ufffc"):
        before = found.string[found.end() : -1]
    clause = before
    for found in _NEW_CLAUSE.finditer(before):
        clause = before[found.end() :]
    after = _straight_quotes(text[end : end + _CONTEXT_AFTER])
    if _NOT.search(clause) or _DENIED_AFTER.match(after):
        return Stance.DENIED
    if _OR.search(before) or _MAYBE.search(clause) or _MAYBE_AFTER.match(after):
        return Stance.HEDGED
    return Stance.ASSERTED


def _straight_quotes(text: str) -> str:
    return text.replace("’", "'")


# ---- numbers that are only a bound or part of a range ----

_LIMIT_BEFORE = re.compile(
    r"(?:\b(?:(?:more|less|fewer|greater|larger|smaller|higher|lower|bigger|further|farther) than|at (?:least|most)"
    r"|over|under|above|below|up to|exceed(?:s|ing)?|(?:minimum|maximum|max|min)(?: of)?|between)(?:\s+about)?"
    r"|[<>≤≥±≠]=?)\s*+$",
    re.IGNORECASE,
)
_LIMIT_AFTER = re.compile(
    r"\s*+(?:\+(?!\s*+\d)|or (?:more|fewer|less|greater|so|even)\b|and (?:up|more|over)\b|at (?:least|most)\b|plus\b"
    r"|(?:-|to|through|/|±|\^|×)\s*+\d|and a (?:half|quarter)\b|(?:st|nd|rd|th)\b|%|percent\b"
    r"|(?:dozen|hundred|thousand)\b)",
    re.IGNORECASE,
)
_NUMBER_CONTEXT = 40


def is_only_a_bound(text: str, start: int, end: int) -> bool:
    """Whether a number is only a bound, range, percentage or rank: `more than 2`, `2-3`, `2+`, `2 %`, `2nd`."""
    before, after = text[max(0, start - _NUMBER_CONTEXT) : start], text[end : end + _NUMBER_CONTEXT]
    return bool(_LIMIT_BEFORE.search(before) or _LIMIT_AFTER.match(after))


# ---- retractions ----

_CONFIRMED = re.compile(r"\b(?:was right|never ?mind|(?:is|was) correct|it stands|still stands)\b", re.IGNORECASE)
_SECOND_LOOK = re.compile(
    r"\b(?:wait|hold on|hmm+|oops|actually|sorry|looking again|on reflection|in fact"
    r"|let me (?:re-?\w+|double[- ]check|check|verify|think|see))\b[\s,:;.!…—–-]*",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[\s)*]*+,[\s(*]*+")
_SHORT_ANSWER = 80
"""Most characters after a `_SECOND_LOOK` for them to replace the answer before it."""
_MAX_MENTIONS = 150
"""Last mentions and corrections that are considered; no answer has more."""


def retracts(text: str) -> bool:
    """Whether a text says that something before it was wrong."""
    return _RETRACTION.search(_straight_quotes(text)) is not None


def after_correction(text: str) -> str:
    """The text after its last self-correction that is followed by anything."""
    for found in reversed([*_RETRACTION.finditer(_straight_quotes(text))][-_MAX_MENTIONS:]):
        if text[found.end() :].strip():
            return text[found.end() :]
    return text


def latest_mentions(text: str, mentions: Sequence[Mention[A]]) -> Sequence[Mention[A]] | ParseFailure:
    """The mentions after the last self-correction that is followed by any; all of them if nothing is retracted.

    "Wait" and the like retract nothing by themselves: only a short answer right after them replaces the earlier one.
    """
    text, mentions = _straight_quotes(text), mentions[-_MAX_MENTIONS:]
    starts = [mention.start for mention in mentions]
    for place, found in enumerate(reversed([*_RETRACTION.finditer(text)][-_MAX_MENTIONS:])):
        first = bisect_left(starts, found.end())
        if _any_asserted(text, mentions[first:]):
            return mentions[first:]
        if first and place == 0 and not _CONFIRMED.search(text, found.start()):
            return ParseFailure.TAKEN_BACK
    for found in reversed([*_SECOND_LOOK.finditer(text)][-_MAX_MENTIONS:]):
        first = bisect_left(starts, found.end())
        if 0 < first < len(mentions):
            short = len(text[found.end() :].strip()) <= _SHORT_ANSWER
            return mentions[first:] if short and _any_asserted(text, mentions[first:]) else mentions
    return mentions


def _any_asserted(text: str, mentions: Sequence[Mention[A]]) -> bool:
    return any(stance(text, *mention.span) is Stance.ASSERTED for mention in mentions)


# ---- remaining answers ----


def asserted_mentions(text: str, mentions: Sequence[Mention[A]]) -> Sequence[Mention[A]] | ParseFailure:
    """The mentions that a text asserts: neither retracted nor denied. A failure if it also hedges on another value."""
    return _without_denied(text, latest_mentions(text, mentions)) if mentions else ParseFailure.NO_ANSWER


def resolve_answer(text: str, mentions: Sequence[Mention[A]]) -> A | ParseFailure:
    """The one value that a text asserts, or why there is none."""
    return _unique_value(asserted_mentions(text, mentions))


def resolve_slots(text: str, *slots: Sequence[Mention[A]]) -> tuple[A, ...] | ParseFailure:
    """One value for each part of an answer, as `east` and `near`. A correction replaces the parts that it names."""
    mentions = sorted((mention for slot in slots for mention in slot), key=lambda mention: mention.start)
    if not mentions:
        return ParseFailure.NO_ANSWER
    kept = latest_mentions(text, mentions)
    if isinstance(kept, ParseFailure):
        return kept
    values: list[A] = []
    for slot in slots:
        recent = slot[-_MAX_MENTIONS:]
        latest = [mention for mention in recent if mention.start >= kept[0].start] or recent
        value = (
            _unique_value(_without_denied(text, latest, _context_starts(text, mentions, slot)))
            if slot
            else ParseFailure.INCOMPLETE
        )
        if isinstance(value, ParseFailure):
            return value
        values.append(value)
    return tuple(values)


def _context_starts(text: str, mentions: Sequence[Mention[A]], slot: Sequence[Mention[A]]) -> dict[int, int]:
    """By the start of each mention of a slot that follows a mention of another slot and a comma: the end of the latter.

    In `rather than west, near` only the direction is denied.
    """
    own = {mention.start for mention in slot}
    recent = mentions[-2 * _MAX_MENTIONS :]
    pairs = ((one, other) for one, other in pairwise(recent) if other.start in own and one.start not in own)
    return {other.start: one.end for one, other in pairs if _COMMA.fullmatch(text, one.end, other.start)}


def _without_denied(
    text: str, kept: Sequence[Mention[A]] | ParseFailure, begins: Mapping[int, int] | None = None
) -> Sequence[Mention[A]] | ParseFailure:
    if isinstance(kept, ParseFailure):
        return kept
    begins = begins or {}
    stances = [(stance(text, *mention.span, begins.get(mention.start, 0)), mention) for mention in kept]
    asserted = [mention for found, mention in stances if found is Stance.ASSERTED]
    values = {mention.value for mention in asserted}
    hedged = {mention.value for found, mention in stances if found is Stance.HEDGED} - values
    if hedged:
        return ParseFailure.SEVERAL if asserted or len(hedged) > 1 else ParseFailure.UNSURE
    return asserted or ParseFailure.NEGATED


def _unique_value(found: Sequence[Mention[A]] | ParseFailure) -> A | ParseFailure:
    if isinstance(found, ParseFailure):
        return found
    values = {mention.value for mention in found}
    return values.pop() if len(values) == 1 else ParseFailure.SEVERAL
