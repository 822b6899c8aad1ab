"""What several commands share: how worlds are chosen, files written, and progress shown."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tolman.core.errors import SettingsError
from tolman.core.files import atomic_write
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice, choose_scenes

Rooms = Annotated[int, Parameter(help="Rooms in a generated world, 1 to 32.")]
Things = Annotated[int, Parameter(help="Things in each room of a generated world.")]
RoomSize = Annotated[
    tuple[int, int], Parameter(negative="", help="Floor cells of a generated room, north-south and east-west.")
]

Force = Annotated[bool, Parameter(negative="", help="Write over files that are there already.")]


def one_scene(text: str, settings: WorldSettings) -> SceneChoice:
    """The scene that a text names; it must be one."""
    choices = choose_scenes(text, settings)
    if len(choices) != 1:
        raise SettingsError(f"{text!r} names {len(choices)} scenes; give one")
    return choices[0]


def check_new(*paths: Path | None, force: bool) -> None:
    """Refuse to write over a file that is there, before any work is done for it, unless it is forced."""
    for path in paths:
        if path is not None and path.is_dir():
            raise SettingsError(f"{path} is a folder; name a file")
        if path is not None and path.exists() and not force:
            raise SettingsError(f"{path} is there already; name another file, or write over it with --force")


def write_text(path: Path, text: str) -> None:
    """Write a file whole, and its folder if need be; `check_new` says beforehand whether it may be."""
    try:
        atomic_write(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def progress_bar(console: Console) -> Progress:
    """A bar that vanishes when it is full."""
    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


def with_torch() -> None:
    """Say what is missing where torch is not installed."""
    if find_spec("torch") is None:
        raise SettingsError("probing needs torch, transformers and safetensors: pip install 'tolman[probing]'")
