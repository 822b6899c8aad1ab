"""Tables of answers (accuracy by question kind and map, gain from a map, consistency under rotation, agreement with a
judge) and of stated maps; and how they are laid out: score rows by section and rule set, and reference rows to
compare with.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from tolman.benchmarks.osr_bench.prompts import Agreement
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, AskedSet
from tolman.benchmarks.osr_bench.runs import MODES, Condition, EvaluatedModel, Run, RunScores, condition_title
from tolman.benchmarks.osr_bench.scores import COLUMNS, CONSISTENCY_COLUMNS, DISTANCE, MAP_COLUMNS, answer_key
from tolman.core.rules import RULE_SETS, RuleSetName, RuleSetNames
from tolman.report.baselines import ReferenceRow as AnyReferenceRow
from tolman.report.statistics import UNKNOWN, Interval, mean_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, amount, heading, points


@dataclass(frozen=True, kw_only=True)
class ReferenceRow(AnyReferenceRow):
    """A baseline or a row of the paper, by `MODE/KIND` for answers, and by column key for maps."""

    asked: AskedSet
    think: bool | None
    """Whether reasoning was asked for; None where that makes no difference."""


ColumnLookup = Callable[[str], Interval]
"""Gives the interval of a column key."""
VANILLA, THINK = "Vanilla", "Think"
SAME, OTHER = "For comparison, the same questions", "As published, on other scenes"
REFERENCE_NOTES = {
    SAME: "chance: mean over all plausible answers; constant: the best single answer per kind, chosen in hindsight",
    OTHER: "as published: means from the paper, on other scenes and without intervals",
}


@dataclass(frozen=True)
class ScoreLine:
    """One entry of a table: name, section, and numbers under each rule set."""

    name: str
    part: str
    numbers: Mapping[RuleSetName, ColumnLookup]
    below: str = ""
    """Small print below the name: number of scenes."""
    reference: bool = False

    def entry(self, columns: Sequence[Column], rules: RuleSetNames) -> RowGroup:
        """One row for each rule set that is shown."""
        rows = tuple(
            Row(tuple(column.style(self.numbers[name](column.key)) for column in columns), name)
            for name in rules
            if name in self.numbers
        )
        return RowGroup(self.name, rows, self.below, section=self.part, reference=self.reference)


def score_table(
    name: str,
    title: str,
    columns: Sequence[Column],
    lines: Iterable[ScoreLine],
    notes: tuple[str, ...],
    rules: RuleSetNames,
) -> Iterator[Table]:
    """A table without empty columns, grouped by section; none if no run has a value."""
    entries = [line.entry(columns, rules) for line in lines]
    order = list(dict.fromkeys(entry.section for entry in entries))
    entries.sort(key=lambda entry: order.index(entry.section))
    table = Table(name, title, "model", tuple(columns), tuple(entries), notes).trimmed()
    if table.measured:
        yield table


def run_numbers(scored: RunScores) -> dict[RuleSetName, ColumnLookup]:
    """The intervals of one run by rule set."""
    return {rules: measured.interval for rules, measured in scored.measured.items()}


def reference_lines(references: Sequence[ReferenceRow], scored: Callable[[str], bool]) -> Iterator[ScoreLine]:
    """Reference rows. Baselines are shown only in columns in which the runs have numbers (`scored`)."""
    rows: dict[tuple[str, bool, bool | None], dict[RuleSetName, ColumnLookup]] = {}
    for row in references:
        numbers = _only(row, scored) if row.same_scenes else row.interval
        rows.setdefault((row.name, row.same_scenes, row.think), {})[row.rules] = numbers
    for (name, same, think), numbers in sorted(rows.items(), key=lambda item: not item[0][1]):
        yield ScoreLine(f"{name}, think" if think else name, SAME if same else OTHER, numbers, reference=True)


def _only(row: ReferenceRow, scored: Callable[[str], bool]) -> ColumnLookup:
    return lambda column: row.interval(column) if scored(column) else UNKNOWN


def reference_notes(references: Sequence[ReferenceRow]) -> tuple[str, ...]:
    """Notes that explain the reference rows."""
    wanted = dict.fromkeys(SAME if row.same_scenes else OTHER for row in references)
    return tuple(REFERENCE_NOTES[part] for part in wanted)


def scenes_done(runs: Sequence[RunScores]) -> str:
    """Number of scenes of the runs in one row."""
    if any(scored.run.epochs > 1 for scored in runs):
        return "; ".join(dict.fromkeys(scored.run.done() for scored in runs))
    done, planned = sorted({len(scored.run.cases) for scored in runs}), max(scored.run.planned for scored in runs)
    count = f"{done[0]}" if len(done) == 1 else f"{done[0]}–{done[-1]}"
    whole = "" if done == [planned] else f" of {planned}"
    return f"{count}{whole} scene{'s' * (planned != 1)}"


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


_TITLES: dict[AskedSet, str] = {
    "standard": "Maps, %",
    "negative": "Maps, with absent classes listed in the prompt (negative), %",
}
_BLIND = (
    "Blind baselines: chance: each listed class in a random cell; constant: in the centre; echo: in four fixed cells; "
    "prior: the most frequent classes of generated rooms in their most frequent cells; none: an empty map"
)
_NOTES = (
    "Best of four rotations; found: within 2 cells. cells off: mean over matched pairs, 15 where there is no map",
    "mirrored F1: of the map's mirror image. Where it is higher, left and right are confused",
    "Invented: maps with any class that is not in the room; shares of stated classes and objects that are not",
)


def map_tables(
    models: Sequence[EvaluatedModel], rules: RuleSetNames, references: Sequence[ReferenceRow] = ()
) -> Iterator[Table]:
    """A table for each set of questions, as these differ in the classes that the map prompt lists."""
    for asked, title in _TITLES.items():
        lines = [
            ScoreLine(f"{model.name}, think" if think else model.name, "Stated maps", run_numbers(scored), scenes)
            for model in models
            for think in (False, True)
            if (scored := model.conditions.get(Condition(asked, "first", think))) is not None
            for scenes in (scenes_done([scored]),)
        ]
        of_set = [row for row in references if row.asked == asked and DISTANCE in row.values]
        lines += reference_lines(of_set, lambda _: True)
        same = any(row.same_scenes for row in of_set)
        notes = (*_NOTES, *[_BLIND] * same, *reference_notes([row for row in of_set if not row.same_scenes]))
        yield from score_table(f"maps-{asked}", title, MAP_COLUMNS, lines, notes, rules)
