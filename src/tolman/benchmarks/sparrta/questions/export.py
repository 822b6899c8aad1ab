"""All tables of runs on SpaRRTa's questions, unparseable replies among them, and their numbers as plain values."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain

from rich.text import Text

from tolman.benchmarks.sparrta.prompts import graded_replies
from tolman.benchmarks.sparrta.questions.accuracy import (
    RUNS,
    accuracy,
    accuracy_tables,
    balanced_accuracy,
    confusion_tables,
    viewpoint_change,
)
from tolman.benchmarks.sparrta.questions.runs import (
    CHANCE,
    AnsweredQuestion,
    Run,
    RunAnswers,
    confusion,
    environments_of,
    majority_baseline,
    triples_of,
    viewpoints_of,
)
from tolman.benchmarks.sparrta.sample import Viewpoint
from tolman.harness.runs import run_counts
from tolman.report.replies import Paid, RepliesOf, RunPrice, price, price_tables, truncation_tables
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Table, heading, interval_as_dict, one_row, share

_RELIABILITY = (
    *(heading(title, "Pictures") for title in ("done", "failed", "not\ndone")),
    *map(heading, ("replies", "unpars-\neable", "trun-\ncated")),
)


def reliability_tables(runs: Sequence[RunAnswers]) -> Iterator[Table]:
    """Failures, unparseable and truncated replies."""
    entries = tuple(one_row(run.name, _reliability(run), section=RUNS) for run in runs)
    failed = (f"{run.name}: picture {picture} failed: {reason}" for run in runs for picture, reason in run.run.failed)
    notes = (
        "unparseable: names no relation, or several, and counts as wrong. truncated: ended by a limit or a filter",
        *failed,
    )
    yield Table("reliability", "Reliability", "model", _RELIABILITY, entries, notes)


def _reliability(known: RunAnswers) -> tuple[Cell, ...]:
    run = known.run
    calls, counts = run.calls, (len(run.cases), len(run.failed), run.not_done, len(run.calls))
    unread = sum(answer.said is None for answer in known.answers)
    cut = sum(call.stop != "stop" for call in calls)
    return (*(Cell(str(count)) for count in counts), share(unread, len(known.answers)), share(cut, len(calls)))


def replies_of(runs: Sequence[RunAnswers]) -> list[RepliesOf]:
    """All replies of the runs, graded."""
    return [
        RepliesOf(run.name, RUNS, [*chain(*(graded_replies(case.logged, case.scores) for case in run.run.cases))])
        for run in runs
    ]


def _price(run: Run) -> RunPrice:
    return price([case.logged.record.calls for case in run.cases], run.case_ids)


def cost_tables(runs: Sequence[RunAnswers]) -> Iterator[Table]:
    """Tokens and price of the runs."""
    paid = (Paid(run.name, _price(run.run), section=RUNS) for run in runs)
    yield from price_tables(paid, "model", "picture", thousands=False, digits=4)


_READING = (
    "Where is the target relative to the source? front is beyond it, back on the viewer's side.",
    "Below each share: its 95 % interval over pictures, Wilson's or from a bootstrap. –: not asked for.",
)


def report_tables(runs: Sequence[RunAnswers], *, references: bool = True) -> Iterator[Text | Table]:
    """The tables to print: accuracy, confusions, reliability and price."""
    yield Text.assemble(("SpaRRTa", "bold"), f": {run_counts([known.run for known in runs], 'picture')}")
    yield from (Text(line, "dim") for line in _READING)
    yield from chain(
        accuracy_tables(runs, references=references),
        confusion_tables(runs),
        reliability_tables(runs),
        truncation_tables(replies_of(runs)),
        cost_tables(runs),
    )


FORMAT = "tolman.sparrta.questions/1"
Plain = dict[str, object]


def as_dict(runs: Sequence[RunAnswers]) -> Plain:
    """Every run with all of its answers, and shares from 0 to 1."""
    most = majority_baseline(runs)
    return {
        "format": FORMAT,
        "confidence": 0.95,
        "chance": CHANCE,
        "runs": [_run(known) for known in runs],
        "majority": None if most is None else _scores(most),
    }


def _run(known: RunAnswers) -> Plain:
    run = known.run
    return {
        "model": run.model,
        "name": known.name,
        "think": run.options.think,
        "settings": dict(run.settings) or run.options.as_dict(),
        "pictures": run.case_counts("picture"),
        **_scores(known),
        "answers": [asdict(answer) for answer in known.answers],
        "price": _price(run).as_dict(),
    }


def _scores(known: RunAnswers) -> Plain:
    views = viewpoints_of([known])
    change = viewpoint_change(known.answers)
    return {
        "viewpoints": {view: _figures(known.select(view)) for view in views},
        "all": interval_as_dict(accuracy(known.answers)),
        "environments": {place: _each(known, views, environment=place) for place in environments_of([known])},
        "triples": {name: _each(known, views, triple=name) for name in triples_of([known])},
        "confusion": {view: confusion(known.select(view)) for view in views},
        "camera_and_person": {
            name: interval_as_dict(value) if isinstance(value, Interval) else value
            for name, value in vars(change).items()
        },
    }


def _each(known: RunAnswers, views: Sequence[Viewpoint], environment: str = "", triple: str = "") -> Plain:
    return {view: _figures(found) for view in views if (found := known.select(view, environment, triple))}


def _figures(answers: Sequence[AnsweredQuestion]) -> Plain:
    return {
        "questions": len(answers),
        "not_read": sum(answer.said is None for answer in answers),
        "accuracy": interval_as_dict(accuracy(answers)),
        "balanced_accuracy": interval_as_dict(balanced_accuracy(answers)),
    }
