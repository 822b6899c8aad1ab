"""`tolman submit` and `tolman board`: entries of a leaderboard, and the board that checks them."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from tolman.cli.arguments import Force, check_new, progress_bar, track, warnings_on, write_text
from tolman.core.errors import SettingsError
from tolman.core.parallel import Tell, Track
from tolman.harness.names import printable
from tolman.harness.registry import BENCHMARKS, load
from tolman.harness.runs import ModelRun
from tolman.report.leaderboard.benchmark import AnyLeaderboard, EntryAbout, find_leaderboard
from tolman.report.leaderboard.board import board_as_dict, board_tables, read_board, write_board
from tolman.report.leaderboard.entry_file import SUFFIXES, write_entry
from tolman.report.results import find_sources
from tolman.report.site.folder import check_folder
from tolman.report.table import print_parts
from tolman.report.table.formats import json_text
from tolman.world.select import read_sealed


def submit(
    paths: Annotated[list[Path], Parameter(help="Folders of logs, or logs (*.eval).", negative="")],
    *,
    out: Annotated[Path, Parameter(name=("--out", "-o"), help="The entry to write: a .json or .json.gz file.")],
    name: Annotated[str, Parameter(help="Name on the board; by default the model's name.")] = "",
    contact: Annotated[str, Parameter(help="Contact for questions; public.")] = "",
    link: Annotated[str, Parameter(help="Address of a page about it, http or https.")] = "",
    note: Annotated[str, Parameter(help="One line about it.")] = "",
    sealed: Annotated[
        list[Path] | None, Parameter(negative="", help="The file of the sealed split that the scenes belong to.")
    ] = None,
    force: Force = False,
) -> None:
    """Write an entry for a leaderboard: every reply of a run, and every score that follows from them.

    Where the logs hold several runs (active and passive), each gets its own file, named after its settings.
    """
    if not out.name.endswith(SUFFIXES):
        raise SettingsError(f"{out} should end in .json or .json.gz")
    splits = [read_sealed(file) for file in sealed or ()]
    console = Console(stderr=True)
    with progress_bar(console) as progress:
        tracked = partial(track, progress)
        runs = _runs(paths, warnings_on(console), tracked)
        files = _files(out, [each.label for each in runs])
        check_new(*files, force=force)
        for each, file in zip(runs, files, strict=True):
            entry = each.board.entry(each.run, EntryAbout(name, contact, link, note), splits)
            each.board.verify(entry, splits, tracked)
            write_entry(entry, file)
            line = f"{file}: {entry.name}, {each.board.summary(each.run)}"
            console.print(Text(printable(line)), soft_wrap=True)


@dataclass(frozen=True)
class _SubmittedRun:
    board: AnyLeaderboard
    run: ModelRun[Any, Any]
    label: str


def _runs(paths: Sequence[Path], tell: Tell, tracked: Track) -> list[_SubmittedRun]:
    """The runs in logs, by benchmark."""
    sources = find_sources(paths, tell)
    found: list[_SubmittedRun] = []
    for source in sources:
        board = _board_of(source.reader)
        for run in board.read_runs(source.paths, tell, tracked):
            label = board.label(run)
            found.append(_SubmittedRun(board, run, f"{board.name}-{label}" if len(sources) > 1 else label))
    return found


def _board_of(reader: object) -> AnyLeaderboard:
    for each in BENCHMARKS.values():
        if each.leaderboard and load(each.logs) is reader:
            return find_leaderboard(each.name)
    raise SettingsError(f"there is no leaderboard for {getattr(reader, 'title', 'this')} yet")


def _files(out: Path, labels: Sequence[str]) -> list[Path]:
    if len(labels) == 1:
        return [out]
    suffix = next(suffix for suffix in reversed(SUFFIXES) if out.name.endswith(suffix))
    names: list[str] = []
    for label in labels:
        name = f"{out.name.removesuffix(suffix)}-{label}"
        again = sum(other == name or other.startswith(f"{name}-") for other in names)
        names.append(f"{name}-{again + 1}" if again else name)
    return [out.with_name(name + suffix) for name in names]


def board(
    folder: Annotated[Path, Parameter(help="A folder of entries, and of sealed splits that have been published.")],
    *,
    out: Annotated[Path | None, Parameter(help="Write the board as a page into this folder.")] = None,
    json_file: Annotated[Path | None, Parameter(name="--json", help="Write the board to this file.")] = None,
    force: Force = False,
) -> None:
    """Check every entry in a folder, and rank the valid ones.

    Cases are generated again from their seeds, records replayed, and scores recomputed. The exit code is 1 where an
    entry is refused.
    """
    check_new(json_file, force=force)
    if out is not None:
        check_folder(out, force=force)
    with progress_bar(Console(stderr=True)) as progress:
        found = read_board(folder, partial(track, progress))
    if json_file is not None:
        write_text(json_file, json_text(board_as_dict(found), indent=2) + "\n")
    if out is not None:
        write_board(found, out, force=force)
    console = Console()
    print_parts(board_tables(found), console)
    if found.refused:
        sys.exit(1)
