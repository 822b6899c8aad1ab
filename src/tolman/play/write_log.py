"""The log of a finished sitting: the Inspect task itself, run on the replies that the person gave."""

from pathlib import Path
from threading import Lock
from typing import Any

from tolman.benchmarks.evaluation import Plan, evaluate
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.errors import TolmanError
from tolman.models.sittings import SavedSitting
from tolman.play.playroom import Playroom

_ONE_AT_A_TIME = Lock()
"""Inspect runs one evaluation at a time in a process."""


def write_log(playroom: Playroom, saved: SavedSitting) -> str:
    """Write the log of a finished sitting and give its file name. Done twice, it is written once."""
    choice, worlds = playroom.choices[saved.scene], playroom.worlds
    options: dict[str, Any] = {**playroom.options.as_dict(), "resume": False}
    alone = choice.path is None and not choice.name  # the seed of a scene that has a name is a secret
    scenes = str(choice.seed) if alone else playroom.scenes
    task = theory_of_space(scenes=scenes, rooms=worlds.rooms, things=worlds.things_per_room, **options)
    plan = Plan(
        playroom.model(saved.name),
        playroom.logs(saved),
        model_args={"sittings": str(playroom.folder)},
        generation={"sample_id": saved.scene},
        scene_retries=0,
        display="none",
    )
    with _ONE_AT_A_TIME:
        outcome = evaluate([task], plan)
    if not outcome.complete:
        raise TolmanError(f"the log of scene {saved.scene} could not be written; the sitting itself is safe")
    return Path(outcome.logs[0].location).name
