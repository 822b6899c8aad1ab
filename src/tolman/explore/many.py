"""Explore many scenes: in this process while that is quick, else spread over workers."""

from collections.abc import Iterator, Sequence
from functools import partial

from tolman.explore.record import ExplorationRow, explore_scene
from tolman.spread import spread
from tolman.world.select import SceneChoice


def explore_many(agent: str, choices: Sequence[SceneChoice], workers: int = -1) -> Iterator[ExplorationRow]:
    """A row for each scene, in order, as they are ready. `workers` is the number of processes, -1 for all cores."""
    return spread(partial(_explore, agent), choices, workers)


def _explore(agent: str, choice: SceneChoice) -> ExplorationRow:
    return explore_scene(agent, choice.load(), choice.seed)
