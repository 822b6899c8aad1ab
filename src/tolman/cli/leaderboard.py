"""`tolman submit` and `tolman board`: entries of a leaderboard, and the board that checks them."""

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.text import Text

from tolman.benchmarks.theory_of_space.leaderboard.board import read_board
from tolman.benchmarks.theory_of_space.leaderboard.board_page import write_board
from tolman.benchmarks.theory_of_space.leaderboard.board_tables import board_as_dict, board_tables
from tolman.benchmarks.theory_of_space.leaderboard.entry import SUFFIXES, write_entry
from tolman.benchmarks.theory_of_space.leaderboard.submit import EntryAbout, entry_of
from tolman.benchmarks.theory_of_space.leaderboard.verify import verify
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, read_runs
from tolman.cli.arguments import Force, check_new, progress_bar, write_text
from tolman.core.errors import SettingsError
from tolman.harness.names import printable
from tolman.report.site.folder import check_folder
from tolman.report.table import print_parts
from tolman.report.table.formats import json_text
from tolman.world.sealed import read_sealed

T = TypeVar("T")


def submit(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, or logs (*.eval).", negative="")],
    *,
    out: Annotated[Path, Parameter(name=("--out", "-o"), help="The entry to write: a .json or .json.gz file.")],
    name: Annotated[str, Parameter(help="What the board calls it; the model's name unless told.")] = "",
    contact: Annotated[str, Parameter(help="Whom to ask about it; everyone can read this.")] = "",
    link: Annotated[str, Parameter(help="An address to read more at, http or https.")] = "",
    note: Annotated[str, Parameter(help="One line about it.")] = "",
    sealed: Annotated[
        list[Path] | None, Parameter(negative="", help="The file of the sealed split that the scenes are of.")
    ] = None,
    force: Force = False,
) -> None:
    """Write an entry for a leaderboard: every reply of a run, and every score that follows from them.

    Where the logs hold several runs (active and passive), each gets a file of its own, named after its world and mode.
    """
    if not out.name.endswith(SUFFIXES):
        raise SettingsError(f"{out} should end in .json or .json.gz")
    splits = [read_sealed(file) for file in sealed or ()]
    console = Console(stderr=True)
    with progress_bar(console) as progress:
        track = partial(_track, progress)
        runs = read_runs(paths, lambda line: console.print(Text(printable(line), "yellow"), soft_wrap=True), track)
        files = _files(out, runs)
        check_new(*files, force=force)
        for run, file in zip(runs, files, strict=True):
            entry = entry_of(run, EntryAbout(name, contact, link, note), splits)
            verify(entry, {split.commitment: split for split in splits}, track)
            write_entry(entry, file)
            told = f"{file}: {entry.name}, {len(entry.scenes)} scenes, {run.world} world, {run.mode}"
            console.print(Text(printable(told)), soft_wrap=True)


def _files(out: Path, runs: Sequence[TheoryOfSpaceRun]) -> list[Path]:
    if len(runs) == 1:
        return [out]
    suffix = next(suffix for suffix in reversed(SUFFIXES) if out.name.endswith(suffix))
    names: list[str] = []
    for run in runs:
        name = f"{out.name.removesuffix(suffix)}-{run.world}-{run.mode}"
        again = sum(other == name or other.startswith(f"{name}-") for other in names)
        names.append(f"{name}-{again + 1}" if again else name)
    return [out.with_name(name + suffix) for name in names]


def board(
    folder: Annotated[Path, Parameter(help="A folder of entries, and of sealed splits that have been opened.")],
    *,
    out: Annotated[Path | None, Parameter(help="Write the board as a page into this folder.")] = None,
    json_file: Annotated[Path | None, Parameter(name="--json", help="Write the board to this file.")] = None,
    force: Force = False,
) -> None:
    """Check every entry in a folder, and rank those that hold.

    Scenes are made anew from their seeds, records replayed, scores recomputed. The exit code is 1 where an entry is
    refused.
    """
    check_new(json_file, force=force)
    if out is not None:
        check_folder(out, force=force)
    with progress_bar(Console(stderr=True)) as progress:
        found = read_board(folder, partial(_track, progress))
    if json_file is not None:
        write_text(json_file, json_text(board_as_dict(found), indent=2) + "\n")
    if out is not None:
        write_board(found, out, force=force)
    console = Console()
    print_parts(board_tables(found), console)
    if found.refused:
        sys.exit(1)


def _track(progress: Progress, things: Sequence[T], description: str) -> Iterable[T]:
    return progress.track(things, description=escape(description))
