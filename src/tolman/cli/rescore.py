"""`tolman rescore`: recompute the scores of the authors' released runs."""

import json
from pathlib import Path
from typing import Annotated, cast

from cyclopts import Parameter
from rich.console import Console

from tolman.cli.arguments import Explain, Force, Format, check_new, print_in_format, progress_bar, write_text
from tolman.harness.registry import BENCHMARKS, load
from tolman.report.results import ReleasedReader


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
