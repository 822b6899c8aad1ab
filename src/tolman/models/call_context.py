"""What a task passes to a provider beside the messages: the name of the call, and the truth.

A model never receives any of it. Only the oracle uses the truth, and only a replay the name of the call; of a question
in the authors' words, other scripted agents use what it asks.
"""

from contextvars import ContextVar
from dataclasses import dataclass

from tolman.ask import Question
from tolman.world import Scene


@dataclass(frozen=True)
class CallContext:
    """The name of one call and of its scene."""

    call: str
    """Name of the call within its scene, such as `explore/3` or `explore/3/global/1`."""
    case: str
    """Name of the scene in its evaluation."""


@dataclass(frozen=True)
class SceneCallContext(CallContext):
    """A call with the true scene, for agents that act in a world."""

    scene: Scene
    """The world as it is now."""
    before: Scene | None = None
    """The world before it changed, once it has."""
    question: Question | None = None
    """The question that the call asks, for scripted agents that can't parse a wording that is not ours."""


@dataclass(frozen=True)
class AnswerCallContext(CallContext):
    """A call whose reference replies are known beforehand."""

    true: str
    """The right reply."""
    constant: str
    """The reply of the constant baseline."""
    guesses: tuple[str, ...]
    """The replies among which the random baseline chooses."""


CALL_CONTEXT: ContextVar[CallContext | None] = ContextVar("call_context", default=None)
