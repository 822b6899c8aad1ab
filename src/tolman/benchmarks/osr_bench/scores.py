"""The scores of one scene under one rule set, as values, as headline numbers and by column. Columns are defined here,
each once: answers (`ask/KIND`), the stated map (`map/...`), and the effect of rotating the camera (`turned/...`).

Shares are from 0 to 1, distances in cells of the grid.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from tolman.benchmarks.osr_bench.case import LoggedCase, map_call, question_call
from tolman.benchmarks.osr_bench.maps.grid import find_map, read_map
from tolman.benchmarks.osr_bench.maps.scores import GridMapScore, score_map
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, Question, answer_said, find_answer, grade
from tolman.benchmarks.osr_bench.rules import Rules
from tolman.core.grouping import gathered
from tolman.core.reading import ParseFailure
from tolman.harness.records import GradedReply, graded_reply
from tolman.report.table import Column, column_group, number

DISTANCE, PRECISION, RECALL, F1 = "map/distance", "map/precision", "map/recall", "map/f1"
MIRRORED_F1, ROTATION, MAP_PARSED = "map/mirrored_f1", "map/turned", "map/success"
INVENTS, INVENTED_CLASSES, INVENTED_OBJECTS = "map/invents", "map/invented_classes", "map/invented_objects"
SAME_ANSWER, ALWAYS_RIGHT = "turned/same", "turned/right"


def answer_key(kind: str) -> str:
    """The column of answers to one kind of question."""
    return f"ask/{kind}"


ANSWER_COLUMNS = tuple(
    Column(answer_key(kind), kind, better="higher", definition=f"Share of {kind} questions answered correctly.")
    for kind in QUESTION_KINDS
)
MAP_COLUMNS = (
    Column(
        DISTANCE,
        "cells off",
        short="cells\noff",
        style=number(2),
        better="lower",
        definition="Mean distance of matched pairs in cells of the grid, 15 where there is no map.",
    ),
    Column(
        PRECISION,
        "precision",
        short="preci-\nsion",
        better="higher",
        definition="Share of stated objects within 2 cells of a true one.",
    ),
    Column(RECALL, "recall", better="higher", definition="Share of true objects with a stated one within 2 cells."),
    Column(F1, "F1", better="higher", definition="Harmonic mean of precision and recall."),
    Column(
        MIRRORED_F1,
        "mirrored F1",
        short="mirror\nF1",
        definition="F1 of the map's mirror image; where it is higher, left and right are confused.",
    ),
    Column(MAP_PARSED, "read", better="higher", definition="Share of replies in which a map could be parsed."),
    *column_group(
        "Invented (CHAIR)",
        Column(INVENTS, "maps", definition="Share of maps with any class that is not in the room."),
        Column(INVENTED_CLASSES, "classes", definition="Share of stated classes that are not in the room."),
        Column(INVENTED_OBJECTS, "objects", definition="Share of stated objects whose class is not in the room."),
        better="lower",
    ),
)
ROTATION_COLUMN = Column(
    ROTATION, "turned", definition="The rotation of the stated map, of four, that fits best.", unit="degrees"
)
CONSISTENCY_COLUMNS = (
    *column_group(
        "Same answer",
        *(
            Column(key, title, definition=f"Share of {asked} with the same answer at every camera rotation.")
            for key, title, asked in (
                (SAME_ANSWER, "all", "questions"),
                *((f"{SAME_ANSWER}/{kind}", kind, f"{kind} questions") for kind in QUESTION_KINDS),
            )
        ),
        better="higher",
    ),
    Column(
        ALWAYS_RIGHT,
        "every rotation",
        "Right at",
        "every\nrotation",
        better="higher",
        definition="Mean over questions of the lowest score at any camera rotation.",
    ),
)
COLUMNS = {column.key: column for column in (*ANSWER_COLUMNS, *MAP_COLUMNS, ROTATION_COLUMN, *CONSISTENCY_COLUMNS)}


@dataclass(frozen=True)
class ScoredAnswer:
    """One question with the parsed answer (`said`) and its score. A missing reply scores 0."""

    question: Question
    reply: str | None
    said: str | None
    score: float


@dataclass(frozen=True)
class RotationScores:
    """The scores of one scene at one camera rotation."""

    turn: int
    """Clockwise degrees."""
    map: GridMapScore | None
    """None where no map was asked for."""
    answers: tuple[ScoredAnswer, ...]


def score_case(logged: LoggedCase, rules: Rules) -> tuple[RotationScores, ...]:
    """The scores of a scene, one for each camera rotation; the first is the main one."""
    return tuple(_scored_turn(logged, turn, rules) for turn in logged.options.turns)


def _scored_turn(logged: LoggedCase, turn: int, rules: Rules) -> RotationScores:
    case, options, replies = logged.case, logged.options, logged.record.replies
    found: GridMapScore | None = None
    if options.mode == "first":
        stated = read_map(replies.get(map_call(turn), ""), rules, case.truth.size)
        found = score_map(case.truth, stated, rules, case.pool)
    answers = tuple(
        _scored_answer(q, replies, question_call(turn, q), rules, think=options.think) for q in case.questions
    )
    return RotationScores(turn, found, answers)


def _scored_answer(
    question: Question, replies: Mapping[str, str], call: str, rules: Rules, *, think: bool
) -> ScoredAnswer:
    reply = replies.get(call)
    if reply is None:
        return ScoredAnswer(question, None, None, 0.0)
    said = answer_said(question, reply, rules, think=think)
    return ScoredAnswer(question, reply, said, grade(question, reply, rules, think=think))


def consistency(scores: tuple[RotationScores, ...]) -> float | None:
    """Share of questions with the same answer at every camera rotation; None with one rotation."""
    if len(scores) < 2:
        return None
    said = [{answer.said for answer in same} for same in zip(*(each.answers for each in scores), strict=True)]
    return sum(len(each) == 1 and None not in each for each in said) / len(said) if said else None


NAN = float("nan")
"""Stands for what was not asked."""


def headline_scores(scenes: Sequence[tuple[RotationScores, ...]]) -> dict[str, float]:
    """Means over all questions of a kind and all maps at the first camera rotation, as the authors compute them."""
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


def graded_replies(logged: LoggedCase, scores: Sequence[RotationScores]) -> Iterator[GradedReply]:
    """All replies of a scene, for each camera rotation. `scores` are those under the strict rules."""
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
"""Values of one scene by column key."""
_MAP: dict[str, Callable[[GridMapScore], float]] = {
    DISTANCE: lambda score: score.distance,
    PRECISION: lambda score: score.precision,
    RECALL: lambda score: score.recall,
    F1: lambda score: score.f1,
    MAP_PARSED: lambda score: float(score.read),
    INVENTS: lambda score: float(score.invents),
    INVENTED_CLASSES: lambda score: score.invented_class_rate,
    INVENTED_OBJECTS: lambda score: score.invented_object_rate,
}


def score_columns(scores: tuple[RotationScores, ...]) -> Columns:
    """All columns of a scene: scores at the first camera rotation, and consistency over all rotations."""
    first = scores[0]
    found = gathered((answer_key(answer.question.kind), answer.score) for answer in first.answers)
    columns: Columns = {name: tuple(values) for name, values in found.items()}
    if first.map is not None:
        columns |= map_columns(first.map)
    return columns | _rotation_columns(scores)


def map_columns(score: GridMapScore) -> Columns:
    """The columns of one map. Its mirror image is scored under the strict rules only, if the map could be parsed."""
    columns = {name: (number(score),) for name, number in _MAP.items()}
    return columns if score.mirrored_f1 is None else columns | {MIRRORED_F1: (score.mirrored_f1,)}


def _rotation_columns(scores: tuple[RotationScores, ...]) -> Columns:
    """For each question, whether the answer is the same, and its lowest score, over all camera rotations."""
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
