"""A question about a room, its answer computed on the cells of the map by the released rules, and the grade of a
reply by rules, without a judge. Grading never raises on a model's text.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tolman.benchmarks.osr_bench.maps.grid import GridCell, GridMap
from tolman.benchmarks.osr_bench.rules import STRICT, Rules
from tolman.core.reading import Mention, ParseFailure, asserted_mentions, final_part, is_only_a_bound, or_none
from tolman.core.wording import wording

NOT_FOUND = "The positioning object is not found in the picture."
NOT_UNIQUE = "The positioning object is not unique in the picture."
NO_CANDIDATE = "None of the candidates were found in the picture."
NO_OTHER = "The orienting object or querying object is not found in the picture."
SPECIAL = (NOT_FOUND, NOT_UNIQUE, NO_CANDIDATE, NO_OTHER)
"""Answers where an object is absent or there are several; worded as in the released data."""
DIRECTIONS = ("Front", "Front Right", "Right", "Back Right", "Back", "Back Left", "Left", "Front Left")
"""Clockwise. One word: exactly on the axis; two words: anywhere between the axes."""


def count_of(world: GridMap, name: str) -> str:
    """How many objects of a class there are."""
    return str(world.counts.get(name, 0))


def closest_of(world: GridMap, place: str, candidates: Sequence[str]) -> str:
    """The candidate closest to the positioning object; the first of equally close ones."""
    origin = _origin(world, place)
    if isinstance(origin, str):
        return origin
    there = [name for name in candidates if name in world.places]
    return min(there, key=lambda name: _least(origin, world.places[name])) if there else NO_CANDIDATE


def direction_of(world: GridMap, place: str, faced: str, wanted: str) -> str:
    """Direction of `wanted` for an observer at `place` who faces `faced`; empty if either is in the cell of `place`."""
    origin = _origin(world, place)
    if isinstance(origin, str):
        return origin
    if faced not in world.places or wanted not in world.places:
        return NO_OTHER
    ahead, there = (step_between(nearest_cell(world, origin, name), origin) for name in (faced, wanted))
    return direction_word(ahead, there)


def direction_word(ahead: GridCell, there: GridCell) -> str:
    """The direction of the offset `there` (rows, columns) for an observer who looks along `ahead`."""
    along = ahead[0] * there[0] + ahead[1] * there[1]
    across = ahead[0] * there[1] - ahead[1] * there[0]
    lengthwise = "Front" if along > 0 else "Back" if along < 0 else ""
    sideways = "Left" if across > 0 else "Right" if across < 0 else ""
    return f"{lengthwise} {sideways}".strip()


def nearest_cell(world: GridMap, origin: GridCell, name: str) -> GridCell:
    """The closest cell with a class; among ties the first clockwise from the right."""
    cells = world.places[name]
    if len(cells) == 1:
        return cells[0]
    least = _least(origin, cells)
    closest = [cell for cell in cells if squared_distance(origin, cell) == least]
    return closest[0] if len(closest) == 1 else min(closest, key=lambda cell: _turn(step_between(cell, origin)))


def squared_distance(a: GridCell, b: GridCell) -> int:
    """Squared distance in cells, an exact integer."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _least(origin: GridCell, cells: Sequence[GridCell]) -> int:
    return min(squared_distance(origin, cell) for cell in cells)


def step_between(a: GridCell, b: GridCell) -> GridCell:
    return a[0] - b[0], a[1] - b[1]


def _turn(step: GridCell) -> float:
    return math.atan2(step[0], step[1]) % (2 * math.pi)


def _origin(world: GridMap, place: str) -> GridCell | str:
    found = world.places.get(place, [])
    if not found:
        return NOT_FOUND
    return found[0] if len(found) == 1 else NOT_UNIQUE


QuestionKind = Literal["counting", "distance", "direction"]
QUESTION_KINDS: tuple[QuestionKind, ...] = ("counting", "distance", "direction")
SKILLS: dict[QuestionKind, str] = {
    "counting": "object_counting",
    "distance": "relative_distance",
    "direction": "relative_direction",
}
"""Names of the kinds in the authors' files."""
MAP_SKILL = "cognitive_map"
ASKED = ("standard", "negative")
"""Sets of questions: about present objects only, and also about absent ones."""
AskedSet = Literal["standard", "negative"]


@dataclass(frozen=True)
class Question:
    """One question about a room."""

    turn: int
    """Its number in its set, from 1; the map is number 0. Numbers can have gaps."""
    kind: QuestionKind
    names: tuple[str, ...]
    """Counting: the class. Distance: positioning object and four candidates. Direction: positioning, orienting and
    querying object."""
    answer: str
    text: str


def answer_of(world: GridMap, kind: QuestionKind, names: tuple[str, ...]) -> str:
    """The answer to a question, computed from a map."""
    if kind == "counting":
        return count_of(world, names[0])
    if kind == "distance":
        return closest_of(world, names[0], names[1:])
    place, faced, wanted = names
    return direction_of(world, place, faced, wanted)


def ask(turn: int, kind: QuestionKind, names: tuple[str, ...], world: GridMap) -> Question:
    """A question with its text and answer."""
    return Question(turn, kind, names, answer_of(world, kind, names), _words(kind, names))


def _words(kind: QuestionKind, names: tuple[str, ...]) -> str:
    text = wording(__package__ or "", kind)
    if kind == "distance":
        return text.fill(place=names[0], candidates=", ".join(names[1:]))
    if kind == "direction":
        return text.fill(place=names[0], faced=names[1], wanted=names[2])
    return text.fill(name=names[0])


_DECOR = re.compile(r"\\[a-z]*|[*_`\"“”{}$]")
_DASH = re.compile(r"[−–‐‑‒]")
_BETWEEN = r"[\W_]+"
_NUMBER = re.compile(
    r"(?<![\w.,/-])(?:(?!0\d)\d{1,3}(?:,\d{3})++|\d{1,6}+)(?:\.\d++)?+(?![\w]|[.,/]\d)|(?<!\d)\d{1,6}+(?=(?:st|nd|rd|th)\b)"
)
_DIRECTION = re.compile(r"\b(?:(front|back)[ -]*(left|right)|(front|back|left|right))\b")
_CORRECT = re.compile(r"\b(?:that's|that is|all) right\b|\bright (?=in front|in back|ahead|behind|answer\b)|, right\?")
"""Uses of "right" that mean "correct" or "directly"."""
_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_COUNTS = {
    **{word: number for number, word in enumerate((*_UNITS, *_TEENS))},
    **{word: 10 * tens for tens, word in enumerate(_TENS, start=2)},
    **dict.fromkeys(("no", "none"), 0),
}
_WORD = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[ -]({'|'.join(_UNITS[1:10])}))?|({'|'.join((*_UNITS, *_TEENS))}|none)"
    r"|(no)(?= +(?!more|less|fewer|doubt|longer|wait|further|other|one\b|it\b|that\b)[a-z]))\b"
)


def read_answer(question: Question, reply: str) -> str | None:
    """The one answer that a reply gives, spelt as the true answer would be; None where it gives none or several."""
    return or_none(find_answer(question, reply))


def find_answer(question: Question, reply: str) -> str | ParseFailure:
    """The one answer that a reply gives, or why there is none."""
    text = _DASH.sub("-", _DECOR.sub(" ", final_part(reply))).replace("’", "'").lower()
    special = [Mention(*found.span(), sentence) for sentence in SPECIAL for found in _sentence(sentence).finditer(text)]
    for mention in special:
        text = text[: mention.start] + "\ufffc" * (mention.end - mention.start) + text[mention.end :]
    found = [*special, *_READERS[question.kind](text, question)]
    said = asserted_mentions(text, sorted(found, key=lambda mention: mention.start))
    if isinstance(said, ParseFailure):
        return said
    values = {mention.value for mention in said}
    if question.kind == "counting" and any(is_only_a_bound(text, *mention.span) for mention in said):
        return ParseFailure.UNSURE
    if question.kind == "counting" and not all(value.isdecimal() or value in SPECIAL for value in values):
        return ParseFailure.INCOMPLETE
    return values.pop() if len(values) == 1 else ParseFailure.SEVERAL


@lru_cache(maxsize=256)
def _sentence(words: str, ending: str = "") -> re.Pattern[str]:
    """A pattern for some words with any punctuation between them."""
    spelt = _BETWEEN.join(map(re.escape, re.findall(r"[^\W_]+", words.lower()))) or "(?!)"
    return re.compile(rf"(?<!\w){spelt}{ending}(?!\w)")


def _counts(text: str, question: Question) -> list[Mention[str]]:
    """Numbers in digits, or else in words. A fraction is kept as text and invalidates the answer."""
    del question
    digits = [Mention(*found.span(), _whole(found[0])) for found in _NUMBER.finditer(text)]
    return digits or [Mention(*found.span(), str(_counted(found))) for found in _WORD.finditer(text)]


def _whole(said: str) -> str:
    whole, _, part = said.replace(",", "").partition(".")
    return said if part.strip("0") else str(int(whole))


def _counted(found: re.Match[str]) -> int:
    return sum(_COUNTS[word] for word in found.groups() if word)


def _candidates(text: str, question: Question) -> list[Mention[str]]:
    """Candidates that a text names, except those within the name of another."""
    found: list[Mention[str]] = []
    for name in sorted(question.names[1:], key=len, reverse=True):
        spelt = _sentence(name, "(?:e?s)?")
        found += (Mention(*match.span(), name) for match in spelt.finditer(text))
        text = spelt.sub(lambda match: "\ufffc" * len(match[0]), text)
    return found


def _directions(text: str, question: Question) -> list[Mention[str]]:
    del question
    text = _CORRECT.sub(lambda match: " " * len(match[0]), text)
    said = ((found, " ".join(filter(None, found.groups())).title()) for found in _DIRECTION.finditer(text))
    return [Mention(*found.span(), word) for found, word in said if word in DIRECTIONS]


_READERS: dict[QuestionKind, Callable[[str, Question], list[Mention[str]]]] = {
    "counting": _counts,
    "distance": _candidates,
    "direction": _directions,
}


_DIGITS = re.compile(r"\d+")
_HYPHENS = re.compile(r"\b(front|back)[- ](left|right)\b")


def grade(question: Question, reply: str, rules: Rules = STRICT, *, think: bool = False) -> float:
    """The score of a reply, from 0 to 1. `think`: the answer was asked for between tags."""
    said = answer_said(question, reply, rules, think=think)
    if said is None:
        return 0.0
    if question.kind == "counting" and not rules.counts_are_exact and said.isdecimal():
        return _nearly(int(said), int(question.answer))
    return float(said == (question.answer if rules.forgiving_answers else _unified(question.answer)))


def answer_said(question: Question, reply: str, rules: Rules = STRICT, *, think: bool = False) -> str | None:
    """The parsed answer of a reply; None if unparseable, which under the released grader happens for counts only."""
    if rules.forgiving_answers:
        return read_answer(question, reply)
    text = (_tagged(reply) if think else reply).strip().lower()
    if question.kind == "counting":
        number = _DIGITS.search(text)
        return str(int(number[0][:9])) if number else None
    return _unified(text)


def _tagged(reply: str) -> str:
    """The text between the first pair of answer tags, or the whole reply."""
    begin = reply.find("<answer>") + len("<answer>")
    end = reply.find("</answer>", begin)
    return reply[begin:end] if begin >= len("<answer>") and end >= 0 else reply


def _unified(text: str) -> str:
    return _HYPHENS.sub(r"\1-\2", text.strip().lower())


def _nearly(said: int, true: int) -> float:
    """Partial credit for a near count."""
    return 1.0 if said == true else max(0.0, 1 - abs(said - true) / max(said, true))
