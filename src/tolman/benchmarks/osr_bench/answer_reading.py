"""What a reply answers, where that is plain. Never raises on what a model wrote."""

import re
from collections.abc import Callable

from tolman.benchmarks.osr_bench.answers import DIRECTIONS, SPECIAL
from tolman.benchmarks.osr_bench.question import Question, QuestionKind
from tolman.reading import final_part

_BETWEEN_WORDS = re.compile(r"[\W_]+")
_WHOLE = re.compile(r"(?<![\d.])(\d{1,6})\.0+(?!\d)")
_NUMBER = re.compile(r"\b\d{1,6}\b")
_WAY = re.compile(r"\b(front|back) ?(left|right)\b|\b(front|back|left|right)\b")
_COUNTS = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"no": 0, "none": 0}


def read_answer(question: Question, reply: str) -> str | None:
    """The one answer that a reply gives, spelt as the true answer would be; None where it gives none or several."""
    text = _plain(_WHOLE.sub(r"\1", final_part(reply)))
    special = [sentence for sentence in SPECIAL if _plain(sentence) in text]
    if special:
        return special[0] if len(special) == 1 else None
    found = _READERS[question.kind](text, question)
    return found.pop() if len(found) == 1 else None


def _plain(text: str) -> str:
    """Words in small letters with one space around each."""
    return f" {_BETWEEN_WORDS.sub(' ', text.lower()).strip()} "


def _counts(text: str, question: Question) -> set[str]:
    del question
    digits = {str(int(number)) for number in _NUMBER.findall(text)}
    return digits or {str(_COUNTS[word]) for word in text.split() if word in _COUNTS}


def _candidates(text: str, question: Question) -> set[str]:
    """Candidates that a text names; one inside the name of another does not count."""
    found: set[str] = set()
    for name in sorted(question.names[1:], key=len, reverse=True):
        words = _plain(name).strip()
        spelt = rf"\b{re.escape(words)}(?:e?s)?\b"
        if words and re.search(spelt, text):
            found.add(name)
            text = re.sub(spelt, " ", text)
    return found


def _directions(text: str, question: Question) -> set[str]:
    del question
    said = (" ".join(filter(None, match.groups())).title() for match in _WAY.finditer(text))
    return {word for word in said if word in DIRECTIONS}


_READERS: dict[QuestionKind, Callable[[str, Question], set[str]]] = {
    "counting": _counts,
    "distance": _candidates,
    "direction": _directions,
}
