"""One scene as plain values: all that its page shows, whichever way of asking is chosen there."""

from collections.abc import Sequence

from tolman.benchmarks.call import Call
from tolman.benchmarks.osr_bench.answers import nearest
from tolman.benchmarks.osr_bench.graded_replies import graded_replies
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.map_reading import read_map
from tolman.benchmarks.osr_bench.map_scores import MapScore, counted
from tolman.benchmarks.osr_bench.osr_record import map_call, question_call
from tolman.benchmarks.osr_bench.osr_rules import STRICT
from tolman.benchmarks.osr_bench.osr_scores import Answered
from tolman.benchmarks.osr_bench.question import Question
from tolman.report.long_replies import Shortener
from tolman.report.osr_bench.osr_figures import RULES
from tolman.report.osr_bench.osr_logs import FinishedScene, Way
from tolman.report.osr_bench.scene.matched import Meant, matched, objects_of
from tolman.report.osr_bench.way_names import IN_HAND, way_name

Plain = dict[str, object]
Asked = tuple[Way, FinishedScene]
_NO_MAP = Call(name="", reply="")


def scene_data(ways: Sequence[Asked]) -> Plain:
    """A scene in all the ways in which one model was asked about it."""
    truth = ways[0][1].logged.case.truth
    shorten = Shortener(call for _, scene in ways for call in scene.logged.record.calls)
    return {
        "size": truth.size,
        "truth": [{"name": name, "at": list(place)} for name, place in objects_of(truth)],
        "ways": [_way(way, scene, shorten) for way, scene in ways],
    }


def _way(way: Way, scene: FinishedScene, shorten: Shortener) -> Plain:
    return {
        "name": way_name(way),
        "asked": way.asked,
        "map": IN_HAND[way.mode],
        "think": "think" if way.think else "vanilla",
        "turns": [_turn(scene, place, shorten) for place in range(len(scene.logged.options.turns))],
    }


def _turn(scene: FinishedScene, place: int, shorten: Shortener) -> Plain:
    scores = [scene.scores[rules][place] for rules in RULES]
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
    used = {} if stated is None else counted(logged.case.truth, stated, STRICT)
    return {
        "read": strict.read,
        "why": why,
        "quarters": strict.quarters,
        "f1": [strict.f1, published.f1],
        "precision": [strict.precision, published.precision],
        "recall": [strict.recall, published.recall],
        "distance": [strict.distance, published.distance],
        "mirrored": strict.mirrored_f1,
        "stated": [_meant(each) for each in matched(logged.case.truth, used, strict.quarters)],
        "reply": shorten(reply),
    }


def _meant(each: Meant) -> Plain:
    distance = None if each.distance is None else round(each.distance, 3)
    return {
        "name": each.name,
        "at": list(each.place),
        "verdict": each.verdict,
        "partner": each.partner,
        "distance": distance,
    }


def _answer(truth: GridMap, answers: Sequence[Answered]) -> Plain:
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
    """Where on the map a question looks: from one place to the closest object of each class that is there."""
    places = truth.places.get(question.names[0], [])
    if question.kind == "counting" or len(places) != 1:
        return []
    origin = places[0]
    others = [list(nearest(truth, origin, name)) if name in truth.places else None for name in question.names[1:]]
    return [list(origin), *others]
