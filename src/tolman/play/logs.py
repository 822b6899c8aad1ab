"""Logs of finished sittings: the Inspect task itself, run on the replies that the person gave.

Inspect takes seconds to load and runs one evaluation at a time, so all of it happens in one thread of its own.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, Literal

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


State = Literal["written", "being written"]
_HEAVY = ("tolman.play.logs", "tolman.play.result")


@dataclass
class LogWriter:
    """Writes one log after another."""

    playroom: Playroom
    done: Callable[[str, str, str], None]
    """Is told name, scene and file name of a log that was written."""
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "log-writer"))
    _begun: dict[tuple[str, str], Future[None]] = field(default_factory=dict[tuple[str, str], Future[None]])

    def prepare(self) -> None:
        """Load what will be needed, while nobody waits for it."""
        for module in _HEAVY:
            self._worker.submit(import_module, module)

    def state(self, saved: SavedSitting) -> State:
        """How far the log of a finished sitting is; where there is none yet, it is begun.

        A failure is raised once; whoever asks again begins it again.
        """
        if saved.log:
            return "written"
        key = saved.name, saved.scene
        begun = self._begun.get(key)
        if begun is None:
            self._begun[key] = self._worker.submit(self._write, saved)
        elif begun.done():
            del self._begun[key]
            if (failure := begun.exception()) is not None:
                raise TolmanError(f"the log could not be written: {' '.join(str(failure).split())[:300]}")
            return "written"
        return "being written"

    def _write(self, saved: SavedSitting) -> None:
        from tolman.play.logs import write_log  # noqa: PLC0415

        self.done(saved.name, saved.scene, write_log(self.playroom, saved))
