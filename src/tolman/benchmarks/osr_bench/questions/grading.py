"""Parse the answer in a reply and grade it by rules, without a judge. Never raises on a model's text."""

import re
from collections.abc import Callable
from functools import lru_cache

from tolman.benchmarks.osr_bench.questions.question import DIRECTIONS, SPECIAL, Question, QuestionKind
from tolman.benchmarks.osr_bench.rules import STRICT, Rules
from tolman.core.reading import Mention, ParseFailure, asserted_mentions, final_part, is_only_a_bound, or_none

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
