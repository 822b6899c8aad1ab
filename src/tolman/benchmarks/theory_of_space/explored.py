"""An exploration turn by turn: where the agent stood, what it had seen, and what the evidence left open."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tolman.belief import Belief
from tolman.explore.episode import Episode, Turn
from tolman.sense import Observation
from tolman.world import Pose


@dataclass(frozen=True)
class ExploredTurn:
    """One turn that could be read. `number` counts all replies from 1, unreadable ones too."""

    number: int
    turn: Turn
    pose: Pose
    seen_before: tuple[str, ...]
    """Names that had been in view before this turn."""
    seen: tuple[str, ...]
    """Names that have been in view up to and including this turn."""
    belief: Belief
    """What the evidence so far leaves open."""

    @cached_property
    def possible(self) -> Mapping[str, int]:
        """Number of positions that the evidence so far leaves to each name it mentions."""
        belief = self.belief
        return {name: belief.count(name) for name in belief.names if belief.is_constrained(name)}

    @cached_property
    def gain(self) -> float:
        """Information gain so far."""
        return self.belief.information_gain

    @property
    def looked(self) -> bool:
        return isinstance(self.turn.told, Observation)


def explored_turns(episode: Episode) -> tuple[ExploredTurn, ...]:
    """The turns of an exploration that could be read, in order, the one that ended it included."""
    scene = episode.before or episode.scene
    belief = Belief.start(scene.names, scene.extent)
    seen: tuple[str, ...] = ()
    turns: list[ExploredTurn] = []
    replies = (turn for turn in episode.turns if turn.phase == "explore")
    for number, turn in enumerate(replies, start=1):
        if turn.parsed:
            belief = belief if turn.told is None else belief.after(turn.told)
            before, seen = seen, _seen_after(seen, turn)
            pose = scene.pose_at(turn.standing_on, turn.heading)
            turns.append(ExploredTurn(number, turn, pose, before, seen, belief))
    return tuple(turns)


def _seen_after(seen: tuple[str, ...], turn: Turn) -> tuple[str, ...]:
    names = turn.told.names if isinstance(turn.told, Observation) else ()
    return (*seen, *(name for name in names if name not in seen))
