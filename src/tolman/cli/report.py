"""`tolman report`: an HTML report, from logs and results of probes only."""

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tolman.cli.arguments import Observer, progress_bar, track, warnings_on


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
