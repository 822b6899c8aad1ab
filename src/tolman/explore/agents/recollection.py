"""What an explorer makes of all it was told: an exact belief, and an acquaintance with the rooms."""

from tolman.belief import Belief
from tolman.explore.agents.acquaintance import Acquaintance
from tolman.explore.episode import Brief, Turn
from tolman.explore.heard import Heard
from tolman.sense import Location, Observation


class Recollection:
    """Belief and acquaintance after the turns heard so far.

    It keeps what it worked out for the turns it has heard before. That only saves time: told another story, it
    begins afresh.
    """

    def __init__(self, extent: int | None = None) -> None:
        self._extent = extent
        self._forget()

    def of(self, heard: Heard) -> tuple[Belief, Acquaintance]:
        """What follows from all that was heard. Positions lie within `extent` of the start, or within `reach`."""
        brief, turns = heard.brief, heard.turns
        if brief != self._brief or turns[: len(self._turns)] != self._turns:
            self._forget()
        belief = self._belief or Belief.start(brief.names, self._extent or reach(brief))
        for turn in turns[len(self._turns) :]:
            if turn.told is not None and _about(turn.told) in self._known.zones:
                belief = belief.after(turn.told)
                if isinstance(turn.told, Observation):
                    self._known.learn(turn.told)
        self._brief, self._turns, self._belief = brief, turns, belief
        return belief, self._known

    def _forget(self) -> None:
        self._brief: Brief | None = None
        self._turns: tuple[Turn, ...] = ()
        self._belief: Belief | None = None
        self._known = Acquaintance()


def _about(told: Observation | Location) -> str:
    """What one must have seen before to make sense of what is told. Where part of a story is missing, one may not."""
    return told.standing_on if isinstance(told, Observation) else told.name


def reach(brief: Brief) -> int:
    """Cells from the start beyond which nothing is expected: the size of the world is not told."""
    return min(100, 8 * brief.rooms + 2)
