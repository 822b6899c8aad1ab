"""Which relation a reply names, where that is plain: a word, a letter, or both. Never raises on what a model wrote."""

import re

from tolman.benchmarks.sparrta.question import RelationQuestion
from tolman.benchmarks.sparrta.relations import RELATIONS, Relation
from tolman.reading import final_part

_MARKED = re.compile(r"\b(?:final\s+)?answer\b(?:\s+is\b)?\s*[:=]*", re.IGNORECASE)
_DECOR = re.compile(r"\\[a-z]*|[*_`\"'“”‘’\[\](){}<>$]+")
_WORD = re.compile(r"\b(front|back|left|right)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|neither|nor|never)\s+(?:(?:to|the|on|in|at|is|it|its)\s+){0,3}(?:front|back|left|right)\b", re.IGNORECASE
)
_CORRECT = re.compile(r"\bright\s+(?=(?:answer|option|choice|letter)\b)", re.IGNORECASE)
"""The other meaning of the word."""
_LETTER = re.compile(r"\s*([A-D])\s*(?:[.:,;\-–—].*|$)|\s*([a-d])\s*\.?\s*$", re.DOTALL)
_CHOSEN = re.compile(r"\b(?i:option|choice|letter)\s+(?:(?i:is)\s+)?([A-D])\b")
_SHORT = 60
"""Letters of a last line that is taken for the answer where the lines above it name several."""


def read_relation(question: RelationQuestion, reply: str) -> Relation | None:
    """The one relation that a reply settles on; None where it names none, or several, or a word against its letter.

    "Behind" is never read: some would mean front by it, as the words are used here, and others back.
    """
    text = _CORRECT.sub("", _DECOR.sub(" ", final_part(reply))).strip()
    marks = list(_MARKED.finditer(text))
    if marks and (said := _named(question, text[marks[-1].end() :])):
        return _only(said)
    if said := _named(question, text):
        last = text.splitlines()[-1].strip()
        return _only(said) or (_only(_named(question, last)) if "\n" in text and len(last) <= _SHORT else None)
    return None


def _only(said: set[Relation]) -> Relation | None:
    return next(iter(said)) if len(said) == 1 else None


def _named(question: RelationQuestion, text: str) -> set[Relation]:
    """All that a text names, by word or by letter."""
    kept = _DENIED.sub(" ", text)
    words = {word.lower() for word in _WORD.findall(kept)}
    found: set[Relation] = {relation for relation in RELATIONS if relation in words}
    letters: list[str] = [
        *_CHOSEN.findall(kept),
        *filter(None, first.groups() if (first := _LETTER.match(kept)) else ()),
    ]
    found.update(question.by_letter[letter.upper()] for letter in letters)
    return found
