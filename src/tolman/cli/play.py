"""`tolman play`: a page where a person explores, draws, answers, and leaves the same logs as a model."""

import webbrowser
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console

from tolman.benchmarks.theory_of_space.options import Options, check_pictures
from tolman.cli.arguments import Rooms, Things
from tolman.play.server import address, is_loopback, listen, serve
from tolman.play.session import PlaySetup
from tolman.world import WorldSettings


def play(
    *,
    scenes: Annotated[str, Parameter(help="Seeds, a folder of scenes, or a scene file.")] = "0-2",
    rooms: Rooms = 3,
    things: Things = 4,
    name: Annotated[str, Parameter(help="Offered on the first page as the person's name.")] = "",
    log_dir: Annotated[Path, Parameter(help="Where sittings and logs go; played again, it goes on from there.")] = Path(
        "logs/theory-of-space/human"
    ),
    questions: Annotated[int, Parameter(help="Questions of each kind.")] = 3,
    kinds: Annotated[str, Parameter(help="Only these kinds of question.")] = "",
    probe: Annotated[
        Literal["last", "every", "off"], Parameter(help="After which turns maps are asked for; models: every.")
    ] = "last",
    mode: Annotated[
        Literal["active", "passive"], Parameter(help="Explore, or read the log of a scripted explorer.")
    ] = "active",
    world: Annotated[Literal["text", "vision"], Parameter(help="Told in words, or shown in pictures.")] = "text",
    phases: Annotated[str, Parameter(help="What to do.")] = "explore,probe,ask,revise",
    image_size: Annotated[int, Parameter(help="Pixels of a picture's side (vision).")] = 384,
    preset: Annotated[
        Literal["draft", "standard", "reference"], Parameter(help="Work that goes into a picture (vision).")
    ] = "standard",
    assets: Annotated[str, Parameter(help="Models of objects: auto, pack, built-in, or a folder (vision).")] = "auto",
    tools: Annotated[bool, Parameter(negative="", help="Give people a ruler and a protractor.")] = False,
    port: Annotated[int, Parameter(help="0 takes any that is free.")] = 8421,
    host: Annotated[str, Parameter(help="Other than loopback lets others in.")] = "127.0.0.1",
    open_page: Annotated[bool, Parameter(name="--open", help="Open the page in a browser.")] = True,
) -> None:
    """Let a person explore, map and answer as a model does. Leaves the same logs; `tolman show` gives their row."""
    options = Options(
        mode=mode,
        world=world,
        phases=tuple(filter(None, (part.strip() for part in phases.split(",")))),  # pyright: ignore[reportArgumentType]
        probe=probe,
        questions=questions,
        kinds=tuple(filter(None, (part.strip() for part in kinds.split(",")))),
        image_size=image_size,
        preset=preset,
        assets=assets,
    )
    check_pictures(options)
    playroom = PlaySetup(scenes, WorldSettings(rooms=rooms, things_per_room=things), options, log_dir, tools, name)
    count, console = len(playroom.cases), Console(stderr=True)
    with listen(host, port) as listening:
        console.print(f"Play {count} scene{'s' * (count != 1)} at {address(listening)} (Ctrl-C ends it)", markup=False)
        if not is_loopback(host):
            console.print("Anyone who can reach this machine can play, and read what others with known names said.")
        try:
            serve(playroom, listening, lambda: _open(address(listening)) if open_page else None)
        except KeyboardInterrupt:
            console.print("Stopped; whoever was playing can go on later.")
    console.print(f"Tables of finished scenes: tolman show {log_dir}", markup=False)


def _open(page: str) -> None:
    webbrowser.open(page)
