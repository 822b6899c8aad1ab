"""Tables beside the scores: correlations, node coverage and information gain by turn, reliability and price."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from tolman.benchmarks.theory_of_space.record import graded_replies
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, explorers_of, run_table
from tolman.benchmarks.theory_of_space.tables.run_summary import PearsonCorrelation, RunSummary, sparkline
from tolman.core.rules import RuleSetName, RuleSetNames
from tolman.report.replies import Paid, RepliesOf, price_tables
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Row, Table, heading, number, p_value, percent, share

CURVE_TURNS = (1, 2, 4, 8, 12, 16, 20)
"""Turns at which the table gives the information gain."""
_SPARKLINE_WIDTH = 24


def correlation_tables(runs: Sequence[NamedRun], rules: RuleSetNames) -> Iterator[Table]:
    """Correlation of answers with map correctness and with information gain, over scenes."""
    heads = [
        heading(title, group)
        for group in ("Map correctness and answers", "Information gain and answers")
        for title in ("r", "p", "scenes")
    ]

    def rows(named: NamedRun) -> tuple[Row, ...]:
        by_rules = [(name, named.summary.measured[name]) for name in rules]
        active = named.summary.run.mode == "active"
        return tuple(
            Row(
                _correlation_cells(measured.map_and_answers)
                + (_correlation_cells(measured.gain_and_answers) if active else (Cell(),) * 3),
                name,
            )
            for name, measured in by_rules
        )

    yield from run_table("correlation", "Correlation over scenes, Pearson's r", heads, runs, rows)


def _correlation_cells(found: PearsonCorrelation) -> tuple[Cell, ...]:
    r, p = number(2)(found.r), p_value(found.p)
    return (r, p, Cell(str(found.scenes))) if p.text != Cell().text else (Cell(), Cell(), Cell())


def curve_tables(runs: Sequence[NamedRun]) -> Iterator[Table]:
    """Node coverage (vision world) and information gain by turn."""
    explorers = explorers_of(runs)
    in_vision = [named for named in explorers if named.summary.run.world == "vision"]
    yield from _curve_table("coverage-curve", "Node coverage by turn, %", in_vision, lambda it: it.coverage_curve)
    yield from _curve_table("gain-curve", "Information gain by turn, %", explorers, lambda it: it.curve)


def _curve_table(
    name: str, title: str, runs: Sequence[NamedRun], curve_of: Callable[[RunSummary], Sequence[Interval]]
) -> Iterator[Table]:
    heads = [*(heading(str(turn), "after turn") for turn in CURVE_TURNS), heading("end")]

    def rows(named: NamedRun) -> tuple[Row, ...]:
        curve = curve_of(named.summary)
        if not curve:
            return ()
        points = [curve[min(turn, len(curve)) - 1] for turn in CURVE_TURNS] + [curve[-1]]
        return (Row(tuple(map(percent, points)), sparkline(curve, _SPARKLINE_WIDTH)),)

    notes = ("Means over scenes; a finished scene keeps its last value. Unparseable turns are left out",)
    yield from run_table(name, title, heads, runs, rows, notes)


def reliability_tables(runs: Sequence[NamedRun], rules: RuleSetNames) -> Iterator[Table]:
    """Failed scenes, unparseable and truncated replies, exhausted budgets."""
    heads = [
        *(heading(title, "Scenes") for title in ("done", "failed", "not\ndone")),
        heading("replies"),
        heading("trun-\ncated"),
        heading("budget\nexhausted"),
        heading("failed\nturns"),
        *(heading(title, "Unparseable replies") for title in ("turns", "maps", "points", "answers")),
    ]

    def rows(named: NamedRun) -> tuple[Row, ...]:
        return tuple(Row(_reliability_cells(named, name, first=name == rules[0]), name) for name in rules)

    failed = tuple(
        f"{named.section}, {named.summary.run.name}: scene {scene} failed: {reason}"
        for named in runs
        for scene, reason in named.summary.run.failed
    )
    notes = (
        "budget exhausted: phases ended by the turn budget. failed turns: with an action that could not be executed",
        "truncated: replies ended by a limit or a filter",
    )
    yield from run_table("reliability", "Reliability", heads, runs, rows, notes + failed)


def _reliability_cells(named: NamedRun, rules: RuleSetName, *, first: bool) -> tuple[Cell, ...]:
    """Counts; those that do not depend on the rule set are in the first row only."""
    counted = named.summary.reliability
    unparseable = {kind: share(count.part, count.whole) for kind, count in counted.unparseable[rules].items()}
    counts = [Cell(str(n)) for n in (counted.finished, counted.failed, counted.not_done, counted.replies)]
    ends = [
        share(count.part, count.whole) for count in (counted.truncated, counted.budget_exhausted, counted.failed_turns)
    ]
    if not first:
        return (*[Cell("")] * 8, unparseable["maps"], unparseable["points"], unparseable["answers"])
    return (*counts, *ends, *unparseable.values())


def replies_of(runs: Sequence[NamedRun]) -> list[RepliesOf]:
    """All replies of the runs, graded."""
    return [
        RepliesOf(
            named.name,
            named.section,
            [*chain(*(graded_replies(case.logged, case.scores["strict"]) for case in named.summary.run.cases))],
        )
        for named in runs
    ]


def cost_tables(runs: Sequence[NamedRun]) -> Iterator[Table]:
    """Tokens and price of the runs."""
    yield from price_tables(Paid(named.name, named.summary.price, named.done, named.section) for named in runs)
