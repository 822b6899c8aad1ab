"""A table of many narrow columns, as papers print them. One too wide for the terminal is stacked, never cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

MISSING = "–"
"""Stands for what is not known, or means nothing."""
SAME = "both"
"""Label of a row that stands for several: the rule sets agree."""
_GAP, _GROUP_GAP = 1, 2

Block = list[list[int]]
"""Columns that stand side by side, by group."""


@dataclass(frozen=True, slots=True)
class Head:
    """The top of a column: its title, and that of the group it stands in."""

    title: str
    """May have several lines."""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number, and its interval for the line below."""

    text: str = MISSING
    below: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of cells, such as the one under a rule set."""

    label: str
    cells: tuple[Cell, ...]

    @property
    def known(self) -> bool:
        return any(cell.text not in (MISSING, "") for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Entry:
    """The rows of one run below its name."""

    title: str
    rows: tuple[Row, ...]
    apart: bool = False
    """Whether rows are about different things: those that say the same are not made one."""


@dataclass(frozen=True, slots=True)
class Part:
    """Entries that belong together; quiet ones are there to compare with."""

    title: str
    entries: tuple[Entry, ...]
    quiet: bool = False


@dataclass(frozen=True)
class Sheet:
    """A whole table. Its texts are printed as they are; nothing in them is taken for markup."""

    title: str
    heads: tuple[Head, ...]
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.title, "bold")
        for i, chosen in enumerate(self._fitting(options.max_width)):
            yield from [Text()] * (i > 0)
            yield from self._head(chosen)
            yield from self._body(chosen)
        for note in self.notes:
            yield Text(note, "dim")

    # ---- widths, in cells of the terminal ----

    @property
    def _rows(self) -> Iterator[Row]:
        return (row for part in self.parts for entry in part.entries for row in entry.rows)

    @cached_property
    def _label_width(self) -> int:
        return max((cell_len(row.label) for row in self._rows), default=0)

    @cached_property
    def _groups(self) -> list[list[int]]:
        """Columns by group; those without one stand alone."""
        keys = [(head.group, 0 if head.group else i) for i, head in enumerate(self.heads)]
        return [list(found) for _, found in groupby(range(len(keys)), key=lambda i: keys[i])]

    @cached_property
    def _widths(self) -> list[int]:
        widths = [max(map(cell_len, head.title.split("\n"))) for head in self.heads]
        for row in self._rows:
            needed = (max(cell_len(cell.text), cell_len(cell.below)) for cell in row.cells)
            widths = [max(pair) for pair in zip(widths, needed, strict=True)]
        for group in self._groups:
            while self._span(group, widths) < cell_len(self.heads[group[0]].group):
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
        spans = [(self.heads[group[0]].group, self._span(group, self._widths)) for group in block]
        indent, gap = " " * (self._label_width + _GROUP_GAP), " " * _GROUP_GAP
        if any(name for name, _ in spans):
            yield Text((indent + gap.join(name.center(span) for name, span in spans)).rstrip())
            rules = gap.join(("─" if name else " ") * span for name, span in spans)
            yield Text((indent + rules).rstrip(), "dim")
        titles = [head.title.split("\n") for head in self.heads]
        for from_last in range(max(len(titles[i]) for group in block for i in group), 0, -1):
            yield self._line("", [title[-from_last] if from_last <= len(title) else "" for title in titles], block)

    def _body(self, block: Block) -> Iterator[Text]:
        width = self._label_width + sum(self._span(group, self._widths) + _GROUP_GAP for group in block)
        for part in self.parts:
            yield _rule(part.title, width)
            for entry in part.entries:
                yield Text(entry.title, "dim" if part.quiet else "bold")
                rows = entry.rows if entry.apart else _merged(entry.rows, [i for group in block for i in group])
                for row in rows:
                    yield from self._row(row, block, "dim" if part.quiet else "")

    def _row(self, row: Row, block: Block, style: str) -> Iterator[Text]:
        """The numbers and the intervals below them, where there are any."""
        here = [row.cells[i] for group in block for i in group]
        if any(cell.text for cell in here):
            yield self._line(row.label, [cell.text for cell in row.cells], block, style)
        if any(cell.below for cell in here):
            yield self._line("", [cell.below for cell in row.cells], block, "dim")


def _merged(rows: tuple[Row, ...], columns: Sequence[int]) -> tuple[Row, ...]:
    """One row for all where they say the same in these columns."""
    shown = {tuple(row.cells[i] for i in columns) for row in rows}
    return rows if len(rows) == 1 or len(shown) > 1 else (Row(SAME, rows[0].cells),)


def _rule(title: str, width: int) -> Text:
    """A line across the table with a title in it."""
    return Text.assemble(("── ", "dim"), (title, "italic"), (" " + "─" * (width - cell_len(title) - 4), "dim"))
