"""The tables of the terminal, on a page: the same numbers, with titles that need not be cut."""

from collections.abc import Iterator

from tolman.report.osr_bench.osr_layout import OTHER, SAME, Line, Sheaf
from tolman.report.sheet import Row as Printed
from tolman.report.site.from_sheet import cell, merged, whole
from tolman.report.site.table import Entry, Head, Row, Rules, Table

_WHOSE = {SAME: "these questions", OTHER: "paper"}
_RULES: dict[str, Rules] = {"strict": "strict", "published": "published"}


def sheaf_table(sheaf: Sheaf, *notes: str) -> Table:
    """A table, perhaps with more notes below it."""
    heads = tuple(Head(whole(column.head.title), column.head.group) for column in sheaf.columns)
    entries = tuple(_entry(line, rows) for line, rows in sheaf.shown)
    return Table(sheaf.name, sheaf.title, "model", heads, entries, (*sheaf.notes, *notes))


def _entry(line: Line, rows: tuple[Printed, ...]) -> Entry:
    part = _WHOSE.get(line.part) or line.part[:1].lower() + line.part[1:]
    below = " · ".join(filter(None, (part, line.below)))
    return Entry(line.title, merged(list(_rows(rows))), below, reference=line.reference)


def _rows(rows: tuple[Printed, ...]) -> Iterator[Row]:
    for row in rows:
        yield Row(tuple(map(cell, row.cells)), _RULES.get(row.label, ""))
