"""`tolman assets`: fetch the furniture pack, list 3D assets, draw and check them, and print their credits."""

import sys
import warnings
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.text import Text

from tolman.cli.arguments import progress_bar
from tolman.core.files import atomic_write, encoded
from tolman.render.assets.choose import FallbackSource, find_source
from tolman.render.assets.pack.fetch import fetch_pack
from tolman.render.assets.pack.source import pack_folder
from tolman.render.assets.source import AssetSource, credit_lines
from tolman.render.assets.textures.source import texture_folder
from tolman.render.building.things import AssetOf
from tolman.report.table import (
    Cell,
    Column,
    Row,
    RowGroup,
    Table,
    integer,
    one_row,
    percent,
    point_estimate,
    print_parts,
)
from tolman.world.vocabulary import KIND_BY_NAME, ObjectKind, kind_in

assets_app = App(name="assets", help="3D assets of objects: fetch the furniture pack, list assets, print credits.")
From = Annotated[
    Path | None,
    Parameter(
        name="--from",
        help="sweethome3d-furniture_1.8-1_all.deb, or a .sh3f file of it; with --textures, one of its packages.",
    ),
]
_KINDS = tuple(kind for name in KIND_BY_NAME if (kind := kind_in(name)))
_QUALITY = 85
Assets = Annotated[str, Parameter(help="auto, pack, built-in, or a folder with GLB files and models.toml.")]


@assets_app.command
def fetch(
    *,
    file: From = None,
    textures: Annotated[
        bool, Parameter(help="Fetch floors, walls and skies instead of furniture.", negative=())
    ] = False,
) -> None:
    """Download the furniture pack (120 MB, through apt, without root) and store its assets in the cache (13 MB).

    With --textures: two packages (350 MB, through apt and npm), of which 26 finishes and 6 skies are kept (8 MB).
    """
    console = Console(stderr=True)
    if textures:
        _fetch_textures(file, console)
        return
    if file is None:
        console.print(Text("downloading sweethome3d-furniture through apt (120 MB) ..."))

    with _warnings_as_lines(console):
        kept = fetch_pack(file, partial(_track, console))
    sys.stdout.write(f"{len(kept)} assets are in {pack_folder()}; `tolman assets credits` lists their authors\n")


def _track(console: Console, names: list[str]) -> Iterable[str]:
    with progress_bar(console) as progress:
        yield from progress.track(names, description="converting")


def _fetch_textures(file: Path | None, console: Console) -> None:
    from tolman.render.assets.textures.fetch import fetch_textures  # noqa: PLC0415 reads skies with the engine

    if file is None:
        console.print(Text("downloading ufoai-textures through apt and @pmndrs/assets through npm (350 MB) ..."))

    kept = fetch_textures(file, partial(_track, console))
    sys.stdout.write(f"{len(kept)} finishes and skies are in {texture_folder()}; `tolman assets credits` lists them\n")


@assets_app.command(name="credits")
def show_credits(*, assets: Assets = "auto") -> None:
    """Print the author and licence of every asset that pictures may show, one per line."""
    with _warnings_as_lines(Console(stderr=True)):
        source = find_source(assets)
    sys.stdout.write("".join(f"{line}\n" for line in credit_lines(source.credits())))


_PIXELS = Column(
    "pixels",
    "pixels",
    better="higher",
    definition="Fewest pixels of an asset of the kind, seen from 6 m.",
    unit="pixels",
)
_SAME = Column(
    "same",
    "same, %",
    better="lower",
    definition="Largest share of equal pixels in their pictures, over all assets and sides.",
    unit="%",
)
_SHARES = {
    sides: Column(
        key, title, better="lower", definition=f"Largest share of pixels that look the same {words}.", unit="%"
    )
    for sides, key, title, words in (
        (("front", "back"), "front_back", "front/back, %", "from the front and from the back"),
        (("front", "side"), "front_side", "front/side, %", "from the front and from either side"),
        (("left", "right"), "left_right", "left/right, %", "from the left and from the right"),
        (("back", "side"), "back_side", "back/side, %", "from the back and from either side"),
    )
}
_LIST_COLUMNS = (
    Column("assets", "assets", definition="How many there are to choose from; any number where they are generated."),
    Column("source", "from", words=True, definition="Where they come from."),
)


@assets_app.command(name="list")
def show_list(*, assets: Assets = "auto") -> None:
    """List for every kind of object where its assets come from, and how many there are."""
    with _warnings_as_lines(Console(stderr=True)):
        source = find_source(assets)
    entries = tuple(RowGroup(kind.name, (_listed(_owners(source, kind.name), kind.name),)) for kind in _KINDS)
    console = Console()
    print_parts([Table("assets", "3D assets", "kind", _LIST_COLUMNS, entries, compact=True)], console)
    console.print(Text(f"digest {source.digest}"), soft_wrap=True)


def _listed(owners: list[AssetSource], kind: str) -> Row:
    counts = [sum(credit.kind == kind for credit in owner.credits()) for owner in owners]
    return Row((integer(sum(counts)) if all(counts) else Cell("any number"), Cell(", ".join(o.name for o in owners))))


@assets_app.command
def sheet(
    *,
    assets: Assets = "auto",
    out: Annotated[Path, Parameter(help="Folder for the pages.")] = Path(),
    preset: Annotated[str, Parameter(help="draft, standard or reference.")] = "standard",
    look: Annotated[int, Parameter(help="Seed of the assets.")] = 0,
) -> None:
    """Draw every kind of object with its name, from 1, 3 and 6 m, on pages of fifteen: things-1.jpg and so on."""
    from tolman.render.assets.appearance import contact_sheet_entries, contact_sheet_pages  # noqa: PLC0415 lists need no engine

    console = Console(stderr=True)
    with _warnings_as_lines(console), progress_bar(console) as progress:
        shown = contact_sheet_entries(_KINDS, find_source(assets).asset, preset, look)
        things = list(progress.track(shown, len(_KINDS), description="rendering"))
    for number, page in enumerate(contact_sheet_pages(things), start=1):
        atomic_write(out / f"things-{number}.jpg", encoded(page, "JPEG", quality=_QUALITY, optimize=True))
    sys.stdout.write(f"{len(things)} objects are on the pages {out / 'things-1.jpg'} and so on\n")


Looks = Annotated[int, Parameter(help="How many assets of each kind to try; all of those in a pack or folder.")]


@assets_app.command
def check(
    *,
    assets: Assets = "auto",
    looks: Looks = 4,
    pairs: Annotated[int, Parameter(help="How many of the most similar pairs to list.")] = 10,
    sides_only: Annotated[bool, Parameter(help="Compare only the sides of each asset; needs no rendering.")] = False,
) -> None:
    """Compare the sides of every object with a front at 1, 3 and 6 m, and measure how small objects appear at 6 m and
    which two kinds look most similar at 3 m. The exit code is 1 where two sides look the same, an object is too small,
    or two kinds are too similar."""
    console = Console(stderr=True)
    with _warnings_as_lines(console):
        source = find_source(assets)
    with progress_bar(console) as progress:
        fronted = [kind for kind in _KINDS if kind.fronted]
        worst = {kind.name: _own_sides(kind, source, looks) for kind in progress.track(fronted, description="sides")}
    table, failed = _sides_table(worst)
    print_parts([table], Console())
    if not sides_only:
        failed += _check_kinds(source.asset, looks, pairs, console)
    if failed:
        sys.exit(1)


def _own_sides(kind: ObjectKind, source: AssetSource, looks: int) -> dict[tuple[str, str], float]:
    """The largest likeness of two sides over some assets of a kind and all distances."""
    from tolman.render.assets.own_sides import assets_of, own_likeness  # noqa: PLC0415 lists need no geometry

    worst = dict.fromkeys(_SHARES, 0.0)
    for asset in assets_of(source, kind.name, looks):
        for found in own_likeness(kind, asset):
            first, second = (side if side in ("front", "back") else "side" for side in found.sides)
            pair = ("left", "right") if first == second else ("front", "side") if first == "front" else ("back", "side")
            pair = ("front", "back") if found.sides == ("front", "back") else pair
            worst[pair] = max(worst[pair], found.share)
    return worst


def _sides_table(worst: dict[str, dict[tuple[str, str], float]]) -> tuple[Table, list[str]]:
    from tolman.render.assets.own_sides import MOST_ALIKE  # noqa: PLC0415

    ranked = sorted(worst.items(), key=lambda item: -max(item[1].values()))
    failed = [name for name, shares in ranked if max(shares.values()) > MOST_ALIKE]
    rows = tuple(
        one_row(name, tuple(percent(point_estimate(share)) for share in each.values())) for name, each in ranked
    )
    above = f"more than {MOST_ALIKE:.0%} the same: {', '.join(failed) or 'none'}"
    return Table(
        "sides", "Own sides at 1, 3 and 6 m", "kind", tuple(_SHARES.values()), rows, (above,), compact=True
    ), failed


def _check_kinds(asset_of: AssetOf, looks: int, pairs: int, console: Console) -> list[str]:
    """Print how small each kind appears and which are most similar; returns those that are too small or too similar."""
    from tolman.render.assets.appearance import (  # noqa: PLC0415 lists need no engine
        LEAST_RECOGNISABLE_PIXELS,
        MOST_SIMILAR,
        least_pixels,
        visual_similarities,
    )

    with progress_bar(console) as progress:
        measured = progress.track(_KINDS, description="measuring")
        pixels = {kind.name: least_pixels(kind, asset_of, range(looks)) for kind in measured}
    alike = visual_similarities(_KINDS, asset_of, range(looks))
    small = [name for name, count in pixels.items() if count < LEAST_RECOGNISABLE_PIXELS]
    close = [" and ".join(pair.kinds) for pair in alike if pair.share > MOST_SIMILAR]
    sizes = tuple(one_row(name, (integer(count),)) for name, count in sorted(pixels.items(), key=lambda item: item[1]))
    pairs_alike = tuple(
        one_row(" and ".join(pair.kinds), (percent(point_estimate(pair.share)),)) for pair in alike[:pairs]
    )
    below = f"below {LEAST_RECOGNISABLE_PIXELS} pixels: {', '.join(small) or 'none'}"
    above = f"more than {MOST_SIMILAR:.0%} the same: {', '.join(close) or 'none'}"
    tables = (
        Table("sizes", "Smallest size at 6 m", "kind", (_PIXELS,), sizes, (below,), compact=True),
        Table("alike", "Most similar pairs at 3 m", "kinds", (_SAME,), pairs_alike, (above,), compact=True),
    )
    print_parts(tables, Console())
    return small + close


def _owners(source: AssetSource, kind: str) -> list[AssetSource]:
    if not isinstance(source, FallbackSource):
        return [source]
    return [owner for part in source.owners(kind) for owner in _owners(part, kind)]


@contextmanager
def _warnings_as_lines(console: Console) -> Generator[None]:
    """Print each warning as one line, without its position in the code."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for warning in caught:
        console.print(Text(f"tolman: {warning.message}"), soft_wrap=True)
