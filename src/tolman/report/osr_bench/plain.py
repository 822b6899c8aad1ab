"""All numbers of some runs of OSR-Bench as plain values, for other programs. What is not known is None."""

import math
from collections.abc import Sequence
from dataclasses import asdict

from tolman.benchmarks.osr_bench.question import QUESTION_KINDS
from tolman.report.intervals import Interval
from tolman.report.osr_bench.answer_tables import ASKED_SETS, GAINS, map_gain
from tolman.report.osr_bench.osr_figures import RULES, Measured, OsrFigures
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.osr_bench.subjects import Subject, subjects
from tolman.report.price import Amount

FORMAT = "tolman.osr_bench.tables/1"
Plain = dict[str, object]


def as_dict(runs: Sequence[OsrFigures], references: Sequence[ReferenceRow] = ()) -> Plain:
    """Every run with every column under both rule sets: shares from 0 to 1, distances in cells."""
    return {
        "format": FORMAT,
        "confidence": 0.95,
        "runs": [_run(known) for known in runs],
        "map_gains": [gain for subject in subjects(runs) for gain in _gains(subject)],
        "references": [_reference(row) for row in references],
    }


def _run(known: OsrFigures) -> Plain:
    run, price = known.run, known.price
    return {
        "model": run.model,
        "name": run.name,
        **run.way._asdict(),
        "settings": dict(run.settings) or run.options.as_dict(),
        "scenes": {
            "planned": run.planned,
            "finished": [case.id for case in run.cases],
            "failed": [{"scene": scene, "reason": reason} for scene, reason in run.failed],
            "not_done": run.not_done,
        },
        "scores": {rules: _measured(measured) for rules, measured in known.measured.items()},
        "judge": {rules: asdict(found) for rules, found in known.agreement.items() if found.answers or found.unread},
        "price": {
            "input_tokens": _amount(price.input_tokens),
            "output_tokens": _amount(price.output_tokens),
            "dollars": {**_amount(price.dollars), "complete": price.priced},
        },
    }


def _measured(measured: Measured) -> Plain:
    return {
        name: {
            **_interval(interval),
            "values": sum(map(len, measured.values[name].values())),
            "by_scene": {scene: list(values) for scene, values in measured.values[name].items()},
        }
        for name, interval in measured.intervals.items()
    }


def _gains(subject: Subject) -> list[Plain]:
    return [
        {"name": subject.name, "asked": asked, "think": think, "gain": gain, "kind": kind, "rules": rules, **known}
        for asked in ASKED_SETS
        for think in (False, True)
        for gain in GAINS
        for kind in QUESTION_KINDS
        for rules in RULES
        if (known := _interval(map_gain(subject.modes(asked, think=think), gain, kind, rules)))["mean"] is not None
    ]


def _reference(row: ReferenceRow) -> Plain:
    return {
        "name": row.name,
        "source": row.source,
        "asked": row.asked,
        "think": row.think,
        "rules": row.rules,
        "scenes": row.scenes,
        "same_scenes": row.same_scenes,
        "notes": list(row.notes),
        "columns": {name: _interval(interval) for name, interval in row.values.items()},
    }


def _interval(interval: Interval) -> Plain:
    return {"mean": _known(interval.mean), "low": _known(interval.low), "high": _known(interval.high)}


def _amount(amount: Amount) -> Plain:
    return {"scene": _interval(amount.scene), "total": amount.total}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
