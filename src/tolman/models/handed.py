"""What a task tells a provider beside the messages: which call this is, and the true world.

A model never gets any of it. Only the oracle may look at the world, and only a replay at the name of the call.
"""

from contextvars import ContextVar
from dataclasses import dataclass

from tolman.world import Scene


@dataclass(frozen=True)
class Handed:
    """The circumstances of one call."""

    call: str
    """Name of the call in its scene, such as `explore/3` or `explore/3/global/1`."""
    case: str
    """Name of the scene in its evaluation."""
    scene: Scene
    """The world as it is now."""
    before: Scene | None = None
    """The world before it changed, once it has."""


HANDED: ContextVar[Handed | None] = ContextVar("handed", default=None)
