"""Tables of failures, unparseable and truncated replies, tokens and price."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tolman.benchmarks.osr_bench.runs import EvaluatedModel, condition_title
from tolman.benchmarks.osr_bench.scores import graded_replies
from tolman.core.rules import RuleSetName, RuleSetNames
from tolman.harness.calls import Call, GradedReply
from tolman.report.price_tables import Paid, RunPrice, price, price_tables
from tolman.report.replies import RepliesOf
from tolman.report.table import Cell, Row, RowGroup, Table, heading, share

_ALL = "All conditions together"
_RELIABILITY = (
    heading("runs"),
    *(heading(title, "Scenes") for title in ("done", "failed", "not\ndone")),
    heading("replies"),
    *(heading(title, "Unparseable replies") for title in ("maps", "answers")),
    heading("trun-\ncated"),
)


def reliability_tables(models: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """Failures, unparseable and truncated replies."""
    entries = [
        RowGroup(
            model.name,
            tuple(Row(_reliability(model, name, first=name == rules[0]), name) for name in rules),
            section=_ALL,
        )
        for model in models
    ]
    failed = tuple(
        f"{model.name}, {condition_title(scored.run.condition).lower()}: scene {scene} failed: {reason}"
        for model in models
        for scored in model.runs
        for scene, reason in scored.run.failed
    )
    notes = ("truncated: ended by a limit or a filter. Missing replies count as unparseable", *failed)
    yield Table("reliability", "Reliability", "model", _RELIABILITY, tuple(entries), notes)


def _reliability(model: EvaluatedModel, rules: RuleSetName, *, first: bool) -> tuple[Cell, ...]:
    """Counts; those independent of the rule set are in the first row only."""
    runs = [scored.run for scored in model.runs]
    turns = [scores for run in runs for case in run.cases for scores in case.scores[rules]]
    maps = [scores.map.read for scores in turns if scores.map is not None]
    answers = [answer.said is not None for scores in turns for answer in scores.answers]
    unread = share(maps.count(False), len(maps)), share(answers.count(False), len(answers))
    if not first:
        return (*[Cell("")] * 5, *unread, Cell(""))
    calls = [call for run in runs for call in run.calls]
    scenes = (sum(len(run.cases) for run in runs), sum(len(run.failed) for run in runs), sum(r.not_done for r in runs))
    counts = [Cell(str(count)) for count in (len(runs), *scenes, len(calls))]
    return (*counts, *unread, share(sum(call.stop != "stop" for call in calls), len(calls)))


def replies_of(models: Sequence[EvaluatedModel]) -> list[RepliesOf]:
    """All replies of the models, graded."""
    return [RepliesOf(model.name, _ALL, [*_graded(model)]) for model in models]


def _graded(model: EvaluatedModel) -> Iterator[GradedReply]:
    for scored in model.runs:
        for case in scored.run.cases:
            for reply in graded_replies(case.logged, case.scores["strict"]):
                yield replace(reply, call=f"{condition_title(scored.run.condition).lower()}: {reply.call}")


def cost_tables(models: Sequence[EvaluatedModel]) -> Iterator[Table]:
    """Tokens and price of the runs."""
    yield from price_tables((Paid(model.name, _price(model), section=_ALL) for model in models), "model")


def _price(model: EvaluatedModel) -> RunPrice:
    calls: dict[str, list[Call]] = {}
    for scored in model.runs:
        for case in scored.run.cases:
            calls.setdefault(case.id, []).extend(case.logged.record.calls)
    return price(list(calls.values()))
