"""Tables of failures, unparseable and truncated replies, tokens and price."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.sparrta.questions.accuracy import RUNS
from tolman.benchmarks.sparrta.questions.runs import RunAnswers
from tolman.benchmarks.sparrta.scores import graded_replies
from tolman.harness.calls import GradedReply
from tolman.report.price_tables import Paid, price, price_tables
from tolman.report.replies import RepliesOf
from tolman.report.table import Cell, Row, RowGroup, Table, heading, share

_RELIABILITY = (
    *(heading(title, "Pictures") for title in ("done", "failed", "not\ndone")),
    heading("replies"),
    heading("unpars-\neable"),
    heading("trun-\ncated"),
)


def reliability_tables(runs: Sequence[RunAnswers]) -> Iterator[Table]:
    """Failures, unparseable and truncated replies."""
    entries = tuple(RowGroup(run.name, (Row(_reliability(run)),), section=RUNS) for run in runs)
    failed = tuple(
        f"{run.name}: picture {picture} failed: {reason}" for run in runs for picture, reason in run.run.failed
    )
    notes = (
        "unparseable: names no relation, or several, and counts as wrong. truncated: ended by a limit or a filter",
        *failed,
    )
    yield Table("reliability", "Reliability", "model", _RELIABILITY, entries, notes)


def _reliability(known: RunAnswers) -> tuple[Cell, ...]:
    run = known.run
    calls = [call for case in run.cases for call in case.logged.record.calls]
    counts = (len(run.cases), len(run.failed), run.not_done, len(calls))
    unread = sum(answer.said is None for answer in known.answers)
    cut = sum(call.stop != "stop" for call in calls)
    return (*(Cell(str(count)) for count in counts), share(unread, len(known.answers)), share(cut, len(calls)))


def replies_of(runs: Sequence[RunAnswers]) -> list[RepliesOf]:
    """All replies of the runs, graded."""
    return [RepliesOf(run.name, RUNS, [*_graded(run)]) for run in runs]


def _graded(known: RunAnswers) -> Iterator[GradedReply]:
    for case in known.run.cases:
        yield from graded_replies(case.logged, case.answers)


def cost_tables(runs: Sequence[RunAnswers]) -> Iterator[Table]:
    """Tokens and price of the runs."""
    paid = (Paid(run.name, price([case.logged.record.calls for case in run.run.cases]), section=RUNS) for run in runs)
    yield from price_tables(paid, "model", "picture", thousands=False, digits=4)
