"""The table model: columns, groups of rows, notes, and numbers as cells (a mean with its 95 % interval below, a
share, a p value). Every output format is made from it.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from typing import Any, ClassVar, Literal

from tolman.core.files import packaged_table

MISSING = "–"
"""Printed for a value that is unknown or undefined."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the ends of its confidence interval."""

    mean: float
    low: float
    high: float


def known_or_none(value: float) -> float | None:
    """A number as JSON holds it; what is not known is None."""
    return None if math.isnan(value) else value


def interval_as_dict(interval: Interval) -> dict[str, object]:
    """Mean and ends, ready for JSON; what is not known is None."""
    return {name: known_or_none(getattr(interval, name)) for name in ("mean", "low", "high")}


UNKNOWN = Interval(math.nan, math.nan, math.nan)
"""The mean of no values."""


def point_estimate(value: float | None) -> Interval:
    """A number that has no interval; None is not known."""
    return Interval(math.nan if value is None else value, math.nan, math.nan)


Tone = Literal["", "good", "bad", "uncertain"]
"""How a word or number is to be judged; a terminal colours it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number or a word, and its interval for the line below."""

    text: str = MISSING
    below: str = ""
    href: str = ""
    best: bool = False
    """Whether it is the best of its column; then it is bold."""
    value: Interval | None = field(default=None, compare=False)
    """The number before rounding, in the unit of its column; not compared, as cells with the same text are equal."""
    tone: Tone = field(default="", compare=False)

    @property
    def known(self) -> bool:
        return self.text not in (MISSING, "")


Style = Callable[[Interval], Cell]
"""How the numbers of a column are written."""


def percent(interval: Interval) -> Cell:
    """A share from 0 to 1 in percent, to a tenth; the ends are rounded to whole numbers unless these are the same."""
    whole = _cell(interval, 100, ".1f", ".0f")
    low, _, high = whole.below.partition("–")
    return _cell(interval, 100, ".1f", ".1f") if low and low == high else whole


def points(interval: Interval) -> Cell:
    """A difference of shares in percentage points; ends to a tenth too, as it matters on which side of 0 they lie."""
    return _cell(interval, 100, ".1f", ".1f")


def number(digits: int, factor: float = 1) -> Style:
    """A plain number times a factor, with this many decimals."""
    return lambda interval: _cell(interval, factor, f".{digits}f", f".{digits}f")


def _cell(interval: Interval, factor: float, mean: str, ends: str) -> Cell:
    if not math.isfinite(interval.mean):
        return Cell()
    low, high = interval.low * factor, interval.high * factor
    text = _signed(interval.mean * factor, mean)
    scaled = Interval(interval.mean * factor, low, high)
    if not math.isfinite(low) or not math.isfinite(high) or interval.low == interval.high:
        return Cell(text, value=scaled)
    return Cell(text, f"{_signed(low, ends)}–{_signed(high, ends)}", value=scaled)


def _signed(value: float, style: str) -> str:
    return f"{value:z{style}}".replace("-", "−")


def integer(value: int) -> Cell:
    """A count."""
    return Cell(f"{value:,}", value=point_estimate(value))


def share(part: int, whole: int) -> Cell:
    """A count out of a total, and below it in percent; unknown for a total of 0."""
    if not whole:
        return Cell()
    return Cell(f"{part}/{whole}", f"{100 * part / whole:.1f} %" if part else "")


def p_value(p: float) -> Cell:
    """A probability, as papers write it."""
    if not math.isfinite(p):
        return Cell()
    return Cell("<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0"))


def amount(value: float | None, style: str) -> Cell:
    """A number that may not be known."""
    return Cell(MISSING if value is None or not math.isfinite(value) else format(value, style))


BOTH = "both"
"""Label of a row that replaces several equal ones: the rule sets agree."""
Better = Literal["higher", "lower", ""]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its key and titles, what it holds, and how its numbers are formatted."""

    key: str
    """Names it for programs, such as `map/correctness/overall`."""
    title: str
    group: str = ""
    """Title above adjacent columns that share it."""
    short: str = ""
    """A title for narrow columns, broken into lines; the title is used without one."""
    style: Style = percent
    better: Better = ""
    definition: str = ""
    """One sentence, for tooltips and the glossary."""
    words: bool = False
    """Whether it holds text, which is left-aligned, unlike numbers."""
    unit: str = ""
    """Unit of its numbers, such as `%` or `cells`; empty where they have none or its title says it."""

    @property
    def narrow(self) -> str:
        return self.short or self.title


def column_group(title: str, *columns: Column, **shared: Any) -> tuple[Column, ...]:
    """The columns under one title, with further fields that they all have."""
    return tuple(replace(column, group=title, **shared) for column in columns)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of cells. Its label distinguishes it from others of the same group: a rule set or another condition."""

    cells: tuple[Cell, ...]
    label: str = ""

    @property
    def known(self) -> bool:
        return any(cell.known for cell in self.cells)

    @property
    def ruled(self) -> bool:
        """Whether its label is a rule set."""
        return self.label in ("strict", "published", BOTH)


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that belong together, such as those of one run, and are sorted as one."""

    name: str
    rows: tuple[Row, ...]
    below: str = ""
    """A note in small print, such as how many scenes were done."""
    href: str = ""
    section: str = ""
    """Title shared with adjacent groups, such as a world and mode."""
    where: str = ""
    """A short form of the section, shown below each name on a page; the section itself without one."""
    reference: bool = False
    """Whether it was not measured here, but is shown for comparison."""
    apart: bool = False
    """Whether rows are about different things, so that equal ones are not merged."""

    @property
    def known(self) -> bool:
        return any(row.known for row in self.rows)

    @property
    def small(self) -> str:
        """The text below its name on a page: its section, and its note."""
        section = self.name if self.apart else self.where or self.section[:1].lower() + self.section[1:]
        return " · ".join(filter(None, (section, self.below)))

    def merged(self, columns: Sequence[int] | None = None) -> tuple[Row, ...]:
        """One row labelled `both` if all rows are equal in these columns."""
        if self.apart or len(self.rows) == 1:
            return self.rows
        shown = {tuple(row.cells if columns is None else (row.cells[i] for i in columns)) for row in self.rows}
        return self.rows if len(shown) > 1 else (Row(self.rows[0].cells, BOTH),)


def one_row(
    name: str,
    cells: Iterable[Cell],
    below: str = "",
    *,
    href: str = "",
    section: str = "",
    where: str = "",
    reference: bool = False,
) -> RowGroup:
    """A group of one row without a label."""
    return RowGroup(name, (Row(tuple(cells)),), below, href, section, where, reference)


@dataclass(frozen=True)
class Table:
    """A table with a title, and notes below it. Its texts are never read as markup."""

    template: ClassVar[str] = "table.html"

    name: str
    """Letters, digits and hyphens: part of an address, and of a file's name."""
    title: str
    first: str
    """Title of the column of names."""
    columns: tuple[Column, ...]
    entries: tuple[RowGroup, ...]
    notes: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    """Titles of columns by whose values rows can be chosen on a page; with any, also by words."""
    labels: str = "rules"
    """What the labels of rows are: rule sets, unless they are about something else."""
    compact: bool = False
    """Whether a terminal prints the name of a group with one row in front of its cells, if the lines fit."""

    def __repr__(self) -> str:
        rows = sum(len(entry.rows) for entry in self.entries)
        return f"Table({self.name!r}, {self.title!r}, {rows} × {len(self.columns)})"

    def _repr_html_(self) -> str:
        from tolman.report.table.formats import as_html  # noqa: PLC0415 formats are made from tables

        return as_html(self)

    @property
    def ruled(self) -> bool:
        """Whether rows are scored under several rule sets."""
        several = (entry.rows for entry in self.entries if len(entry.rows) > 1)
        return any(row.ruled for rows in several for row in rows)

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Titles of groups, each with the number of its columns; empty where no column is in a group."""
        runs = [(group, len(list(found))) for group, found in groupby(column.group for column in self.columns)]
        return runs if any(group for group, _ in runs) else []

    @property
    def sections(self) -> list[tuple[str, bool, list[RowGroup]]]:
        """Adjacent groups under one title: the title, whether they are references, and the groups."""
        found = groupby(self.entries, key=lambda entry: (entry.section, entry.reference))
        return [(title, reference, list(entries)) for (title, reference), entries in found]

    def choices(self, title: str) -> list[str]:
        """The values of a column, each once, in order of appearance."""
        if title == self.first:
            return list(dict.fromkeys(entry.name for entry in self.entries))
        column = [column.title for column in self.columns].index(title)
        return list(dict.fromkeys(row.cells[column].text for entry in self.entries for row in entry.rows))

    def trimmed(self) -> "Table":
        """Without groups that have no known cell, and without columns that then have none."""
        kept = [entry for entry in self.entries if entry.known]
        columns = [i for i in range(len(self.columns)) if any(row.cells[i].known for e in kept for row in e.rows)]
        entries = tuple(
            replace(e, rows=tuple(replace(row, cells=tuple(row.cells[i] for i in columns)) for row in e.rows))
            for e in kept
        )
        return replace(self, columns=tuple(self.columns[i] for i in columns), entries=entries)

    @property
    def measured(self) -> bool:
        """Whether there are rows other than references."""
        return any(not entry.reference for entry in self.entries)


# ---- columns and headings whose titles and meanings are in TOML files ----

_STYLES = {"percent": percent, "points": points}


@cache
def read_columns(package: str) -> dict[str, tuple[Column, ...]]:
    """The columns in a package's `columns.toml`, by the name under which they are listed there."""
    return {name: tuple(map(_column, listed)) for name, listed in packaged_table(package, "columns.toml").items()}


def _column(fields: dict[str, Any]) -> Column:
    given = {name: value for name, value in fields.items() if name not in ("digits", "style")}
    style = number(fields["digits"]) if "digits" in fields else _STYLES[fields.get("style", "percent")]
    return Column(**given, style=style)


@cache
def _definitions() -> dict[str, str]:
    """What titles mean, by title or by group and title."""
    return packaged_table("tolman.report.table", "headings.toml")


def heading(title: str, group: str = "", *, words: bool = False, definition: str = "") -> Column:
    """A column that holds no score, named by its titles; a title may be broken into lines to be narrow.

    Without a definition it has that of its titles, where there is one.
    """
    whole = title.replace("-\n", "").replace("\n", " ")
    key = f"{group}/{whole}" if group else whole
    meanings = _definitions()
    known = meanings.get(key, meanings.get(whole, "After this many turns." if whole.isdecimal() else ""))
    return Column(key, whole, group, title * ("\n" in title), definition=definition or known, words=words)
