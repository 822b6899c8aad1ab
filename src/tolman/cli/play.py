"""`tolman play`: a page where a person explores, draws maps and answers, with the same logs as for a model."""

import webbrowser
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console

from tolman.benchmarks.theory_of_space.options import Options, check_pictures
from tolman.cli.arguments import Rooms, Things
from tolman.play.server import address, is_loopback, listen, serve
from tolman.play.session import PlaySetup
from tolman.render.engine.values import RenderPresetName
from tolman.world import WorldSettings


def play(
    *,
    scenes: Annotated[str, Parameter(help="Seeds, a folder of scenes, or a scene file.")] = "0-2",
    rooms: Rooms = 3,
    things: Things = 4,
    name: Annotated[str, Parameter(help="Default of the person's name on the first page.")] = "",
    log_dir: Annotated[Path, Parameter(help="Folder of sessions and logs; the same command continues there.")] = Path(
        "logs/theory-of-space/human"
    ),
    questions: Annotated[int, Parameter(help="Questions of each kind.")] = 3,
    kinds: Annotated[str, Parameter(help="Only these kinds of question, with commas.")] = "",
    probe: Annotated[
        Literal["last", "every", "off"], Parameter(help="After which turns maps are asked for; for models: every.")
    ] = "last",
    mode: Annotated[
        Literal["active", "passive"], Parameter(help="Explore, or read the log of a scripted explorer.")
    ] = "active",
    world: Annotated[Literal["text", "vision"], Parameter(help="Observations in words, or in pictures.")] = "text",
    phases: Annotated[str, Parameter(help="Phases to run, with commas.")] = "explore,probe,ask,revise",
    image_size: Annotated[int, Parameter(help="Width and height of pictures, in pixels (vision).")] = 384,
    preset: Annotated[RenderPresetName, Parameter(help="Quality of rendered pictures (vision).")] = "standard",
    assets: Annotated[str, Parameter(help="3D assets: auto, pack, built-in, or a folder (vision).")] = "auto",
    tools: Annotated[bool, Parameter(negative="", help="Give people a ruler and a protractor.")] = False,
    port: Annotated[int, Parameter(help="Port of the server; 0 for any free one.")] = 8421,
    host: Annotated[str, Parameter(help="Address; any but loopback lets other machines in.")] = "127.0.0.1",
    open_page: Annotated[bool, Parameter(name="--open", help="Open the page in a browser.")] = True,
) -> None:
    """Let a person explore, map and answer as a model does, with the same logs; `tolman show` prints their scores."""
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
    ).for_rooms(rooms)
    check_pictures(options)
    setup = PlaySetup(scenes, WorldSettings(rooms=rooms, things_per_room=things), options, log_dir, tools, name)
    count, console = len(setup.cases), Console(stderr=True)
    with listen(host, port) as listening:
        console.print(f"Play {count} scene{'s' * (count != 1)} at {address(listening)} (Ctrl-C ends it)", markup=False)
        if not is_loopback(host):
            console.print(
                "Anyone who can reach this machine can play, and read replies of people whose names they know."
            )
        try:
            serve(setup, listening, lambda: _open(address(listening)) if open_page else None)
        except KeyboardInterrupt:
            console.print("Stopped; unfinished sessions can be continued later.")
    console.print(f"Tables of finished scenes: tolman show {log_dir}", markup=False)


def _open(page: str) -> None:
    webbrowser.open(page)
