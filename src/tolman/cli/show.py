"""`tolman show`: the tables of a benchmark, from logs and nothing else."""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.text import Text

from tolman.cli.shared import progress_bar, write_text
from tolman.report.theory_of_space import Figures, as_dict, figures, read_runs, tables
from tolman.report.theory_of_space.ceiling_tables import ceiling_sheets
from tolman.report.theory_of_space.insights import Insights, insights_of
from tolman.report.theory_of_space.layout import named
from tolman.report.theory_of_space.names import printable
from tolman.report.theory_of_space.references import ReferenceRow, reference_rows
from tolman.rules import RuleSetName

T = TypeVar("T")
References = Literal["none", "baselines", "all"]
SHOWN: dict[str, tuple[RuleSetName, ...]] = {
    "both": ("strict", "published"),
    "strict": ("strict",),
    "published": ("published",),
}


def show(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, or logs (*.eval).", negative="")],
    *,
    rules: Annotated[Literal["both", "strict", "published"], Parameter(help="Which scores to show.")] = "both",
    references: Annotated[
        References,
        Parameter(
            help="Rows to compare with: guesses on the same questions (baselines), the paper's own too, or none."
        ),
    ] = "baselines",
    ceilings: Annotated[
        bool, Parameter(help="Show also where points were lost: never looked, or not understood.", negative="")
    ] = False,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write all numbers, under both rule sets, to this file.")
    ] = None,
) -> None:
    """Print the paper's tables from logs, each mean with its 95 % interval over scenes."""
    known, rows, views = _read(paths, references, ceilings=ceilings)
    if json_file is not None:
        write_text(json_file, json.dumps(as_dict(known, rows), indent=2, ensure_ascii=False) + "\n")
    console = Console()
    _print(known, console, SHOWN[rules], rows)
    for sheet in ceiling_sheets(named(known), views) if ceilings else ():
        console.print()
        console.print(sheet)


def print_tables(paths: Sequence[Path], console: Console) -> None:
    """All tables of the logs in some files and folders."""
    known, rows, _ = _read(paths, "baselines")
    _print(known, console, SHOWN["both"], rows)


def _read(
    paths: Sequence[Path], references: References, *, ceilings: bool = False
) -> tuple[list[Figures], list[ReferenceRow], Insights]:
    """The runs in logs, in numbers, and what to compare them with; warnings go to the error stream."""
    console = Console(stderr=True)

    def tell(line: str) -> None:
        console.print(Text(printable(line), "yellow"), soft_wrap=True)

    with progress_bar(console) as progress:
        track = partial(_track, progress)
        runs = read_runs(paths, tell, track)
        every = references == "all"
        rows = reference_rows(runs, baselines=references != "none", scripted=every, published=every, track=track)
        return [figures(run) for run in runs], rows, insights_of(runs, track) if ceilings else {}


def _track(progress: Progress, things: Sequence[T], description: str) -> Iterable[T]:
    return progress.track(things, description=escape(description))


def _print(
    known: Sequence[Figures], console: Console, rules: tuple[RuleSetName, ...], references: Sequence[ReferenceRow]
) -> None:
    for table in tables(known, rules, references):
        console.print(table)
