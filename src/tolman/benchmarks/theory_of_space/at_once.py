"""A scene lived through at once, by someone who answers without being waited for: a script, or a record."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Message
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.run_scene import SceneRun
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode

Answer = Callable[[str, Sequence[Message], Episode], str | None]
"""The reply to a call by its name, what was sent, and the episode so far; None where there is none."""


def live_at_once(case: Case, options: Options, answer: Answer) -> dict[str, str | None]:
    """All calls of a scene, in the order in which they were made, with their replies. No event loop is needed."""
    log = explorers_log(case, options)
    stage = _Stage(answer)
    _finish(SceneRun(case, options, stage).run(log))
    return stage.replies


def explorers_log(case: Case, options: Options) -> Episode | None:
    """What a passive model reads; None for one that explores by itself."""
    if options.mode == "active":
        return None
    return run_explorer(case.explorer or options.passive_explorer, case.scene, case.seed)


class _Stage:
    """See `Stage`."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.replies: dict[str, str | None] = {}

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        self.replies[call] = self._answer(call, messages, episode)
        return self.replies[call]

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


def _finish(coroutine: Coroutine[Any, Any, Episode]) -> None:
    """Run what never waits for anything."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise RuntimeError("the scene waits for something")
