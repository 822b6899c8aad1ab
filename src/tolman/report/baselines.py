"""What strategies without knowledge get on every column of a benchmark, and whether a headline can be had that way."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.core.rules import RuleSetName
from tolman.report.table import Cell, Interval, Row, RowGroup, Table, heading

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
        """Whether it is not above what is stated by more than three standard errors, or where it has none at all."""
        mean, low, _ = self.value
        error = 0.0 if low is None else (mean - low) / 1.96
        return mean - 3 * error <= self.stated + 1e-9


@dataclass(frozen=True)
class BaselineGrid:
    """Strategies on the columns of one benchmark. Scores are shares, under `strict` unless said otherwise."""

    title: str
    made_of: str
    """Which scenes."""
    scenes: int
    """How many. From fewer than ten nothing follows, as their intervals are too short."""
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
        """Each headline column with the strategy that does best on it; none where there are too few scenes to tell."""
        for column, stated in self.headlines.items() if self.scenes >= FEWEST else ():
            known = {name: of["strict"][column] for name, of in self.values.items() if column in of.get("strict", {})}
            if known:
                best = max(known, key=lambda name: known[name][0])
                yield Verdict(column, stated, best, known[best])

    def table(self, *, narrow: bool = False) -> Table:
        """A line for each column, a column for each strategy: the strict score, and below it the published one where
        that is another. In a narrow place lines have labels in place of names."""
        heads = (heading("stated"), *map(heading, self.values))
        lines = {
            title: (Cell(self._stated(column)), *(self._cell(name, column) for name in self.values))
            for column, title in self.columns.items()
        }
        whole = RowGroup(self.made_of, tuple(Row(cells, title) for title, cells in lines.items()), apart=True)
        entries = (whole,) if narrow else tuple(RowGroup(title, (Row(cells),)) for title, cells in lines.items())
        notes = tuple(f"{name}: {meaning}" for name, meaning in self.meanings.items())
        title = f"{self.title}, {self.made_of}: strict, then published where it differs, %"
        return Table(_named(self.title), title, "column", heads, entries, (*notes, _STATED))

    def _cell(self, strategy: str, column: str) -> Cell:
        found = self.values[strategy]
        texts = [self.number(found[rules][column][0], column) for rules in _RULES if column in found.get(rules, {})]
        return Cell() if not texts else Cell(texts[0], texts[1] if len(set(texts)) > 1 else "")

    def _stated(self, column: str) -> str:
        return self.number(self.headlines[column], column) if column in self.headlines else ""

    def number(self, value: float, column: str) -> str:
        """A score of a column, in percent unless it is a plain number."""
        return f"{value if column in self.plain else 100 * value:z.1f}".replace("-", "−")

    def rows(self) -> Iterator[tuple[str, Row]]:
        """The headline columns with their verdicts."""
        for verdict in self.verdicts():
            mean, low, high = verdict.value
            ends = () if low is None or high is None or low == high else (low, high)
            shown = " to ".join(self.number(end, verdict.column) for end in ends)
            yield (
                f"{self.title}: {self.columns[verdict.column]}",
                Row(
                    (
                        Cell(self._stated(verdict.column)),
                        Cell(verdict.strategy),
                        Cell(self.number(mean, verdict.column), shown),
                        Cell("not above" if verdict.holds else "above"),
                    )
                ),
            )


FEWEST = 10
"""Scenes that it takes to tell anything."""
_RULES: tuple[RuleSetName, ...] = ("strict", "published")
_STATED = "stated: what is said of a headline column: without knowledge one gets no more, but for chance"


def value_of(interval: Interval) -> Value:
    """A number as grids keep it."""
    ends = interval.low, interval.high
    low, high = (None if math.isnan(end) else end for end in ends)
    return interval.mean, low, high


def numbers_of(values: Mapping[str, Interval]) -> dict[str, Value]:
    """The columns of one strategy of which anything is known."""
    return {column: value_of(interval) for column, interval in values.items() if not math.isnan(interval.mean)}


def baseline_tables(grids: Sequence[BaselineGrid], *, narrow: bool = False) -> list[Table]:
    """Each grid, and then whether the headline columns can be had without knowledge."""
    heads = (
        heading("stated"),
        heading("best strategy", words=True),
        heading("its score"),
        heading("verdict", words=True),
    )
    entries = tuple(RowGroup(name, (row,)) for grid in grids for name, row in grid.rows())
    verdicts = Table("headlines", "Headline columns, %", "column", heads, entries, (conclusion(grids),))
    return [*(grid.table(narrow=narrow) for grid in grids), verdicts]


def conclusion(grids: Sequence[BaselineGrid]) -> str:
    """One sentence for all headline columns."""
    if not any(True for grid in grids for _ in grid.verdicts()):
        return f"Too few scenes to tell whether a strategy is above a stated baseline; give {FEWEST} or more."
    failed = [(grid, verdict) for grid in grids for verdict in grid.verdicts() if not verdict.holds]
    if not failed:
        return "No strategy without knowledge is above the stated baseline on any headline column."
    named = "; ".join(f"{verdict.strategy} on {grid.title}, {grid.columns[verdict.column]}" for grid, verdict in failed)
    return f"Above the stated baseline: {named}."


def _named(title: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in title.lower()).split())
