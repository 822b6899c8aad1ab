"""`tolman rescore`: the authors' released runs, scored again."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from tolman.benchmarks.osr_bench.released.rescore import is_osr, rescore_osr, rescored_osr_as_dict, rescored_osr_tables
from tolman.benchmarks.theory_of_space.released.rescore import RescoredRuns, rescored_tables
from tolman.benchmarks.theory_of_space.released.run_files import find_runs
from tolman.cli.arguments import Force, check_new, progress_bar, write_text


def rescore(
    path: Annotated[
        Path,
        Parameter(
            help="A folder of the authors' released experiments or a tar archive of one (Theory of Space); or a folder "
            "of scenes, of one scene, of a hosted set or of results, or a CSV file of results (OSR-Bench)."
        ),
    ],
    *,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write counts, scores and differences to this file.")
    ] = None,
    force: Force = False,
) -> None:
    """Score the authors' released runs again: is every stored number the same here, and what are the strict ones?"""
    check_new(json_file, force=force)
    tables, found = _osr(path) if is_osr(path) else _theory_of_space(path)
    if json_file is not None:
        write_text(json_file, json.dumps(found, indent=2) + "\n")
    for table in tables:
        Console().print(table)


def _theory_of_space(path: Path) -> tuple[Iterable[Table | str], dict[str, object]]:
    runs, outcome = find_runs(path), RescoredRuns()
    with progress_bar(Console(stderr=True)) as progress:
        for run in progress.track(runs, description="rescoring"):
            outcome.add(run)
    return rescored_tables(outcome), outcome.as_dict()


def _osr(path: Path) -> tuple[Iterable[Table | str], dict[str, object]]:
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("rescoring", total=None)
        outcome = rescore_osr(path, lambda: progress.advance(task))
    return rescored_osr_tables(outcome), rescored_osr_as_dict(outcome)
