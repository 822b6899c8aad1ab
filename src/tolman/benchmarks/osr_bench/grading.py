"""Whether an answer is right, by rules and without a judge. Never raises on what a model wrote."""

import re

from tolman.benchmarks.osr_bench.answer_reading import read_answer
from tolman.benchmarks.osr_bench.osr_rules import STRICT, OsrRules
from tolman.benchmarks.osr_bench.question import Question

_DIGITS = re.compile(r"\d+")
_HYPHENS = re.compile(r"\b(front|back)[- ](left|right)\b")


def grade(question: Question, reply: str, rules: OsrRules = STRICT, *, think: bool = False) -> float:
    """The score of a reply, from 0 to 1. `think` says that the reply was to put its answer between tags."""
    said = answer_said(question, reply, rules, think=think)
    if said is None:
        return 0.0
    if question.kind == "counting" and not rules.counts_are_exact and said.isdecimal():
        return _nearly(int(said), int(question.answer))
    return float(said == (question.answer if rules.forgiving_answers else _unified(question.answer)))


def answer_said(question: Question, reply: str, rules: OsrRules = STRICT, *, think: bool = False) -> str | None:
    """What a reply is taken to say; None where it can't be read, which for the released grader only counts can be."""
    if rules.forgiving_answers:
        return read_answer(question, reply)
    text = (_tagged(reply) if think else reply).strip().lower()
    if question.kind == "counting":
        number = _DIGITS.search(text)
        return str(int(number[0][:9])) if number else None
    return _unified(text)


def _tagged(reply: str) -> str:
    """What stands between the first pair of tags, or all of it."""
    begin = reply.find("<answer>") + len("<answer>")
    end = reply.find("</answer>", begin)
    return reply[begin:end] if begin >= len("<answer>") and end >= 0 else reply


def _unified(text: str) -> str:
    return _HYPHENS.sub(r"\1-\2", text.strip().lower())


def _nearly(said: int, true: int) -> float:
    """Part of a point for a count that is near."""
    return 1.0 if said == true else max(0.0, 1 - abs(said - true) / max(said, true))
