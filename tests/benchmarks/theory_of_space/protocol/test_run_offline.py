"""Scenes lived through at once, with no event loop and inside one."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, case, passive
from tests.benchmarks.theory_of_space.plain_stage import PlainStage, scripted
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun, explorer_log, run_offline
from tolman.core.errors import ReplayError
from tolman.explore.episode import Episode


@pytest.mark.parametrize("options", [OPTIONS, passive()])
def test_the_same_calls_are_made_as_on_any_other_stage(options: Options):
    stage = PlainStage(scripted("scout"))
    asyncio.run(SceneRun(case(0, options), options, stage).run(explorer_log(case(0, options), options)))
    assert run_offline(case(0, options), options, scripted("scout")) == stage.replies


def test_it_works_where_a_loop_is_running():
    async def inside() -> dict[str, str | None]:
        return run_offline(case(0), OPTIONS, scripted("scout"))

    assert asyncio.run(inside()) == run_offline(case(0), OPTIONS, scripted("scout"))


def test_a_turn_without_a_reply_is_told_of():
    def silent(call: str, messages: Sequence[Message], episode: Episode) -> None:
        del call, messages, episode

    with pytest.raises(ReplayError, match="no reply to explore/1"):
        run_offline(case(0), OPTIONS, silent)
