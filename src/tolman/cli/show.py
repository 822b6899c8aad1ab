"""`tolman show`: the tables of a benchmark, from logs and results of probes and nothing else."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from cyclopts import Parameter
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import Progress
from rich.text import Text

from tolman.cli.shared import progress_bar, write_text
from tolman.report import osr_bench, sparrta_questions, theory_of_space
from tolman.report.log_files import Tell
from tolman.report.logs_by_benchmark import NO_LOGS, logs_by_benchmark
from tolman.report.names import printable
from tolman.report.osr_bench.references import reference_rows as osr_references
from tolman.report.sparrta.plain import as_dict as probes_as_dict
from tolman.report.sparrta.probe_folders import read_probes, split_paths
from tolman.report.sparrta.terminal import probe_tables
from tolman.report.theory_of_space.ceiling_tables import ceiling_sheets
from tolman.report.theory_of_space.insights import insights_of
from tolman.report.theory_of_space.layout import named
from tolman.report.theory_of_space.references import reference_rows
from tolman.report.track import Track
from tolman.rules import RuleSetName

T = TypeVar("T")
References = Literal["none", "baselines", "all"]
SHOWN: dict[str, tuple[RuleSetName, ...]] = {
    "both": ("strict", "published"),
    "strict": ("strict",),
    "published": ("published",),
}


@dataclass(frozen=True)
class Wanted:
    """What is to be shown."""

    rules: tuple[RuleSetName, ...] = SHOWN["both"]
    references: References = "baselines"
    ceilings: bool = False


@dataclass
class Tables:
    """What to print, and all numbers by benchmark."""

    printed: list[RenderableType] = field(default_factory=list[RenderableType])
    numbers: dict[str, dict[str, object]] = field(default_factory=dict[str, dict[str, object]])

    @property
    def plain(self) -> dict[str, object]:
        """The numbers of the one benchmark there is; those of several under the name of each."""
        return next(iter(self.numbers.values())) if len(self.numbers) == 1 else {**self.numbers}


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
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write all numbers, under both rule sets, to this file.")
    ] = None,
) -> None:
    """Print the papers' tables from logs, each mean with its 95 % interval over scenes."""
    found = _tables(paths, Wanted(SHOWN[rules], references, ceilings))
    if json_file is not None:
        write_text(json_file, json.dumps(found.plain, indent=2, ensure_ascii=False) + "\n")
    _print(found, Console())


def print_tables(paths: Sequence[Path], console: Console) -> None:
    """All tables of the logs in some files and folders."""
    _print(_tables(paths, Wanted()), console)


def _print(found: Tables, console: Console) -> None:
    for table in found.printed:
        console.print(table)


def _tables(paths: Sequence[Path], wanted: Wanted) -> Tables:
    """Tables and numbers of each benchmark that there are logs of; warnings go to the error stream."""
    console, found = Console(stderr=True), Tables()

    def tell(line: str) -> None:
        console.print(Text(printable(line), "yellow"), soft_wrap=True)

    with progress_bar(console) as progress:
        track = partial(_track, progress)
        probed, logged = split_paths(paths)
        logs = logs_by_benchmark(logged, tell) if logged or not probed else NO_LOGS
        if logs.theory_of_space:
            found.printed += _theory_of_space(found, logs.theory_of_space, wanted, tell, track)
        if logs.osr_bench:
            found.printed += [Text()] * bool(found.printed)
            found.printed += _osr_bench(found, logs.osr_bench, wanted, tell, track)
        if logs.sparrta:
            found.printed += [Text()] * bool(found.printed)
            found.printed += _sparrta(found, logs.sparrta, wanted, tell, track)
        if probed:
            found.printed += [Text()] * bool(found.printed)
            found.printed += _probes(found, probed, wanted, tell)
    return found


def _theory_of_space(
    found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track
) -> Iterator[RenderableType]:
    runs = theory_of_space.read_runs(logs, tell, track)
    every = wanted.references == "all"
    rows = reference_rows(runs, baselines=wanted.references != "none", scripted=every, published=every, track=track)
    known = [theory_of_space.figures(run) for run in runs]
    found.numbers["theory_of_space"] = theory_of_space.as_dict(known, rows)
    yield from theory_of_space.tables(known, wanted.rules, rows)
    for sheet in ceiling_sheets(named(known), insights_of(runs, track)) if wanted.ceilings else ():
        yield Text()
        yield sheet


def _osr_bench(
    found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track
) -> Iterator[RenderableType]:
    runs = osr_bench.read_runs(logs, tell, track)
    rows = osr_references(runs, baselines=wanted.references != "none", published=wanted.references == "all")
    known = [osr_bench.osr_figures(run) for run in track(runs, "intervals")]
    found.numbers["osr_bench"] = osr_bench.as_dict(known, rows)
    yield from osr_bench.osr_tables(known, wanted.rules, rows)


def _sparrta(found: Tables, logs: Sequence[Path], wanted: Wanted, tell: Tell, track: Track) -> Iterator[RenderableType]:
    known = sparrta_questions.question_figures(sparrta_questions.read_runs(logs, tell, track))
    found.numbers["sparrta"] = sparrta_questions.as_dict(known)
    yield from sparrta_questions.question_tables(known, references=wanted.references != "none")


def _probes(found: Tables, folders: Sequence[Path], wanted: Wanted, tell: Tell) -> Iterator[RenderableType]:
    probes = read_probes(folders, tell)
    found.numbers["sparrta_probes"] = probes_as_dict(probes)
    yield from probe_tables(probes, references=wanted.references != "none", paper=wanted.references == "all")


def _track(progress: Progress, things: Sequence[T], description: str) -> Iterable[T]:
    return progress.track(things, description=escape(description))
