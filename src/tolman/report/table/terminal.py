"""A table in a terminal, as papers print them. One too wide is stacked, never cut."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from tolman.report.table.value import Row, RowGroup, Table

_GAP, _GROUP_GAP = 1, 2
_MEASURED, _COMPARED = "Measured", "For comparison"

Block = list[list[int]]
"""Columns that stand side by side, by group."""


@dataclass(frozen=True)
class Printed:
    """A table that a console can print."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.table.title, "bold")
        for i, chosen in enumerate(self._fitting(options.max_width)):
            yield from [Text()] * (i > 0)
            yield from self._head(chosen)
            yield from self._body(chosen)
        for note in self.table.notes:
            yield Text(note, "dim")

    # ---- widths, in cells of the terminal ----

    @property
    def _rows(self) -> Iterator[Row]:
        return (row for entry in self.table.entries for row in entry.rows)

    @cached_property
    def _label_width(self) -> int:
        return max((cell_len(row.label) for row in self._rows), default=0)

    @cached_property
    def _groups(self) -> list[list[int]]:
        """Columns by group; those without one stand alone."""
        keys = [(column.group, 0 if column.group else i) for i, column in enumerate(self.table.columns)]
        return [list(found) for _, found in groupby(range(len(keys)), key=lambda i: keys[i])]

    @cached_property
    def _widths(self) -> list[int]:
        widths = [max(map(cell_len, column.narrow.split("\n"))) for column in self.table.columns]
        for row in self._rows:
            needed = (max(cell_len(cell.text), cell_len(cell.below)) for cell in row.cells)
            widths = [max(pair) for pair in zip(widths, needed, strict=True)]
        for group in self._groups:
            while self._span(group, widths) < cell_len(self.table.columns[group[0]].group):
                widths[min(group, key=lambda i: widths[i])] += 1
        return widths

    @staticmethod
    def _span(columns: Sequence[int], widths: Sequence[int]) -> int:
        return sum(widths[i] for i in columns) + _GAP * (len(columns) - 1)

    def _fitting(self, width: int) -> list[Block]:
        """Groups of columns for each block that fits the width; a group too wide by itself falls apart."""
        room = width - self._label_width
        blocks: list[Block] = []
        left = 0
        for group in self._groups:
            whole = self._span(group, self._widths) + _GROUP_GAP <= room
            for columns in [group] if whole else [[i] for i in group]:
                needed = self._span(columns, self._widths) + _GROUP_GAP
                if needed > left:
                    blocks.append([])
                    left = room
                blocks[-1].append(columns)
                left -= needed
        return blocks

    # ---- lines ----

    def _line(self, label: str, texts: Sequence[str], block: Block, style: str = "") -> Text:
        """One line: a label, and a text for each column, flush right."""
        line = Text(label + " " * (self._label_width - cell_len(label)))
        for group in block:
            cells = (" " * (self._widths[i] - cell_len(texts[i])) + texts[i] for i in group)
            line.append(" " * _GROUP_GAP + (" " * _GAP).join(cells), style)
        line.rstrip()
        return line

    def _head(self, block: Block) -> Iterator[Text]:
        spans = [(self.table.columns[group[0]].group, self._span(group, self._widths)) for group in block]
        indent, gap = " " * (self._label_width + _GROUP_GAP), " " * _GROUP_GAP
        if any(name for name, _ in spans):
            yield Text((indent + gap.join(name.center(span) for name, span in spans)).rstrip())
            rules = gap.join(("─" if name else " ") * span for name, span in spans)
            yield Text((indent + rules).rstrip(), "dim")
        titles = [column.narrow.split("\n") for column in self.table.columns]
        for from_last in range(max(len(titles[i]) for group in block for i in group), 0, -1):
            yield self._line("", [title[-from_last] if from_last <= len(title) else "" for title in titles], block)

    def _body(self, block: Block) -> Iterator[Text]:
        width = self._label_width + sum(self._span(group, self._widths) + _GROUP_GAP for group in block)
        for title, reference, entries in self.table.sections:
            yield _rule(title or (_COMPARED if reference else _MEASURED), width)
            style = "dim" if reference else ""
            for entry in entries:
                yield Text(_name(entry), style or "bold")
                for row in entry.merged([i for group in block for i in group]):
                    yield from self._row(row, block, style)

    def _row(self, row: Row, block: Block, style: str) -> Iterator[Text]:
        """The numbers and the intervals below them, where there are any."""
        here = [row.cells[i] for group in block for i in group]
        if any(cell.text for cell in here):
            yield self._line(row.label, [cell.text for cell in row.cells], block, style)
        if any(cell.below for cell in here):
            yield self._line("", [cell.below for cell in row.cells], block, "dim")


def print_parts(parts: Iterable[Text | Table], console: Console, *, explain: bool = False) -> None:
    """Print lines and tables, one below the other, with an empty line above each table.

    With `explain`, the definitions of a table's columns stand below it.
    """
    for part in parts:
        if isinstance(part, Table):
            console.print()
            console.print(Printed(part))
            for line in _definitions(part) if explain else ():
                console.print(line)
        else:
            console.print(part)


def _definitions(table: Table) -> Iterator[Text]:
    for column in table.columns:
        if column.definition:
            title = f"{column.group}, {column.title}" if column.group else column.title
            better = f" {column.better.capitalize()} is better." if column.better else ""
            yield Text.assemble((f"  {title}: ", "bold"), column.definition, better)


def _name(entry: RowGroup) -> str:
    return f"{entry.name} · {entry.below}" if entry.below else entry.name


def _rule(title: str, width: int) -> Text:
    """A line across the table with a title in it."""
    return Text.assemble(("── ", "dim"), (title, "italic"), (" " + "─" * (width - cell_len(title) - 4), "dim"))
