"""Explore many scenes: in this process while that is quick, else spread over workers by joblib.

joblib's backend can be a cluster (`joblib.parallel_config("ray")`); the rows are the same and in the same order.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any, cast

import joblib

from tolman.explore.record import ExplorationRow, explore_scene
from tolman.world.select import SceneChoice

_PATIENCE = 4.0
"""Seconds of work left above which starting workers pays."""


def explore_many(agent: str, choices: Sequence[SceneChoice], workers: int = -1) -> Iterator[ExplorationRow]:
    """A row for each scene, in order, as they are ready. `workers` is the number of processes, -1 for all cores."""
    begin = time.perf_counter()
    for done, choice in enumerate(choices, start=1):
        yield _explore(agent, choice)
        left = (len(choices) - done) * (time.perf_counter() - begin) / done
        if workers != 1 and left > _PATIENCE:
            untyped = cast("Any", joblib)
            jobs = [untyped.delayed(_explore)(agent, choice) for choice in choices[done:]]
            yield from untyped.Parallel(n_jobs=workers, return_as="generator")(jobs)
            return


def _explore(agent: str, choice: SceneChoice) -> ExplorationRow:
    return explore_scene(agent, choice.load(), choice.seed)
