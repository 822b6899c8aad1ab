"""What a text says of an answer that it mentions: that it is so, is not, might be, or was wrong.

General English, by rules that know nothing of any benchmark. A reader finds its mentions; which of them still stand is
decided here: those before a self-correction fall, denied ones fall, and a choice that is left open is no answer.
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
    """What a text says of a mention."""

    SAID = "said"
    DENIED = "denied"
    HEDGED = "hedged"


# ---- denied or hedged, within a clause ----

_TAKEN_BACK = re.compile(
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
_BEFORE, _AFTER = 160, 60
"""Characters around a mention that are looked at."""
_IDIOMS = re.compile(
    r"\b(?:(?:no|without(?: an?y?)?) (?:doubt|question)|more or less|sooner or later|whether or not)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()]*+\)")
_STARTS = "it|it's|its|this|that|these|those|the|there|i|i'm|we|you|he|she|they|my|our|which|is|are"
_NEW_CLAUSE = re.compile(
    r"[.!?…](?=\s|$)|[;\n]|—|\s-{1,2}\s|\banswer\b(?:\s*(?:is\b|:|=))?"
    r"|(?<!thing )(?<!\ball )\bbut\b"
    r"|\b(?:so|thus|hence|therefore|because|since|although|though|while|whereas|however|then)\b"
    r"|\binstead\b(?! of)|\brather\b(?! than)|\b(?:wait|oh|hmm+)\W{0,3}no\b"
    rf"|,\s*(?:and\s+)?(?=(?:{_STARTS})\b)",
    re.IGNORECASE,
)
_TURNED = "opposite|reverse|inverse|converse|contrary|mirror image|negation"
_NOT = re.compile(
    r"\b(?:not|never|cannot|neither|nor|none of|without|except(?:ing)?|exclud(?:e|es|ed|ing)|other than|no longer"
    r"|(?:rul|eliminat|reject|discard|dismiss)(?:e|es|ed|ing)?(?: out)?|wrong(?:ly)?|incorrect(?:ly)?|false(?:ly)?"
    r"|impossible|rather than|instead of|(?:any|every)thing but|all but|no way|nowhere near|reversed|flipped"
    rf"|(?:{_TURNED}) (?:direction |order )?(?:of|to|from))\b|n't\b|\b(?:cant|isnt)\b|\bno\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_IS = "is|was|are|were|would|could|can|does|did|has|must|should"
_DENIED_AFTER = re.compile(
    r"[\s)\"'*]*+(?:"
    rf"(?:{_IS}|seems?|looks?)\b\s*+(?:\w++\s++)?(?:be\s++)?"
    r"(?:not|never|wrong|incorrect|impossible|false|unlikely|(?:ruled|left) out|excluded|out)\b"
    rf"|(?:{_IS}|wo|ca)n't\b|cannot\b|\?\s*+(?:no|nope|not|never|wrong|incorrect)\b"
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
    """What a text says of what it mentions from `start` to `end`; what stands before `begin` tells nothing of it."""
    before = _ASIDE.sub(" ", _IDIOMS.sub(" ", _straight(text[max(begin, start - _BEFORE) : start])))
    for found in _TAKEN_BACK.finditer(f"{before}\ufffc"):
        before = found.string[found.end() : -1]
    clause = before
    for found in _NEW_CLAUSE.finditer(before):
        clause = before[found.end() :]
    after = _straight(text[end : end + _AFTER])
    if _NOT.search(clause) or _DENIED_AFTER.match(after):
        return Stance.DENIED
    if _OR.search(before) or _MAYBE.search(clause) or _MAYBE_AFTER.match(after):
        return Stance.HEDGED
    return Stance.SAID


def _straight(text: str) -> str:
    return text.replace("’", "'")


# ---- numbers that are only a limit or a part of a range ----

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
_NEAR = 40


def is_only_a_bound(text: str, start: int, end: int) -> bool:
    """Whether a number is only a limit, a range, a share or a rank: `more than 2`, `2-3`, `2+`, `2 %`, `2nd`."""
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    return bool(_LIMIT_BEFORE.search(before) or _LIMIT_AFTER.match(after))


# ---- taken back ----

_CONFIRMED = re.compile(r"\b(?:was right|never ?mind|(?:is|was) correct|it stands|still stands)\b", re.IGNORECASE)
_SECOND_LOOK = re.compile(
    r"\b(?:wait|hold on|hmm+|oops|actually|sorry|looking again|on reflection|in fact"
    r"|let me (?:re-?\w+|double[- ]check|check|verify|think|see))\b[\s,:;.!…—–-]*",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[\s)*]*+,[\s(*]*+")
_SHORT = 80
"""Characters that may follow a mere second look for it to replace what was said before."""
_MOST = 150
"""Mentions and corrections that are looked at, from the last: no answer has more."""


def retracts(text: str) -> bool:
    """Whether a text says of something before it that it was wrong."""
    return _TAKEN_BACK.search(_straight(text)) is not None


def after_correction(text: str) -> str:
    """What stands after the last self-correction of a text, unless that is nothing."""
    for found in reversed([*_TAKEN_BACK.finditer(_straight(text))][-_MOST:]):
        if text[found.end() :].strip():
            return text[found.end() :]
    return text


def latest_mentions(text: str, mentions: Sequence[Mention[A]]) -> Sequence[Mention[A]] | ParseFailure:
    """The mentions after the last self-correction that has any after it; all of them where nothing is taken back.

    "Wait" and the like only make one look twice: they replace what was said only by a short answer right after them.
    """
    text, mentions = _straight(text), mentions[-_MOST:]
    starts = [mention.start for mention in mentions]
    for place, found in enumerate(reversed([*_TAKEN_BACK.finditer(text)][-_MOST:])):
        first = bisect_left(starts, found.end())
        if _any_asserted(text, mentions[first:]):
            return mentions[first:]
        if first and place == 0 and not _CONFIRMED.search(text, found.start()):
            return ParseFailure.TAKEN_BACK
    for found in reversed([*_SECOND_LOOK.finditer(text)][-_MOST:]):
        first = bisect_left(starts, found.end())
        if 0 < first < len(mentions):
            short = len(text[found.end() :].strip()) <= _SHORT
            return mentions[first:] if short and _any_asserted(text, mentions[first:]) else mentions
    return mentions


def _any_asserted(text: str, mentions: Sequence[Mention[A]]) -> bool:
    return any(stance(text, *mention.span) is Stance.SAID for mention in mentions)


# ---- what stands ----


def asserted_mentions(text: str, mentions: Sequence[Mention[A]]) -> Sequence[Mention[A]] | ParseFailure:
    """The mentions that a text says are so: neither taken back nor denied. With another choice beside them, none."""
    return _asserted(text, latest_mentions(text, mentions)) if mentions else ParseFailure.NO_ANSWER


def resolve_answer(text: str, mentions: Sequence[Mention[A]]) -> A | ParseFailure:
    """The one value that a text says is so, or why there is none."""
    return _single_value(asserted_mentions(text, mentions))


def resolve_slots(text: str, *slots: Sequence[Mention[A]]) -> tuple[A, ...] | ParseFailure:
    """One value for each part of an answer, as `east` and `near`. A correction replaces the parts that it names."""
    every = sorted((mention for slot in slots for mention in slot), key=lambda mention: mention.start)
    if not every:
        return ParseFailure.NO_ANSWER
    kept = latest_mentions(text, every)
    if isinstance(kept, ParseFailure):
        return kept
    values: list[A] = []
    for slot in slots:
        late = [mention for mention in slot[-_MOST:] if mention.start >= kept[0].start] or slot[-_MOST:]
        value = (
            _single_value(_asserted(text, late, _separate_begins(text, every, slot)))
            if slot
            else ParseFailure.INCOMPLETE
        )
        if isinstance(value, ParseFailure):
            return value
        values.append(value)
    return tuple(values)


def _separate_begins(text: str, every: Sequence[Mention[A]], slot: Sequence[Mention[A]]) -> dict[int, int]:
    """Where mentions of a slot begin that follow one of another slot and a comma, and the end of that other one.

    In `rather than west, near` only the direction is denied.
    """
    own = {mention.start for mention in slot}
    pairs = (
        (one, other) for one, other in pairwise(every[-2 * _MOST :]) if other.start in own and one.start not in own
    )
    return {other.start: one.end for one, other in pairs if _COMMA.fullmatch(text, one.end, other.start)}


def _asserted(
    text: str, kept: Sequence[Mention[A]] | ParseFailure, begins: Mapping[int, int] | None = None
) -> Sequence[Mention[A]] | ParseFailure:
    if isinstance(kept, ParseFailure):
        return kept
    begins = begins or {}
    stances = [(stance(text, *mention.span, begins.get(mention.start, 0)), mention) for mention in kept]
    said = [mention for found, mention in stances if found is Stance.SAID]
    values = {mention.value for mention in said}
    others = {mention.value for found, mention in stances if found is Stance.HEDGED} - values
    if others:
        return ParseFailure.SEVERAL if said or len(others) > 1 else ParseFailure.UNSURE
    return said or ParseFailure.NEGATED


def _single_value(found: Sequence[Mention[A]] | ParseFailure) -> A | ParseFailure:
    if isinstance(found, ParseFailure):
        return found
    values = {mention.value for mention in found}
    return values.pop() if len(values) == 1 else ParseFailure.SEVERAL
