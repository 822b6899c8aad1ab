"""`tolman assets`: the furniture pack, what models there are, and whose they are."""

import sys
import warnings
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tolman.cli.shared import progress_bar
from tolman.render.assets.choose import find_source
from tolman.render.assets.credits import credit_lines
from tolman.render.assets.in_turn import InTurn
from tolman.render.assets.pack.cache import pack_folder
from tolman.render.assets.pack.fetch import fetch as fetch_pack
from tolman.render.assets.source import Source
from tolman.world.vocabulary import KINDS

assets_app = App(name="assets", help="Models of things: fetch the furniture pack, list models, print credits.")
From = Annotated[
    Path | None, Parameter(name="--from", help="sweethome3d-furniture_1.8-1_all.deb, or a .sh3f file out of it.")
]
Models = Annotated[str, Parameter(help="auto, pack, built-in, or a folder with GLB files and models.toml.")]


@assets_app.command
def fetch(*, file: From = None) -> None:
    """Get the furniture pack (120 MB, through apt, without root) and keep its models in the cache (13 MB)."""
    console = Console(stderr=True)
    if file is None:
        console.print(Text("downloading sweethome3d-furniture through apt (120 MB) ..."))

    def track(names: list[str]) -> Iterable[str]:
        with progress_bar(console) as progress:
            yield from progress.track(names, description="converting")

    with _told(console):
        kept = fetch_pack(file, track)
    sys.stdout.write(f"{len(kept)} models are in {pack_folder()}; `tolman assets credits` says whose they are\n")


@assets_app.command(name="credits")
def show_credits(*, models: Models = "auto") -> None:
    """Print the author and licence of every model that pictures may show, one a line."""
    with _told(Console(stderr=True)):
        source = find_source(models)
    sys.stdout.write("".join(f"{line}\n" for line in credit_lines(source.credits())))


@assets_app.command(name="list")
def show_list(*, models: Models = "auto") -> None:
    """Show for every kind of thing where its models come from, and how many there are."""
    with _told(Console(stderr=True)):
        source = find_source(models)
    table = Table(box=None, pad_edge=False)
    for heading in ("kind", "models", "from"):
        table.add_column(heading)
    for kind in KINDS:
        owner = _owner(source, kind.name)
        count = sum(credit.kind == kind.name for credit in owner.credits())
        table.add_row(kind.name, str(count) if count else "any number", owner.name)
    console = Console()
    console.print(table)
    console.print(Text(f"digest {source.digest}"), soft_wrap=True)


def _owner(source: Source, kind: str) -> Source:
    if not isinstance(source, InTurn):
        return source
    return _owner(next(part for part in source.sources if kind in part.kinds()), kind)


@contextmanager
def _told(console: Console) -> Generator[None]:
    """Warnings as one line each, without the place in the code."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for warning in caught:
        console.print(Text(f"tolman: {warning.message}"), soft_wrap=True)
