"""All tables of some runs in printing order, those of reliability and price among them, and all their numbers as plain
values for JSON; what is not known is None.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import chain

from rich.text import Text

from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS
from tolman.benchmarks.osr_bench.runs import EvaluatedModel, RunScores, condition_title, evaluated_models
from tolman.benchmarks.osr_bench.scores import graded_replies
from tolman.benchmarks.osr_bench.tables.score_tables import (
    ASKED_SETS,
    GAINS,
    ReferenceRow,
    answer_tables,
    gain_tables,
    judge_tables,
    map_gain,
    map_tables,
    rotation_tables,
)
from tolman.core.rules import RULE_SETS, RuleSetName, RuleSetNames
from tolman.harness.records import Call, GradedReply
from tolman.harness.runs import run_counts
from tolman.report.replies import Paid, RepliesOf, RunPrice, price, price_tables, truncation_tables
from tolman.report.statistics import few_scenes_notes
from tolman.report.table import Cell, Row, RowGroup, Table, heading, interval_as_dict, share

_MEANING = {
    "strict": "strict: corrected scoring, without the defects of the released code (docs/rules.md)",
    "published": "published: as the authors' released code scores the same replies to the same questions",
}
_READING = (
    "Below each mean is its 95 % interval, from a bootstrap over scenes (BCa). It is left out where all "
    "scenes agree or there are fewer than three. –: not asked for, or there was nothing to score.",
)


def report_tables(
    runs: Sequence[RunScores], rules: RuleSetNames = RULE_SETS, references: Sequence[ReferenceRow] = ()
) -> Iterator[Text | Table]:
    """The tables to print: answers, gain from a map, maps, consistency over rotations, reliability and price."""
    shown = evaluated_models(runs)
    yield Text.assemble(("OSR-Bench", "bold"), f": {run_counts([scored.run for scored in runs])}")
    few = few_scenes_notes(scored.run.distinct for scored in runs)
    for line in (*(_MEANING[name] for name in rules), *_READING, *few):
        yield Text(line, "dim")
    yield from chain(
        answer_tables(shown, rules, references),
        gain_tables(shown, rules),
        map_tables(shown, rules, references),
        rotation_tables(shown, rules),
        judge_tables(shown, rules),
        reliability_tables(shown, rules),
        truncation_tables(replies_of(shown)),
        cost_tables(shown),
    )


FORMAT = "tolman.osr_bench.tables/1"
Plain = dict[str, object]


def as_dict(runs: Sequence[RunScores], references: Sequence[ReferenceRow] = ()) -> Plain:
    """Every run with every column under both rule sets: shares from 0 to 1, distances in cells."""
    return {
        "format": FORMAT,
        "confidence": 0.95,
        "runs": [_run(scored) for scored in runs],
        "map_gains": [gain for model in evaluated_models(runs) for gain in _gains(model)],
        "references": [row.as_dict(asked=row.asked, think=row.think) for row in references],
    }


def _run(scored: RunScores) -> Plain:
    run = scored.run
    return {
        "model": run.model,
        "name": run.name,
        **run.condition._asdict(),
        "settings": dict(run.settings) or run.options.as_dict(),
        "scenes": run.case_counts(),
        "scores": {rules: measured.as_dict() for rules, measured in scored.measured.items()},
        "judge": {rules: asdict(found) for rules, found in scored.agreement.items() if found.answers or found.unread},
        "price": scored.price.as_dict(),
    }


def _gains(model: EvaluatedModel) -> list[Plain]:
    return [
        {"name": model.name, "asked": asked, "think": think, "gain": gain, "kind": kind, "rules": rules, **interval}
        for asked in ASKED_SETS
        for think in (False, True)
        for gain in GAINS
        for kind in QUESTION_KINDS
        for rules in RULE_SETS
        if (interval := interval_as_dict(map_gain(model.modes(asked, think=think), gain, kind, rules)))["mean"]
        is not None
    ]


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
    calls: dict[tuple[str, int], list[Call]] = {}
    for scored in model.runs:
        for case in scored.run.cases:
            calls.setdefault((case.id, case.epoch), []).extend(case.logged.record.calls)
    return price(list(calls.values()), [scene for scene, _ in calls])
