"""`tolman show`, `report`, `rescore` and `baselines`: tables and pages of every benchmark from logs and results of
probes, tables of the authors' released runs, and of strategies without knowledge of the scene.
"""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter
from pydantic import TypeAdapter
from rich.console import Console
from rich.text import Text

from tolman.cli.arguments import (
    Explain,
    Force,
    Format,
    Observer,
    check_new,
    print_in_format,
    progress_bar,
    track,
    warnings_on,
    write_text,
)
from tolman.core.errors import SettingsError
from tolman.harness.registry import BENCHMARKS, load
from tolman.report.baselines import BaselineGrid, BaselineRequest, baseline_tables
from tolman.report.results import References, ReleasedReader, ShownTables, TableRequest
from tolman.report.table import Table, print_parts
from tolman.report.table.formats import json_text
from tolman.report.whole_report import RULES, Results, RuleChoice
from tolman.world.select import seeds_in


def show(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, logs (*.eval), or folders of probes.", negative="")],
    *,
    rules: Annotated[RuleChoice, Parameter(help="Rule sets to show scores under.")] = "both",
    references: Annotated[
        References,
        Parameter(
            help="Rows to compare with: guesses on the same questions (baselines), also the paper's (all), or none."
        ),
    ] = "baselines",
    ceilings: Annotated[
        bool,
        Parameter(
            help="Also show where points were lost: never observed, or not understood (Theory of Space).", negative=""
        ),
    ] = False,
    failures: Annotated[
        bool,
        Parameter(help="Also show why replies could not be parsed: counts by reason, and all replies.", negative=""),
    ] = False,
    observer: Observer = None,
    form: Format = "text",
    explain: Explain = False,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write all numbers, under both rule sets, to this file.")
    ] = None,
    force: Force = False,
) -> None:
    """Print the papers' tables from logs, each mean with its 95 % interval over scenes."""
    check_new(json_file, force=force)
    shown = _read_tables(paths, TableRequest(RULES[rules], references, ceilings, failures, observer))
    if json_file is not None:
        numbers = {key: one.numbers for key, one in shown.items()}
        only = next(iter(numbers.values())) if len(numbers) == 1 else numbers
        write_text(json_file, json_text(only, indent=2) + "\n")
    print_in_format(_joined(shown.values()), form, explain=explain)


def print_tables(paths: Sequence[Path], console: Console) -> None:
    """All tables of the logs in some files and folders."""
    print_parts(_joined(_read_tables(paths, TableRequest()).values()), console)


def _read_tables(paths: Sequence[Path], request: TableRequest) -> dict[str, ShownTables]:
    """Tables and numbers of each benchmark that there are results of; warnings go to the error stream."""
    console = Console(stderr=True)
    tell = warnings_on(console)
    with progress_bar(console) as progress:
        follow = partial(track, progress)
        return Results.read(paths, tell, follow).shown(request, follow)


def _joined(shown: Iterable[ShownTables]) -> list[Text | Table]:
    """Everything to print, with an empty line between two benchmarks."""
    parts: list[Text | Table] = []
    for one in shown:
        parts += [Text()] * bool(parts)
        parts += one.parts
    return parts


def rescore(
    path: Annotated[
        Path,
        Parameter(
            help="A folder of the authors' released experiments or a tar archive of one (Theory of Space); or a folder "
            "of scenes, of one scene, of a hosted set or of results, or a CSV file of results (OSR-Bench)."
        ),
    ],
    *,
    form: Format = "text",
    explain: Explain = False,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write counts, scores and differences to this file.")
    ] = None,
    force: Force = False,
) -> None:
    """Recompute the scores of the authors' released runs, compare them with the stored ones, and add strict scores."""
    check_new(json_file, force=force)
    readers = [cast("ReleasedReader", load(each.released)) for each in BENCHMARKS.values() if each.released]
    reader = next((each for each in readers[1:] if each.recognises(path)), readers[0])
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("rescoring", total=None)
        shown = reader.rescore(path, lambda: progress.advance(task))
    if json_file is not None:
        write_text(json_file, json.dumps(shown.numbers, indent=2) + "\n")
    print_in_format(shown.parts, form, explain=explain)


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


def report(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, logs (*.eval), or folders of probes.", negative="")],
    *,
    out: Annotated[Path, Parameter(help="Folder of the report; an earlier report there is replaced.")] = Path("report"),
    force: Annotated[
        bool, Parameter(negative="", help="Write into a folder that holds other files; they are kept.")
    ] = False,
    scripted: Annotated[
        bool,
        Parameter(
            negative="", help="Add rows of scripted models on the same scenes (Theory of Space); slow the first time."
        ),
    ] = False,
    scores: Annotated[
        Path | None,
        Parameter(help="Scores of encoders in other benchmarks, for probes: a CSV file of encoder,benchmark,score."),
    ] = None,
    observer: Observer = None,
    jobs: Annotated[int, Parameter(help="Processes; -1 for all cores.")] = -1,
) -> None:
    """Write tables, figures and a page for every scene into a folder. It opens from disk, without a server."""
    console = Console(stderr=True)
    tell = warnings_on(console)
    from tolman.report.whole_report import write_whole_report  # noqa: PLC0415 brings Inspect, which takes seconds

    with progress_bar(console) as progress:
        page = write_whole_report(
            paths,
            out,
            tell,
            partial(track, progress),
            jobs,
            scripted=scripted,
            scores=scores,
            force=force,
            observer=observer,
        )
    Console().print(f"Open {page} in a browser.", markup=False, soft_wrap=True)
