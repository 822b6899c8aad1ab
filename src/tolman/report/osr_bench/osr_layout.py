"""How tables of OSR-Bench are put together: columns that somebody has, entries by part, and rows to compare with."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.report.cells import Style, percent
from tolman.report.intervals import UNKNOWN, Interval
from tolman.report.osr_bench.osr_figures import OsrFigures
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.sheet import Cell, Entry, Head, Part, Row, Sheet
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


@dataclass(frozen=True, slots=True)
class Column:
    """A column by the name of its numbers, its place in a table, and how they are written."""

    name: str
    head: Head
    style: Style = percent


@dataclass(frozen=True)
class Line:
    """One entry of a table: its name, where it stands, and its numbers under each rule set that it knows."""

    title: str
    part: str
    numbers: Mapping[RuleSetName, Numbers]
    below: str = ""
    """What is told of it in small letters: how many scenes."""
    reference: bool = False

    def rows(self, columns: Sequence[Column], rules: Rules) -> tuple[Row, ...]:
        """One row for each rule set that is shown."""
        return tuple(
            Row(name, tuple(column.style(self.numbers[name](column.name)) for column in columns))
            for name in rules
            if name in self.numbers
        )


@dataclass(frozen=True)
class Sheaf:
    """The content of a table, for a terminal or a page."""

    name: str
    """Letters, digits and hyphens: part of an address."""
    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()
    rules: Rules = ("strict", "published")

    @property
    def shown(self) -> Iterator[tuple[Line, tuple[Row, ...]]]:
        for line in self.lines:
            rows = line.rows(self.columns, self.rules)
            if any(row.known for row in rows):
                yield line, rows


def trimmed(sheaf: Sheaf) -> Sheaf | None:
    """Without columns of which nobody knows anything; None where no run has anything to show."""
    found = list(sheaf.shown)
    if not any(not line.reference for line, _ in found):
        return None
    cells = [row.cells for _, rows in found for row in rows]
    columns = tuple(c for i, c in enumerate(sheaf.columns) if any(row[i].text != Cell().text for row in cells))
    return Sheaf(sheaf.name, sheaf.title, columns, tuple(line for line, _ in found), sheaf.notes, sheaf.rules)


def as_sheet(sheaf: Sheaf) -> Sheet:
    """The table for a terminal."""
    parts: dict[str, list[Entry]] = {}
    for line, rows in sheaf.shown:
        title = f"{line.title} · {line.below}" if line.below else line.title
        parts.setdefault(line.part, []).append(Entry(title, rows))
    quiet = {line.part for line in sheaf.lines if line.reference}
    made = tuple(Part(title, tuple(entries), quiet=title in quiet) for title, entries in parts.items())
    return Sheet(sheaf.title, tuple(column.head for column in sheaf.columns), made, sheaf.notes)


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
