"""What a reply answers, where that is plain. Never raises on what a model wrote."""

import re
from collections.abc import Callable
from functools import lru_cache

from tolman.benchmarks.osr_bench.answers import DIRECTIONS, SPECIAL
from tolman.benchmarks.osr_bench.question import Question, QuestionKind
from tolman.reading import Mention, Unread, bounded, final_part, or_none, standing

_DECOR = re.compile(r"\\[a-z]*|[*_`\"“”{}$]")
_DASH = re.compile(r"[−–‐‑‒]")
_BETWEEN = r"[\W_]+"
_NUMBER = re.compile(
    r"(?<![\w.,/-])(?:(?!0\d)\d{1,3}(?:,\d{3})++|\d{1,6}+)(?:\.\d++)?+(?![\w]|[.,/]\d)|(?<!\d)\d{1,6}+(?=(?:st|nd|rd|th)\b)"
)
_WAY = re.compile(r"\b(?:(front|back)[ -]*(left|right)|(front|back|left|right))\b")
_CORRECT = re.compile(r"\b(?:that's|that is|all) right\b|\bright (?=in front|in back|ahead|behind|answer\b)|, right\?")
"""The other meanings of the word."""
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


def find_answer(question: Question, reply: str) -> str | Unread:
    """The one answer that a reply gives, or why there is none."""
    text = _DASH.sub("-", _DECOR.sub(" ", final_part(reply))).replace("’", "'").lower()
    special = [Mention(*found.span(), sentence) for sentence in SPECIAL for found in _sentence(sentence).finditer(text)]
    for mention in special:
        text = text[: mention.start] + "\ufffc" * (mention.end - mention.start) + text[mention.end :]
    found = [*special, *_READERS[question.kind](text, question)]
    said = standing(text, sorted(found, key=lambda mention: mention.start))
    if isinstance(said, Unread):
        return said
    values = {mention.value for mention in said}
    if question.kind == "counting" and any(bounded(text, *mention.span) for mention in said):
        return Unread.UNSURE
    if question.kind == "counting" and not all(value.isdecimal() or value in SPECIAL for value in values):
        return Unread.INCOMPLETE
    return values.pop() if len(values) == 1 else Unread.SEVERAL


@lru_cache(maxsize=256)
def _sentence(words: str, ending: str = "") -> re.Pattern[str]:
    """Some words, whatever stands between them."""
    spelt = _BETWEEN.join(map(re.escape, re.findall(r"[^\W_]+", words.lower()))) or "(?!)"
    return re.compile(rf"(?<!\w){spelt}{ending}(?!\w)")


def _counts(text: str, question: Question) -> list[Mention[str]]:
    """Numbers, or else the words for them. A number that is not whole is no count, and spoils the answer."""
    del question
    digits = [Mention(*found.span(), _whole(found[0])) for found in _NUMBER.finditer(text)]
    return digits or [Mention(*found.span(), str(_counted(found))) for found in _WORD.finditer(text)]


def _whole(said: str) -> str:
    whole, _, part = said.replace(",", "").partition(".")
    return said if part.strip("0") else str(int(whole))


def _counted(found: re.Match[str]) -> int:
    return sum(_COUNTS[word] for word in found.groups() if word)


def _candidates(text: str, question: Question) -> list[Mention[str]]:
    """Candidates that a text names; one inside the name of another does not count."""
    found: list[Mention[str]] = []
    for name in sorted(question.names[1:], key=len, reverse=True):
        spelt = _sentence(name, "(?:e?s)?")
        found += (Mention(*match.span(), name) for match in spelt.finditer(text))
        text = spelt.sub(lambda match: "\ufffc" * len(match[0]), text)
    return found


def _directions(text: str, question: Question) -> list[Mention[str]]:
    del question
    text = _CORRECT.sub(lambda match: " " * len(match[0]), text)
    said = ((found, " ".join(filter(None, found.groups())).title()) for found in _WAY.finditer(text))
    return [Mention(*found.span(), word) for found, word in said if word in DIRECTIONS]


_READERS: dict[QuestionKind, Callable[[str, Question], list[Mention[str]]]] = {
    "counting": _counts,
    "distance": _candidates,
    "direction": _directions,
}
