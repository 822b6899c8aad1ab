"""Tables of answers: accuracy by question kind and map, gain from a map, consistency under rotation, and agreement
with a judge.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean

from tolman.benchmarks.osr_bench.judge import Agreement
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, AskedSet
from tolman.benchmarks.osr_bench.runs import MODES, RULE_SETS, EvaluatedModel, Run, RunScores, condition_title
from tolman.benchmarks.osr_bench.scores import ALWAYS_RIGHT, SAME_ANSWER
from tolman.benchmarks.osr_bench.tables.layout import (
    THINK,
    VANILLA,
    ColumnLookup,
    ReferenceRow,
    RuleSetNames,
    ScoreLine,
    reference_lines,
    reference_notes,
    run_numbers,
    scenes_done,
    score_table,
)
from tolman.core.rules import RuleSetName
from tolman.report.statistics import UNKNOWN, Interval, mean_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, amount, heading, points

ASKED_SETS: dict[AskedSet, str] = {
    "standard": "Answers, standard questions, %",
    "negative": "Answers, with absent things among them (negative), %",
}
_MAP_COLUMNS = {"first": "own map", "none": "no map", "true": "true map"}
GAINS = {"own": ("first", "none"), "true": ("true", "first")}
"""Which map is set against which."""
_NOTE = "own map: stated by the model before it answers; true map: given to it. Counts must be exact (strict only)"
_GAIN_NOTE = "own: with the model's own map less without one. true: with the true map less with its own. By scene"


def answer_tables(
    subjects: Sequence[EvaluatedModel], rules: RuleSetNames, references: Sequence[ReferenceRow] = ()
) -> Iterator[Table]:
    """Accuracy by kind of question and map, a table for each set of questions."""
    columns = tuple(
        Column(f"{mode}/{kind}", title, kind.capitalize(), title.replace(" ", "\n"), better="higher")
        for kind in QUESTION_KINDS
        for mode, title in _MAP_COLUMNS.items()
    )
    for asked, title in ASKED_SETS.items():
        lines = list(_lines(subjects, asked, rules))
        of_set = [row for row in references if row.asked == asked and _has_answers(row)]
        known = {mode for subject in subjects for way in subject.ways if way.asked == asked for mode in (way.mode,)}
        lines += reference_lines(of_set, lambda column, known=known: column.partition("/")[0] in known)
        notes = (_NOTE, *reference_notes(of_set))
        yield from score_table(f"answers-{asked}", title, columns, lines, notes, rules)


def _has_answers(row: ReferenceRow) -> bool:
    return any(column.partition("/")[0] in MODES for column in row.values)


def _lines(subjects: Sequence[EvaluatedModel], asked: AskedSet, rules: RuleSetNames) -> Iterator[ScoreLine]:
    for think, part in ((False, VANILLA), (True, THINK)):
        for subject in subjects:
            if runs := subject.modes(asked, think=think):
                numbers: dict[RuleSetName, ColumnLookup] = {name: answer_numbers(runs, name) for name in rules}
                yield ScoreLine(subject.name, part, numbers, scenes_done(list(runs.values())))


def answer_numbers(runs: dict[str, RunScores], rules: RuleSetName) -> ColumnLookup:
    """The numbers of `MODE/KIND` from the runs with each map."""

    def interval(column: str) -> Interval:
        mode, _, kind = column.partition("/")
        return runs[mode].measured[rules].interval(f"ask/{kind}") if mode in runs else UNKNOWN

    return interval


def gain_tables(subjects: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """What a map adds to answers about the same scenes: paired by scene, so differences between scenes drop out."""
    columns = tuple(
        Column(f"{gain}/{kind}", gain, kind.capitalize(), style=points) for kind in QUESTION_KINDS for gain in GAINS
    )
    lines = [line for asked in ASKED_SETS for line in _gain_lines(subjects, asked, rules)]
    title = "What a map adds, percentage points"
    yield from score_table("map-gains", title, columns, lines, (_GAIN_NOTE,), rules)


def _gain_lines(subjects: Sequence[EvaluatedModel], asked: AskedSet, rules: RuleSetNames) -> Iterator[ScoreLine]:
    for think, part in ((False, VANILLA), (True, THINK)):
        for subject in subjects:
            if runs := subject.modes(asked, think=think):
                numbers: dict[RuleSetName, ColumnLookup] = {name: _gains(runs, name) for name in rules}
                yield ScoreLine(subject.name, f"{asked.capitalize()} questions, {part.lower()}", numbers)


def _gains(runs: dict[str, RunScores], rules: RuleSetName) -> ColumnLookup:
    def interval(column: str) -> Interval:
        gain, _, kind = column.partition("/")
        return map_gain(runs, gain, kind, rules)

    return interval


def map_gain(runs: dict[str, RunScores], gain: str, kind: str, rules: RuleSetName = RULE_SETS[0]) -> Interval:
    """Mean difference over the scenes in which a kind was asked with either map; unknown where there is none."""
    better, worse = GAINS[gain]
    if better not in runs or worse not in runs:
        return UNKNOWN
    one, other = (runs[mode].measured[rules].values.get(f"ask/{kind}", {}) for mode in (better, worse))
    both = [fmean(one[scene]) - fmean(other[scene]) for scene in one if scene in other]
    return mean_interval(both) if both else UNKNOWN


_SAME = (
    Column(SAME_ANSWER, "all", "Same answer", better="higher"),
    *(Column(f"{SAME_ANSWER}/{kind}", kind, "Same answer", better="higher") for kind in QUESTION_KINDS),
    Column(ALWAYS_RIGHT, "every turn", "Right at", "every\nturn", better="higher"),
)
_JUDGED = (heading("answers"), heading("alike,\n%"), heading("kappa"), heading("verdicts\nunread"))


def rotation_tables(subjects: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """Whether answers stay the same when the camera is turned, as they should."""
    lines = [
        ScoreLine(
            subject.name,
            condition_title(known.run.way),
            run_numbers(known),
            f"{scenes_done([known])} · {_rotations(known.run)}",
        )
        for subject in subjects
        for known in subject.runs
    ]
    note = "The panorama is turned by these degrees, and everything asked again. What can't be read is never the same"
    yield from score_table("turns", "Consistency over turns of the camera, %", _SAME, lines, (note,), rules)


def _rotations(run: Run) -> str:
    return ", ".join(f"{turn}°" for turn in run.options.turns)


def judge_tables(subjects: Sequence[EvaluatedModel], rules: RuleSetNames) -> Iterator[Table]:
    """How far a judge agrees with the rules, where one was asked."""
    entries: list[RowGroup] = []
    for subject in subjects:
        for known in subject.runs:
            judges = {case.logged.record.judge for case in known.run.cases} - {""}
            if judges:
                rows = tuple(Row(_agreement(known.agreement[name]), name) for name in rules)
                below = f"judged by {', '.join(sorted(judges))}"
                entries.append(RowGroup(subject.name, rows, below, section=condition_title(known.run.way)))
    if entries:
        notes = ("alike: answers that the judge and the rules both call right, or both wrong. kappa: 0 is chance",)
        yield Table("judge", "A judge against the rules", "model", _JUDGED, tuple(entries), notes)


def _agreement(found: Agreement) -> tuple[Cell, ...]:
    share = None if found.share is None else 100 * found.share
    return Cell(str(found.answers)), amount(share, ".1f"), amount(found.kappa, ".2f"), Cell(str(found.unread))
