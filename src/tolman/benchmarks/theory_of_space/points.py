"""The lettered points that each turn of an exploration is probed with."""

from collections.abc import Sequence

from tolman.belief.unexplored import Points, cells_in_view, draw_among, released_points
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.explored import ExploredTurn
from tolman.geometry import Cell


def points_of(case: Case, turns: Sequence[ExploredTurn]) -> tuple[Points, ...]:
    """Points for each turn that could be read; those of the authors where the case is theirs."""
    if case.released:
        return released_points(case.scene, [(turn.pose, turn.looked) for turn in turns], case.seed)
    explored: dict[int, set[Cell]] = {}
    points: list[Points] = []
    for turn in turns:
        for room, cells in cells_in_view(case.scene, turn.pose).items() if turn.looked else ():
            explored.setdefault(room, set()).update(cells)
        points.append(draw_among(case.scene, explored, turn.pose, case.seed, turn.number))
    return tuple(points)
