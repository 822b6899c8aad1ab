"""Scripted explorers by name, one file each; every module of this package is imported, so a new file registers itself.

An explorer may be given the true scene; a *text explorer* is given messages only.
"""

import importlib
import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from tolman.core.errors import SettingsError, UnknownNameError
from tolman.core.files import import_modules
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
"""Makes an explorer from a seed; one that looks ahead takes a `horizon` too."""
ExplorerKind = TypeVar("ExplorerKind", bound=ExplorerMaker)
TextExplorerKind = TypeVar("TextExplorerKind", bound=TextExplorerMaker)
_MAKERS: dict[str, ExplorerMaker] = {}
_TEXT_MAKERS: dict[str, TextExplorerMaker] = {}


def explorer(name: str) -> Callable[[ExplorerKind], ExplorerKind]:
    """Register a class or function that makes an explorer from a scene and a seed."""

    def register(maker: ExplorerKind) -> ExplorerKind:
        _MAKERS[name] = maker
        return maker

    return register


def text_explorer(name: str) -> Callable[[TextExplorerKind], TextExplorerKind]:
    """Register a class or function that makes a text explorer from a seed."""

    def register(maker: TextExplorerKind) -> TextExplorerKind:
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


def make_explorer(name: str, scene: Scene, seed: int = 0, horizon: int | None = None) -> Explorer:
    """A new explorer for one episode: one that is given the scene, or a text explorer if there is none of that name.

    `horizon` is how far an explorer looks ahead that can, in units of cost; None for its own choice.
    """
    _import_all()
    if name in _MAKERS:
        check_horizon(name, horizon)
        return _MAKERS[name](scene, seed)
    if name not in _TEXT_MAKERS:
        known = ", ".join(sorted(_MAKERS.keys() | _TEXT_MAKERS))
        raise UnknownNameError(f"there is no agent {name!r}; choose one of {known}")
    return _text_explorer(name, seed, horizon)


def check_horizon(name: str, horizon: int | None) -> None:
    """Raise where a horizon is given to an explorer that does not look ahead."""
    _import_all()
    if horizon is not None and (name in _MAKERS or name not in _looking_ahead()):
        raise SettingsError(f"{name} does not look ahead, so it has no horizon; {', '.join(_looking_ahead())} does")


def _looking_ahead() -> list[str]:
    return [name for name, maker in _TEXT_MAKERS.items() if "horizon" in inspect.signature(maker).parameters]


def _text_explorer(name: str, seed: int, horizon: int | None) -> Explorer:
    check_horizon(name, horizon)
    maker = _TEXT_MAKERS[name]
    return maker(seed) if horizon is None else cast("Any", maker)(seed, horizon=horizon)


def make_text_explorer(name: str, seed: int = 0, horizon: int | None = None) -> Explorer:
    """A new explorer that knows only the history, and ends within `most_text_turns` turns."""
    if name not in text_explorer_names():
        raise UnknownNameError(f"there is no text explorer {name!r}; choose one of {', '.join(text_explorer_names())}")
    return _TurnLimited(_text_explorer(name, seed, horizon))


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


_ABOVE = ("tolman.ideal.planner",)
"""Modules of explorers that need the ideal observer, which this package does not: imported by name when asked for."""


def _import_all() -> None:
    import_modules("tolman.explore.agents")
    for name in _ABOVE:
        importlib.import_module(name)


SCRIPTED_BUDGET = EpisodeSettings(explore_turns=1000)
"""Scripted explorers end by themselves; the published budget of 20 turns is for models."""


HALF = "half-"
"""Before the name of an explorer: only the first half of its turns."""


def run_explorer(
    name: str,
    scene: Scene,
    seed: int = 0,
    settings: EpisodeSettings = SCRIPTED_BUDGET,
    horizon: int | None = None,
) -> Episode:
    """The exploration of a scene by a scripted explorer: complete, or for `half-NAME` the first half of its turns."""
    whole = explore_with(make_explorer(name.removeprefix(HALF), scene, seed, horizon), Episode(scene, settings))
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
