"""Tables of answers, as the paper's: kinds of question by the map in hand. And what that map adds."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from tolman.benchmarks.osr_bench.question import QUESTION_KINDS, AskedSet
from tolman.report.intervals import UNKNOWN, Interval, mean_interval
from tolman.report.osr_bench.osr_figures import RULES, OsrFigures
from tolman.report.osr_bench.osr_layout import (
    THINK,
    VANILLA,
    Line,
    Numbers,
    Rules,
    reference_lines,
    reference_notes,
    scenes_done,
    score_table,
)
from tolman.report.osr_bench.osr_logs import MODES
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.osr_bench.subjects import Subject
from tolman.report.table import Column, Table, points
from tolman.rules import RuleSetName

ASKED_SETS: dict[AskedSet, str] = {
    "standard": "Answers, standard questions, %",
    "negative": "Answers, with absent things among them (negative), %",
}
MAPS = {"first": "own map", "none": "no map", "true": "true map"}
GAINS = {"own": ("first", "none"), "true": ("true", "first")}
"""Which map is set against which."""
_NOTE = "own map: stated by the model before it answers; true map: given to it. Counts must be exact (strict only)"
_GAIN_NOTE = "own: with the model's own map less without one. true: with the true map less with its own. By scene"


def answer_tables(
    subjects: Sequence[Subject], rules: Rules, references: Sequence[ReferenceRow] = ()
) -> Iterator[Table]:
    """Accuracy by kind of question and map, a table for each set of questions."""
    columns = tuple(
        Column(f"{mode}/{kind}", title, kind.capitalize(), title.replace(" ", "\n"), better="higher")
        for kind in QUESTION_KINDS
        for mode, title in MAPS.items()
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


def _lines(subjects: Sequence[Subject], asked: AskedSet, rules: Rules) -> Iterator[Line]:
    for think, part in ((False, VANILLA), (True, THINK)):
        for subject in subjects:
            if runs := subject.modes(asked, think=think):
                numbers: dict[RuleSetName, Numbers] = {name: answer_numbers(runs, name) for name in rules}
                yield Line(subject.name, part, numbers, scenes_done(list(runs.values())))


def answer_numbers(runs: dict[str, OsrFigures], rules: RuleSetName) -> Numbers:
    """The numbers of `MODE/KIND` from the runs with each map."""

    def interval(column: str) -> Interval:
        mode, _, kind = column.partition("/")
        return runs[mode].measured[rules].interval(f"ask/{kind}") if mode in runs else UNKNOWN

    return interval


def gain_tables(subjects: Sequence[Subject], rules: Rules) -> Iterator[Table]:
    """What a map adds to answers about the same scenes: paired by scene, so differences between scenes drop out."""
    columns = tuple(
        Column(f"{gain}/{kind}", gain, kind.capitalize(), style=points) for kind in QUESTION_KINDS for gain in GAINS
    )
    lines = [line for asked in ASKED_SETS for line in _gain_lines(subjects, asked, rules)]
    title = "What a map adds, percentage points"
    yield from score_table("map-gains", title, columns, lines, (_GAIN_NOTE,), rules)


def _gain_lines(subjects: Sequence[Subject], asked: AskedSet, rules: Rules) -> Iterator[Line]:
    for think, part in ((False, VANILLA), (True, THINK)):
        for subject in subjects:
            if runs := subject.modes(asked, think=think):
                numbers: dict[RuleSetName, Numbers] = {name: _gains(runs, name) for name in rules}
                yield Line(subject.name, f"{asked.capitalize()} questions, {part.lower()}", numbers)


def _gains(runs: dict[str, OsrFigures], rules: RuleSetName) -> Numbers:
    def interval(column: str) -> Interval:
        gain, _, kind = column.partition("/")
        return map_gain(runs, gain, kind, rules)

    return interval


def map_gain(runs: dict[str, OsrFigures], gain: str, kind: str, rules: RuleSetName = RULES[0]) -> Interval:
    """Mean difference over the scenes in which a kind was asked with either map; unknown where there is none."""
    better, worse = GAINS[gain]
    if better not in runs or worse not in runs:
        return UNKNOWN
    one, other = (runs[mode].measured[rules].values.get(f"ask/{kind}", {}) for mode in (better, worse))
    both = [fmean(one[scene]) - fmean(other[scene]) for scene in one if scene in other]
    return mean_interval(both) if both else UNKNOWN
