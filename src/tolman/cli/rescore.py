"""`tolman rescore`: the authors' released runs, scored again."""

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tolman.benchmarks.theory_of_space.released_runs import find_runs
from tolman.benchmarks.theory_of_space.rescore import Rescored
from tolman.cli.shared import progress_bar, write_text
from tolman.report.rescored import rescored_tables


def rescore(
    path: Annotated[Path, Parameter(help="A folder of the authors' released experiments, or a tar archive of one.")],
    *,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write counts, scores and differences to this file.")
    ] = None,
) -> None:
    """Score the authors' released runs again: is every stored number the same here, and what are the strict ones?"""
    runs, outcome = find_runs(path), Rescored()
    with progress_bar(Console(stderr=True)) as progress:
        for run in progress.track(runs, description="rescoring"):
            outcome.add(run)
    if json_file is not None:
        write_text(json_file, json.dumps(outcome.as_dict(), indent=2) + "\n")
    for table in rescored_tables(outcome):
        Console().print(table)
