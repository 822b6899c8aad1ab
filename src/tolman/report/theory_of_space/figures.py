"""A run in numbers: columns with intervals, correlations, the curve of information gain, reliability, price."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from tolman.benchmarks.theory_of_space.columns import columns
from tolman.report.intervals import UNKNOWN, Interval, pooled_interval
from tolman.report.price import Price, price
from tolman.report.theory_of_space.correlation import Correlation, correlation
from tolman.report.theory_of_space.gain_curve import gain_curve
from tolman.report.theory_of_space.logs import FinishedScene, Run
from tolman.report.theory_of_space.reliability import Reliability, reliability
from tolman.rules import RuleSetName

RULES: tuple[RuleSetName, ...] = ("strict", "published")
"""In the order in which they are shown."""
ANSWERS, CORRECTNESS, GAIN = "ask/none", "map/correctness/overall", "explore/gain"

ByScene = Mapping[str, tuple[float, ...]]
"""Values of one column, by scene."""


@dataclass(frozen=True)
class Measured:
    """The columns of a run under one rule set."""

    values: Mapping[str, ByScene]
    intervals: Mapping[str, Interval]
    map_and_answers: Correlation
    """Final map correctness against the mean answer, over scenes."""
    gain_and_answers: Correlation
    """Final information gain against the mean answer, over scenes."""

    def interval(self, column: str) -> Interval:
        return self.intervals.get(column, UNKNOWN)


@dataclass(frozen=True)
class Figures:
    """A run in numbers."""

    run: Run
    measured: Mapping[RuleSetName, Measured]
    curve: tuple[Interval, ...]
    """Mean information gain after each turn that could be read; no rule set changes it."""
    reliability: Reliability
    price: Price


def figures(run: Run) -> Figures:
    """Everything about a run."""
    return Figures(
        run=run,
        measured={rules: _measured(run.cases, rules) for rules in RULES},
        curve=gain_curve(run),
        reliability=reliability(run),
        price=price([case.logged.record.calls for case in run.cases]),
    )


def _measured(scenes: Sequence[FinishedScene], rules: RuleSetName) -> Measured:
    values: dict[str, dict[str, tuple[float, ...]]] = {}
    for scene in scenes:
        for column, found in columns(scene.scores[rules]).items():
            by_scene = values.setdefault(column, {})
            by_scene[scene.id] = by_scene.get(scene.id, ()) + found
    return Measured(
        values=values,
        intervals={column: pooled_interval(list(by_scene.values())) for column, by_scene in values.items()},
        map_and_answers=_correlated(values, CORRECTNESS),
        gain_and_answers=_correlated(values, GAIN),
    )


def _correlated(values: Mapping[str, ByScene], column: str) -> Correlation:
    one, other = values.get(column, {}), values.get(ANSWERS, {})
    return correlation([(fmean(one[scene]), fmean(other[scene])) for scene in one if scene in other])
