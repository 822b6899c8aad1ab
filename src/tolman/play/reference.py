"""Scripted explorers in the scenes that a person played, under the same options: something to stand beside."""

import asyncio
from collections.abc import Awaitable, Sequence

from tolman.benchmarks.theory_of_space.captions import caption
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Message
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.picture_marks import split
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.run_scene import SceneRun
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.models.scripted.reply import reply_to
from tolman.report.theory_of_space.logs import Run, finish


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
