"""Tables beside the scores: correlations, information gain by turn, reliability and price."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.theory_of_space.record import graded_replies
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, RuleSetNames, run_table
from tolman.benchmarks.theory_of_space.tables.run_summary import PearsonCorrelation, sparkline
from tolman.core.rules import RuleSetName
from tolman.harness.calls import GradedReply
from tolman.report.price_tables import Paid, price_tables
from tolman.report.replies import RepliesOf
from tolman.report.table import Cell, Row, Table, heading, number, p_value, percent, share

CURVE_TURNS = (1, 2, 4, 8, 12, 16, 20)
"""Turns at which the curve of information gain is given in numbers."""
_SPARKLINE_WIDTH = 24


def correlation_tables(shown: Sequence[NamedRun], rules: RuleSetNames) -> Iterator[Table]:
    """Whether scenes with better maps, or with more information, have better answers."""
    heads = [
        heading(title, group)
        for group in ("Map correctness and answers", "Information gain and answers")
        for title in ("r", "p", "scenes")
    ]

    def rows(one: NamedRun) -> tuple[Row, ...]:
        known = [(name, one.figures.measured[name]) for name in rules]
        active = one.figures.run.mode == "active"
        return tuple(
            Row(
                _correlation_cells(of.map_and_answers)
                + (_correlation_cells(of.gain_and_answers) if active else (Cell(),) * 3),
                name,
            )
            for name, of in known
        )

    yield from run_table("correlation", "Correlation over scenes, Pearson's r", heads, shown, rows)


def _correlation_cells(found: PearsonCorrelation) -> tuple[Cell, ...]:
    r, p = number(2)(found.r), p_value(found.p)
    return (r, p, Cell(str(found.scenes))) if p.text != Cell().text else (Cell(), Cell(), Cell())


def curve_tables(shown: Sequence[NamedRun]) -> Iterator[Table]:
    """Information gain turn by turn. Passive models read the same log, so its curve is shown once."""
    heads = [heading(str(turn), "after turn") for turn in CURVE_TURNS] + [heading("end")]
    seen: set[object] = set()
    kept: list[NamedRun] = []
    for one in shown:
        run, curve = one.figures.run, one.figures.curve
        explorer = (run.world, run.options.passive_explorer, curve)
        if run.mode == "active":
            kept.append(one)
        elif explorer not in seen:
            seen.add(explorer)
            kept.append(NamedRun(f"{run.options.passive_explorer}, whose log was read", one.part, one.figures))

    def rows(one: NamedRun) -> tuple[Row, ...]:
        curve = one.figures.curve
        if not curve:
            return ()
        points = [curve[min(turn, len(curve)) - 1] for turn in CURVE_TURNS] + [curve[-1]]
        return (Row(tuple(map(percent, points)), sparkline(curve, _SPARKLINE_WIDTH)),)

    notes = ("Means over scenes; one that has ended keeps its last value. Turns that could not be read: left out",)
    yield from run_table("gain-curve", "Information gain by turn, %", heads, kept, rows, notes)


def reliability_tables(shown: Sequence[NamedRun], rules: RuleSetNames) -> Iterator[Table]:
    """How smoothly the runs went."""
    heads = [
        *(heading(title, "Scenes") for title in ("done", "failed", "not\ndone")),
        heading("replies"),
        *(heading(title, "Unparseable replies") for title in ("turns", "maps", "points", "answers")),
        heading("budget\nexhausted"),
        heading("failed\nturns"),
        heading("trun-\ncated"),
    ]

    def rows(one: NamedRun) -> tuple[Row, ...]:
        return tuple(Row(_reliability_cells(one, name, first=name == rules[0]), name) for name in rules)

    failed = tuple(
        f"{one.part}, {one.figures.run.name}: scene {scene} failed: {reason}"
        for one in shown
        for scene, reason in one.figures.run.failed
    )
    notes = (
        "budget exhausted: phases ended by the turn budget. failed turns: with an action that could not be done",
        "truncated: replies ended by a limit or a filter",
    )
    yield from run_table("reliability", "Reliability", heads, shown, rows, notes + failed)


def _reliability_cells(one: NamedRun, rules: RuleSetName, *, first: bool) -> tuple[Cell, ...]:
    """Counts; those that no rule set changes stand in the first row only."""
    known = one.figures.reliability
    unread = {kind: share(count.part, count.whole) for kind, count in known.unread[rules].items()}
    counts = [Cell(str(n)) for n in (known.finished, known.failed, known.not_done, known.replies)]
    ends = [share(count.part, count.whole) for count in (known.forced, known.failed_turns, known.cut)]
    if not first:
        return (*[Cell("")] * 5, unread["maps"], unread["points"], unread["answers"], *[Cell("")] * 3)
    return (*counts, *unread.values(), *ends)


def replies_of(shown: Sequence[NamedRun]) -> list[RepliesOf]:
    """All replies of the runs, with what became of each."""
    return [RepliesOf(one.name, one.part, [*_graded_replies(one.figures.run)]) for one in shown]


def _graded_replies(run: TheoryOfSpaceRun) -> Iterator[GradedReply]:
    for case in run.cases:
        yield from graded_replies(case.logged, case.scores["strict"])


def cost_tables(shown: Sequence[NamedRun]) -> Iterator[Table]:
    """What the runs took."""
    yield from price_tables(Paid(one.name, one.figures.price, one.done, one.part) for one in shown)
