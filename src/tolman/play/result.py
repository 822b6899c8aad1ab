"""The result of a person: their row beside scripted explorers' on the same scenes, their last map over the truth."""

import asyncio
import math
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.calls import probe_call
from tolman.benchmarks.theory_of_space.captions import caption
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Message
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.picture_marks import split
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.stated_maps import plain_map, views_of
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.models.scripted.reply import reply_to
from tolman.play.playroom import Playroom
from tolman.play.sitting import Sitting
from tolman.report.theory_of_space import figures, read_runs
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS, GAIN
from tolman.report.theory_of_space.logs import Run, finish
from tolman.rules import STRICT


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
        told = (piece if isinstance(piece, str) else caption(self._case, piece) for piece in split(message.text))
        return "\n".join(filter(None, told))

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


def scripted_run(agent: str, cases: Sequence[Case], options: Options) -> Run:
    """What an agent that reads and writes the words of a model makes of some cases."""
    scenes = [finish(_lived(agent, case, options)) for case in cases]
    return Run(f"tolman/{agent}", options, scenes, [], len(scenes))


def _lived(agent: str, case: Case, options: Options) -> ScoredCase:
    passive = options.mode == "passive"
    log = run_explorer(case.explorer or options.passive_explorer, case.scene, case.seed) if passive else None
    stage = _ScriptedStage(agent, case)
    asyncio.run(SceneRun(case, options, stage).run(log))
    read = [str(turn.asked) for turn in log.turns] if log else []
    return ScoredCase(case, options, SceneRecord(log=read, calls=stage.calls))


def last_map(sitting: Sitting) -> str | None:
    """The reply in which a person drew their last map of the exploration."""
    turns = range(len(sitting.explored.turns), 0, -1)
    replies = (sitting.replies.get(probe_call("explore", number, "global")) for number in turns)
    return next((reply for reply in replies if reply is not None), None)


def map_against_truth(sitting: Sitting) -> bytes | None:
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
class Row:
    """One explorer: the name, and the mean of each column as it is shown."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """A table with one row for the person and some to compare with."""

    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    scenes: int
    warnings: tuple[str, ...]
    """What was odd about the logs, one line each."""


def result(playroom: Playroom, name: str) -> Result:
    """The mean over scenes of what a person did, under the strict rules."""
    saved = [playroom.saved(name, scene) for scene in playroom.cases]
    logs = [playroom.logs(one) / one.log for one in saved]
    warnings: list[str] = []
    own = [run for run in read_runs(logs, warnings.append) if run.model == playroom.model(name)]
    cases = list(playroom.cases.values())
    runs = [*own, *(scripted_run(agent, cases, playroom.options) for agent in REFERENCES)]
    return _table(runs, warnings)


def _table(runs: Sequence[Run], warnings: Sequence[str]) -> Result:
    """Columns that nobody has anything in are left out."""
    measured = [figures(run).measured["strict"] for run in runs]
    means = {head: [of.interval(column).mean for of in measured] for head, column in COLUMNS.items()}
    heads = tuple(head for head, values in means.items() if not all(map(math.isnan, values)))
    rows = tuple(
        Row(run.name, tuple(_shown(head, means[head][number]) for head in heads)) for number, run in enumerate(runs)
    )
    return Result(heads, rows, len(runs[0].cases), tuple(warnings))


def _shown(head: str, mean: float) -> str:
    if math.isnan(mean):
        return "–"
    return f"{100 * mean:.1f} %" if head in _PERCENT else f"{mean:.1f}"
