"""The lettered points that each turn of an exploration is probed with."""

from collections.abc import Sequence

from tolman.belief.unexplored import Points, draw_points, released_points
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.explored import ExploredTurn


def points_of(case: Case, turns: Sequence[ExploredTurn]) -> tuple[Points, ...]:
    """Points for each turn that could be read; those of the authors where the case is theirs."""
    if case.released:
        return released_points(case.scene, [(turn.pose, turn.looked) for turn in turns], case.seed)
    looks = [turn.pose if turn.looked else None for turn in turns]
    return tuple(
        draw_points(case.scene, [look for look in looks[:at] if look], turn.pose, case.seed, turn.number)
        for at, turn in enumerate(turns, start=1)
    )
