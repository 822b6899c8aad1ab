"""Scripted explorers by name. One file each: a new one is found as soon as its file is there.

An *explorer* may be made with the true scene in hand; a *listener* is made with nothing and lives on words alone.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Protocol

from tolman.core.errors import UnknownNameError
from tolman.explore.actions import Actions, Term
from tolman.explore.episode import AgentHistory, Episode, EpisodeSettings, step
from tolman.world import Scene


class Explorer(Protocol):
    """A policy for the exploration phase.

    `act` is a function of what was heard: the same words, the same actions, whatever the object was asked before.
    """

    def act(self, heard: AgentHistory) -> Actions:
        """The actions for the next turn."""
        ...


ExplorerMaker = Callable[[Scene, int], Explorer]
TextExplorerMaker = Callable[[int], Explorer]
_MAKERS: dict[str, ExplorerMaker] = {}
_TEXT_MAKERS: dict[str, TextExplorerMaker] = {}


def explorer(name: str) -> Callable[[ExplorerMaker], ExplorerMaker]:
    """Register a class or function that makes an explorer from a scene and a seed."""

    def register(maker: ExplorerMaker) -> ExplorerMaker:
        _MAKERS[name] = maker
        return maker

    return register


def text_explorer(name: str) -> Callable[[TextExplorerMaker], TextExplorerMaker]:
    """Register a class or function that makes, from a seed, an explorer that is given no scene."""

    def register(maker: TextExplorerMaker) -> TextExplorerMaker:
        _TEXT_MAKERS[name] = maker
        return maker

    return register


def explorer_names() -> tuple[str, ...]:
    """Names of all scripted explorers, in alphabetical order."""
    _import_all()
    return tuple(sorted(_MAKERS))


def text_explorer_names() -> tuple[str, ...]:
    """Names of the explorers that can live on words alone, in alphabetical order."""
    _import_all()
    return tuple(sorted(_TEXT_MAKERS))


def make_explorer(name: str, scene: Scene, seed: int = 0) -> Explorer:
    """A fresh explorer for one episode."""
    if name not in explorer_names():
        raise UnknownNameError(f"there is no agent {name!r}; choose one of {', '.join(explorer_names())}")
    return _MAKERS[name](scene, seed)


def make_text_explorer(name: str, seed: int = 0) -> Explorer:
    """A fresh explorer that knows nothing but what it hears, and ends within `MOST_TEXT_TURNS` turns."""
    if name not in text_explorer_names():
        raise UnknownNameError(f"there is no listener {name!r}; choose one of {', '.join(text_explorer_names())}")
    return _TurnLimited(_TEXT_MAKERS[name](seed))


MOST_TEXT_TURNS = 40
"""Turns after which a listener ends, whatever is left to see. In words of any world it can then do no harm."""


class _TurnLimited:
    """Another explorer, cut short."""

    def __init__(self, within: Explorer) -> None:
        self._within = within

    def act(self, heard: AgentHistory) -> Actions:
        """What the other would do, or the end."""
        taken = sum(turn.phase == heard.phase for turn in heard.turns)
        return self._within.act(heard) if taken < MOST_TEXT_TURNS - 1 else Actions((), Term())


def _import_all() -> None:
    package = importlib.import_module("tolman.explore.agents")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


SCRIPTED_BUDGET = EpisodeSettings(explore_turns=1000)
"""Scripted explorers stop by themselves; the published budget of 20 turns is for models."""


def run_explorer(name: str, scene: Scene, seed: int = 0, settings: EpisodeSettings = SCRIPTED_BUDGET) -> Episode:
    """A whole exploration of a scene by a scripted explorer."""
    return explore_with(make_explorer(name, scene, seed), Episode(scene, settings))


def explore_with(agent: Explorer, episode: Episode) -> Episode:
    """An episode from where it stands to the end of its phase."""
    while not episode.over:
        episode = step(episode, agent.act(episode))
    return episode
