"""What a model did with one scene, in numbers, under one rule set. A pure function of the record."""

from collections.abc import Mapping
from dataclasses import dataclass

from tolman.benchmarks.osr_bench.grading import answer_said, grade
from tolman.benchmarks.osr_bench.map_reading import read_map
from tolman.benchmarks.osr_bench.map_scores import MapScore, score_map
from tolman.benchmarks.osr_bench.osr_record import LoggedCase, map_call, question_call
from tolman.benchmarks.osr_bench.osr_rules import OsrRules
from tolman.benchmarks.osr_bench.question import Question


@dataclass(frozen=True)
class Answered:
    """One question with what was said to it. A reply that never came scores 0 and says nothing."""

    question: Question
    reply: str | None
    said: str | None
    score: float


@dataclass(frozen=True)
class OsrScores:
    """One scene seen with the camera turned one way."""

    turn: int
    """Clockwise degrees."""
    map: MapScore | None
    """None where no map was asked for."""
    answers: tuple[Answered, ...]


def score_case(logged: LoggedCase, rules: OsrRules) -> tuple[OsrScores, ...]:
    """The scores of a scene, one for each turn of the camera; the first is the main one."""
    return tuple(_turned(logged, turn, rules) for turn in logged.options.turns)


def _turned(logged: LoggedCase, turn: int, rules: OsrRules) -> OsrScores:
    case, options, replies = logged.case, logged.options, logged.record.replies
    found: MapScore | None = None
    if options.mode == "first":
        stated = read_map(replies.get(map_call(turn), ""), rules, case.truth.size)
        found = score_map(case.truth, stated, rules, case.pool)
    answers = tuple(_answered(q, replies, question_call(turn, q), rules, think=options.think) for q in case.questions)
    return OsrScores(turn, found, answers)


def _answered(question: Question, replies: Mapping[str, str], call: str, rules: OsrRules, *, think: bool) -> Answered:
    reply = replies.get(call)
    if reply is None:
        return Answered(question, None, None, 0.0)
    said = answer_said(question, reply, rules, think=think)
    return Answered(question, reply, said, grade(question, reply, rules, think=think))


def consistency(scores: tuple[OsrScores, ...]) -> float | None:
    """Share of questions to which the same was said whichever way the camera was turned; None with one turn."""
    if len(scores) < 2:
        return None
    said = [{answer.said for answer in same} for same in zip(*(each.answers for each in scores), strict=True)]
    return sum(len(each) == 1 and None not in each for each in said) / len(said) if said else None
