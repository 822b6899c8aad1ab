"""Tables of a page: sortable by any column, wide ones scroll in a box of their own."""

from dataclasses import dataclass
from typing import ClassVar, Literal

MISSING = "–"
"""Stands for what is not known, or means nothing."""

Rules = Literal["", "strict", "published", "both"]


@dataclass(frozen=True, slots=True)
class Head:
    """The top of a column: its title, and that of the group it stands in."""

    title: str
    group: str = ""
    words: bool = False
    """Whether it holds words, which stand flush left; numbers do not."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number or a word, and its interval on the line below."""

    text: str = MISSING
    below: str = ""
    href: str = ""
    best: bool = False
    """Whether it is the best of its column; then it is bold."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of cells. Where it is scored under a rule set, the reader can choose which are shown."""

    cells: tuple[Cell, ...]
    rules: Rules = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """Rows that belong together and are sorted as one, by the first of them that is shown."""

    name: str
    rows: tuple[Row, ...]
    below: str = ""
    href: str = ""
    reference: bool = False
    """Whether it was not measured here, but stands beside for comparison."""


@dataclass(frozen=True)
class Table:
    """A table with a title, and notes below it. Nothing in its texts is taken for markup."""

    template: ClassVar[str] = "table.html"

    name: str
    """Letters, digits and hyphens: part of an address."""
    title: str
    first: str
    """Title of the column of names."""
    heads: tuple[Head, ...]
    entries: tuple[Entry, ...]
    notes: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    """Titles of columns by whose values rows can be chosen; with any, also by words."""

    @property
    def ruled(self) -> bool:
        """Whether rows are scored under rule sets."""
        return any(row.rules for entry in self.entries for row in entry.rows)

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Titles of groups, each with the number of its columns; empty where no column is in a group."""
        runs: list[tuple[str, int]] = []
        for head in self.heads:
            if runs and runs[-1][0] == head.group:
                runs[-1] = (head.group, runs[-1][1] + 1)
            else:
                runs.append((head.group, 1))
        return runs if any(head.group for head in self.heads) else []

    def choices(self, title: str) -> list[str]:
        """The values of a column, each once, in order of appearance."""
        if title == self.first:
            return list(dict.fromkeys(entry.name for entry in self.entries))
        column = [head.title for head in self.heads].index(title)
        return list(dict.fromkeys(row.cells[column].text for entry in self.entries for row in entry.rows))
