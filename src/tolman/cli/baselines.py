"""`tolman baselines`: what can be scored without knowledge."""

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter
from pydantic import TypeAdapter
from rich.console import Console
from rich.progress import Progress

from tolman.cli.arguments import Force, check_new, progress_bar, write_text
from tolman.cli.baseline_grids import pictures_grid, rooms_grid, space_grid
from tolman.core.errors import SettingsError
from tolman.report.baselines import BaselineGrid, baseline_tables
from tolman.report.table import TableFormat, formatted, print_parts
from tolman.world.select import seeds_in

T = TypeVar("T")


def baselines(
    *,
    scenes: Annotated[str, Parameter(help="Seeds of scenes and rooms, such as 0-99.")] = "0-99",
    pictures: Annotated[
        Path | None, Parameter(help="A folder of `tolman make sparrta`, for SpaRRTa; left out without one.")
    ] = None,
    form: Annotated[TableFormat | None, Parameter(name="--format", help="How to print the tables.")] = None,
    json_file: Annotated[Path | None, Parameter(name="--json", help="Write all numbers to this file.")] = None,
    force: Force = False,
) -> None:
    """Print what strategies without knowledge get on every column of the benchmarks: constant, blind, all, none, echo.

    Each headline column has a stated baseline. The exit code is 1 where a strategy is above one.
    """
    check_new(json_file, force=force)
    seeds = seeds_in(scenes)
    if seeds is None:
        raise SettingsError(f"--scenes {scenes!r} names no seeds; give some such as 0-99")
    with progress_bar(Console(stderr=True)) as progress:
        grids = [
            space_grid(scenes, partial(_track, progress)),
            rooms_grid(scenes, seeds),
            *([pictures_grid(pictures)] if pictures else []),
        ]
    if json_file is not None:
        write_text(json_file, TypeAdapter(list[BaselineGrid]).dump_json(grids, indent=1).decode() + "\n")
    if form is not None:
        sys.stdout.write(formatted(baseline_tables(grids), form))
    else:
        print_parts(baseline_tables(grids, narrow=True), Console())
    if not all(verdict.holds for grid in grids for verdict in grid.verdicts()):
        sys.exit(1)


def _track(progress: Progress, things: Sequence[T], description: str) -> Iterable[T]:
    return progress.track(things, description=description)
