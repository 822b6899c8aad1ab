"""Scripted explorers by name. One file each: a new one is found as soon as its file is there.

An *explorer* may be made with the true scene in hand; a *listener* is made with nothing and lives on words alone.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Protocol

from tolman.errors import UnknownNameError
from tolman.explore.actions import Actions, Term
from tolman.explore.episode import Episode, EpisodeSettings, step
from tolman.explore.heard import Heard
from tolman.world import Scene


class Explorer(Protocol):
    """A policy for the exploration phase.

    `act` is a function of what was heard: the same words, the same actions, whatever the object was asked before.
    """

    def act(self, heard: Heard) -> Actions:
        """The actions for the next turn."""
        ...


Maker = Callable[[Scene, int], Explorer]
ListenerMaker = Callable[[int], Explorer]
_MAKERS: dict[str, Maker] = {}
_LISTENERS: dict[str, ListenerMaker] = {}


def explorer(name: str) -> Callable[[Maker], Maker]:
    """Register a class or function that makes an explorer from a scene and a seed."""

    def register(maker: Maker) -> Maker:
        _MAKERS[name] = maker
        return maker

    return register


def listener(name: str) -> Callable[[ListenerMaker], ListenerMaker]:
    """Register a class or function that makes, from a seed, an explorer that is given no scene."""

    def register(maker: ListenerMaker) -> ListenerMaker:
        _LISTENERS[name] = maker
        return maker

    return register


def explorer_names() -> tuple[str, ...]:
    """Names of all scripted explorers, in alphabetical order."""
    _find_all()
    return tuple(sorted(_MAKERS))


def listener_names() -> tuple[str, ...]:
    """Names of the explorers that can live on words alone, in alphabetical order."""
    _find_all()
    return tuple(sorted(_LISTENERS))


def make_explorer(name: str, scene: Scene, seed: int = 0) -> Explorer:
    """A fresh explorer for one episode."""
    if name not in explorer_names():
        raise UnknownNameError(f"there is no agent {name!r}; choose one of {', '.join(explorer_names())}")
    return _MAKERS[name](scene, seed)


def make_listener(name: str, seed: int = 0) -> Explorer:
    """A fresh explorer that knows nothing but what it hears, and ends within `LONGEST` turns."""
    if name not in listener_names():
        raise UnknownNameError(f"there is no listener {name!r}; choose one of {', '.join(listener_names())}")
    return _Bounded(_LISTENERS[name](seed))


LONGEST = 40
"""Turns after which a listener ends, whatever is left to see. In words of any world it can then do no harm."""


class _Bounded:
    """Another explorer, cut short."""

    def __init__(self, within: Explorer) -> None:
        self._within = within

    def act(self, heard: Heard) -> Actions:
        """What the other would do, or the end."""
        taken = sum(turn.phase == heard.phase for turn in heard.turns)
        return self._within.act(heard) if taken < LONGEST - 1 else Actions((), Term())


def _find_all() -> None:
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
