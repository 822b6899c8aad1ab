"""The scores of one scene under one rule set, as values, as headline numbers and as named columns: `ask/KIND` are
answers, `map/...` the stated map, `turned/...` the effect of rotating the camera.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from tolman.benchmarks.osr_bench.maps.reading import find_map, read_map
from tolman.benchmarks.osr_bench.maps.scores import MapScore, score_map
from tolman.benchmarks.osr_bench.questions.grading import answer_said, find_answer, grade
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, Question
from tolman.benchmarks.osr_bench.record import LoggedCase, map_call, question_call
from tolman.benchmarks.osr_bench.rules import Rules
from tolman.core.reading import ParseFailure
from tolman.harness.calls import GradedReply, graded_reply


@dataclass(frozen=True)
class ScoredAnswer:
    """One question with what was said to it. A reply that never came scores 0 and says nothing."""

    question: Question
    reply: str | None
    said: str | None
    score: float


@dataclass(frozen=True)
class TurnScores:
    """One scene seen with the camera turned one way."""

    turn: int
    """Clockwise degrees."""
    map: MapScore | None
    """None where no map was asked for."""
    answers: tuple[ScoredAnswer, ...]


def score_case(logged: LoggedCase, rules: Rules) -> tuple[TurnScores, ...]:
    """The scores of a scene, one for each turn of the camera; the first is the main one."""
    return tuple(_scored_turn(logged, turn, rules) for turn in logged.options.turns)


def _scored_turn(logged: LoggedCase, turn: int, rules: Rules) -> TurnScores:
    case, options, replies = logged.case, logged.options, logged.record.replies
    found: MapScore | None = None
    if options.mode == "first":
        stated = read_map(replies.get(map_call(turn), ""), rules, case.truth.size)
        found = score_map(case.truth, stated, rules, case.pool)
    answers = tuple(
        _scored_answer(q, replies, question_call(turn, q), rules, think=options.think) for q in case.questions
    )
    return TurnScores(turn, found, answers)


def _scored_answer(
    question: Question, replies: Mapping[str, str], call: str, rules: Rules, *, think: bool
) -> ScoredAnswer:
    reply = replies.get(call)
    if reply is None:
        return ScoredAnswer(question, None, None, 0.0)
    said = answer_said(question, reply, rules, think=think)
    return ScoredAnswer(question, reply, said, grade(question, reply, rules, think=think))


def consistency(scores: tuple[TurnScores, ...]) -> float | None:
    """Share of questions to which the same was said whichever way the camera was turned; None with one turn."""
    if len(scores) < 2:
        return None
    said = [{answer.said for answer in same} for same in zip(*(each.answers for each in scores), strict=True)]
    return sum(len(each) == 1 and None not in each for each in said) / len(said) if said else None


NAN = float("nan")
"""Stands for what was not asked."""


def headline_scores(scenes: Sequence[tuple[TurnScores, ...]]) -> dict[str, float]:
    """Means over all questions of a kind and over all maps, of the camera's first turn, as the authors take them."""
    first = [scene[0] for scene in scenes]
    answers = [answer for scene in first for answer in scene.answers]
    kinds = {kind: [a.score for a in answers if a.question.kind == kind] for kind in QUESTION_KINDS}
    maps = [scene.map for scene in first if scene.map is not None]
    return {
        **{kind: _mean(scores) for kind, scores in kinds.items()},
        "accuracy": _mean(fmean(scores) for scores in kinds.values() if scores),
        "map F1": _mean(each.f1 for each in maps),
        "map precision": _mean(each.precision for each in maps),
        "map recall": _mean(each.recall for each in maps),
        "map distance": _mean(each.distance for each in maps),
        "map success": _mean(each.read for each in maps),
        "mirrored F1": _mean(each.mirrored_f1 for each in maps if each.mirrored_f1 is not None),
        "maps that invent": _mean(each.invents for each in maps),
        "invented classes": _mean(each.invented_class_rate for each in maps),
        "invented objects": _mean(each.invented_object_rate for each in maps),
        "consistency": _mean(same for scene in scenes if (same := consistency(scene)) is not None),
    }


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return fmean(known) if known else NAN


def graded_replies(logged: LoggedCase, scores: Sequence[TurnScores]) -> Iterator[GradedReply]:
    """All replies of a scene, for each turn of the camera. `scores` are those under the strict rules."""
    calls = {call.name: call for call in logged.record.calls}
    for turn in scores:
        if turn.map is not None:
            call = calls.get(map_call(turn.turn))
            found = ParseFailure.MISSING if call is None else find_map(call.reply)
            reason = found if isinstance(found, ParseFailure) else None if turn.map.read else ParseFailure.UNKNOWN_NAME
            repaired = not isinstance(found, ParseFailure) and found.repaired
            yield graded_reply(
                logged.case.id, map_call(turn.turn), call, "maps", turn.map.f1, reason, repaired=repaired
            )
        for answer in turn.answers:
            name = question_call(turn.turn, answer.question)
            said = ParseFailure.MISSING if answer.reply is None else find_answer(answer.question, answer.reply)
            reason = said if isinstance(said, ParseFailure) else None
            yield graded_reply(logged.case.id, name, calls.get(name), "answers", answer.score, reason)


Columns = dict[str, tuple[float, ...]]
DISTANCE, F1 = "map/distance", "map/f1"
SAME_ANSWER, ALWAYS_RIGHT = "turned/same", "turned/right"

_MAP: dict[str, Callable[[MapScore], float]] = {
    DISTANCE: lambda score: score.distance,
    "map/precision": lambda score: score.precision,
    "map/recall": lambda score: score.recall,
    F1: lambda score: score.f1,
    "map/success": lambda score: float(score.read),
    "map/invents": lambda score: float(score.invents),
    "map/invented_classes": lambda score: score.invented_class_rate,
    "map/invented_objects": lambda score: score.invented_object_rate,
}


def score_columns(scores: tuple[TurnScores, ...]) -> Columns:
    """The first turn of the camera is the one that counts; the others show what it changes."""
    first = scores[0]
    found: dict[str, list[float]] = {}
    for answer in first.answers:
        found.setdefault(f"ask/{answer.question.kind}", []).append(answer.score)
    columns = {name: tuple(values) for name, values in found.items()}
    if first.map is not None:
        columns |= map_columns(first.map)
    return columns | _rotation_columns(scores)


def map_columns(score: MapScore) -> Columns:
    """One map. Its mirror image is only measured under the corrected rules, and only where the map can be read."""
    columns = {name: (number(score),) for name, number in _MAP.items()}
    return columns if score.mirrored_f1 is None else columns | {"map/mirrored_f1": (score.mirrored_f1,)}


def _rotation_columns(scores: tuple[TurnScores, ...]) -> Columns:
    """Whether the same was said, and the right thing, whichever way the camera was turned: 0 or 1 a question."""
    if len(scores) < 2:
        return {}
    found: dict[str, list[float]] = {}
    for turns in zip(*(each.answers for each in scores), strict=True):
        said = {answer.said for answer in turns}
        same = float(len(said) == 1 and None not in said)
        for name in (SAME_ANSWER, f"{SAME_ANSWER}/{turns[0].question.kind}"):
            found.setdefault(name, []).append(same)
        found.setdefault(ALWAYS_RIGHT, []).append(min(answer.score for answer in turns))
    return {name: tuple(values) for name, values in found.items()}
