"""Rows of the paper's own tables. The numbers are in `published_rows.toml`, as printed."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.intervals import Interval
from tolman.report.osr_bench.reference_row import ReferenceRow

IN_PERCENT = ("map/success",)
"""Columns that are printed in percent."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PaperTable(_Closed):
    """One table of the paper, or that part of it which is of one way to ask."""

    label: str
    asked: AskedSet
    think: bool
    columns: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]
    questions: dict[str, int] = {}
    note: str = ""
    notes: dict[str, str] = {}


class _Source(_Closed):
    title: str
    rules: Literal["published"]


class _Paper(_Closed):
    source: _Source
    tables: tuple[PaperTable, ...]


@cache
def _paper() -> _Paper:
    text = files("tolman.report.osr_bench").joinpath("published_rows.toml").read_text(encoding="utf-8")
    return _Paper.model_validate(tomllib.loads(text))


def paper_tables() -> tuple[PaperTable, ...]:
    """The tables as they are printed."""
    return _paper().tables


def published_rows(asked: AskedSet) -> tuple[ReferenceRow, ...]:
    """The paper's rows for a set of questions: one for each name and way to ask, from all of its tables."""
    found: dict[tuple[str, bool], list[PaperTable]] = {}
    for table in paper_tables():
        for name in table.rows if table.asked == asked else ():
            found.setdefault((name, table.think), []).append(table)
    return tuple(_row(name, asked, think, tables) for (name, think), tables in found.items())


def _row(name: str, asked: AskedSet, think: bool, tables: list[PaperTable]) -> ReferenceRow:
    source, values = _paper().source, dict[str, Interval]()
    for table in tables:
        values |= map(_value, table.columns, table.rows[name])
    asked_of = next((table.questions[name] for table in tables if name in table.questions), None)
    notes = [note for table in tables for note in (table.note, table.notes.get(name, "")) if note]
    return ReferenceRow(
        name=name if asked_of is None else f"{name} · {asked_of} questions",
        source=f"{source.title} ({', '.join(dict.fromkeys(table.label for table in tables))})",
        asked=asked,
        think=think,
        values=values,
        rules=source.rules,
        notes=tuple(notes),
    )


def _value(column: str, printed: float) -> tuple[str, Interval]:
    """The paper prints no intervals."""
    value = printed / 100 if column in IN_PERCENT else printed
    return column, Interval(value, float("nan"), float("nan"))
