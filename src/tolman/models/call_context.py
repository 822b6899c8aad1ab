"""What a task tells a provider beside the messages: which call this is, and the truth.

A model never gets any of it. Only the oracle may look at the truth, and only a replay at the name of the call.
"""

from contextvars import ContextVar
from dataclasses import dataclass

from tolman.world import Scene


@dataclass(frozen=True)
class CallContext:
    """The circumstances of one call."""

    call: str
    """Name of the call in its scene, such as `explore/3` or `explore/3/global/1`."""
    case: str
    """Name of the scene in its evaluation."""


@dataclass(frozen=True)
class SceneCallContext(CallContext):
    """A call from within a world."""

    scene: Scene
    """The world as it is now."""
    before: Scene | None = None
    """The world before it changed, once it has."""


@dataclass(frozen=True)
class AnswerCallContext(CallContext):
    """A call that wants an answer which can be written down beforehand, right or wrong."""

    true: str
    """The right reply, word for word."""
    constant: str
    """What someone says who says the same to everything of this kind."""
    guesses: tuple[str, ...]
    """Replies that make sense to who has seen nothing."""


CALL_CONTEXT: ContextVar[CallContext | None] = ContextVar("handed", default=None)
