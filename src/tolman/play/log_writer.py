"""Leaves logs of finished sittings, one after the other, behind the pages' back.

Inspect takes seconds to load and runs one evaluation at a time, so all of it happens in one thread of its own.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from typing import Literal

from tolman.errors import TolmanError
from tolman.models.sittings import SavedSitting
from tolman.play.playroom import Playroom

State = Literal["written", "being written"]
_HEAVY = ("tolman.play.write_log", "tolman.play.result")


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
        from tolman.play.write_log import write_log  # noqa: PLC0415

        self.done(saved.name, saved.scene, write_log(self.playroom, saved))
