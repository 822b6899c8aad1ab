"""`tolman seal` and `tolman unseal`: secret scenes, promised by a hash and proved later."""

import sys
from pathlib import Path
from typing import Annotated, NoReturn

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from tolman import __version__
from tolman.cli.shared import Rooms, Things, progress_bar
from tolman.errors import SettingsError, TolmanError
from tolman.world import WorldSettings
from tolman.world.sealed import SealedSplit, read_sealed, write_sealed
from tolman.world.sealed import seal as draw
from tolman.world.select import SceneChoice, sealed_choices


def seal(
    *,
    scenes: Annotated[int, Parameter(help="How many scenes.")],
    out: Annotated[Path, Parameter(name=("--out", "-o"), help="The file to keep secret.")],
    rooms: Rooms = 3,
    things: Things = 4,
) -> None:
    """Draw secret scenes into a file that only you can read, and print a commitment to publish now.

    `tolman eval theory-of-space --scenes FILE` runs on them. Logs hold the scenes, so keep those secret too.
    """
    split = draw(scenes, WorldSettings(rooms=rooms, things_per_room=things), __version__)
    write_sealed(split, out)
    Console(stderr=True).print(
        Text(f"{out} holds {scenes} secret scenes; keep it, and all logs of them, to yourself. Publish this line:"),
        soft_wrap=True,
    )
    sys.stdout.write(f"{split.commitment}\n")


def unseal(
    file: Annotated[Path, Parameter(help="The file that `tolman seal` wrote.")],
    *,
    commitment: Annotated[str, Parameter(help="What was published when the scenes were sealed.")],
    entry: Annotated[
        list[Path] | None, Parameter(negative="", help="Entries whose scenes must be exactly these.")
    ] = None,
) -> None:
    """Prove that scenes are the ones that were sealed, and print their seeds.

    The exit code is 1 where the commitment is another, a scene comes out otherwise, or an entry has other scenes.
    """
    split = read_sealed(file)
    if commitment.strip().lower() != split.commitment:
        _end(f"no match: {file} gives the commitment {split.commitment}")
    with progress_bar(Console(stderr=True)) as progress:
        for choice in progress.track(sealed_choices(split), description="making"):
            _check(choice)
    for path in entry or ():
        _check_entry(path, split)
    settings = f"{split.settings.rooms} rooms with {split.settings.things_per_room} things each"
    told = Text(f"match: {len(split.seeds)} scenes, {settings}, sealed with Tolman {split.tolman}, come out as sealed")
    Console(stderr=True).print(told)
    sys.stdout.write("".join(f"{seed:032x}\n" for seed in split.seeds))


def _check(choice: SceneChoice) -> None:
    try:
        choice.load()
    except TolmanError as error:
        _end(f"no match: {error}")


def _check_entry(path: Path, split: SealedSplit) -> None:
    """The scenes of an entry are all those of the split, and no others."""
    from tolman.report.leaderboard.entry_file import read_entry  # noqa: PLC0415 it takes seconds, and few need it
    from tolman.report.leaderboard.refused import EntryRefused  # noqa: PLC0415

    try:
        found = read_entry(path)
    except EntryRefused as error:
        raise SettingsError(f"{path}: {error}") from None
    if found.split.commitment != split.commitment:
        _end(f"no match: the entry {path} is not of this split")
    named = {scene.id: scene.digest for scene in found.scenes}
    if named != dict(zip(split.names, split.digests, strict=True)) or len(named) != len(found.scenes):
        _end(f"no match: the entry {path} has other scenes than the split")


def _end(line: str) -> NoReturn:
    Console(stderr=True).print(Text(line, "red"), soft_wrap=True)
    sys.exit(1)
