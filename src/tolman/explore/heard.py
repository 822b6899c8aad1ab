"""What an explorer may know: the brief, its own turns, and what it was told. Never the world itself."""

from dataclasses import dataclass
from typing import Protocol

from tolman.explore.actions import Phase
from tolman.explore.episode import Brief, Turn
from tolman.geometry import Heading
from tolman.world import START


class Heard(Protocol):
    """Everything that was said to an agent and by it. An `Episode` is one, and so is a `HeardEpisode`."""

    @property
    def brief(self) -> Brief:
        """What was told before the first turn."""
        ...

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns so far, of both phases."""
        ...

    @property
    def standing_on(self) -> str:
        """The thing or door under the agent, or `START`."""
        ...

    @property
    def heading(self) -> Heading:
        """The way the agent faces, which it knows from its own turns."""
        ...

    @property
    def seen(self) -> tuple[str, ...]:
        """Names that have been in view, in the order in which they came into it."""
        ...

    @property
    def phase(self) -> Phase:
        """Whether the agent explores, or revises after a change."""
        ...


@dataclass(frozen=True)
class HeardEpisode:
    """An episode as it is known from words alone. See `tolman.explore.hear` for how one is made from messages."""

    brief: Brief
    turns: tuple[Turn, ...] = ()
    standing_on: str = START
    heading: Heading = Heading.NORTH
    seen: tuple[str, ...] = ()
    phase: Phase = "explore"
