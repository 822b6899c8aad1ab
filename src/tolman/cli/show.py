"""`tolman show`: the tables of every benchmark, from logs and results of probes only."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from tolman.cli.arguments import Explain, Force, Format, check_new, print_in_format, progress_bar, track, write_text
from tolman.core.rules import RULE_SETS, RuleSetNames
from tolman.harness.names import printable
from tolman.report.results import References, ShownTables, TableRequest, find_sources
from tolman.report.table import Table, print_parts
from tolman.report.table.formats import json_text

RULES: dict[str, RuleSetNames] = {"both": RULE_SETS, "strict": ("strict",), "published": ("published",)}


def show(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, logs (*.eval), or folders of probes.", negative="")],
    *,
    rules: Annotated[
        Literal["both", "strict", "published"], Parameter(help="Rule sets to show scores under.")
    ] = "both",
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
    form: Format = "text",
    explain: Explain = False,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write all numbers, under both rule sets, to this file.")
    ] = None,
    force: Force = False,
) -> None:
    """Print the papers' tables from logs, each mean with its 95 % interval over scenes."""
    check_new(json_file, force=force)
    shown = _read_tables(paths, TableRequest(RULES[rules], references, ceilings, failures))
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

    def tell(line: str) -> None:
        console.print(Text(printable(line), "yellow"), soft_wrap=True)

    with progress_bar(console) as progress:
        follow = partial(track, progress)
        return {
            source.reader.key: source.reader.read(source.paths, tell, follow).show(request, follow)
            for source in find_sources(paths, tell)
        }


def _joined(shown: Iterable[ShownTables]) -> list[Text | Table]:
    """Everything to print, with an empty line between two benchmarks."""
    parts: list[Text | Table] = []
    for one in shown:
        parts += [Text()] * bool(parts)
        parts += one.parts
    return parts
