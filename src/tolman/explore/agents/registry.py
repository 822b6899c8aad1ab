"""Scripted explorers by name, one file each; every module of this package is imported, so a new file registers itself.

An explorer may be given the true scene; a *text explorer* is given messages only.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Protocol

from tolman.core.errors import UnknownNameError
from tolman.explore.actions import Actions, Term
from tolman.explore.episode import AgentHistory, Episode, EpisodeSettings, default_turns, step
from tolman.world import Scene


class Explorer(Protocol):
    """A policy for the exploration phase.

    `act` is a function of the history: the same history gives the same actions, whatever was asked before.
    """

    def act(self, history: AgentHistory) -> Actions:
        """The actions for the next turn."""
        ...


EXPLORERS = ("oracle", "planner", "random", "scout", "strategist")
"""The published explorers, which `all` stands for. Explorers that others register run only where they are named."""

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
    """Register a class or function that makes a text explorer from a seed."""

    def register(maker: TextExplorerMaker) -> TextExplorerMaker:
        _TEXT_MAKERS[name] = maker
        return maker

    return register


def explorer_names() -> tuple[str, ...]:
    """Names of the published explorers."""
    return EXPLORERS


def text_explorer_names() -> tuple[str, ...]:
    """Names of all registered text explorers, in alphabetical order."""
    _import_all()
    return tuple(sorted(_TEXT_MAKERS))


def make_explorer(name: str, scene: Scene, seed: int = 0) -> Explorer:
    """A new explorer for one episode: one that is given the scene, or a text explorer if there is none of that name."""
    _import_all()
    if name in _MAKERS:
        return _MAKERS[name](scene, seed)
    if name not in _TEXT_MAKERS:
        known = ", ".join(sorted(_MAKERS.keys() | _TEXT_MAKERS))
        raise UnknownNameError(f"there is no agent {name!r}; choose one of {known}")
    return _TEXT_MAKERS[name](seed)


def make_text_explorer(name: str, seed: int = 0) -> Explorer:
    """A new explorer that knows only the history, and ends within `most_text_turns` turns."""
    if name not in text_explorer_names():
        raise UnknownNameError(f"there is no text explorer {name!r}; choose one of {', '.join(text_explorer_names())}")
    return _TurnLimited(_TEXT_MAKERS[name](seed))


def most_text_turns(rooms: int) -> int:
    """Turns after which a text explorer ends, so that it terminates in any world: twice the default turn budget."""
    return 2 * default_turns("explore", rooms)


class _TurnLimited:
    """An explorer that ends within `most_text_turns` turns."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer

    def act(self, history: AgentHistory) -> Actions:
        """The explorer's actions, or `Term`."""
        taken = sum(turn.phase == history.phase for turn in history.turns)
        most = most_text_turns(history.brief.rooms)
        return self._explorer.act(history) if taken < most - 1 else Actions((), Term())


def _import_all() -> None:
    package = importlib.import_module("tolman.explore.agents")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


SCRIPTED_BUDGET = EpisodeSettings(explore_turns=1000)
"""Scripted explorers end by themselves; the published budget of 20 turns is for models."""


HALF = "half-"
"""Before the name of an explorer: only the first half of its turns."""


def run_explorer(name: str, scene: Scene, seed: int = 0, settings: EpisodeSettings = SCRIPTED_BUDGET) -> Episode:
    """The exploration of a scene by a scripted explorer: complete, or for `half-NAME` the first half of its turns."""
    whole = explore_with(make_explorer(name.removeprefix(HALF), scene, seed), Episode(scene, settings))
    if not name.startswith(HALF):
        return whole
    episode = Episode(scene, settings)
    for turn in whole.turns[: len(whole.turns) // 2]:
        episode = step(episode, turn.asked)
    return episode


def explore_with(agent: Explorer, episode: Episode) -> Episode:
    """An episode continued by an explorer to the end of its phase."""
    while not episode.over:
        episode = step(episode, agent.act(episode))
    return episode
