"""What strategies without knowledge get on every column of a benchmark, and whether a headline can be had that way."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rich.table import Table

from tolman.report.intervals import Interval
from tolman.report.sheet import MISSING
from tolman.rules import RuleSetName

Value = tuple[float, float | None, float | None]
"""A mean, and the ends of its 95 % interval where it has one."""
Values = dict[str, dict[RuleSetName, dict[str, Value]]]
"""By strategy, rule set and column."""


@dataclass(frozen=True)
class Verdict:
    """How the best strategy without knowledge compares with what is stated for a headline column."""

    column: str
    stated: float
    strategy: str
    value: Value

    @property
    def holds(self) -> bool:
        """Whether it is not above what is stated: its interval, or where it has none its mean, reaches down to it."""
        low = self.value[1] if self.value[1] is not None else self.value[0]
        return low <= self.stated + 1e-9


@dataclass(frozen=True)
class Grid:
    """Strategies on the columns of one benchmark. Scores are shares, under `strict` unless said otherwise."""

    title: str
    made_of: str
    """Which scenes."""
    meanings: dict[str, str]
    """What each strategy does."""
    columns: dict[str, str]
    """Titles of columns, by name."""
    headlines: dict[str, float]
    """The baseline that is stated for each headline column: without knowledge one gets no more."""
    values: Values
    plain: tuple[str, ...] = ()
    """Columns of plain numbers, such as costs."""

    def verdicts(self) -> Iterator[Verdict]:
        """Each headline column with the strategy that does best on it."""
        for column, stated in self.headlines.items():
            known = {name: of["strict"][column] for name, of in self.values.items() if column in of.get("strict", {})}
            if known:
                best = max(known, key=lambda name: known[name][0])
                yield Verdict(column, stated, best, known[best])

    def cell(self, strategy: str, column: str) -> str:
        """The strict score of a strategy, and in brackets the published one where it is another."""
        shown = [
            self._number(self.values[strategy][rules][column][0], column)
            for rules in _RULES
            if column in self.values[strategy].get(rules, {})
        ]
        return MISSING if not shown else shown[0] if len(set(shown)) == 1 else f"{shown[0]} ({shown[1]})"

    def shown(self, value: Value, column: str) -> str:
        """A score with its interval."""
        mean, low, high = value
        if low is None or high is None or low == high:
            return self._number(mean, column)
        return f"{self._number(mean, column)} ({self._number(low, column)} to {self._number(high, column)})"

    def _number(self, value: float, column: str) -> str:
        return f"{value if column in self.plain else 100 * value:z.1f}".replace("-", "−")

    def stated(self, column: str) -> str:
        """The baseline of a headline column; nothing for another."""
        return self._number(self.headlines[column], column) if column in self.headlines else ""


_RULES: tuple[RuleSetName, ...] = ("strict", "published")


def value_of(interval: Interval) -> Value:
    """A number as grids keep it."""
    ends = interval.low, interval.high
    low, high = (None if math.isnan(end) else end for end in ends)
    return interval.mean, low, high


def numbers_of(values: Mapping[str, Interval]) -> dict[str, Value]:
    """The columns of one strategy of which anything is known."""
    return {column: value_of(interval) for column, interval in values.items() if not math.isnan(interval.mean)}


# ---- for a terminal ----


def grid_tables(grids: list[Grid]) -> Iterator[Table | str]:
    """Each grid, a line a column, and then the verdicts."""
    for grid in grids:
        table = _table(f"{grid.title}: {grid.made_of}. Strict, and published in brackets where it differs; %")
        for name in ("", "stated", *grid.values):
            table.add_column(name, justify="left" if not name else "right")
        for column, title in grid.columns.items():
            cells = [grid.cell(strategy, column) for strategy in grid.values]
            table.add_row(title, grid.stated(column), *cells)
        yield table
    table = _table("Headline columns: can they be had without knowledge?")
    for name in ("", "stated", "best strategy", "its score (95 %)", ""):
        table.add_column(name)
    for grid in grids:
        for row in _verdict_rows(grid):
            table.add_row(*row)
    yield table
    yield conclusion(grids)


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 1, 0, 0))


def _verdict_rows(grid: Grid) -> Iterator[tuple[str, str, str, str, str]]:
    for verdict in grid.verdicts():
        name = f"{grid.title}: {grid.columns[verdict.column]}"
        holds = "not above" if verdict.holds else "ABOVE"
        shown = grid.shown(verdict.value, verdict.column)
        yield name, grid.stated(verdict.column), verdict.strategy, shown, holds


def conclusion(grids: list[Grid]) -> str:
    """One sentence for all headline columns."""
    failed = [(grid, v) for grid in grids for v in grid.verdicts() if not v.holds]
    if not failed:
        return "No strategy without knowledge is above the stated baseline on any headline column."
    named = "; ".join(f"{v.strategy} on {grid.title}, {grid.columns[v.column]}" for grid, v in failed)
    return f"Above the stated baseline: {named}."


# ---- for a page ----


def grid_markdown(grids: list[Grid]) -> str:
    """The same tables in Markdown."""
    lines: list[str] = []
    for grid in grids:
        lines += [f"## {grid.title}", "", f"On {grid.made_of}.", ""]
        lines += [f"- *{name}*: {meaning}." for name, meaning in grid.meanings.items()]
        lines += ["", *_markdown_head(["column, %", "stated", *grid.values])]
        for column, title in grid.columns.items():
            named = f"**{title}**" if column in grid.headlines else title
            lines.append(_line([named, grid.stated(column), *(grid.cell(name, column) for name in grid.values)]))
        lines.append("")
    lines += ["## Headline columns", "", *_markdown_head(["column", "stated", "best strategy", "its score (95 %)", ""])]
    lines += [_line(row) for grid in grids for row in _verdict_rows(grid)]
    return "\n".join([*lines, "", conclusion(grids), ""])


def _markdown_head(names: list[str]) -> list[str]:
    return [_line(names), "|" + "---|" * len(names)]


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("  ", " ")
