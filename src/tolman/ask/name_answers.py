"""Answers that are one name, or names in order."""

import re
from functools import lru_cache

from tolman.ask.answer_text import HEDGE, published_answer, strict_answer
from tolman.explore.grammar import plain_name

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
LONGEST_NAME = 4
"""Words in a line that is taken for a name even if nothing in the world is called so."""


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
    """Names that occur in a text as whole words, in order; case and underscores do not matter."""
    return tuple(_any_of(names).findall(_spelled(text)))


def read_name(reply: str, names: tuple[str, ...]) -> str | None:
    """The one name that a reply gives: one of `names`, or a short answer that names something else; else None."""

    def read(text: str) -> str | None:
        found = set(mentioned(text, names))
        if len(found) == 1 and not re.search(r"\bnot\b", text, re.IGNORECASE):
            return found.pop()
        return _leading(text)

    def read_bare(line: str) -> str | None:
        name = plain_name(_AT.sub("", line.strip()))
        return name if name in names else None

    def _leading(text: str) -> str | None:
        start = _AT.sub("", _spelled(text).strip())
        found = _any_of(names).match(start)
        if found is None or HEDGE.search(text) or not _REMARK.match(start, found.end()):
            return None
        return found.group()

    return strict_answer(reply, read, read_bare) or strict_answer(reply, _unknown_name, _unknown_name)


def _unknown_name(text: str) -> str | None:
    """A short line that is a name, though not of anything here."""
    name = plain_name(text)
    words = name.split()
    if not 0 < len(words) <= LONGEST_NAME or _REFUSAL.fullmatch(name) or HEDGE.search(name):
        return None
    return name if re.fullmatch(r"[^\W\d_][\w -]*+", name) else None


def read_names(reply: str, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names of a reply in their order, or None where it is not plain what the order is."""

    def read(text: str) -> tuple[str, ...] | None:
        found = mentioned(text, names)
        complete = len(found) == len(names) == len(set(found))
        return found if complete and not HEDGE.search(text) else None

    def read_bare(line: str) -> tuple[str, ...] | None:
        text = _spelled(line)
        rest = _LINKS.sub("", _any_of(names).sub("", text))
        return mentioned(text, names) or None if _NOTHING.fullmatch(rest) else None

    return strict_answer(reply, read, read_bare) or strict_answer(reply, _unknown_names, _unknown_names)


def _unknown_names(text: str) -> tuple[str, ...] | None:
    """A line of short names, though not all of things that were asked about."""
    names = [_unknown_name(part) for part in text.strip().split(",")] if "\n" not in text.strip() else []
    return tuple(name for name in names if name) if len(names) > 1 and all(names) else None
