"""Tables that the terminal shows, on a page: the same numbers, with titles that need not be cut."""

from collections.abc import Iterator, Sequence

from tolman.report.sheet import Cell as Printed
from tolman.report.sheet import Sheet
from tolman.report.site.table import Cell, Entry, Head, Row, Rules, Table

_LABELS: dict[str, Rules] = {"strict": "strict", "published": "published"}
_LONGEST = 400
"""Characters of a note; some quote what a provider said."""


def from_sheet(name: str, sheet: Sheet, first: str = "run") -> Table:
    """A printed table. The rows of two rule sets keep their labels; a single one needs none."""
    heads = tuple(Head(whole(head.title), head.group) for head in sheet.heads)
    notes = tuple(note[:_LONGEST] for note in sheet.notes)
    return Table(name, sheet.title, first, heads, tuple(_entries(sheet)), notes)


def _entries(sheet: Sheet) -> Iterator[Entry]:
    for part in sheet.parts:
        for entry in part.entries:
            labels = _LABELS if len(entry.rows) > 1 else {}
            rows = tuple(Row(tuple(map(cell, row.cells)), labels.get(row.label, "")) for row in entry.rows)
            yield Entry(entry.title, rows, part.title.lower())


def cell(printed: Printed) -> Cell:
    """A cell of a printed table, on a page."""
    return Cell(printed.text, printed.below)


def merged(rows: Sequence[Row]) -> tuple[Row, ...]:
    """One row for both where the rule sets say the same."""
    both: Rules = "both"
    if len(rows) == 2 and rows[0].cells == rows[1].cells:
        return (Row(rows[0].cells, both),)
    return tuple(rows)


def whole(title: str) -> str:
    """A title that was broken to be narrow, in one piece."""
    return title.replace("-\n", "").replace("\n", " ")
