"""`tolman scene`, `ask`, `seal` and `unseal`: one scene and its questions; secret scenes and their verification."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal, NoReturn

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from tolman import __version__
from tolman.ask import find_kind, oracle_reply, question_to_dict, sample_questions
from tolman.cli.arguments import (
    Force,
    Rooms,
    RoomSize,
    Things,
    WorldVersion,
    check_new,
    one_scene,
    progress_bar,
    write_text,
)
from tolman.core.errors import SettingsError, TolmanError
from tolman.core.files import atomic_path
from tolman.harness.names import counted
from tolman.render import floorplan_png, text_map
from tolman.world import WorldSettings, perturb, scene_to_dict
from tolman.world.select import SceneChoice, SealedSplit, read_sealed, sealed_choices, write_sealed
from tolman.world.select import seal as draw


def scene(
    choice: Annotated[str, Parameter(help="A seed, one of the authors' scene folders, or a scene file.")],
    *,
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
    room_size: RoomSize = (6, 6),
    changed: Annotated[int | None, Parameter(help="Show the world after the false-belief change of this seed.")] = None,
    png: Annotated[Path | None, Parameter(help="Draw the floor plan into this PNG file.")] = None,
    pixels: Annotated[int, Parameter(help="Width of the picture, in pixels.")] = 1200,
    format: Annotated[Literal["map", "json"], Parameter(help="What to print.")] = "map",  # noqa: A002
    force: Force = False,
) -> None:
    """Show one scene: a map in text, a floor plan as PNG, or its JSON."""
    check_new(png, force=force)
    world = one_scene(choice, WorldSettings(rooms, room_size, things, version=world_version)).load()
    if changed is not None:
        world = perturb(world, changed).scene
    if png is not None:
        try:
            with atomic_path(png) as file:
                floorplan_png(world, file, pixels=pixels)
        except OSError as error:
            raise SettingsError(f"{png} can't be written: {error.strerror}") from None
    shown = json.dumps(scene_to_dict(world), indent=2) if format == "json" else text_map(world)
    sys.stdout.write(shown.rstrip("\n") + "\n")


def ask(
    choice: Annotated[str, Parameter(help="A seed, one of the authors' scene folders, or a scene file.")],
    *,
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
    room_size: RoomSize = (6, 6),
    kind: Annotated[str | None, Parameter(help="Only this kind of question, or several with commas.")] = None,
    per_kind: Annotated[int, Parameter(help="Questions of each kind.")] = 3,
    answers: Annotated[bool, Parameter(help="Also print the right answers.")] = False,
    out: Annotated[Path | None, Parameter(help="Write the questions to this file, one JSON line each.")] = None,
    force: Force = False,
) -> None:
    """Print the questions of a scene, as models get them."""
    check_new(out, force=force)
    chosen = one_scene(choice, WorldSettings(rooms, room_size, things, version=world_version))
    kinds = None if kind is None else [find_kind(name.strip()).name for name in kind.split(",")]
    questions = sample_questions(chosen.load(), chosen.seed, per_kind, kinds)
    if out is not None:
        write_text(out, "".join(json.dumps(question_to_dict(question)) + "\n" for question in questions))
    for question in questions:
        answer = f"\nRight answer: {oracle_reply(question)}" if answers else ""
        sys.stdout.write(f"--- {question.kind} {question.id}\n{question.text.rstrip()}{answer}\n\n")


def seal(
    *,
    scenes: Annotated[int, Parameter(help="How many scenes.")],
    out: Annotated[Path, Parameter(name=("--out", "-o"), help="The file to keep secret.")],
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
) -> None:
    """Draw secret scenes, write them to a file that only you can read, and print a commitment to publish now.

    `tolman eval theory-of-space --scenes FILE` runs on them. Logs hold the scenes, so keep those secret too.
    """
    split = draw(scenes, WorldSettings(rooms=rooms, things_per_room=things, version=world_version), __version__)
    write_sealed(split, out)
    Console(stderr=True).print(
        Text(f"{out} holds {counted(scenes, 'secret scene')}; keep it, and all logs, to yourself. Publish this line:"),
        soft_wrap=True,
    )
    sys.stdout.write(f"{split.commitment}\n")


def unseal(
    file: Annotated[Path, Parameter(help="The file that `tolman seal` wrote.")],
    *,
    commitment: Annotated[str, Parameter(help="The commitment that was published when the scenes were sealed.")],
    entry: Annotated[
        list[Path] | None, Parameter(negative="", help="Entries whose scenes must be exactly these.")
    ] = None,
) -> None:
    """Verify that scenes are the ones that were sealed, and print their seeds.

    The exit code is 1 where the commitment, a generated scene or the scenes of an entry differ.
    """
    split = read_sealed(file)
    if commitment.strip().lower() != split.commitment:
        _end(f"no match: {file} gives the commitment {split.commitment}")
    with progress_bar(Console(stderr=True)) as progress:
        for choice in progress.track(sealed_choices(split), description="making"):
            _check(choice)
    for path in entry or ():
        _check_entry(path, split)
    settings = f"{counted(split.settings.rooms, 'room')} with {counted(split.settings.things_per_room, 'thing')} each"
    result = Text(f"match: {counted(len(split.seeds), 'scene')}, {settings}, as sealed with Tolman {split.tolman}")
    Console(stderr=True).print(result)
    sys.stdout.write("".join(f"{seed:032x}\n" for seed in split.seeds))


def _check(choice: SceneChoice) -> None:
    try:
        choice.load()
    except TolmanError as error:
        _end(f"no match: {error}")


def _check_entry(path: Path, split: SealedSplit) -> None:
    """The scenes of an entry are all those of the split, and no others."""
    from tolman.benchmarks.theory_of_space.leaderboard.entry import read_entry  # noqa: PLC0415
    from tolman.report.leaderboard.entry_file import EntryRefused  # noqa: PLC0415

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
