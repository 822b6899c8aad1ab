"""Logs of finished sessions, written by the Inspect task itself, and a person's result beside scripted explorers."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from tolman.benchmarks.theory_of_space.case import Case, elicit_call
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import caption, split_at_marks
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.revision import plain_map, views_of
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.tables import read_runs, summarise_run
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, GAIN
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.errors import TolmanError
from tolman.core.rules import STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.models.human import SavedSession
from tolman.models.scripted.reply import reply_to
from tolman.play.session import PlaySession, PlaySetup

_ONE_AT_A_TIME = Lock()
"""Inspect runs one evaluation at a time per process."""


def write_log(setup: PlaySetup, saved: SavedSession) -> str:
    """Write the log of a finished session and return its file name. A second call reuses the log."""
    choice, worlds = setup.choices[saved.scene], setup.worlds
    options: dict[str, Any] = {**setup.options.as_dict(), "resume": False}
    by_seed = choice.path is None and not choice.name  # the seed of a named scene is secret
    scenes = str(choice.seed) if by_seed else setup.scenes
    task = theory_of_space(scenes=scenes, rooms=worlds.rooms, things=worlds.things_per_room, **options)
    plan = RunPlan(
        setup.model(saved.name),
        setup.logs(saved),
        model_args={"sittings": str(setup.folder)},
        generation={"sample_id": saved.scene},
        scene_retries=0,
        display="none",
    )
    with _ONE_AT_A_TIME:
        outcome = evaluate([task], plan)
    if not outcome.complete:
        raise TolmanError(f"the log of scene {saved.scene} could not be written; the session itself is saved")
    return Path(outcome.logs[0].location).name


LogState = Literal["written", "being written"]


@dataclass
class LogWriter:
    """Writes logs in a background thread, one at a time."""

    setup: PlaySetup
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
        self.done(saved.name, saved.scene, write_log(self.setup, saved))


class _ScriptedStage:
    """The stage of a scene for a scripted agent; see `Stage`."""

    def __init__(self, agent: str, case: Case) -> None:
        self._agent, self._case = agent, case
        self.calls: list[Call] = []

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str:
        del episode
        reply = reply_to(self._agent, [(message.role, self._in_words(message)) for message in messages])
        self.calls.append(Call(name=call, reply=reply))
        return reply

    def _in_words(self, message: Message) -> str:
        """The text of a message, with captions in place of its images."""
        if message.role != "user":
            return message.text
        pieces = (
            piece if isinstance(piece, str) else caption(self._case, piece) for piece in split_at_marks(message.text)
        )
        return "\n".join(filter(None, pieces))

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


def scripted_run(agent: str, cases: Sequence[Case], options: Options) -> TheoryOfSpaceRun:
    """The run of a scripted agent on some cases."""
    scenes = [score_record(_scripted_case(agent, case, options)) for case in cases]
    return TheoryOfSpaceRun(f"tolman/{agent}", options, scenes, [], len(scenes))


def _scripted_case(agent: str, case: Case, options: Options) -> ScoredCase:
    passive = options.mode == "passive"
    log = run_explorer(case.explorer or options.passive_explorer, case.scene, case.seed) if passive else None
    stage = _ScriptedStage(agent, case)
    asyncio.run(SceneRun(case, options, stage).run(log))
    read = [str(turn.asked) for turn in log.turns] if log else []
    return ScoredCase(case, options, SceneRecord(log=read, calls=stage.calls))


def last_map(session: PlaySession) -> str | None:
    """The reply with a person's last map of the exploration."""
    turns = range(len(session.explored.turns), 0, -1)
    replies = (session.replies.get(elicit_call("explore", number, "global")) for number in turns)
    return next((reply for reply in replies if reply is not None), None)


def map_against_truth(session: PlaySession) -> bytes | None:
    """The last map drawn over the truth as a PNG; None where no map was elicited."""
    from tolman.render import map_picture  # noqa: PLC0415 - drawing takes a second to load

    reply = last_map(session)
    if reply is None:
        return None
    scene, last = session.case.scene, session.explored.turns[-1]
    seen = {name for names in views_of(session.explored.turns) for name in names}
    pose = scene.pose_at(last.standing_on, last.heading)
    return map_picture(scene, pose, plain_map(reply, scene, STRICT) or {}, seen=seen)


REFERENCES = ("scout", "strategist")
COLUMNS = {
    "cost": "explore/cost",
    "information gain": GAIN,
    "answers": ANSWERS,
    "last map": CORRECTNESS,
    "changes found": "revise/f1",
}
_PERCENT = {"information gain", "answers", "last map", "changes found"}


@dataclass(frozen=True)
class ResultRow:
    """One explorer: the name, and the formatted mean of each column."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class PlayResult:
    """A table with a row for the person and rows of reference agents."""

    heads: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    scenes: int
    warnings: tuple[str, ...]
    """Warnings about the logs, one line each."""


def play_result(setup: PlaySetup, name: str) -> PlayResult:
    """The mean scores of a person over all scenes under the strict rules, beside reference agents."""
    saved = [setup.saved(name, scene) for scene in setup.cases]
    logs = [setup.logs(one) / one.log for one in saved]
    warnings: list[str] = []
    own = [run for run in read_runs(logs, warnings.append) if run.model == setup.model(name)]
    cases = list(setup.cases.values())
    runs = [*own, *(scripted_run(agent, cases, setup.options) for agent in REFERENCES)]
    return _table(runs, warnings)


def _table(runs: Sequence[TheoryOfSpaceRun], warnings: Sequence[str]) -> PlayResult:
    """Columns without values are left out."""
    measured = [summarise_run(run).measured["strict"] for run in runs]
    means = {head: [of.interval(column).mean for of in measured] for head, column in COLUMNS.items()}
    heads = tuple(head for head, values in means.items() if not all(map(math.isnan, values)))
    rows = tuple(
        ResultRow(run.name, tuple(_shown(head, means[head][number]) for head in heads))
        for number, run in enumerate(runs)
    )
    return PlayResult(heads, rows, len(runs[0].cases), tuple(warnings))


def _shown(head: str, mean: float) -> str:
    if math.isnan(mean):
        return "–"
    return f"{100 * mean:.1f} %" if head in _PERCENT else f"{mean:.1f}"
