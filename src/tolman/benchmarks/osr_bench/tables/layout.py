"""How tables of OSR-Bench are laid out: score rows by section and rule set, and reference rows to compare with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import RunScores
from tolman.core.rules import RuleSetName, RuleSetNames
from tolman.report.baselines import ReferenceRow as AnyReferenceRow
from tolman.report.statistics import UNKNOWN, Interval
from tolman.report.table import Column, Row, RowGroup, Table


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
