"""All numbers of some runs as plain values, for other programs. What is not known is None."""

import math
from collections.abc import Sequence
from dataclasses import asdict

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.report.intervals import Interval
from tolman.report.price import Amount, price
from tolman.report.sparrta_questions.accuracy import accuracy, balanced_accuracy
from tolman.report.sparrta_questions.answered import Answered
from tolman.report.sparrta_questions.question_figures import (
    CHANCE,
    QuestionFigures,
    confusion,
    environments_of,
    majority,
    triples_of,
    viewpoints_of,
)
from tolman.report.sparrta_questions.viewpoint_change import viewpoint_change

FORMAT = "tolman.sparrta.questions/1"
Plain = dict[str, object]


def as_dict(runs: Sequence[QuestionFigures]) -> Plain:
    """Every run with all of its answers, and shares from 0 to 1."""
    most = majority(runs)
    return {
        "format": FORMAT,
        "confidence": 0.95,
        "chance": CHANCE,
        "runs": [_run(known) for known in runs],
        "majority": None if most is None else _scores(most),
    }


def _run(known: QuestionFigures) -> Plain:
    run = known.run
    taken = price([case.logged.record.calls for case in run.cases])
    return {
        "model": run.model,
        "name": known.name,
        "think": run.options.think,
        "settings": dict(run.settings) or run.options.as_dict(),
        "pictures": {
            "planned": run.planned,
            "finished": [case.id for case in run.cases],
            "failed": [{"picture": picture, "reason": reason} for picture, reason in run.failed],
            "not_done": run.not_done,
        },
        **_scores(known),
        "answers": [asdict(answer) for answer in known.answers],
        "price": {
            "input_tokens": _amount(taken.input_tokens),
            "output_tokens": _amount(taken.output_tokens),
            "dollars": {**_amount(taken.dollars), "complete": taken.priced},
        },
    }


def _scores(known: QuestionFigures) -> Plain:
    views = viewpoints_of([known])
    change = viewpoint_change(known.answers)
    return {
        "viewpoints": {view: _figures(known.of(view)) for view in views},
        "all": _interval(accuracy(known.answers)),
        "environments": {place: _each(known, views, environment=place) for place in environments_of([known])},
        "triples": {name: _each(known, views, triple=name) for name in triples_of([known])},
        "confusion": {view: confusion(known.of(view)) for view in views},
        "camera_and_person": {
            name: _interval(value) if isinstance(value, Interval) else value
            for name in ("pictures", "both_right", "same_said", "same_true", "as_camera")
            for value in (getattr(change, name),)
        },
    }


def _each(known: QuestionFigures, views: Sequence[Viewpoint], environment: str = "", triple: str = "") -> Plain:
    return {view: _figures(found) for view in views if (found := known.of(view, environment, triple))}


def _figures(answers: Sequence[Answered]) -> Plain:
    return {
        "questions": len(answers),
        "not_read": sum(answer.said is None for answer in answers),
        "accuracy": _interval(accuracy(answers)),
        "balanced_accuracy": _interval(balanced_accuracy(answers)),
    }


def _interval(interval: Interval) -> Plain:
    return {"mean": _known(interval.mean), "low": _known(interval.low), "high": _known(interval.high)}


def _amount(amount: Amount) -> Plain:
    return {"scene": _interval(amount.scene), "total": amount.total}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
