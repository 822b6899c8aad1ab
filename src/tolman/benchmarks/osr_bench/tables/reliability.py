"""Tables of failures, unparseable and truncated replies, tokens and price."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tolman.benchmarks.osr_bench.runs import EvaluatedModel, condition_title
from tolman.benchmarks.osr_bench.scores import graded_replies
from tolman.benchmarks.osr_bench.tables.layout import RuleSetNames
from tolman.core.rules import RuleSetName
from tolman.harness.calls import Call, GradedReply
from tolman.report.price_tables import Paid, Price, price, price_tables
from tolman.report.replies import RepliesOf
from tolman.report.table import Cell, Row, RowGroup, Table, heading, share

_ALL = "All ways of asking together"
_RELIABILITY = (
    heading("runs"),
    *(heading(title, "Scenes") for title in ("done", "failed", "not\ndone")),
    heading("replies"),
    *(heading(title, "Unparseable replies") for title in ("maps", "answers")),
    heading("trun-\ncated"),
)


def reliability_tables(subjects: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """How smoothly the runs went."""
    entries = [
        RowGroup(
            subject.name,
            tuple(Row(_reliability(subject, name, first=name == rules[0]), name) for name in rules),
            section=_ALL,
        )
        for subject in subjects
    ]
    failed = tuple(
        f"{subject.name}, {condition_title(known.run.way).lower()}: scene {scene} failed: {reason}"
        for subject in subjects
        for known in subject.runs
        for scene, reason in known.run.failed
    )
    notes = ("truncated: ended by a limit or a filter. A reply that never came counts as unparseable", *failed)
    yield Table("reliability", "Reliability", "model", _RELIABILITY, tuple(entries), notes)


def _reliability(subject: EvaluatedModel, rules: RuleSetName, *, first: bool) -> tuple[Cell, ...]:
    """Counts; those that no rule set changes stand in the first row only."""
    runs = [known.run for known in subject.runs]
    turns = [scores for run in runs for case in run.cases for scores in case.scores[rules]]
    maps = [scores.map.read for scores in turns if scores.map is not None]
    answers = [answer.said is not None for scores in turns for answer in scores.answers]
    unread = share(maps.count(False), len(maps)), share(answers.count(False), len(answers))
    if not first:
        return (*[Cell("")] * 5, *unread, Cell(""))
    calls = [call for run in runs for case in run.cases for call in case.logged.record.calls]
    scenes = (sum(len(run.cases) for run in runs), sum(len(run.failed) for run in runs), sum(r.not_done for r in runs))
    counts = [Cell(str(count)) for count in (len(runs), *scenes, len(calls))]
    return (*counts, *unread, share(sum(call.stop != "stop" for call in calls), len(calls)))


def replies_of(subjects: Sequence[EvaluatedModel]) -> list[RepliesOf]:
    """All replies of the models, with what became of each."""
    return [RepliesOf(subject.name, _ALL, [*_graded(subject)]) for subject in subjects]


def _graded(subject: EvaluatedModel) -> Iterator[GradedReply]:
    for known in subject.runs:
        for case in known.run.cases:
            for reply in graded_replies(case.logged, case.scores["strict"]):
                yield replace(reply, call=f"{condition_title(known.run.way).lower()}: {reply.call}")


def cost_tables(subjects: Sequence[EvaluatedModel]) -> Iterator[Table]:
    """What the runs took."""
    yield from price_tables((Paid(subject.name, _price(subject), section=_ALL) for subject in subjects), "model")


def _price(subject: EvaluatedModel) -> Price:
    calls: dict[str, list[Call]] = {}
    for known in subject.runs:
        for case in known.run.cases:
            calls.setdefault(case.id, []).extend(case.logged.record.calls)
    return price(list(calls.values()))
