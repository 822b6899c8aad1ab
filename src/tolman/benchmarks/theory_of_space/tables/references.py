"""The reference rows of runs: baselines on the same questions, and the paper's numbers.

The paper's numbers are in `published_rows.toml`, as printed.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from pydantic import BaseModel

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.baseline_rows import baseline_rows, scripted_rows
from tolman.benchmarks.theory_of_space.tables.layout import ReferenceRow, RowSetting
from tolman.core.grouping import gathered, grouped
from tolman.core.parallel import Track, untracked
from tolman.report.baselines import read_paper
from tolman.report.statistics import Interval
from tolman.report.table import point_estimate

COST_COLUMNS = ("explore/cost", "revise/cost", "revise/redundant")
"""Columns that are not in percent."""


class PaperTable(BaseModel, extra="forbid", frozen=True):
    """One table of the paper, or its part for one mode and number of rooms."""

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
        """Numbers as printed, by name of the row."""
        return self.text if world == "text" else self.vision


class _Source(BaseModel, extra="forbid", frozen=True):
    title: str
    scenes: int
    rules: Literal["published"]


class _Paper(BaseModel, extra="forbid", frozen=True):
    source: _Source
    tables: tuple[PaperTable, ...]


@cache
def _paper() -> _Paper:
    return read_paper("tolman.benchmarks.theory_of_space.tables", _Paper)


def paper_tables() -> tuple[PaperTable, ...]:
    """The paper's tables as printed."""
    return _paper().tables


def published_rows(world: World, mode: Mode, rooms: int = 3) -> tuple[ReferenceRow, ...]:
    """The paper's rows for scenes with `rooms` rooms: one per name and explorer, merged from all tables."""
    tables = [table for table in paper_tables() if (table.mode, table.rooms) == (mode, rooms)]
    found = gathered(((name, table.explorer.get(world, "")), table) for table in tables for name in table.rows(world))
    return tuple(
        _published_row(name, RowSetting(world, mode, rooms, explorer), tables)
        for (name, explorer), tables in found.items()
    )


def _published_row(name: str, setting: RowSetting, tables: Sequence[PaperTable]) -> ReferenceRow:
    source = _paper().source
    values: dict[str, Interval] = {}
    for table in tables:
        for column, printed in zip(table.columns, table.rows(setting.world)[name], strict=True):
            values[column] = point_estimate(printed if column in COST_COLUMNS else printed / 100)
    return ReferenceRow(
        name=name,
        source=f"{source.title} ({', '.join(table.label for table in tables)})",
        setting=setting,
        values=values,
        rules=source.rules,
        scenes=tables[0].scenes.get(name, source.scenes),
        notes=tuple(note for table in tables for note in (table.note, table.notes.get(name, "")) if note),
    )


def reference_rows(
    runs: Sequence[TheoryOfSpaceRun],
    *,
    baselines: bool = True,
    scripted: bool = False,
    published: bool = True,
    track: Track = untracked,
) -> list[ReferenceRow]:
    """All rows for each world and mode of the runs: guesses, then scripted models, then the paper's.

    Guesses and scripted models are scored on the scenes that all runs of a world and mode share, or on all of their
    scenes if they share none; scores are cached on disk. The paper's rows are of other scenes with as many rooms.
    """
    found: list[ReferenceRow] = []
    for (world, mode), group in grouped(runs, lambda run: (run.world, run.mode)).items():
        cases = common_cases(group)
        if baselines:
            asked = Options(
                mode=mode,
                world=world,
                explorer=group[0].options.explorer,
                choices=min(run.options.choices for run in group),
            )
            options = _with_budgets(asked, group[0].options)
            elicited = any(run.options.probe_turns != "off" or run.options.revises for run in group)
            found += baseline_rows(cases, options, maps=elicited, track=track)
        if scripted and world == "text":
            plain = Options(mode=mode, explorer=group[0].options.explorer, phases=("explore", "ask"))
            options = _with_budgets(plain, group[0].options)
            found += scripted_rows(cases, options, [run.model for run in group], track)
        if published:
            for rooms in sorted({len(case.scene.rooms) for case in cases}):
                found += published_rows(world, mode, rooms)
    return found


def _with_budgets(options: Options, like: Options) -> Options:
    return replace(options, budget=like.turns("explore"), revise_budget=like.turns("revise"))


def common_cases(runs: Sequence[TheoryOfSpaceRun]) -> list[Case]:
    """The cases whose scene and questions are the same in all runs; all cases if there are none."""
    cases = [{_content(case.logged.case): case.logged.case for case in run.cases} for run in runs]
    everything = {content: case for by_content in cases for content, case in by_content.items()}
    shared = [case for content, case in everything.items() if all(content in by_content for by_content in cases)]
    return shared or list(everything.values())


def _content(case: Case) -> tuple[str, ...]:
    return case.scene.digest, *(question.id for question in case.questions)
