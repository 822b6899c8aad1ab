"""Logs of finished sessions, written by the Inspect task itself in the background, and a person's row read back."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Literal

from tolman.core.errors import TolmanError
from tolman.core.parallel import untracked
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.models.human import SavedSession
from tolman.play.playable import AnyPlayable, PlayResult, ResultRow
from tolman.report.results import ResultReader

_ONE_AT_A_TIME = Lock()
"""Inspect runs one evaluation at a time per process."""


def write_log(playable: AnyPlayable, saved: SavedSession) -> str:
    """Write the log of a finished session and return its file name. A second call reuses the log."""
    plan = RunPlan(
        playable.model(saved.name),
        playable.logs(saved),
        model_args={"sittings": str(playable.folder)},
        generation={"sample_id": saved.scene},
        scene_retries=0,
        display="none",
    )
    with _ONE_AT_A_TIME:
        outcome = evaluate([playable.task(saved.scene)], plan)
    if not outcome.complete:
        raise TolmanError(f"the log of scene {saved.scene} could not be written; the session itself is saved")
    return Path(outcome.logs[0].location).name


LogState = Literal["written", "being written"]


@dataclass
class LogWriter:
    """Writes logs in a background thread, one at a time."""

    playable: AnyPlayable
    done: Callable[[str, str, str], None]
    """Called with name, scene and file name of each log written."""
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "log-writer"))
    _begun: dict[tuple[str, str], Future[None]] = field(default_factory=dict[tuple[str, str], Future[None]])

    def state(self, saved: SavedSession) -> LogState:
        """The state of the log of a finished session; starts writing it where that was not done yet.

        A failure is raised once; the next call starts again.
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

    def _write(self, saved: SavedSession) -> None:
        self.done(saved.name, saved.scene, write_log(self.playable, saved))


def headline_result(reader: ResultReader, model: str, logs: Sequence[Path], scenes: int) -> PlayResult:
    """The main numbers of a person, as `tolman show` and the front page of a report have them."""
    warnings: list[str] = []
    found = reader.read(logs, warnings.append, untracked)
    own = [each for each in found.headlines() if each.model == model]
    columns = [column for column in reader.headline_columns if any(column.key in each.cells for each in own)]
    cells = {column.key: own[0].cells[column.key] for column in columns}
    rows = tuple(ResultRow(each.model, tuple(_shown(cells[column.key].text) for column in columns)) for each in own)
    meanings = {column.title: column.definition for column in columns}
    return PlayResult(tuple(column.title for column in columns), rows, scenes, meanings, warnings=tuple(warnings))


def _shown(text: str) -> str:
    return f"{text} %" if text.replace(".", "").isdecimal() else text
