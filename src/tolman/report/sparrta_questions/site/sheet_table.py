"""The tables of the terminal, on a page: the same numbers, with rows that stand alone."""

from collections.abc import Iterator

from tolman.report.sheet import Entry as Printed
from tolman.report.sheet import Sheet
from tolman.report.site.from_sheet import cell, whole
from tolman.report.site.table import Entry, Head, Row, Table

_LONGEST = 400
"""Characters of a note; some quote what a provider said."""


def sheet_table(name: str, sheet: Sheet, first: str = "model") -> Table:
    """A printed table. An entry of several rows becomes several entries, each below its label."""
    heads = tuple(Head(whole(head.title), head.group) for head in sheet.heads)
    entries = tuple(
        made for part in sheet.parts for entry in part.entries for made in _entries(entry, reference=part.quiet)
    )
    return Table(name, sheet.title, first, heads, entries, tuple(note[:_LONGEST] for note in sheet.notes))


def _entries(entry: Printed, *, reference: bool) -> Iterator[Entry]:
    if entry.apart:
        for row in entry.rows:
            yield Entry(row.label, (Row(tuple(map(cell, row.cells))),), entry.title, reference=reference)
    else:
        title, _, below = entry.title.partition(" · ")
        rows = tuple(Row(tuple(map(cell, row.cells))) for row in entry.rows)
        yield Entry(title, rows, below, reference=reference)
