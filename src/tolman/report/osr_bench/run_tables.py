"""Tables of how the runs of each model went, and what they took: all ways of asking together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tolman.benchmarks.call import Call
from tolman.benchmarks.graded_reply import GradedReply
from tolman.benchmarks.osr_bench.graded_replies import graded_replies
from tolman.report.osr_bench.osr_layout import Rules
from tolman.report.osr_bench.subjects import Subject
from tolman.report.osr_bench.way_names import way_title
from tolman.report.price import Price, price
from tolman.report.price_table import Paid, price_tables
from tolman.report.reply_tables import RepliesOf
from tolman.report.table import Cell, Entry, Row, Table, heading, share
from tolman.rules import RuleSetName

_ALL = "All ways of asking together"
_RELIABILITY = (
    heading("runs"),
    *(heading(title, "Scenes") for title in ("done", "failed", "not\ndone")),
    heading("replies"),
    *(heading(title, "Unparseable replies") for title in ("maps", "answers")),
    heading("trun-\ncated"),
)


def reliability_tables(subjects: Sequence[Subject], rules: Rules) -> Iterator[Table]:
    """How smoothly the runs went."""
    entries = [
        Entry(
            subject.name,
            tuple(Row(_reliability(subject, name, first=name == rules[0]), name) for name in rules),
            section=_ALL,
        )
        for subject in subjects
    ]
    failed = tuple(
        f"{subject.name}, {way_title(known.run.way).lower()}: scene {scene} failed: {reason}"
        for subject in subjects
        for known in subject.runs
        for scene, reason in known.run.failed
    )
    notes = ("truncated: ended by a limit or a filter. A reply that never came counts as unparseable", *failed)
    yield Table("reliability", "Reliability", "model", _RELIABILITY, tuple(entries), notes)


def _reliability(subject: Subject, rules: RuleSetName, *, first: bool) -> tuple[Cell, ...]:
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


def replies_of(subjects: Sequence[Subject]) -> list[RepliesOf]:
    """All replies of the models, with what became of each."""
    return [RepliesOf(subject.name, _ALL, [*_graded(subject)]) for subject in subjects]


def _graded(subject: Subject) -> Iterator[GradedReply]:
    for known in subject.runs:
        for case in known.run.cases:
            for reply in graded_replies(case.logged, case.scores["strict"]):
                yield replace(reply, call=f"{way_title(known.run.way).lower()}: {reply.call}")


def cost_tables(subjects: Sequence[Subject]) -> Iterator[Table]:
    """What the runs took."""
    yield from price_tables((Paid(subject.name, _price(subject), section=_ALL) for subject in subjects), "model")


def _price(subject: Subject) -> Price:
    calls: dict[str, list[Call]] = {}
    for known in subject.runs:
        for case in known.run.cases:
            calls.setdefault(case.id, []).extend(case.logged.record.calls)
    return price(list(calls.values()))
