"""Summary of a run: columns with intervals, correlations, curves by turn, reliability, price."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal, cast, get_args

import numpy as np

from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.scores import ExplorationOutcome, SceneScores, plain_map
from tolman.core.grouping import gathered
from tolman.core.rules import RULE_SETS, RuleSetName, rule_set
from tolman.report.replies import RunPrice, price
from tolman.report.statistics import (
    UNKNOWN,
    ByCase,
    Interval,
    ScoreColumns,
    column_intervals,
    pooled_interval,
    values_by_case,
)

_ROUNDING = 1e-9
"""Values closer than this differ by rounding only."""


@dataclass(frozen=True, slots=True)
class PearsonCorrelation:
    """`r` with its 95 % interval (Fisher's), the p value of r = 0, and the number of scenes. NaN where undefined."""

    r: Interval
    p: float
    scenes: int


def pearson_correlation(pairs: Sequence[tuple[float, float]]) -> PearsonCorrelation:
    """Pearson correlation over scenes. Undefined for fewer than three scenes, and where either value is constant."""
    scenes = len(pairs)
    if scenes < 3 or min(np.ptp(np.array(pairs), axis=0)) < _ROUNDING:
        return PearsonCorrelation(UNKNOWN, float("nan"), scenes)
    one, other = zip(*pairs, strict=True)
    from scipy import stats  # noqa: PLC0415 - takes half a second

    found = cast("Any", stats).pearsonr(one, other)
    low, high = found.confidence_interval(0.95) if scenes > 3 else (float("nan"), float("nan"))
    return PearsonCorrelation(Interval(float(found.statistic), float(low), float(high)), float(found.pvalue), scenes)


_LEVELS = "▁▂▃▄▅▆▇█"


def _curve(run: TheoryOfSpaceRun, values_of: Callable[[ExplorationOutcome], Sequence[float]]) -> tuple[Interval, ...]:
    """Mean over scenes of a value after each parsed turn. A finished scene keeps its last value."""
    found = ((scene.id, values_of(scene.scores["strict"].exploration)) for scene in run.cases)
    scenes = gathered((scene, values) for scene, values in found if values).values()
    last = max((len(values) for curves in scenes for values in curves), default=0)
    return tuple(
        pooled_interval([[values[min(turn, len(values) - 1)] for values in curves] for curves in scenes])
        for turn in range(last)
    )


def sparkline(curve: Sequence[Interval], width: int) -> str:
    """The curve as characters, one bar per turn, from empty for 0 to full for 1."""
    top = len(_LEVELS) - 1
    return "".join(_LEVELS[round(max(0.0, min(1.0, point.mean)) * top)] for point in curve[:width])


ReplyKind = Literal["turns", "maps", "points", "answers"]
"""What a reply should hold: a turn, a cognitive map, unexplored points, or the answer to a question."""


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a total."""

    part: int = 0
    whole: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.part + other.part, self.whole + other.whole)


NO_REPLIES = Share()


@dataclass(frozen=True)
class Reliability:
    """Counts over the finished scenes of a run, and of those that did not finish."""

    finished: int
    failed: int
    not_done: int
    replies: int
    unparseable: Mapping[RuleSetName, Mapping[ReplyKind, Share]]
    budget_exhausted: Share
    """Phases in which the turn budget was exhausted."""
    failed_turns: Share
    """Turns of exploration with an action that could not be executed."""
    truncated: Share
    """Replies ended by a length limit or a content filter."""


def reliability(run: TheoryOfSpaceRun) -> Reliability:
    """Counts of a run. In a passive run, turns of the scripted explorer are not counted."""
    cases, rules = run.cases, run.options.rules
    calls = run.calls
    explored = [case.scores[rules].exploration for case in cases if run.mode == "active"]
    revised = [revision for case in cases if (revision := case.scores[rules].revision) is not None]
    ends = [phase.forced for phase in (*explored, *revised)]
    return Reliability(
        finished=len(cases),
        failed=len(run.failed),
        not_done=run.not_done,
        replies=len(calls),
        unparseable={"strict": _unparseable(run, "strict"), "published": _unparseable(run, "published")},
        budget_exhausted=Share(sum(ends), len(ends)),
        failed_turns=Share(sum(phase.failed for phase in explored), sum(phase.replies for phase in explored)),
        truncated=Share(sum(call.stop != "stop" for call in calls), len(calls)),
    )


def _unparseable(run: TheoryOfSpaceRun, rules: RuleSetName) -> dict[ReplyKind, Share]:
    """Unparseable replies. Turns are parsed once, during the run, so their count is the same under all rule sets."""
    total: dict[ReplyKind, Share] = dict.fromkeys(get_args(ReplyKind), NO_REPLIES)
    for case in run.cases:
        scores = case.scores[rules]
        if run.mode == "active":
            total["turns"] += _turn_share(scores)
        total["maps"] += _map_share(case, scores) + _revision_map_share(case.logged, rules)
        total["points"] += Share(
            0 if scores.maps is None else scores.maps.points_unparseable, _times_elicited(case, "points")
        )
        total["answers"] += Share(sum(answer.unparseable for answer in scores.answers), len(scores.answers))
    return total


def _turn_share(scores: SceneScores) -> Share:
    phases = (scores.exploration, scores.revision)
    return sum((Share(phase.unparseable, phase.replies) for phase in phases if phase is not None), NO_REPLIES)


def _map_share(case: ScoredScene, scores: SceneScores) -> Share:
    unparseable = 0 if scores.maps is None else sum(summary.failures for summary in scores.maps.summaries)
    return Share(unparseable, _times_elicited(case, "global") + _times_elicited(case, "local"))


def _revision_map_share(logged: ScoredCase, rules: RuleSetName) -> Share:
    replies = [
        call.reply for call in logged.record.calls if call.name.startswith("revise/") and "/global/" in call.name
    ]
    return Share(sum(plain_map(reply, logged.case.scene, rule_set(rules)) is None for reply in replies), len(replies))


def _times_elicited(case: ScoredScene, kind: str) -> int:
    """Number of replies to elicitations of one kind during the exploration."""
    calls = case.logged.record.calls
    return sum(call.name.startswith("explore/") and f"/{kind}/" in call.name for call in calls)


ANSWERS, CORRECTNESS, GAIN = "ask/none", "map/correctness/overall", "explore/gain"


@dataclass(frozen=True)
class MeasuredColumns(ScoreColumns):
    """The columns of a run under one rule set."""

    map_and_answers: PearsonCorrelation
    """Final map correctness against the mean answer, over scenes."""
    gain_and_answers: PearsonCorrelation
    """Final information gain against the mean answer, over scenes."""


@dataclass(frozen=True)
class RunSummary:
    """All numbers of a run."""

    run: TheoryOfSpaceRun
    measured: Mapping[RuleSetName, MeasuredColumns]
    curve: tuple[Interval, ...]
    """Mean information gain after each parsed turn; the same under all rule sets."""
    coverage_curve: tuple[Interval, ...]
    """Mean node coverage after each parsed turn; the same under all rule sets."""
    reliability: Reliability
    price: RunPrice


def summarise_run(run: TheoryOfSpaceRun) -> RunSummary:
    """Compute all numbers of a run."""
    return RunSummary(
        run=run,
        measured={rules: _measured(run.cases, rules) for rules in RULE_SETS},
        curve=_curve(run, lambda explored: explored.gains),
        coverage_curve=_curve(run, lambda explored: explored.covered),
        reliability=reliability(run),
        price=price([case.logged.record.calls for case in run.cases], run.case_ids),
    )


def _measured(scenes: Sequence[ScoredScene], rules: RuleSetName) -> MeasuredColumns:
    values = values_by_case((scene.id, columns(scene.scores[rules])) for scene in scenes)
    correlations = _answer_correlation(values, CORRECTNESS), _answer_correlation(values, GAIN)
    return MeasuredColumns(values, column_intervals(values), *correlations)


def _answer_correlation(values: Mapping[str, ByCase], column: str) -> PearsonCorrelation:
    one, other = values.get(column, {}), values.get(ANSWERS, {})
    return pearson_correlation([(fmean(one[scene]), fmean(other[scene])) for scene in one if scene in other])
