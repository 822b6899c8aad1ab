"""Tables of answers: accuracy by question kind and map, gain from a map, consistency under rotation, and agreement
with a judge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from tolman.benchmarks.osr_bench.columns import COLUMNS, CONSISTENCY_COLUMNS, answer_key
from tolman.benchmarks.osr_bench.judge import Agreement
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, AskedSet
from tolman.benchmarks.osr_bench.runs import MODES, EvaluatedModel, Run, RunScores, condition_title
from tolman.benchmarks.osr_bench.tables.layout import (
    THINK,
    VANILLA,
    ColumnLookup,
    ReferenceRow,
    ScoreLine,
    reference_lines,
    reference_notes,
    run_numbers,
    scenes_done,
    score_table,
)
from tolman.core.rules import RULE_SETS, RuleSetName, RuleSetNames
from tolman.report.statistics import UNKNOWN, Interval, mean_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, amount, heading, points

ASKED_SETS: dict[AskedSet, str] = {
    "standard": "Answers, standard questions, %",
    "negative": "Answers, questions that name absent objects (negative), %",
}
_MAP_COLUMNS = {"first": "own map", "none": "no map", "true": "true map"}
GAINS = {"own": ("first", "none"), "true": ("true", "first")}
"""Which map is compared with which."""
_GAIN_DEFINITIONS = {
    "own": "Accuracy with the model's own map minus accuracy without a map.",
    "true": "Accuracy with the true map minus accuracy with the model's own map.",
}
_NOTE = "own map: stated by the model before it answers; true map: given to it. Counts must be exact (strict only)"
_GAIN_NOTE = "own: own map minus no map. true: true map minus own map. Differences are paired by scene"


def answer_tables(
    models: Sequence[EvaluatedModel], rules: RuleSetNames, references: Sequence[ReferenceRow] = ()
) -> Iterator[Table]:
    """Accuracy by kind of question and map, a table for each set of questions."""
    columns = tuple(
        replace(
            COLUMNS[answer_key(kind)],
            key=f"{mode}/{kind}",
            title=title,
            group=kind.capitalize(),
            short=title.replace(" ", "\n"),
        )
        for kind in QUESTION_KINDS
        for mode, title in _MAP_COLUMNS.items()
    )
    for asked, title in ASKED_SETS.items():
        lines = list(_lines(models, asked, rules))
        of_set = [row for row in references if row.asked == asked and _has_answers(row)]
        scored = {
            mode
            for model in models
            for condition in model.conditions
            if condition.asked == asked
            for mode in (condition.mode,)
        }
        lines += reference_lines(of_set, lambda column, scored=scored: column.partition("/")[0] in scored)
        notes = (_NOTE, *reference_notes(of_set))
        yield from score_table(f"answers-{asked}", title, columns, lines, notes, rules)


def _has_answers(row: ReferenceRow) -> bool:
    return any(column.partition("/")[0] in MODES for column in row.values)


def _lines(models: Sequence[EvaluatedModel], asked: AskedSet, rules: RuleSetNames) -> Iterator[ScoreLine]:
    for think, part in ((False, VANILLA), (True, THINK)):
        for model in models:
            if runs := model.modes(asked, think=think):
                numbers: dict[RuleSetName, ColumnLookup] = {name: answer_numbers(runs, name) for name in rules}
                yield ScoreLine(model.name, part, numbers, scenes_done(list(runs.values())))


def answer_numbers(runs: dict[str, RunScores], rules: RuleSetName) -> ColumnLookup:
    """The numbers of `MODE/KIND` from the runs with each map."""

    def interval(column: str) -> Interval:
        mode, _, kind = column.partition("/")
        return runs[mode].measured[rules].interval(answer_key(kind)) if mode in runs else UNKNOWN

    return interval


def gain_tables(models: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """Gain in accuracy from a map, paired by scene."""
    columns = tuple(
        Column(f"{gain}/{kind}", gain, kind.capitalize(), style=points, definition=_GAIN_DEFINITIONS[gain])
        for kind in QUESTION_KINDS
        for gain in GAINS
    )
    lines = [line for asked in ASKED_SETS for line in _gain_lines(models, asked, rules)]
    title = "Gain from a map, percentage points"
    yield from score_table("map-gains", title, columns, lines, (_GAIN_NOTE,), rules)


def _gain_lines(models: Sequence[EvaluatedModel], asked: AskedSet, rules: RuleSetNames) -> Iterator[ScoreLine]:
    for think, part in ((False, VANILLA), (True, THINK)):
        for model in models:
            if runs := model.modes(asked, think=think):
                numbers: dict[RuleSetName, ColumnLookup] = {name: _gains(runs, name) for name in rules}
                yield ScoreLine(model.name, f"{asked.capitalize()} questions, {part.lower()}", numbers)


def _gains(runs: dict[str, RunScores], rules: RuleSetName) -> ColumnLookup:
    def interval(column: str) -> Interval:
        gain, _, kind = column.partition("/")
        return map_gain(runs, gain, kind, rules)

    return interval


def map_gain(runs: dict[str, RunScores], gain: str, kind: str, rules: RuleSetName = RULE_SETS[0]) -> Interval:
    """Mean difference over the scenes in which a kind was asked in both conditions; unknown where there is none."""
    better, worse = GAINS[gain]
    if better not in runs or worse not in runs:
        return UNKNOWN
    one, other = (runs[mode].measured[rules].values.get(answer_key(kind), {}) for mode in (better, worse))
    both = [fmean(one[scene]) - fmean(other[scene]) for scene in one if scene in other]
    return mean_interval(both) if both else UNKNOWN


_JUDGED = (heading("answers"), heading("agree,\n%"), heading("kappa"), heading("unparsed\nverdicts"))


def rotation_tables(models: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """Consistency of answers over camera rotations."""
    lines = [
        ScoreLine(
            model.name,
            condition_title(scored.run.condition),
            run_numbers(scored),
            f"{scenes_done([scored])} · {_rotations(scored.run)}",
        )
        for model in models
        for scored in model.runs
    ]
    note = "All is asked again with the panorama rotated by these degrees. Unparseable answers never count as the same"
    yield from score_table("turns", "Consistency over camera rotations, %", CONSISTENCY_COLUMNS, lines, (note,), rules)


def _rotations(run: Run) -> str:
    return ", ".join(f"{turn}°" for turn in run.options.turns)


def judge_tables(models: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """Agreement of a judge with the rules, where there was a judge."""
    entries: list[RowGroup] = []
    for model in models:
        for scored in model.runs:
            judges = {case.logged.record.judge for case in scored.run.cases} - {""}
            if judges:
                rows = tuple(Row(_agreement(scored.agreement[name]), name) for name in rules)
                below = f"judged by {', '.join(sorted(judges))}"
                entries.append(RowGroup(model.name, rows, below, section=condition_title(scored.run.condition)))
    if entries:
        notes = ("agree: answers that judge and rules grade the same. kappa: Cohen's, 0 is chance",)
        yield Table("judge", "Agreement of the judge with the rules", "model", _JUDGED, tuple(entries), notes)


def _agreement(found: Agreement) -> tuple[Cell, ...]:
    share = None if found.share is None else 100 * found.share
    return Cell(str(found.answers)), amount(share, ".1f"), amount(found.kappa, ".2f"), Cell(str(found.unread))
