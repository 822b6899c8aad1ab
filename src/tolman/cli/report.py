"""`tolman report`: a report that opens in a browser, from logs and results of probes and nothing else."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.text import Text

from tolman.cli.arguments import progress_bar
from tolman.harness.names import printable

T = TypeVar("T")


def report(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, logs (*.eval), or folders of probes.", negative="")],
    *,
    out: Annotated[Path, Parameter(help="Folder of the report; an earlier report there is replaced.")] = Path("report"),
    force: Annotated[
        bool, Parameter(negative="", help="Write into a folder that holds something else; that stays there.")
    ] = False,
    scripted: Annotated[
        bool,
        Parameter(
            negative="", help="Add rows of scripted models on the same scenes (Theory of Space); slow the first time."
        ),
    ] = False,
    scores: Annotated[
        Path | None,
        Parameter(help="Scores of encoders in other benchmarks, for probes: a CSV file, encoder,benchmark,score."),
    ] = None,
    jobs: Annotated[int, Parameter(help="Processes at work; -1 for one on each core.")] = -1,
) -> None:
    """Write tables, figures and a page for every scene into a folder. It opens from disk, with no server."""
    console = Console(stderr=True)

    def tell(line: str) -> None:
        console.print(Text(printable(line), "yellow"), soft_wrap=True)

    from tolman.cli.whole_report import write_whole_report  # noqa: PLC0415 brings Inspect, which takes seconds

    with progress_bar(console) as progress:
        page = write_whole_report(
            paths, out, tell, partial(_track, progress), jobs, scripted=scripted, scores=scores, force=force
        )
    Console().print(f"Open {page} in a browser.", markup=False, soft_wrap=True)


def _track(progress: Progress, things: Sequence[T], description: str) -> Iterable[T]:
    return progress.track(things, description=escape(description))
