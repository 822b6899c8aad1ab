"""Scenes lived through by the scripted models, in this process and without Inspect."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from tests.benchmarks.theory_of_space.logged_runs import case
from tests.benchmarks.theory_of_space.plain_stage import PlainStage, scripted
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.explore.agents.registry import run_explorer


def scripted_case(agent: str, of: Case, options: Options) -> ScoredCase:
    """A whole case of a scripted model."""
    stage = PlainStage(scripted(agent))
    log = run_explorer(options.passive_explorer, of.scene, of.seed) if options.mode == "passive" else None
    with ThreadPoolExecutor(1) as aside:  # in this thread a browser's loop may run
        aside.submit(asyncio.run, SceneRun(of, options, stage).run(log)).result()
    return ScoredCase(of, options, stage.record([str(turn.asked) for turn in log.turns] if log else ()))


@cache
def scripted_scene(agent: str, seed: int, options: Options) -> ScoredCase:
    """The same, of the scene that a seed makes."""
    return scripted_case(agent, case(seed, options), options)
