"""A run of OSR-Bench in numbers: columns with intervals, a judge's agreement, how smoothly it went, price."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tolman.benchmarks.osr_bench.agreement import Agreement, judge_agreement
from tolman.benchmarks.osr_bench.osr_rules import osr_rules
from tolman.report.intervals import UNKNOWN, Interval, pooled_interval
from tolman.report.osr_bench.osr_columns import osr_columns
from tolman.report.osr_bench.osr_logs import FinishedScene, Run
from tolman.report.price import Price, price
from tolman.rules import RuleSetName

RULES: tuple[RuleSetName, ...] = ("strict", "published")
"""In the order in which they are shown."""

ByScene = Mapping[str, tuple[float, ...]]
"""Values of one column, by scene."""


@dataclass(frozen=True)
class Measured:
    """The columns of a run under one rule set."""

    values: Mapping[str, ByScene]
    intervals: Mapping[str, Interval]

    def interval(self, column: str) -> Interval:
        return self.intervals.get(column, UNKNOWN)


@dataclass(frozen=True)
class OsrFigures:
    """A run in numbers."""

    run: Run
    measured: Mapping[RuleSetName, Measured]
    agreement: Mapping[RuleSetName, Agreement]
    """Of the judge with the rules, over all answers that it was asked about."""
    price: Price


def osr_figures(run: Run) -> OsrFigures:
    """Everything about a run."""
    logged = [case.logged for case in run.cases]
    return OsrFigures(
        run=run,
        measured={rules: _measured(run.cases, rules) for rules in RULES},
        agreement={rules: judge_agreement(logged, osr_rules(rules)) for rules in RULES},
        price=price([case.record.calls for case in logged]),
    )


def _measured(scenes: Sequence[FinishedScene], rules: RuleSetName) -> Measured:
    values: dict[str, dict[str, tuple[float, ...]]] = {}
    for scene in scenes:
        for column, found in osr_columns(scene.scores[rules]).items():
            by_scene = values.setdefault(column, {})
            by_scene[scene.id] = by_scene.get(scene.id, ()) + found
    intervals = {column: pooled_interval(list(by_scene.values())) for column, by_scene in values.items()}
    return Measured(values, intervals)
