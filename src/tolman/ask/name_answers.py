"""Answers that are one object name or names in order: parse them from a reply, and list names in a question."""

import re
from collections.abc import Sequence
from functools import lru_cache

from tolman.ask.answer_extraction import HEDGE, published_answer, strict_answer
from tolman.core.reading import Mention, ParseFailure, Stance, asserted_mentions, resolve_answer, retracts, stance
from tolman.explore.grammar import plain_name
from tolman.world import Scene

_REFUSAL = re.compile(
    r"(?:i )?(?:do not|don't|can ?not|can't|unknown|none|n/?a|null|nothing|not|unsure|uncertain|unclear)\b.*",
    re.IGNORECASE,
)
_LINKS = re.compile(
    r"\b(?:then|and|next|finally|first|second|third|fourth|fifth|the|a|an|order|sequence|answer|final)\b"
)
_NOTHING = re.compile(r"[\s,;:.!?()\[\]\"'<>=|/\d→-]*+")
_AT = re.compile(
    r"^(?:(?:so|thus|therefore|i am|i'm|you are|standing|agent|is|at|on|it|it's|that|object|name|the|a|an|answer|final)"
    r"\b[\s:,*]*+)++",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\s*+(?:$|[.(;:!]|-\s|—|,?\s*+(?:because|since|as|given|facing|which|whose|from where)\b)", re.IGNORECASE
)
_CLAUSE = re.compile(r"[.;:!?\n(]|—|\s-\s")
_TURNED_ROUND = re.compile(
    r"\b(?:revers\w*|invers\w*|backwards?|opposite|mirror\w*|other way a?round)\b", re.IGNORECASE
)
LONGEST_NAME = 4
"""Most words of a line that is taken for a name even if nothing in the world has it."""


# ---- published ----


def published_name(reply: str) -> str:
    """The whole answer, trimmed and in lower case."""
    return published_answer(reply).strip().lower()


def published_names(reply: str) -> tuple[str, ...]:
    """The answer split at commas, each part trimmed and in lower case."""
    parts = (" ".join(part.split()).lower() for part in published_answer(reply).split(","))
    return tuple(part for part in parts if part)


# ---- strict ----


@lru_cache(maxsize=256)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")


def _spelled(text: str) -> str:
    return re.sub(r"[^\S\n]++|_", " ", text).lower()


def mentioned(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that occur in a text as whole words, in order, regardless of case and underscores."""
    return tuple(_any_of(names).findall(_spelled(text)))


def _mentions(spelled: str, names: tuple[str, ...]) -> list[Mention[str]]:
    return [Mention(*found.span(), found[0]) for found in _any_of(names).finditer(spelled)]


def find_name(reply: str, names: tuple[str, ...]) -> str | ParseFailure:
    """The one name in a reply, of `names` or a short unknown one, or why there is none."""

    def read(text: str) -> str | ParseFailure:
        spelled = _spelled(text)
        found = resolve_answer(spelled, _mentions(spelled, names))
        return _leading(spelled) if found is ParseFailure.SEVERAL else found

    def read_bare(line: str) -> str | ParseFailure:
        name = plain_name(_AT.sub("", line.strip()))
        return name if name in names else ParseFailure.NO_ANSWER

    def _leading(text: str) -> str | ParseFailure:
        """The name that begins a text, if the rest is a remark and not another answer."""
        start = _AT.sub("", text.strip())
        found = _any_of(names).match(start)
        if found is None or HEDGE.search(text) or retracts(text) or not _REMARK.match(start, found.end()):
            return ParseFailure.SEVERAL
        if stance(start, *found.span()) is not Stance.ASSERTED or _lists(start[found.end() :]):
            return ParseFailure.SEVERAL
        return found.group()

    def _lists(rest: str) -> bool:
        """Whether a remark consists of names and numbers only, or a clause of it is a name only."""
        if not re.search(r"[^\W\d_]{2}", _any_of(names).sub(" ", rest)) and mentioned(rest, names):
            return True
        return any(plain_name(_AT.sub("", part.strip(" ()-—,:!?"))) in names for part in _CLAUSE.split(rest))

    found = strict_answer(reply, read, read_bare)
    if found is not ParseFailure.NO_ANSWER:
        return found
    unknown = strict_answer(reply, _unknown_name, _unknown_name)
    return found if isinstance(unknown, ParseFailure) else unknown


def _unknown_name(text: str) -> str | ParseFailure:
    """A short line that is a name, though an unknown one."""
    name = plain_name(text)
    words = name.split()
    if not 0 < len(words) <= LONGEST_NAME or _REFUSAL.fullmatch(name) or HEDGE.search(name):
        return ParseFailure.NO_ANSWER
    is_name = re.fullmatch(r"[^\W\d_][\w -]*+", name) is not None
    return (
        name
        if is_name and stance(f"{name} ", len(name) + 1, len(name) + 1) is Stance.ASSERTED
        else ParseFailure.NO_ANSWER
    )


def find_names(reply: str, names: tuple[str, ...]) -> tuple[str, ...] | ParseFailure:
    """The names in a reply in their order, or why there is none."""

    def ordered(text: str) -> tuple[str, ...] | ParseFailure:
        spelled = _spelled(text)
        found = asserted_mentions(spelled, _mentions(spelled, names))
        if isinstance(found, ParseFailure):
            return ParseFailure.SEVERAL if found is ParseFailure.UNSURE else found
        return tuple(mention.value for mention in found)

    def read(text: str) -> tuple[str, ...] | ParseFailure:
        found = ordered(text)
        if isinstance(found, ParseFailure):
            return found
        around = _any_of(names).sub(" ", _spelled(text))
        if _TURNED_ROUND.search(around):
            return ParseFailure.NEGATED
        complete = len(found) == len(names) == len(set(found))
        return found if complete and not HEDGE.search(around) else ParseFailure.INCOMPLETE

    def read_bare(line: str) -> tuple[str, ...] | ParseFailure:
        text = _spelled(line)
        rest = _LINKS.sub("", _any_of(names).sub("", text))
        return mentioned(text, names) or ParseFailure.NO_ANSWER if _NOTHING.fullmatch(rest) else ParseFailure.NO_ANSWER

    found = strict_answer(reply, read, read_bare)
    if found not in (ParseFailure.NO_ANSWER, ParseFailure.INCOMPLETE):
        return found
    unknown = strict_answer(reply, _unknown_names, _unknown_names)
    return found if isinstance(unknown, ParseFailure) else unknown


def _unknown_names(text: str) -> tuple[str, ...] | ParseFailure:
    """A line of short names, not all of which were asked about."""
    parts = [_unknown_name(part) for part in text.strip().split(",")] if "\n" not in text.strip() else []
    names = [part for part in parts if not isinstance(part, ParseFailure)]
    return tuple(names) if len(names) == len(parts) > 1 else ParseFailure.NO_ANSWER


def format_names(names: Sequence[str]) -> str:
    """Names as a list in a question."""
    return ", ".join(names)


def parse_names(words: str, scene: Scene) -> tuple[str, ...] | None:
    """The names that `format_names` listed; None unless all are in the scene."""
    names = tuple(words.split(", "))
    return names if all(name in scene for name in names) else None
