"""Whether an answer is right, by rules and without a judge. Never raises on what a model wrote."""

import re

from tolman.benchmarks.osr_bench.answer_reading import read_answer
from tolman.benchmarks.osr_bench.osr_rules import STRICT, OsrRules
from tolman.benchmarks.osr_bench.question import Question

_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_DIGITS = re.compile(r"\d+")
_HYPHENS = re.compile(r"\b(front|back)[- ](left|right)\b")


def grade(question: Question, reply: str, rules: OsrRules = STRICT, *, think: bool = False) -> float:
    """The score of a reply, from 0 to 1. `think` says that the reply was to put its answer between tags."""
    said = answer_said(question, reply, rules, think=think)
    if said is None:
        return 0.0
    if question.kind == "counting" and not rules.counts_are_exact:
        return _nearly(int(said), int(question.answer))
    return float(said == (question.answer if rules.forgiving_answers else _unified(question.answer)))


def answer_said(question: Question, reply: str, rules: OsrRules = STRICT, *, think: bool = False) -> str | None:
    """What a reply is taken to say; None where it can't be read, which the released grader never finds but for counts."""
    if rules.forgiving_answers:
        return read_answer(question, reply)
    tagged = _TAGGED.search(reply) if think else None
    text = (tagged[1] if tagged else reply).strip().lower()
    if question.kind == "counting":
        number = _DIGITS.search(text)
        return number[0][:9] if number else None
    return _unified(text)


def _unified(text: str) -> str:
    return _HYPHENS.sub(r"\1-\2", text.strip().lower())


def _nearly(said: int, true: int) -> float:
    """Part of a point for a count that is near."""
    return 1.0 if said == true else max(0.0, 1 - abs(said - true) / max(said, true))
