"""Shared by several commands: options of worlds and tables, flags of benchmarks, writing of files, progress bars."""

import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from inspect import Parameter as Argument
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from tolman.core.errors import SettingsError
from tolman.core.files import atomic_write
from tolman.core.parallel import Tell
from tolman.harness.names import printable
from tolman.harness.options import Option, options_of
from tolman.ideal.observer import ObserverName
from tolman.report.table import Table, TableFormat, formatted, print_parts
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice, choose_scenes

T = TypeVar("T")

Rooms = Annotated[int, Parameter(help="Rooms in a generated world, 1 to 32.")]
Things = Annotated[int, Parameter(help="Objects in each room of a generated world.")]
WorldVersion = Annotated[int, Parameter(help="1, as published, or 2 with objects in their real sizes.")]
RoomSize = Annotated[
    tuple[int, int], Parameter(negative="", help="Floor cells of a generated room, north-south and east-west.")
]

Force = Annotated[bool, Parameter(negative="", help="Overwrite existing files.")]
PrintFormat = Literal["text", TableFormat]
Format = Annotated[
    PrintFormat,
    Parameter(name="--format", help="Format of the tables; CSV and JSON hold numbers before rounding."),
]
Observer = Annotated[
    ObserverName | None,
    Parameter(
        help="The ideal observer (Theory of Space): it knows the relations told, or also what was not in view, walls, "
        "and how scenes are generated. By default ceilings are of `generative`, verdicts on stated positions of "
        "`relations`."
    ),
]
Explain = Annotated[
    bool,
    Parameter(
        negative="",
        help="Print below each table what its columns are, and which way is better.",
    ),
]


def option_flags(cls: type, group: Any, several: Mapping[str, str]) -> list[Argument]:
    """The flags of the options that a class declares; those in `several` take more than one value."""

    def flag(option: Option) -> Argument:
        kind, default = option.kind, several.get(option.name) or option.plain_default
        about: dict[str, Any] = {}
        if option.name in several and kind is bool:
            kind, default = tuple[bool, ...], (default,)
        elif option.name in several or option.listed or option.parse is not None:
            kind = str
        elif kind is bool and not default:
            about = {"negative": ""}
        hint = f" Choose from {', '.join(map(str, option.choices))}." if kind is str and option.choices else ""
        all_of = "several with commas to run all" if kind is str else "both to run both"
        comma = f" Give {all_of}." if option.name in several else ""
        if option.optional:
            kind = kind | None
        if group is not None:
            about["group"] = group
        annotation = Annotated[kind, Parameter(help=f"{option.help}{hint}{comma}", **about)]
        return Argument(option.name, Argument.KEYWORD_ONLY, default=default, annotation=annotation)

    return [flag(option) for option in options_of(cls) if not option.hidden]


def one_scene(text: str, settings: WorldSettings) -> SceneChoice:
    """The scene that a text names, which must be exactly one."""
    choices = choose_scenes(text, settings)
    if len(choices) != 1:
        raise SettingsError(f"{text!r} names {len(choices)} scenes; give one")
    return choices[0]


def check_new(*paths: Path | None, force: bool) -> None:
    """Refuse to overwrite an existing file unless forced; called before any work is done."""
    for path in paths:
        if path is not None and path.is_dir():
            raise SettingsError(f"{path} is a folder; name a file")
        if path is not None and path.exists() and not force:
            raise SettingsError(f"{path} already exists; name another file, or overwrite it with --force")


def write_text(path: Path, text: str) -> None:
    """Write a file atomically, and create its folder; `check_new` checks beforehand whether it may be."""
    try:
        atomic_write(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def print_in_format(parts: Iterable[Text | Table], form: PrintFormat, *, explain: bool = False) -> None:
    """Print lines and tables as text, or the tables alone in a format for other programs."""
    if form == "text":
        print_parts(parts, Console(), explain=explain)
    else:
        sys.stdout.write(formatted([part for part in parts if isinstance(part, Table)], form))


def progress_bar(console: Console) -> Progress:
    """A bar that disappears when it is full; none where the output is not interactive."""
    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not console.is_interactive and not console.is_jupyter
    return Progress(*columns, console=console, transient=True, disable=hidden)


@contextmanager
def counting_bar(
    description: str, total: int | None = None, *, visible: bool = True
) -> Generator[Callable[[int, int], None]]:
    """A bar on the error stream, and what moves it and makes it visible: called with the number done and the total."""
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task(description, total=total, visible=visible)
        yield lambda done, total: progress.update(task, completed=done, total=total, visible=True)


def track(progress: Progress, things: Sequence[T], description: str) -> Iterable[T]:
    """Iterate over things, and show the progress."""
    return progress.track(things, description=escape(description))


def warnings_on(console: Console) -> Tell:
    """Prints lines of warning, without control characters."""
    return lambda line: console.print(Text(printable(line), "yellow"), soft_wrap=True)


def check_workers(workers: int | None) -> None:
    """Refuse a number of processes that there can't be."""
    if workers is not None and (workers == 0 or workers < -1):
        raise SettingsError(f"--workers is at least 1, or -1 for all cores, not {workers}")
