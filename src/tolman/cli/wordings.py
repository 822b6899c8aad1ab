"""`tolman wordings`: the texts that the prompts of a benchmark are made of, as a start for other words."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from tolman.cli.arguments import Format, print_in_format
from tolman.harness.registry import find_benchmark
from tolman.harness.wordings import find_wordings, wording_files, write_wordings
from tolman.report.table import Cell, Column, Row, RowGroup, Table

_COLUMNS = (
    Column("needed", "gaps it must have", words=True, definition="Filled in when a prompt is made."),
    Column("may", "gaps it may have", words=True, definition="Another text may leave these out."),
)


def wordings(
    benchmark: Annotated[str, Parameter(help="theory-of-space, osr-bench, sparrta, or one of your own.")],
    /,
    *,
    out: Annotated[Path | None, Parameter(help="A new folder; change the texts there, then --wordings FOLDER.")] = None,
    form: Format = "text",
) -> None:
    """List the texts that the prompts of a benchmark are made of, with their gaps; with --out, write them to a folder.

    tolman eval BENCHMARK --wordings FOLDER then uses the texts of the folder, and ours where it has none.
    """
    found = find_benchmark(benchmark)
    if out is not None:
        count = write_wordings(found, out)
        Console().print(Text(f"{count} texts are in {out}, with a list of their gaps in README.md."), soft_wrap=True)
        return
    entries = tuple(
        RowGroup(name, (Row((Cell(", ".join(each.needed)), Cell(", ".join(each.may)))),))
        for name, each in wording_files(found).items()
    )
    note = f"Digest of our own texts: {find_wordings(found, '').digest[:12]}."
    print_in_format(
        [Table("wordings", f"Wordings of {found.title}", "text", _COLUMNS, entries, (note,), compact=True)], form
    )
