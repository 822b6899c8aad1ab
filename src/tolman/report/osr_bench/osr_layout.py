"""How tables of OSR-Bench are put together: columns that somebody has, entries by part, and rows to compare with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.report.intervals import UNKNOWN, Interval
from tolman.report.osr_bench.osr_figures import OsrFigures
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.table import Column, Entry, Row, Table
from tolman.rules import RuleSetName

Rules = tuple[RuleSetName, ...]
"""The rule sets to show, in order."""
Numbers = Callable[[str], Interval]
"""Gives the number of a column."""
VANILLA, THINK = "Vanilla", "Think"
SAME, OTHER = "For comparison, the same questions", "As published, of other scenes"
MEANING = {
    SAME: "chance: all answers that make sense alike; constant: the one answer a kind that does best, known afterwards",
    OTHER: "as published: means of the paper's tables, which are of other scenes and give no intervals",
}


@dataclass(frozen=True)
class Line:
    """One entry of a table: its name, where it stands, and its numbers under each rule set that it knows."""

    name: str
    part: str
    numbers: Mapping[RuleSetName, Numbers]
    below: str = ""
    """What is said of it in small letters: how many scenes."""
    reference: bool = False

    def entry(self, columns: Sequence[Column], rules: Rules) -> Entry:
        """One row for each rule set that is shown."""
        rows = tuple(
            Row(tuple(column.style(self.numbers[name](column.key)) for column in columns), name)
            for name in rules
            if name in self.numbers
        )
        return Entry(self.name, rows, self.below, section=self.part, reference=self.reference)


def score_table(
    name: str,
    title: str,
    columns: Sequence[Column],
    lines: Iterable[Line],
    notes: tuple[str, ...],
    rules: Rules,
) -> Iterator[Table]:
    """A table without what nobody knows; none where no run has anything to show. Parts stand together."""
    entries = [line.entry(columns, rules) for line in lines]
    order = list(dict.fromkeys(entry.section for entry in entries))
    entries.sort(key=lambda entry: order.index(entry.section))
    table = Table(name, title, "model", tuple(columns), tuple(entries), notes).trimmed()
    if table.measured:
        yield table


def run_numbers(known: OsrFigures) -> dict[RuleSetName, Numbers]:
    """The columns of one run."""
    return {rules: measured.interval for rules, measured in known.measured.items()}


def reference_lines(references: Sequence[ReferenceRow], known: Callable[[str], bool]) -> Iterator[Line]:
    """Rows to compare with. `known` tells of which columns the runs have numbers: guesses are shown in no others."""
    rows: dict[tuple[str, bool, bool | None], dict[RuleSetName, Numbers]] = {}
    for row in references:
        numbers = _only(row, known) if row.same_scenes else row.interval
        rows.setdefault((row.name, row.same_scenes, row.think), {})[row.rules] = numbers
    for (name, same, think), numbers in sorted(rows.items(), key=lambda item: not item[0][1]):
        yield Line(f"{name}, think" if think else name, SAME if same else OTHER, numbers, reference=True)


def _only(row: ReferenceRow, known: Callable[[str], bool]) -> Numbers:
    return lambda column: row.interval(column) if known(column) else UNKNOWN


def reference_notes(references: Sequence[ReferenceRow]) -> tuple[str, ...]:
    """What rows to compare with are, for below a table."""
    wanted = dict.fromkeys(SAME if row.same_scenes else OTHER for row in references)
    return tuple(MEANING[part] for part in wanted)


def scenes_done(runs: Sequence[OsrFigures]) -> str:
    """How many scenes there are of some runs that stand in one row."""
    done, planned = sorted({len(known.run.cases) for known in runs}), max(known.run.planned for known in runs)
    count = f"{done[0]}" if len(done) == 1 else f"{done[0]}–{done[-1]}"
    whole = "" if done == [planned] else f" of {planned}"
    return f"{count}{whole} scene{'s' * (planned != 1)}"
