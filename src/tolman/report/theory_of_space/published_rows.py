"""Rows of the paper's own tables. The numbers are in `published_rows.toml`, as printed."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tolman.benchmarks.theory_of_space.options import Mode, World
from tolman.report.intervals import Interval
from tolman.report.theory_of_space.reference_row import ReferenceRow, Setting

COSTS = ("explore/cost", "revise/cost", "revise/redundant")
"""Columns that are printed as they are, and not in percent."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PaperTable(_Closed):
    """One table of the paper, or that part of it which is of one mode and number of rooms."""

    label: str
    section: str
    mode: Mode
    columns: tuple[str, ...]
    rooms: int = 3
    explorer: dict[World, str] = {}
    note: str = ""
    notes: dict[str, str] = {}
    scenes: dict[str, int] = {}
    text: dict[str, tuple[float, ...]] = {}
    vision: dict[str, tuple[float, ...]] = {}

    def rows(self, world: World) -> dict[str, tuple[float, ...]]:
        """Numbers as printed, by name."""
        return self.text if world == "text" else self.vision


class _Source(_Closed):
    title: str
    scenes: int
    rules: Literal["published"]


class _Paper(_Closed):
    source: _Source
    tables: tuple[PaperTable, ...]


@cache
def _paper() -> _Paper:
    text = files("tolman.report.theory_of_space").joinpath("published_rows.toml").read_text(encoding="utf-8")
    return _Paper.model_validate(tomllib.loads(text))


def paper_tables() -> tuple[PaperTable, ...]:
    """The tables as they are printed."""
    return _paper().tables


def published_rows(world: World, mode: Mode, rooms: int = 3) -> tuple[ReferenceRow, ...]:
    """The paper's rows for scenes with so many rooms: one for each name and explorer, from all of its tables."""
    found: dict[tuple[str, str], list[PaperTable]] = {}
    for table in paper_tables():
        if (table.mode, table.rooms) == (mode, rooms):
            for name in table.rows(world):
                found.setdefault((name, table.explorer.get(world, "")), []).append(table)
    return tuple(_row(name, Setting(world, mode, rooms, who), tables) for (name, who), tables in found.items())


def _row(name: str, setting: Setting, tables: Sequence[PaperTable]) -> ReferenceRow:
    source = _paper().source
    values: dict[str, Interval] = {}
    for table in tables:
        values |= map(_value, table.columns, table.rows(setting.world)[name])
    return ReferenceRow(
        name=name,
        source=f"{source.title} ({', '.join(table.label for table in tables)})",
        setting=setting,
        values=values,
        rules=source.rules,
        scenes=tables[0].scenes.get(name, source.scenes),
        notes=tuple(note for table in tables for note in (table.note, table.notes.get(name, "")) if note),
    )


def _value(column: str, printed: float) -> tuple[str, Interval]:
    """The paper prints no intervals."""
    value = printed if column in COSTS else printed / 100
    return column, Interval(value, float("nan"), float("nan"))
