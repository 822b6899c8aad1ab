"""`tolman baselines`: scores of strategies without knowledge of the scene."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter
from pydantic import TypeAdapter
from rich.console import Console

from tolman.cli.arguments import Force, Format, check_new, print_in_format, progress_bar, track, write_text
from tolman.core.errors import SettingsError
from tolman.harness.registry import BENCHMARKS, load
from tolman.report.baselines import BaselineGrid, BaselineRequest, baseline_tables
from tolman.world.select import seeds_in

MakeGrid = Callable[[BaselineRequest], BaselineGrid | None]


def baselines(
    *,
    scenes: Annotated[str, Parameter(help="Seeds of scenes and rooms, such as 0-99.")] = "0-99",
    pictures: Annotated[
        Path | None, Parameter(help="A folder that `tolman make sparrta` wrote; SpaRRTa is left out without one.")
    ] = None,
    form: Format = "text",
    json_file: Annotated[Path | None, Parameter(name="--json", help="Write all numbers to this file.")] = None,
    force: Force = False,
) -> None:
    """Print what strategies without knowledge of the scene score on every column: constant, blind, all, none, echo.

    Each headline column has a stated baseline. The exit code is 1 where a strategy is above one.
    """
    check_new(json_file, force=force)
    seeds = seeds_in(scenes)
    if seeds is None:
        raise SettingsError(f"--scenes {scenes!r} is not a list of seeds; give some such as 0-99")
    with progress_bar(Console(stderr=True)) as progress:
        request = BaselineRequest(scenes, seeds, pictures, partial(track, progress))
        makers = (cast("MakeGrid", load(each.baselines)) for each in BENCHMARKS.values() if each.baselines)
        grids = [grid for make in makers if (grid := make(request)) is not None]
    if json_file is not None:
        write_text(json_file, TypeAdapter(list[BaselineGrid]).dump_json(grids, indent=1).decode() + "\n")
    print_in_format(baseline_tables(grids), form)
    if not all(verdict.holds for grid in grids for verdict in grid.verdicts()):
        sys.exit(1)
