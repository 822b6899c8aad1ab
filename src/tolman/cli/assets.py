"""`tolman assets`: the furniture pack, what models there are, what they look like, and whose they are."""

import sys
import warnings
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tolman.cli.arguments import progress_bar
from tolman.core.files import atomic_write
from tolman.render.assets.choose import FallbackSource, find_source
from tolman.render.assets.pack.fetch import fetch_pack
from tolman.render.assets.pack.source import pack_folder
from tolman.render.assets.source import AssetSource, credit_lines
from tolman.world.vocabulary import KINDS

assets_app = App(name="assets", help="Models of things: fetch the furniture pack, list models, print credits.")
From = Annotated[
    Path | None, Parameter(name="--from", help="sweethome3d-furniture_1.8-1_all.deb, or a .sh3f file out of it.")
]
_QUALITY = 85
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


@assets_app.command
def sheet(
    *,
    models: Models = "auto",
    out: Annotated[Path, Parameter(help="Folder for the pages.")] = Path(),
    preset: Annotated[str, Parameter(help="draft, standard or reference.")] = "standard",
    look: Annotated[int, Parameter(help="Seed of the models.")] = 0,
) -> None:
    """Draw every kind of thing with its name, from 1, 3 and 6 m, on pages of fifteen: things-1.jpg and so on."""
    from tolman.render.assets.appearance import contact_sheet_entries, contact_sheet_pages  # noqa: PLC0415 lists need no engine

    console = Console(stderr=True)
    with _told(console), progress_bar(console) as progress:
        shown = contact_sheet_entries(KINDS, find_source(models).model, preset, look)
        things = list(progress.track(shown, len(KINDS), description="rendering"))
    for number, page in enumerate(contact_sheet_pages(things), start=1):
        kept = BytesIO()
        page.save(kept, "JPEG", quality=_QUALITY, optimize=True)
        atomic_write(out / f"things-{number}.jpg", kept.getvalue())
    sys.stdout.write(f"{len(things)} things are on the pages {out / 'things-1.jpg'} and so on\n")


@assets_app.command
def check(
    *,
    models: Models = "auto",
    looks: Annotated[int, Parameter(help="How many models of each kind to try.")] = 3,
    pairs: Annotated[int, Parameter(help="How many of the pairs most alike to list.")] = 10,
) -> None:
    """Measure how small things get at 6 m, and which two kinds look most alike at 3 m."""
    from tolman.render.assets.appearance import (  # noqa: PLC0415 lists need no engine  # noqa: PLC0415
        LEAST_RECOGNISABLE_PIXELS,
        MOST_SIMILAR,
        least_pixels,
        visual_similarities,
    )

    console = Console(stderr=True)
    with _told(console):
        model_of = find_source(models).model
    with progress_bar(console) as progress:
        measured = progress.track(KINDS, description="measuring")
        pixels = {kind.name: least_pixels(kind, model_of, range(looks)) for kind in measured}
    alike = visual_similarities(KINDS, model_of, range(looks))
    for name, count in sorted(pixels.items(), key=lambda item: item[1]):
        sys.stdout.write(f"{count:6} pixels at 6 m  {name}\n")
    for pair in alike[:pairs]:
        sys.stdout.write(f"{pair.share:6.0%} the same  {' and '.join(pair.kinds)}\n")
    small = [name for name, count in pixels.items() if count < LEAST_RECOGNISABLE_PIXELS]
    close = [" and ".join(pair.kinds) for pair in alike if pair.share > MOST_SIMILAR]
    sys.stdout.write(f"below {LEAST_RECOGNISABLE_PIXELS} pixels: {', '.join(small) or 'none'}\n")
    sys.stdout.write(f"more than {MOST_SIMILAR:.0%} the same: {', '.join(close) or 'none'}\n")


def _owner(source: AssetSource, kind: str) -> AssetSource:
    if not isinstance(source, FallbackSource):
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
