"""One scene as plain values for its page: the stated map matched to the true objects, and every question with its
reply.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import scipy.optimize

from tolman.benchmarks.osr_bench.maps.grid import GridCell, GridMap
from tolman.benchmarks.osr_bench.maps.reading import StatedMap, read_map
from tolman.benchmarks.osr_bench.maps.scores import MATCH_DISTANCE, ROTATIONS, MapScore, scored_places
from tolman.benchmarks.osr_bench.questions.question import Question, nearest_cell
from tolman.benchmarks.osr_bench.record import map_call, question_call
from tolman.benchmarks.osr_bench.rules import STRICT
from tolman.benchmarks.osr_bench.runs import MAP_TITLES, Condition, FinishedScene, condition_name
from tolman.benchmarks.osr_bench.scores import ScoredAnswer, graded_replies
from tolman.core.rules import RULE_SETS
from tolman.harness.calls import Call
from tolman.report.replies import Shortener

MatchVerdict = Literal["found", "far", "extra", "invented"]
"""Within the match distance; farther away; more objects than the room has of the class; class not in the room."""
_assigned = cast("Any", scipy.optimize).linear_sum_assignment


@dataclass(frozen=True)
class MatchedObject:
    """One stated object, in the best rotation of the map."""

    name: str
    place: GridCell
    """May lie outside the grid."""
    verdict: MatchVerdict
    partner: int | None = None
    """Index of the matched true object in `objects_of`."""
    distance: float | None = None
    """Distance from it in cells."""


def objects_of(truth: GridMap) -> list[tuple[str, GridCell]]:
    """All objects of a room, class by class."""
    return [(name, place) for name, places in truth.instances.items() for place in places]


def match_objects(truth: GridMap, stated: StatedMap, quarters: int) -> list[MatchedObject]:
    """Match stated to true objects with the least total distance, the map rotated clockwise by quarter turns."""
    numbers: dict[str, list[int]] = {}
    for number, (name, _) in enumerate(objects_of(truth)):
        numbers.setdefault(name, []).append(number)
    found: list[MatchedObject] = []
    for name, places in stated.items():
        turned = [_rotated(place, quarters, truth.size - 1) for place in places]
        pairs = _pairs(truth.instances.get(name, []), turned)
        for i, place in enumerate(turned):
            if i in pairs:
                j, distance = pairs[i]
                verdict: MatchVerdict = "found" if distance <= MATCH_DISTANCE else "far"
                found.append(MatchedObject(name, place, verdict, numbers[name][j], distance))
            else:
                found.append(MatchedObject(name, place, "extra" if name in numbers else "invented"))
    return found


def _pairs(there: Sequence[GridCell], stated: Sequence[GridCell]) -> dict[int, tuple[int, float]]:
    """Index of the matched true object and its distance, by index of the stated object."""
    if not there or not stated:
        return {}
    costs = np.linalg.norm(np.array(stated, float)[:, None] - np.array(there, float)[None], axis=2)
    rows, columns = _assigned(costs)
    return {int(i): (int(j), float(costs[i, j])) for i, j in zip(rows, columns, strict=True)}


def _rotated(place: GridCell, quarters: int, last: int) -> GridCell:
    (a, b, c), (d, e, f) = ROTATIONS[quarters % 4]
    row, column = place
    return a * row + b * column + c * last, d * row + e * column + f * last


Plain = dict[str, object]
AskedScene = tuple[Condition, FinishedScene]
_NO_MAP = Call(name="", reply="")


def scene_data(conditions: Sequence[AskedScene]) -> Plain:
    """A scene in all conditions in which one model was asked about it."""
    truth = conditions[0][1].logged.case.truth
    shorten = Shortener(call for _, scene in conditions for call in scene.logged.record.calls)
    return {
        "size": truth.size,
        "truth": [{"name": name, "at": list(place)} for name, place in objects_of(truth)],
        "ways": [_condition(condition, scene, shorten) for condition, scene in conditions],
    }


def _condition(condition: Condition, scene: FinishedScene, shorten: Shortener) -> Plain:
    return {
        "name": condition_name(condition),
        "asked": condition.asked,
        "map": MAP_TITLES[condition.mode],
        "think": "think" if condition.think else "vanilla",
        "turns": [_turn(scene, place, shorten) for place in range(len(scene.logged.options.turns))],
    }


def _turn(scene: FinishedScene, place: int, shorten: Shortener) -> Plain:
    scores = [scene.scores[rules][place] for rules in RULE_SETS]
    turn, record = scores[0].turn, scene.logged.record
    judged = {each.name: each.score for each in record.judged}
    replies = {call.name: call for call in record.calls}
    graded = graded_replies(scene.logged, [scores[0]])
    reasons = {reply.call: reply.reason.sentence for reply in graded if reply.reason is not None}
    asked = [
        (question_call(turn, answers[0].question), answers)
        for answers in zip(*(each.answers for each in scores), strict=True)
    ]
    return {
        "turn": turn,
        "map": _map(scene, turn, [each.map for each in scores], shorten, reasons.get(map_call(turn), "")),
        "answers": [
            {
                **_answer(scene.logged.case.truth, answers),
                "reply": shorten(replies.get(call)),
                "judged": judged.get(call),
                "why": reasons.get(call, ""),
            }
            for call, answers in asked
        ],
    }


def _map(
    scene: FinishedScene, turn: int, scores: Sequence[MapScore | None], shorten: Shortener, why: str
) -> Plain | None:
    """The stated map, laid over the truth as the strict rules read it; None where none was asked for."""
    strict, published = scores
    if strict is None or published is None:
        return None
    logged = scene.logged
    reply = next((call for call in logged.record.calls if call.name == map_call(turn)), _NO_MAP)
    stated = read_map(reply.reply, STRICT, logged.case.truth.size) if strict.read else None
    used = {} if stated is None else scored_places(logged.case.truth, stated, STRICT)
    return {
        "read": strict.read,
        "why": why,
        "quarters": strict.quarters,
        "f1": [strict.f1, published.f1],
        "precision": [strict.precision, published.precision],
        "recall": [strict.recall, published.recall],
        "distance": [strict.distance, published.distance],
        "mirrored": strict.mirrored_f1,
        "stated": [_matched_object(each) for each in match_objects(logged.case.truth, used, strict.quarters)],
        "reply": shorten(reply),
    }


def _matched_object(each: MatchedObject) -> Plain:
    distance = None if each.distance is None else round(each.distance, 3)
    return {
        "name": each.name,
        "at": list(each.place),
        "verdict": each.verdict,
        "partner": each.partner,
        "distance": distance,
    }


def _answer(truth: GridMap, answers: Sequence[ScoredAnswer]) -> Plain:
    question = answers[0].question
    return {
        "number": question.turn,
        "kind": question.kind,
        "text": question.text,
        "names": list(question.names),
        "answer": question.answer,
        "cells": _cells(truth, question),
        "said": [answer.said for answer in answers],
        "score": [answer.score for answer in answers],
    }


def _cells(truth: GridMap, question: Question) -> list[list[int] | None]:
    """Cells of a question on the map: the positioning object, then the closest object of each other class."""
    places = truth.places.get(question.names[0], [])
    if question.kind == "counting" or len(places) != 1:
        return []
    origin = places[0]
    others = [list(nearest_cell(truth, origin, name)) if name in truth.places else None for name in question.names[1:]]
    return [list(origin), *others]
