"""`tolman show`: the tables of a benchmark, from logs and results of probes and nothing else.

What reads logs and probes is imported when there are some: it takes longer than to say what the command takes.
"""

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.text import Text

from tolman.benchmarks.sparrta.probes.paths import split_paths
from tolman.cli.arguments import Force, check_new, progress_bar, write_text
from tolman.cli.show.tables import References, Tables, Wanted
from tolman.core.rules import RuleSetName
from tolman.harness.names import printable
from tolman.report.table import formatted, print_parts
from tolman.report.table.formats import json_text

T = TypeVar("T")
SHOWN: dict[str, tuple[RuleSetName, ...]] = {
    "both": ("strict", "published"),
    "strict": ("strict",),
    "published": ("published",),
}


def show(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, logs (*.eval), or folders of probes.", negative="")],
    *,
    rules: Annotated[Literal["both", "strict", "published"], Parameter(help="Which scores to show.")] = "both",
    references: Annotated[
        References,
        Parameter(
            help="Rows to compare with: guesses on the same questions (baselines), the paper's own too, or none."
        ),
    ] = "baselines",
    ceilings: Annotated[
        bool,
        Parameter(
            help="Show also where points were lost: never looked, or not understood (Theory of Space).", negative=""
        ),
    ] = False,
    failures: Annotated[
        bool, Parameter(help="Show also why replies could not be parsed: counts by reason, and each one.", negative="")
    ] = False,
    form: Annotated[
        Literal["text", "csv", "latex", "markdown", "json"],
        Parameter(name="--format", help="How to print the tables; CSV and JSON hold numbers before rounding."),
    ] = "text",
    explain: Annotated[
        bool, Parameter(help="Say below each table what its columns are, and which way is better.", negative="")
    ] = False,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write all numbers, under both rule sets, to this file.")
    ] = None,
    force: Force = False,
) -> None:
    """Print the papers' tables from logs, each mean with its 95 % interval over scenes."""
    check_new(json_file, force=force)
    found = _tables(paths, Wanted(SHOWN[rules], references, ceilings, failures))
    if json_file is not None:
        write_text(json_file, json_text(found.plain, indent=2) + "\n")
    if form == "text":
        print_parts(found.printed, Console(), explain=explain)
    else:
        sys.stdout.write(formatted(found.tables, form))


def print_tables(paths: Sequence[Path], console: Console) -> None:
    """All tables of the logs in some files and folders."""
    print_parts(_tables(paths, Wanted()).printed, console)


def _tables(paths: Sequence[Path], wanted: Wanted) -> Tables:
    """Tables and numbers of each benchmark that there are logs of; warnings go to the error stream."""
    console, found = Console(stderr=True), Tables()

    def tell(line: str) -> None:
        console.print(Text(printable(line), "yellow"), soft_wrap=True)

    probed, logged = split_paths(paths)
    with progress_bar(console) as progress:
        track = partial(_track, progress)
        if logged or not probed:
            from tolman.cli.show.log_tables import add_log_tables  # noqa: PLC0415 brings Inspect, which takes seconds

            add_log_tables(found, logged, wanted, tell, track)
        if probed:
            from tolman.cli.show.probe_tables import add_probe_tables  # noqa: PLC0415

            add_probe_tables(found, probed, wanted, tell)
    return found


def _track(progress: Progress, things: Sequence[T], description: str) -> Iterable[T]:
    return progress.track(things, description=escape(description))
