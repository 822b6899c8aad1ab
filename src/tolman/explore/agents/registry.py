"""Scripted explorers by name. One file each: a new one is found as soon as its file is there."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Protocol

from tolman.errors import UnknownNameError
from tolman.explore.actions import Actions
from tolman.explore.episode import Episode, EpisodeSettings, step
from tolman.world import Scene


class Explorer(Protocol):
    """A policy. `act` is asked once a turn and answers with that turn's actions."""

    def act(self, episode: Episode) -> Actions:
        """The actions for the next turn."""
        ...


Maker = Callable[[Scene, int], Explorer]
_MAKERS: dict[str, Maker] = {}


def explorer(name: str) -> Callable[[Maker], Maker]:
    """Register a class or function that makes an explorer from a scene and a seed."""

    def register(maker: Maker) -> Maker:
        _MAKERS[name] = maker
        return maker

    return register


def explorer_names() -> tuple[str, ...]:
    """Names of all scripted explorers, in alphabetical order."""
    package = importlib.import_module("tolman.explore.agents")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return tuple(sorted(_MAKERS))


def make_explorer(name: str, scene: Scene, seed: int = 0) -> Explorer:
    """A fresh explorer for one episode."""
    if name not in explorer_names():
        raise UnknownNameError(f"there is no agent {name!r}; choose one of {', '.join(explorer_names())}")
    return _MAKERS[name](scene, seed)


SCRIPTED_BUDGET = EpisodeSettings(explore_turns=1000)
"""Scripted explorers stop by themselves; the published budget of 20 turns is for models."""


def run_explorer(name: str, scene: Scene, seed: int = 0, settings: EpisodeSettings = SCRIPTED_BUDGET) -> Episode:
    """A whole exploration of a scene by a scripted explorer."""
    agent, episode = make_explorer(name, scene, seed), Episode(scene, settings)
    while not episode.over:
        episode = step(episode, agent.act(episode))
    return episode
