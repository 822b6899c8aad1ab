"""Numbers to compare with: rows of baselines and of the papers, and the scores of strategies without knowledge on every
column of a benchmark, and whether they exceed stated baselines.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from tolman.core.parallel import Track, untracked
from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.report.table import UNKNOWN, Cell, Interval, RowGroup, Table, heading, interval_as_dict, one_row

Value = tuple[float, float | None, float | None]
"""A mean, and the ends of its 95 % interval where it has one."""
Values = dict[str, dict[RuleSetName, dict[str, Value]]]
"""By strategy, rule set and column."""


@dataclass(frozen=True, kw_only=True)
class ReferenceRow:
    """A baseline or a row of a paper to compare runs with, under one rule set; benchmarks add their settings."""

    name: str
    source: str
    """Description of where the numbers come from."""
    values: Mapping[str, Interval]
    """By column: shares from 0 to 1, costs not scaled; the ends are NaN where no interval is known."""
    rules: RuleSetName
    scenes: int | None = None
    """Number of scenes, if known."""
    same_scenes: bool = False
    """Whether these are the scenes and questions of the runs it is shown with."""
    notes: tuple[str, ...] = ()
    """Caveats: what is inferred, or may not be comparable."""

    def interval(self, column: str) -> Interval:
        return self.values.get(column, UNKNOWN)

    def as_dict(self, **about: object) -> dict[str, object]:
        """Plain values, ready for JSON; `about` is what the benchmark adds."""
        return {
            "name": self.name,
            "source": self.source,
            **about,
            "rules": self.rules,
            "scenes": self.scenes,
            "same_scenes": self.same_scenes,
            "notes": list(self.notes),
            "columns": {name: interval_as_dict(interval) for name, interval in self.values.items()},
        }


M = TypeVar("M", bound=BaseModel)


def read_paper(package: str, kind: type[M]) -> M:
    """The paper's numbers in `published_rows.toml` of a package."""
    return kind.model_validate(tomllib.loads((files(package) / "published_rows.toml").read_text(encoding="utf-8")))


@dataclass(frozen=True)
class BaselineRequest:
    """The scenes and pictures on which strategies without knowledge are scored."""

    scenes: str
    """Seeds as they were given, such as 0-99."""
    seeds: Sequence[int]
    pictures: Path | None = None
    """A folder of `tolman make sparrta`."""
    track: Track = untracked


@dataclass(frozen=True)
class Verdict:
    """The best strategy without knowledge against the stated baseline of a headline column."""

    column: str
    stated: float
    strategy: str
    value: Value

    @property
    def holds(self) -> bool:
        """Whether the mean is at most three standard errors (none without an interval) above the stated baseline."""
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
    """How many. With fewer than ten there are no verdicts, as the intervals would be too narrow."""
    meanings: dict[str, str]
    """What each strategy does."""
    columns: dict[str, str]
    """Titles of columns, by name."""
    headlines: dict[str, float]
    """The stated baseline of each headline column, which no strategy without knowledge should exceed."""
    values: Values
    plain: tuple[str, ...] = ()
    """Columns of plain numbers, such as costs."""
    topics: dict[str, str] = field(default_factory=dict[str, str])
    """Titles of tables, each by its first column; without any there is one table."""

    def verdicts(self) -> Iterator[Verdict]:
        """Each headline column with the strategy that does best on it; none where there are too few scenes to tell."""
        for column, stated in self.headlines.items() if self.scenes >= FEWEST else ():
            scores = {
                name: by_rules["strict"][column]
                for name, by_rules in self.values.items()
                if column in by_rules.get("strict", {})
            }
            if scores:
                best = max(scores, key=lambda name: scores[name][0])
                yield Verdict(column, stated, best, scores[best])

    def tables(self) -> list[Table]:
        """A table for each topic: a row for each column, and a column for each strategy that has a score there.

        Cells hold the strict score, and below it the published one where it differs.
        """
        made = [self._table(topic, columns) for topic, columns in self._topics()]
        notes = tuple(f"{name}: {meaning}" for name, meaning in self.meanings.items())
        return [*made[:-1], replace(made[-1], notes=(*notes, _STATED, _BELOW))]

    def _topics(self) -> Iterator[tuple[str, list[str]]]:
        starts = [i for i, column in enumerate(self.columns) if not i or column in self.topics]
        names = list(self.columns)
        for start, end in pairwise((*starts, len(names))):
            yield self.topics.get(names[start], ""), names[start:end]

    def _table(self, topic: str, columns: Sequence[str]) -> Table:
        used = [
            name for name, found in self.values.items() if any(c in each for c in columns for each in found.values())
        ]
        heads = (heading("stated"), *(heading(_NARROW.get(name, name.replace(" ", "\n"))) for name in used))
        entries = tuple(
            one_row(self.columns[column], (Cell(self._stated(column)), *(self._cell(name, column) for name in used)))
            for column in columns
        )
        name = f"{self.title}, {topic}" if topic else self.title
        title = f"{name}, {self.made_of}, %"
        return Table(_slug(name), title, "column", heads, entries, compact=True)

    def _cell(self, strategy: str, column: str) -> Cell:
        found = self.values[strategy]
        texts = [self.number(found[rules][column][0], column) for rules in RULE_SETS if column in found.get(rules, {})]
        return Cell() if not texts else Cell(texts[0], texts[1] if len(set(texts)) > 1 else "")

    def _stated(self, column: str) -> str:
        return self.number(self.headlines[column], column) if column in self.headlines else ""

    def number(self, value: float, column: str) -> str:
        """A score of a column, in percent unless it is a plain number."""
        return f"{value if column in self.plain else 100 * value:z.1f}".replace("-", "−")

    def rows(self) -> Iterator[RowGroup]:
        """The headline columns with their verdicts."""
        for verdict in self.verdicts():
            mean, low, high = verdict.value
            ends = () if low is None or high is None or low == high else (low, high)
            score = Cell(self.number(mean, verdict.column), " to ".join(self.number(e, verdict.column) for e in ends))
            holds = Cell("not above" if verdict.holds else "above")
            cells = Cell(self._stated(verdict.column)), Cell(verdict.strategy), score, holds
            yield one_row(f"{self.title}: {self.columns[verdict.column]}", cells)


_NARROW = {"constant": "con-\nstant"}
"""Titles of strategies that are broken within a word."""
FEWEST = 10
"""Fewest scenes for a verdict."""
_STATED = "stated: what is said of a headline column: without knowledge one gets no more, but for chance"

_BELOW = "Scores are strict; a second number is the published one where it differs"


def value_of(interval: Interval) -> Value:
    """A mean and its interval as grids hold them."""
    ends = interval.low, interval.high
    low, high = (None if math.isnan(end) else end for end in ends)
    return interval.mean, low, high


def numbers_of(values: Mapping[str, Interval]) -> dict[str, Value]:
    """The known scores of one strategy, by column."""
    return {column: value_of(interval) for column, interval in values.items() if not math.isnan(interval.mean)}


def baseline_tables(grids: Sequence[BaselineGrid]) -> list[Table]:
    """Each grid, and the verdicts on all headline columns."""
    heads = (
        heading("stated"),
        heading("best strategy", words=True),
        heading("its score"),
        heading("verdict", words=True),
    )
    entries = tuple(row for grid in grids for row in grid.rows())
    verdicts = Table("headlines", "Headline columns, %", "column", heads, entries, (conclusion(grids),), compact=True)
    return [*(table for grid in grids for table in grid.tables()), verdicts]


def conclusion(grids: Sequence[BaselineGrid]) -> str:
    """One sentence for all headline columns."""
    if not any(True for grid in grids for _ in grid.verdicts()):
        return f"Too few scenes to tell whether a strategy is above a stated baseline; give {FEWEST} or more."
    failed = [(grid, verdict) for grid in grids for verdict in grid.verdicts() if not verdict.holds]
    if not failed:
        return "No strategy without knowledge is above the stated baseline on any headline column."
    named = "; ".join(f"{verdict.strategy} on {grid.title}, {grid.columns[verdict.column]}" for grid, verdict in failed)
    return f"Above the stated baseline: {named}."


def _slug(title: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in title.lower()).split())
