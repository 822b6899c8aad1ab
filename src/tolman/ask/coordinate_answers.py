"""Answers that are one or several points: `(2, -1)` or `(1, 0); (-2, 3)`."""

import re
from collections.abc import Sequence

from tolman.ask.answer_text import published_answer, strict_answer
from tolman.ask.name_answers import mentioned

Point = tuple[float, float]

_NUMBER = r"[-+]?\d{1,15}+(?:\.\d{1,15}+)?"
_PAIR = re.compile(rf"(?<![\d.])({_NUMBER})\s*+,\s*+({_NUMBER})")
_AXIS = re.compile(r"\b[xy](?:_?\d)?\s*+[=:]\s*+", re.IGNORECASE)
_REST = re.compile(r"[\s,;:.()\[\]<>|&-]*+")


def _points(text: str) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in _PAIR.findall(text))


def published_points(reply: str) -> tuple[Point, ...]:
    """Every pair of numbers with a comma between them."""
    return _points(published_answer(reply))


def read_point(reply: str) -> Point | None:
    """The one point that a reply gives, or None."""

    def read(text: str) -> Point | None:
        found = set(_points(_AXIS.sub("", text)))
        return found.pop() if len(found) == 1 else None

    def read_bare(line: str) -> Point | None:
        text = _AXIS.sub("", line)
        return read(text) if _REST.fullmatch(_PAIR.sub("", text)) else None

    return strict_answer(reply, read, read_bare)


def read_points(reply: str, names: tuple[str, ...]) -> tuple[Point, ...] | None:
    """One point for each name: in the order of the names, or labelled with them in any order. Else None."""

    def read(text: str) -> tuple[Point, ...] | None:
        text = _AXIS.sub("", text)
        points = _points(text)
        if len(points) != len(names):
            return None
        labels = mentioned(_PAIR.sub(" ", text), names)
        if sorted(labels) == sorted(names):
            return tuple(points[labels.index(name)] for name in names)
        return points

    def read_bare(line: str) -> tuple[Point, ...] | None:
        text = _AXIS.sub("", line)
        return read(text) if _REST.fullmatch(_PAIR.sub("", text)) else None

    return strict_answer(reply, read, read_bare)


def say_points(points: Sequence[Point]) -> str:
    """Points in the published format."""
    return "; ".join(f"({_number(x)}, {_number(y)})" for x, y in points)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.15g}"
