"""`tolman scene` and `tolman ask`: one world and its questions, to look at."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from tolman.ask import ask_all, find_kind, oracle_reply, question_to_dict
from tolman.cli.shared import Force, Rooms, RoomSize, Things, check_new, one_scene, write_text
from tolman.errors import SettingsError
from tolman.render import floorplan_png, text_map
from tolman.whole_file import whole
from tolman.world import WorldSettings, perturb, scene_to_dict


def scene(
    choice: Annotated[str, Parameter(help="A seed, one of the authors' scene folders, or a scene file.")],
    *,
    rooms: Rooms = 3,
    things: Things = 4,
    room_size: RoomSize = (6, 6),
    changed: Annotated[int | None, Parameter(help="Show the world after the false-belief change of this seed.")] = None,
    png: Annotated[Path | None, Parameter(help="Draw the floor plan into this PNG file.")] = None,
    pixels: Annotated[int, Parameter(help="Width of the picture.")] = 1200,
    format: Annotated[Literal["map", "json"], Parameter(help="What to print.")] = "map",  # noqa: A002
    force: Force = False,
) -> None:
    """Show one scene: a map in text, a floor plan as PNG, or its JSON."""
    check_new(png, force=force)
    world = one_scene(choice, WorldSettings(rooms, room_size, things)).load()
    if changed is not None:
        world = perturb(world, changed).scene
    if png is not None:
        try:
            with whole(png) as file:
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
    room_size: RoomSize = (6, 6),
    kind: Annotated[str | None, Parameter(help="Only this kind, or several with commas.")] = None,
    per_kind: Annotated[int, Parameter(help="Questions of each kind.")] = 3,
    answers: Annotated[bool, Parameter(help="Show the right answers, too.")] = False,
    out: Annotated[Path | None, Parameter(help="Write the questions to this file, one JSON line each.")] = None,
    force: Force = False,
) -> None:
    """Print the questions of a scene as a model is asked them."""
    check_new(out, force=force)
    chosen = one_scene(choice, WorldSettings(rooms, room_size, things))
    kinds = None if kind is None else [find_kind(name.strip()).name for name in kind.split(",")]
    questions = ask_all(chosen.load(), chosen.seed, per_kind, kinds)
    if out is not None:
        write_text(out, "".join(json.dumps(question_to_dict(question)) + "\n" for question in questions))
    for question in questions:
        answer = f"\nRight answer: {oracle_reply(question)}" if answers else ""
        sys.stdout.write(f"--- {question.kind} {question.id}\n{question.text.rstrip()}{answer}\n\n")
