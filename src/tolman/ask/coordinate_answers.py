"""Answers that are one or several points, such as `(2, -1)` or `(1, 0); (-2, 3)`."""

import re
from collections.abc import Sequence

from tolman.ask.answer_extraction import published_answer, strict_answer
from tolman.ask.name_answers import mentioned
from tolman.core.reading import Mention, ParseFailure, asserted_mentions, is_only_a_bound, resolve_answer

Point = tuple[float, float]

# ---- published ----

_NUMBER = r"[-+]?\d{1,15}+(?:\.\d{1,15}+)?"
_PAIR = re.compile(rf"(?<![\d.])({_NUMBER})\s*+,\s*+({_NUMBER})")


def published_points(reply: str) -> tuple[Point, ...]:
    """Every pair of numbers with a comma between them."""
    return tuple((float(x), float(y)) for x, y in _PAIR.findall(published_answer(reply)))


# ---- strict ----

_VALUE = (
    r"(?<![\w.+^/-])[-+]?(?:(?!0\d)\d{1,15}+(?:\.\d{1,15}+)?+|\.\d{1,15}+)(?:e[-+]?\d{1,2}+)?+"
    r"(?:\s?(?:m|met(?:er|re)s?|cells?|units?|steps?|squares?|tiles?)\b)?+(?!\.?\w|[%°º^/]|\s?[+*×±]|-\d)"
)
_RUN = re.compile(rf"{_VALUE}(?:\s*+,\s*+{_VALUE})++", re.IGNORECASE)
_SINGLE = re.compile(_VALUE, re.IGNORECASE)
_DIGITS = re.compile(r"[-+]?[\d.]++(?:e[-+]?\d++)?+", re.IGNORECASE)
_AXIS = re.compile(rf"\b([xy])(?:_?\d)?\s*+[=:]\s*+({_VALUE})", re.IGNORECASE)
_SWAPPED = re.compile(r"\by\s*+,\s*+x\b", re.IGNORECASE)
_ANGLED = re.compile(r"<([^<>a-z]*+)>", re.IGNORECASE)
_MOST = 100
"""Most numbers in one list, far more than any question asks for."""
_REST = re.compile(r"(?:[\s,;:.()\[\]<>|&-]|\band\b)*+")


def find_point(reply: str) -> Point | ParseFailure:
    """The one point in a reply, or why there is none."""

    def read(text: str) -> Point | ParseFailure:
        found = _mentions(text)
        return found if isinstance(found, ParseFailure) else resolve_answer(_with_parentheses(text), found)

    return strict_answer(reply, read, lambda line: read(line) if _is_bare(line) else ParseFailure.NO_ANSWER)


def find_points(reply: str, names: tuple[str, ...]) -> tuple[Point, ...] | ParseFailure:
    """One point for each name, in the order of the names or labelled with them in any order, or why there is none."""

    def read(text: str) -> tuple[Point, ...] | ParseFailure:
        text = _with_parentheses(text)
        every = _mentions(text)
        if isinstance(every, ParseFailure):
            return every
        said = asserted_mentions(text, every)
        if isinstance(said, ParseFailure):
            return said
        if len(said) != len(names):
            return ParseFailure.INCOMPLETE
        before = max((mention.end for mention in every if mention.end <= said[0].start), default=0)
        return _in_order(text[before:], [Mention(m.start - before, m.end - before, m.value) for m in said], names)

    return strict_answer(reply, read, lambda line: read(line) if _is_bare(line) else ParseFailure.NO_ANSWER)


def _in_order(text: str, points: list[Mention[Point]], names: tuple[str, ...]) -> tuple[Point, ...] | ParseFailure:
    """Points in the order of the names: by the labels beside them, or in the given order where there are none."""
    ends = [0, *(point.end for point in points)]
    starts = [*(point.start for point in points), len(text)]
    labels = [mentioned(text[end:start], names) for end, start in zip(ends, starts, strict=True)]
    named = [name for gap in labels for name in gap]
    for order in (named, [gap[-1] for gap in labels[:-1] if gap], [gap[0] for gap in labels[1:] if gap], labels[0]):
        if sorted(order) == sorted(names):
            return tuple(points[list(order).index(name)].value for name in names)
    return tuple(point.value for point in points) if not any(labels[1:-1]) else ParseFailure.SEVERAL


def _with_parentheses(text: str) -> str:
    return _ANGLED.sub(r"(\1)", text)


def _is_bare(line: str) -> bool:
    """Whether a line holds points and nothing else."""
    return _REST.fullmatch(_RUN.sub("", _AXIS.sub("", _with_parentheses(line)))) is not None


def _mentions(text: str) -> list[Mention[Point]] | ParseFailure:
    """All points of a text in order; a failure where numbers do not pair up, or one is only a bound."""
    text = _with_parentheses(text)
    if _SWAPPED.search(text):
        return ParseFailure.SEVERAL
    if axes := [*_AXIS.finditer(text)]:
        return _by_axes(axes)
    found: list[Mention[Point]] = []
    for run in _RUN.finditer(text):
        numbers = [*_SINGLE.finditer(text, *run.span())]
        if len(numbers) % 2 or len(numbers) > _MOST or any(is_only_a_bound(text, *number.span()) for number in numbers):
            return ParseFailure.INCOMPLETE
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        found += (Mention(x.start(), y.end(), (_number(x[0]), _number(y[0]))) for x, y in pairs)
    return found


def _by_axes(axes: list[re.Match[str]]) -> list[Mention[Point]] | ParseFailure:
    """Points whose coordinates are labelled x and y, in either order."""
    found: list[Mention[Point]] = []
    for one, other in zip(axes[::2], axes[1::2], strict=False):
        values = {axis[1].lower(): _number(axis[2]) for axis in (one, other)}
        if len(values) != 2:
            return ParseFailure.INCOMPLETE
        found.append(Mention(one.start(), other.end(), (values["x"], values["y"])))
    return ParseFailure.INCOMPLETE if len(axes) % 2 else found


def _number(text: str) -> float:
    digits = _DIGITS.match(text)
    return float(digits[0]) if digits else 0.0


def format_points(points: Sequence[Point]) -> str:
    """Points in the published format."""
    return "; ".join(f"({_format_number(x)}, {_format_number(y)})" for x, y in points)


def _format_number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.15g}"
