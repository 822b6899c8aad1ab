"""Logs of finished sessions, written by the Inspect task itself, and a person's result beside scripted explorers."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
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
from tolman.models.human_sessions import SavedSession
from tolman.models.scripted.reply import reply_to
from tolman.play.session import PlaySession, PlaySetup

_ONE_AT_A_TIME = Lock()
"""Inspect runs one evaluation at a time in a process."""


def write_log(playroom: PlaySetup, saved: SavedSession) -> str:
    """Write the log of a finished sitting and give its file name. Done twice, it is written once."""
    choice, worlds = playroom.choices[saved.scene], playroom.worlds
    options: dict[str, Any] = {**playroom.options.as_dict(), "resume": False}
    alone = choice.path is None and not choice.name  # the seed of a scene that has a name is a secret
    scenes = str(choice.seed) if alone else playroom.scenes
    task = theory_of_space(scenes=scenes, rooms=worlds.rooms, things=worlds.things_per_room, **options)
    plan = RunPlan(
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


LogState = Literal["written", "being written"]
_HEAVY = ("tolman.play.results",)


@dataclass
class LogWriter:
    """Writes one log after another."""

    playroom: PlaySetup
    done: Callable[[str, str, str], None]
    """Is told name, scene and file name of a log that was written."""
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "log-writer"))
    _begun: dict[tuple[str, str], Future[None]] = field(default_factory=dict[tuple[str, str], Future[None]])

    def prepare(self) -> None:
        """Load what will be needed, while nobody waits for it."""
        for module in _HEAVY:
            self._worker.submit(import_module, module)

    def state(self, saved: SavedSession) -> LogState:
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

    def _write(self, saved: SavedSession) -> None:

        self.done(saved.name, saved.scene, write_log(self.playroom, saved))


class _ScriptedStage:
    """A scripted agent on the stage of a scene; see `Stage`."""

    def __init__(self, agent: str, case: Case) -> None:
        self._agent, self._case = agent, case
        self.calls: list[Call] = []

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str:
        del episode
        reply = reply_to(self._agent, [(message.role, self._in_words(message)) for message in messages])
        self.calls.append(Call(name=call, reply=reply))
        return reply

    def _in_words(self, message: Message) -> str:
        """What a message says; a scripted agent, which can't see, is told what its pictures show."""
        if message.role != "user":
            return message.text
        told = (
            piece if isinstance(piece, str) else caption(self._case, piece) for piece in split_at_marks(message.text)
        )
        return "\n".join(filter(None, told))

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


def scripted_run(agent: str, cases: Sequence[Case], options: Options) -> TheoryOfSpaceRun:
    """What an agent that reads and writes the words of a model makes of some cases."""
    scenes = [score_record(_scripted_case(agent, case, options)) for case in cases]
    return TheoryOfSpaceRun(f"tolman/{agent}", options, scenes, [], len(scenes))


def _scripted_case(agent: str, case: Case, options: Options) -> ScoredCase:
    passive = options.mode == "passive"
    log = run_explorer(case.explorer or options.passive_explorer, case.scene, case.seed) if passive else None
    stage = _ScriptedStage(agent, case)
    asyncio.run(SceneRun(case, options, stage).run(log))
    read = [str(turn.asked) for turn in log.turns] if log else []
    return ScoredCase(case, options, SceneRecord(log=read, calls=stage.calls))


def last_map(sitting: PlaySession) -> str | None:
    """The reply in which a person drew their last map of the exploration."""
    turns = range(len(sitting.explored.turns), 0, -1)
    replies = (sitting.replies.get(elicit_call("explore", number, "global")) for number in turns)
    return next((reply for reply in replies if reply is not None), None)


def map_against_truth(sitting: PlaySession) -> bytes | None:
    """The last map over the truth as a PNG; None where no map was asked for."""
    from tolman.render import map_picture  # noqa: PLC0415 - drawing takes a second to load

    reply = last_map(sitting)
    if reply is None:
        return None
    scene, last = sitting.case.scene, sitting.explored.turns[-1]
    seen = {name for names in views_of(sitting.explored.turns) for name in names}
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
    """One explorer: the name, and the mean of each column as it is shown."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class PlayResult:
    """A table with one row for the person and some to compare with."""

    heads: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    scenes: int
    warnings: tuple[str, ...]
    """What was odd about the logs, one line each."""


def result(playroom: PlaySetup, name: str) -> PlayResult:
    """The mean over scenes of what a person did, under the strict rules."""
    saved = [playroom.saved(name, scene) for scene in playroom.cases]
    logs = [playroom.logs(one) / one.log for one in saved]
    warnings: list[str] = []
    own = [run for run in read_runs(logs, warnings.append) if run.model == playroom.model(name)]
    cases = list(playroom.cases.values())
    runs = [*own, *(scripted_run(agent, cases, playroom.options) for agent in REFERENCES)]
    return _table(runs, warnings)


def _table(runs: Sequence[TheoryOfSpaceRun], warnings: Sequence[str]) -> PlayResult:
    """Columns that nobody has anything in are left out."""
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
