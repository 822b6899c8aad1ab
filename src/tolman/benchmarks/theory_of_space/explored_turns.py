"""An exploration turn by turn: pose, what has been seen, the belief that follows, and the marked points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tolman.belief import Belief
from tolman.belief.unexplored import CandidatePoints, cells_in_view, draw_points, released_points
from tolman.benchmarks.theory_of_space.case import Case
from tolman.core.geometry import Cell
from tolman.explore.episode import Episode, Turn
from tolman.sense import Observation
from tolman.world import Pose


@dataclass(frozen=True)
class ExploredTurn:
    """One parsed turn. `number` counts all replies from 1, unparseable ones too."""

    number: int
    turn: Turn
    pose: Pose
    seen_before: tuple[str, ...]
    """Names that had been in view before this turn."""
    seen: tuple[str, ...]
    """Names that have been in view up to and including this turn."""
    belief: Belief
    """Positions that are possible given the evidence so far."""

    @cached_property
    def possible(self) -> Mapping[str, int]:
        """Number of possible positions of each name that the evidence so far mentions."""
        belief = self.belief
        return {name: belief.count(name) for name in belief.names if belief.is_constrained(name)}

    @cached_property
    def gain(self) -> float:
        """Information gain so far."""
        return self.belief.information_gain

    @property
    def looked(self) -> bool:
        return isinstance(self.turn.feedback, Observation)


def explored_turns(episode: Episode) -> tuple[ExploredTurn, ...]:
    """The parsed turns of an exploration, in order, including the one that ended it."""
    scene = episode.before or episode.scene
    belief = Belief.start(scene.names, scene.extent)
    seen: tuple[str, ...] = ()
    turns: list[ExploredTurn] = []
    replies = (turn for turn in episode.turns if turn.phase == "explore")
    for number, turn in enumerate(replies, start=1):
        if turn.parsed:
            belief = belief if turn.feedback is None else belief.after(turn.feedback)
            before, seen = seen, _seen_after(seen, turn)
            pose = scene.pose_at(turn.standing_on, turn.heading)
            turns.append(ExploredTurn(number, turn, pose, before, seen, belief))
    return tuple(turns)


def _seen_after(seen: tuple[str, ...], turn: Turn) -> tuple[str, ...]:
    names = turn.feedback.names if isinstance(turn.feedback, Observation) else ()
    return (*seen, *(name for name in names if name not in seen))


def points_of(case: Case, turns: Sequence[ExploredTurn]) -> tuple[CandidatePoints, ...]:
    """Marked points for each turn; drawn as in the authors' code for a released case."""
    if case.released:
        return released_points(case.scene, [(turn.pose, turn.looked) for turn in turns], case.seed)
    explored: dict[int, set[Cell]] = {}
    points: list[CandidatePoints] = []
    for turn in turns:
        for room, cells in cells_in_view(case.scene, turn.pose).items() if turn.looked else ():
            explored.setdefault(room, set()).update(cells)
        points.append(draw_points(case.scene, explored, turn.pose, case.seed, turn.number))
    return tuple(points)
