"""`tolman eval theory-of-space`: run Theory of Space on a model, then print its tables."""

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.cli.evaluate.model_options import PROTOCOL, ModelOptions
from tolman.cli.evaluate.run import run_and_show
from tolman.models.scripted.reply import check_agent
from tolman.render.stored_pictures import FOLDERS_VARIABLE


def evaluate(
    *,
    options: ModelOptions,
    scenes: Annotated[
        str | None, Parameter(help="Seeds (0-99 unless told otherwise), a folder of scenes, or RUNS:MODEL.")
    ] = None,
    mode: Annotated[str, Parameter(help="active, passive, or both with a comma.")] = "active,passive",
    world: Annotated[Literal["text", "vision"], Parameter(group=PROTOCOL, help="How the world is seen.")] = "text",
    rooms: Annotated[int, Parameter(group=PROTOCOL, help="Rooms in a generated world, 1 to 32.")] = 3,
    things: Annotated[int, Parameter(group=PROTOCOL, help="Things in each room of a generated world.")] = 4,
    phases: Annotated[str, Parameter(group=PROTOCOL, help="What to do.")] = "explore,probe,ask,revise",
    explorer: Annotated[str, Parameter(group=PROTOCOL, help="Whose log a passive model reads.")] = "",
    maps: Annotated[
        str, Parameter(group=PROTOCOL, help="Ask with no map, or with one: none, say, own, true.")
    ] = "none",
    probe: Annotated[
        Literal["every", "last", "off"] | None, Parameter(group=PROTOCOL, help="After which turns maps are asked for.")
    ] = None,
    repeats: Annotated[int, Parameter(group=PROTOCOL, help="How often each map is asked for.")] = 1,
    questions: Annotated[int, Parameter(group=PROTOCOL, help="Questions of each kind.")] = 3,
    kinds: Annotated[str, Parameter(group=PROTOCOL, help="Only these kinds of question.")] = "",
    budget: Annotated[int, Parameter(group=PROTOCOL, help="Replies to explore with.")] = 20,
    revise_budget: Annotated[int, Parameter(group=PROTOCOL, help="Replies to revise with.")] = 15,
    think: Annotated[bool, Parameter(group=PROTOCOL, help="Ask for written thoughts.")] = True,
    history: Annotated[
        int | None, Parameter(group=PROTOCOL, help="Turns that are sent along; all if left out.")
    ] = None,
    image_size: Annotated[int, Parameter(group=PROTOCOL, help="Pixels of a picture's side (vision).")] = 384,
    image_budget: Annotated[
        int | None, Parameter(group=PROTOCOL, help="Most pictures in one request (vision).")
    ] = None,
    image_format: Annotated[
        Literal["png", "jpeg"], Parameter(group=PROTOCOL, help="Files of pictures (vision).")
    ] = "png",
    image_quality: Annotated[int, Parameter(group=PROTOCOL, help="Of JPEG files, 1 to 95 (vision).")] = 85,
    eye_height: Annotated[float, Parameter(group=PROTOCOL, help="Metres of the camera (vision).")] = 0.8,
    preset: Annotated[
        Literal["draft", "standard", "reference"], Parameter(group=PROTOCOL, help="Quality of pictures (vision).")
    ] = "standard",
    assets: Annotated[
        str, Parameter(group=PROTOCOL, help="Models in pictures: auto, pack, built-in, or a folder (vision).")
    ] = "auto",
    pictures: Annotated[
        Path | None,
        Parameter(group=PROTOCOL, help="Folder of `tolman render` to take pictures from (vision)."),
    ] = None,
    rules: Annotated[
        Literal["strict", "published"], Parameter(group=PROTOCOL, help="How the world reads replies.")
    ] = "strict",
) -> None:
    """Run Theory of Space on a model, then print its tables. The same command again goes on where this one stopped.

    The exit code is 1 where a scene is missing.
    """
    if pictures is not None:
        os.environ[FOLDERS_VARIABLE] = str(pictures)
    if options.agent is not None:
        check_agent(options.agent)
    name = options.name
    chosen = scenes or (name.removeprefix("replay/") if _is_released(name) else "0-99")
    settings: dict[str, Any] = {
        "world": world,
        "rooms": rooms,
        "things": things,
        "phases": phases,
        "explorer": explorer,
        "maps": maps,
        "probe": probe,
        "repeats": repeats,
        "questions": questions,
        "kinds": kinds,
        "budget": budget,
        "revise_budget": revise_budget,
        "think": think,
        "history": history,
        "image_size": image_size,
        "image_budget": image_budget,
        "image_format": image_format,
        "image_quality": image_quality,
        "eye_height": eye_height,
        "preset": preset,
        "assets": assets,
        "rules": rules,
        "resume": not options.is_replay,
    }
    modes = dict.fromkeys(part.strip() for part in mode.split(","))
    tasks = [theory_of_space(scenes=chosen, mode=each, **settings) for each in modes]
    run_and_show("theory-of-space", tasks, options)


def _is_released(model: str) -> bool:
    path, colon, _ = model.removeprefix("replay/").rpartition(":")
    return model.startswith("replay/") and bool(colon) and Path(path).exists()
