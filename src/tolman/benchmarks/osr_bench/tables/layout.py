"""How tables of OSR-Bench are laid out: score rows by section and rule set, and reference rows to compare with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import RunScores
from tolman.core.rules import RuleSetName
from tolman.report.statistics import UNKNOWN, Interval
from tolman.report.table import Column, Row, RowGroup, Table


@dataclass(frozen=True)
class ReferenceRow:
    """Numbers of someone else under one rule set."""

    name: str
    source: str
    """Where the numbers come from, in words."""
    asked: AskedSet
    think: bool | None
    """Whether thoughts were asked for; None where that makes no difference."""
    values: Mapping[str, Interval]
    """By `MODE/KIND` for answers with a map in hand, and by column for maps; the ends are NaN without an interval."""
    rules: RuleSetName
    scenes: int | None = None
    """Of how many scenes they are, where that is known."""
    same_scenes: bool = False
    """Whether these are the scenes and questions of the runs it is shown with."""
    notes: tuple[str, ...] = field(default=())
    """What is inferred, or may not be comparable."""

    def interval(self, column: str) -> Interval:
        return self.values.get(column, UNKNOWN)


RuleSetNames = tuple[RuleSetName, ...]
"""The rule sets to show, in order."""
ColumnLookup = Callable[[str], Interval]
"""Gives the number of a column."""
VANILLA, THINK = "Vanilla", "Think"
SAME, OTHER = "For comparison, the same questions", "As published, of other scenes"
REFERENCE_NOTES = {
    SAME: "chance: all answers that make sense alike; constant: the one answer a kind that does best, known afterwards",
    OTHER: "as published: means of the paper's tables, which are of other scenes and give no intervals",
}


@dataclass(frozen=True)
class ScoreLine:
    """One entry of a table: its name, where it stands, and its numbers under each rule set that it knows."""

    name: str
    part: str
    numbers: Mapping[RuleSetName, ColumnLookup]
    below: str = ""
    """What is said of it in small letters: how many scenes."""
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
    """A table without what nobody knows; none where no run has anything to show. Parts stand together."""
    entries = [line.entry(columns, rules) for line in lines]
    order = list(dict.fromkeys(entry.section for entry in entries))
    entries.sort(key=lambda entry: order.index(entry.section))
    table = Table(name, title, "model", tuple(columns), tuple(entries), notes).trimmed()
    if table.measured:
        yield table


def run_numbers(known: RunScores) -> dict[RuleSetName, ColumnLookup]:
    """The columns of one run."""
    return {rules: measured.interval for rules, measured in known.measured.items()}


def reference_lines(references: Sequence[ReferenceRow], known: Callable[[str], bool]) -> Iterator[ScoreLine]:
    """Rows to compare with. `known` tells of which columns the runs have numbers: guesses are shown in no others."""
    rows: dict[tuple[str, bool, bool | None], dict[RuleSetName, ColumnLookup]] = {}
    for row in references:
        numbers = _only(row, known) if row.same_scenes else row.interval
        rows.setdefault((row.name, row.same_scenes, row.think), {})[row.rules] = numbers
    for (name, same, think), numbers in sorted(rows.items(), key=lambda item: not item[0][1]):
        yield ScoreLine(f"{name}, think" if think else name, SAME if same else OTHER, numbers, reference=True)


def _only(row: ReferenceRow, known: Callable[[str], bool]) -> ColumnLookup:
    return lambda column: row.interval(column) if known(column) else UNKNOWN


def reference_notes(references: Sequence[ReferenceRow]) -> tuple[str, ...]:
    """What rows to compare with are, for below a table."""
    wanted = dict.fromkeys(SAME if row.same_scenes else OTHER for row in references)
    return tuple(REFERENCE_NOTES[part] for part in wanted)


def scenes_done(runs: Sequence[RunScores]) -> str:
    """How many scenes there are of some runs that stand in one row."""
    done, planned = sorted({len(known.run.cases) for known in runs}), max(known.run.planned for known in runs)
    count = f"{done[0]}" if len(done) == 1 else f"{done[0]}–{done[-1]}"
    whole = "" if done == [planned] else f" of {planned}"
    return f"{count}{whole} scene{'s' * (planned != 1)}"
