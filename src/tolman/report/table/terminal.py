"""A table in a terminal, laid out as in papers. One that is too wide is printed in sections, each with a title that
names its groups of columns; nothing is cut.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from tolman.report.table.value import Cell, Row, RowGroup, Table, Tone

_GAP, _GROUP_GAP = 1, 2
_FEWEST_WORDS = 24
"""Cells of the terminal that a last column of words keeps before it moves below the others."""
_MEASURED, _COMPARED = "Measured", "For comparison"
_COLOURS: dict[Tone, str] = {"": "", "good": "green", "bad": "red", "uncertain": "yellow"}

Block = list[list[int]]
"""Columns printed side by side, by group."""
Piece = tuple[str, str]
"""A text and its style."""


@dataclass(frozen=True)
class Printed:
    """A table that a console can print."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from _Layout(self.table, console, options.max_width).lines()


@dataclass(frozen=True)
class _Layout:
    """A table laid out for one width, in cells of the terminal."""

    table: Table
    console: Console
    width: int

    def lines(self) -> Iterator[Text]:
        blocks = self._blocks()
        for i, block in enumerate(blocks):
            if i:
                yield Text()
            yield Text(self.table.title if len(blocks) == 1 else f"{self.table.title}: {self._topics(block)}", "bold")
            yield from self._head(block)
            yield from self._body(block, whole=len(blocks) == 1)
        for note in self.table.notes:
            yield Text(note, "dim")

    # ---- widths, in cells of the terminal ----

    @property
    def _rows(self) -> Iterator[Row]:
        return (row for entry in self.table.entries for row in entry.rows)

    @cached_property
    def _groups(self) -> list[list[int]]:
        """Columns by group; those without one are separate."""
        keys = [(column.group, 0 if column.group else i) for i, column in enumerate(self.table.columns)]
        return [list(found) for _, found in groupby(range(len(keys)), key=lambda i: keys[i])]

    @cached_property
    def _natural(self) -> list[int]:
        """Widths of columns in which no text is wrapped."""
        widths = [max(map(cell_len, column.narrow.split("\n"))) for column in self.table.columns]
        for row in self._rows:
            needed = (max(cell_len(cell.text), cell_len(cell.below)) for cell in row.cells)
            widths = [max(pair) for pair in zip(widths, needed, strict=True)]
        for group in self._groups:
            while _span(group, widths) < cell_len(self.table.columns[group[0]].group):
                widths[min(group, key=lambda i: widths[i])] += 1
        return widths

    @cached_property
    def _inline(self) -> bool:
        """Whether names precede cells on their line: in a compact table that fits so, or would not fit otherwise."""
        if not self.table.compact:
            return False
        widths, names = list(self._natural), self._first_width(inline=True)
        if self._ends_in_words:
            widths[-1] = min(widths[-1], _FEWEST_WORDS)
        beside = self.width - _spans(self._groups, widths)
        return names <= beside or (self._first_width(inline=False) > beside and names <= self.width // 2)

    @property
    def _ends_in_words(self) -> bool:
        return bool(self.table.columns) and self.table.columns[-1].words

    def _first_width(self, *, inline: bool) -> int:
        names = [_name(entry) for entry in self.table.entries if _single(entry)] if inline else []
        labels = (row.label for row in self._rows)
        return max(map(cell_len, (*labels, *names, *[self.table.first] * inline)), default=0)

    @cached_property
    def _label_width(self) -> int:
        return self._first_width(inline=self._inline)

    @cached_property
    def _widths(self) -> list[int]:
        """Widths of columns; a last column of words that does not fit is wrapped."""
        widths, room = list(self._natural), self.width - self._label_width
        if self._ends_in_words:
            beside = room - _spans(self._groups, widths) + widths[-1]
            most = beside if beside >= _FEWEST_WORDS else max(room - _GROUP_GAP, 1)
            widths[-1] = min(widths[-1], most)
        return widths

    def _blocks(self) -> list[Block]:
        """Groups of columns for each block that fits the width; a group that is wider than a line is split."""
        room = self.width - self._label_width
        blocks: list[Block] = []
        left = 0
        for group in self._groups:
            for columns in self._within(group, room):
                needed = _span(columns, self._widths) + _GROUP_GAP
                if needed > left:
                    blocks.append([])
                    left = room
                blocks[-1].append(columns)
                left -= needed
        return blocks

    def _within(self, group: list[int], room: int) -> list[list[int]]:
        """The columns of a group in as few parts as fit the width."""
        parts: list[list[int]] = [[]]
        for i in group:
            if parts[-1] and _span([*parts[-1], i], self._widths) + _GROUP_GAP > room:
                parts.append([])
            parts[-1].append(i)
        return parts

    def _topics(self, block: Block) -> str:
        """What the columns of a block are about: their groups, or the titles of those without one."""
        columns = self.table.columns
        parts = [", ".join(columns[i].title for i in group) for group in block]
        whole = [columns[group[0]].group if group in self._groups else "" for group in block]
        return ", ".join(group or part for group, part in zip(whole, parts, strict=True))

    # ---- lines ----

    def _line(self, label: str, pieces: Sequence[Piece], block: Block, style: str = "") -> Text:
        """One line: a label, and a text for each column, numbers flush right and words flush left."""
        line = Text(label + " " * (self._label_width - cell_len(label)), style)
        for group in block:
            for place, i in enumerate(group):
                text, of_text = pieces[i]
                line.append(" " * (_GAP if place else _GROUP_GAP))
                space = " " * (self._widths[i] - cell_len(text))
                line.append(text + space if self.table.columns[i].words else space + text, of_text)
        line.rstrip()
        return line

    def _head(self, block: Block) -> Iterator[Text]:
        spans = [(self.table.columns[group[0]].group, _span(group, self._widths)) for group in block]
        indent, gap = " " * (self._label_width + _GROUP_GAP), " " * _GROUP_GAP
        if any(name for name, _ in spans):
            yield Text((indent + gap.join(name.center(span) for name, span in spans)).rstrip())
            rules = gap.join(("─" if name else " ") * span for name, span in spans)
            yield Text((indent + rules).rstrip(), "dim")
        titles = [column.narrow.split("\n") for column in self.table.columns]
        for from_last in range(max(len(titles[i]) for group in block for i in group), 0, -1):
            shown = [(title[-from_last] if from_last <= len(title) else "", "") for title in titles]
            yield self._line(self.table.first if self._inline and from_last == 1 else "", shown, block)

    def _body(self, block: Block, *, whole: bool) -> Iterator[Text]:
        """Rows of a block. Unless it is the whole table, rows to compare with that have nothing in it are left out."""
        width = self._label_width + _spans(block, self._widths)
        compared = any(entry.reference for entry in self.table.entries)
        columns = [i for group in block for i in group]
        for title, reference, found in self.table.sections:
            entries = [one for one in found if whole or not reference or _known_in(one, columns)]
            if not entries:
                continue
            yield _rule(title or (_COMPARED if reference else _MEASURED if compared else ""), width)
            style = "dim" if reference else ""
            for entry in entries:
                if self._inline and _single(entry):
                    yield from self._row(entry.rows[0], _name(entry), block, style, style)
                    continue
                yield Text(_name(entry), style or "bold")
                for row in entry.merged(columns):
                    yield from self._row(row, row.label, block, style)

    def _row(self, row: Row, label: str, block: Block, style: str, of_label: str = "") -> Iterator[Text]:
        """The texts of cells, and the intervals below them, where there are any."""
        stacks = [self._pieces(i, cell, style) for i, cell in enumerate(row.cells)]
        shown = [i for group in block for i in group]
        for number, pieces in enumerate(zip_longest(*stacks, fillvalue=("", ""))):
            first = self._inline and not number
            if first or any(pieces[i][0] for i in shown):
                yield self._line("" if number else label, pieces, block, of_label)

    def _pieces(self, column: int, cell: Cell, style: str) -> list[Piece]:
        text_style = style or _COLOURS[cell.tone]
        texts = [cell.text]
        if cell_len(cell.text) > self._widths[column]:
            texts = [line.plain.rstrip() for line in Text(cell.text).wrap(self.console, self._widths[column])]
        return [*((text, text_style) for text in texts), *[(cell.below, "dim")] * bool(cell.below)]


def _span(columns: Sequence[int], widths: Sequence[int]) -> int:
    return sum(widths[i] for i in columns) + _GAP * (len(columns) - 1)


def _spans(groups: Block, widths: Sequence[int]) -> int:
    return sum(_span(group, widths) + _GROUP_GAP for group in groups)


def _known_in(entry: RowGroup, columns: Sequence[int]) -> bool:
    return any(row.cells[i].known for row in entry.rows for i in columns)


def _single(entry: RowGroup) -> bool:
    """Whether an entry has one row without a label."""
    return len(entry.rows) == 1 and not entry.rows[0].label


def print_parts(parts: Iterable[Text | Table], console: Console, *, explain: bool = False) -> None:
    """Print lines and tables, one below the other, with an empty line above each table but one that comes first.

    With `explain`, the definitions of a table's columns are printed below it.
    """
    for place, part in enumerate(parts):
        if isinstance(part, Table):
            if place:
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
            unit = f" ({column.unit})" if column.unit else ""
            better = f" {column.better.capitalize()} is better." if column.better else ""
            yield Text.assemble((f"  {title}{unit}: ", "bold"), column.definition, better)


def _name(entry: RowGroup) -> str:
    return f"{entry.name} · {entry.below}" if entry.below else entry.name


def _rule(title: str, width: int) -> Text:
    """A line across the table, with a title in it if there is one."""
    if not title:
        return Text("─" * width, "dim")
    return Text.assemble(("── ", "dim"), (title, "italic"), (" " + "─" * (width - cell_len(title) - 4), "dim"))
