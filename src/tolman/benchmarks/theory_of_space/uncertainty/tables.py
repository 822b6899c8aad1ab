"""Tables of task conditions, apart from the published ones, with the reliability of stated probabilities."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import get_args

from tolman.benchmarks.theory_of_space.columns import COST_COLUMN, GAIN_COLUMN
from tolman.benchmarks.theory_of_space.options import Condition, Options
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.layout import PAPER_SETTINGS, section_title
from tolman.benchmarks.theory_of_space.uncertainty.condition_scores import (
    ABSTENTION_COLUMNS,
    KIND_COLUMNS,
    ODDS_COLUMNS,
    ODDS_KIND_COLUMNS,
    SETTLE_COLUMNS,
)
from tolman.benchmarks.theory_of_space.uncertainty.measured import ConditionRun
from tolman.harness.names import counted, distinguishing_settings
from tolman.report.statistics import Interval, joined_by_scene, pooled_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, integer, percent, point_estimate

RELIABILITY = "odds-reliability"
"""Name of the table."""
EDGES = (0.0, 0.005, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.995)
"""Lower edges of the bins; the last one reaches to 1."""


@dataclass(frozen=True)
class StatedProbabilityBin:
    """Stated probabilities between two edges."""

    low: float
    high: float
    stated: float
    """Their mean."""
    true: Interval
    """Share of them that was true, with an interval over scenes."""
    ideal: float
    """The ideal observer's mean probability for the same."""
    count: int


def reliability_bins(run: ConditionRun) -> list[StatedProbabilityBin]:
    """The bins of a run in which there are any probabilities."""
    scenes = joined_by_scene([scene.id for scene in run.scenes], [scene.stated for scene in run.scenes])
    found: list[StatedProbabilityBin] = []
    for low, high in pairwise((*EDGES, 1.0)):
        inside = [[c for c in scene if low <= c.stated and (c.stated < high or high == 1.0)] for scene in scenes]
        listed = [chance for scene in inside for chance in scene]
        if listed:
            true = pooled_interval([[float(chance.true) for chance in scene] for scene in inside if scene])
            stated, ideal = fmean(chance.stated for chance in listed), fmean(chance.ideal for chance in listed)
            found.append(StatedProbabilityBin(low, high, stated, true, ideal, len(listed)))
    return found


_RELIABILITY_COLUMNS = (
    Column("reliability/stated", "stated", "probability, %", definition="Mean of the stated probabilities in the bin."),
    Column("reliability/true", "true", "probability, %", definition="Share of these that was true."),
    Column("reliability/ideal", "ideal", "probability, %", definition="What the ideal observer gave to the same."),
    Column("reliability/count", "count", definition="Stated probabilities in the bin; so are zeros of closed lists."),
)


def odds_reliability_tables(runs: Sequence[tuple[str, ConditionRun]]) -> Iterator[Table]:
    """Stated probabilities by bin against how often they were true, for each named run."""
    entries = [
        RowGroup(
            f"{100 * each.low:g} to {100 * each.high:g} %",
            (Row(_reliability_cells(each)),),
            section=f"{name} ({run.run.world}, {run.run.mode})",
        )
        for name, run in runs
        for each in reliability_bins(run)
    ]
    if entries:
        title = "Reliability of stated probabilities (--odds)"
        yield Table(RELIABILITY, title, "stated", _RELIABILITY_COLUMNS, tuple(entries), compact=True)


def _reliability_cells(each: StatedProbabilityBin) -> tuple[Cell, ...]:
    return (
        percent(point_estimate(each.stated)),
        percent(each.true),
        percent(point_estimate(each.ideal)),
        integer(each.count),
    )


_EXPLORED = (COST_COLUMN, GAIN_COLUMN)


def condition_tables(runs: Sequence[ConditionRun]) -> Iterator[Table]:
    """All tables of runs in task conditions."""
    yield from _abstention_tables([run for run in runs if run.condition == "abstain"])
    yield from _odds_tables([run for run in runs if run.condition == "odds"])
    yield from _settle_tables([run for run in runs if run.condition == "settle"])


def _abstention_tables(runs: Sequence[ConditionRun]) -> Iterator[Table]:
    if not runs:
        return
    notes = (
        "decided: one answer has a probability of 99 % or more; unseen: not decided, and something that it is about "
        "was never in view; open: the rest",
        "points: (score - t) / (1 - t) for an answer, 0 for `cannot tell`; answering pays where the expected score is "
        f"above t = {_thresholds(runs)}. best: what the ideal observer expects",
        observer_note(runs),
    )
    yield _table(
        "abstain", "Questions that may be left open (--abstain)", (*ABSTENTION_COLUMNS, *_EXPLORED), runs, notes
    )
    yield _table("abstain-kinds", "Points earned, by kind of question (--abstain)", KIND_COLUMNS, runs, ())


def _odds_tables(runs: Sequence[ConditionRun]) -> Iterator[Table]:
    if not runs:
        return
    notes = (
        "Brier: sum of squared differences to the truth, 0 to 2; log: bits of surprise at the truth, at most 10. Means "
        "over the parts of an answer: direction and distance, the object, the order, each position",
        "ideal: the same scores for the ideal observer's probabilities. overconfidence: percentage points",
        observer_note(runs),
    )
    yield _table("odds", "Answers as probabilities (--odds)", (*ODDS_COLUMNS, *_EXPLORED), runs, notes)
    yield _table("odds-kinds", "Brier score, by kind of question (--odds)", ODDS_KIND_COLUMNS, runs, ())
    yield from odds_reliability_tables([(named.name, named.run) for named in name_condition_runs(runs)])


def _settle_tables(runs: Sequence[ConditionRun]) -> Iterator[Table]:
    if not runs:
        return
    notes = (
        "gain: expected bits about the answer from what the look shows of the things asked about, under the posterior "
        "of the ideal observer `generative`; scenes without it are not asked",
    )
    yield _table("settle", "Which look would settle it? (--settle)", (*SETTLE_COLUMNS, *_EXPLORED), runs, notes)


def _thresholds(runs: Sequence[ConditionRun]) -> str:
    return ", ".join(sorted({f"{run.run.options.threshold:g}" for run in runs}))


def observer_note(runs: Sequence[ConditionRun]) -> str:
    """Whose posterior labels the questions, and where another took its place."""
    used: Counter[str] = Counter()
    for run in runs:
        used += run.observers
    note = "probabilities: of the ideal observer `generative`, given what the model was told"
    fallback = used["relations"]
    return f"{note}; in {fallback} of {counted(used.total(), 'scene')} `relations` in its place" if fallback else note


def _table(
    name: str, title: str, columns: Sequence[Column], runs: Sequence[ConditionRun], notes: tuple[str, ...]
) -> Table:
    entries = [
        RowGroup(
            named.name,
            (Row(tuple(_cell(named.run, column) for column in columns)),),
            named.run.run.done(),
            section=section_title(named.run.run.world, named.run.run.mode),
            where=f"{named.run.run.world}, {named.run.run.mode}",
        )
        for named in name_condition_runs(runs)
    ]
    entries.sort(key=lambda entry: entry.section)
    return Table(name, title, "run", tuple(columns), tuple(entries), notes).trimmed()


def _cell(run: ConditionRun, column: Column) -> Cell:
    if column in _EXPLORED:
        return column.style(_explored(run.run, column.key))
    return column.style(run.measured.interval(column.key))


def _explored(run: TheoryOfSpaceRun, key: str) -> Interval:
    """Cost or information gain of the exploration, which is that of the published task."""
    explored = [scene.scores["strict"].exploration for scene in run.cases]
    return pooled_interval([[float(one.cost)] if key == COST_COLUMN.key else list(one.gains[-1:]) for one in explored])


@dataclass(frozen=True)
class NamedConditionRun:
    """A run with a name that tells it from others in the same tables."""

    name: str
    run: ConditionRun


_USUAL = {**PAPER_SETTINGS, "threshold": Options().threshold}
_SHOWN_ELSEWHERE = {*get_args(Condition), "mode", "world", "phases", "maps", "kinds", "questions"}


def name_condition_runs(runs: Sequence[ConditionRun]) -> list[NamedConditionRun]:
    """The model, and the settings that differ from the usual ones, or between its runs."""
    settings = [
        (
            f"{run.run.world}, {run.run.mode}, {run.run.name}",
            {name: value for name, value in run.run.settings.items() if name not in _SHOWN_ELSEWHERE},
        )
        for run in runs
    ]
    words = distinguishing_settings(settings, {k: v for k, v in _USUAL.items() if k not in _SHOWN_ELSEWHERE})
    return [
        NamedConditionRun(", ".join(filter(None, (run.run.name, word))), run)
        for run, word in zip(runs, words, strict=True)
    ]
