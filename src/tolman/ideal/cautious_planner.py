"""Cautious planner: nearly the cost of `planner` with the least to say and to get wrong on the way, to be learnt from.

It moves only along sight lines that an observation has shown, there or back, so that one earlier message justifies each
move. Of the steps that promise nearly as much as the best it takes the one with the shortest way. Once a single world
is left, it takes steps of the cheapest exploration of it, the nearest first. It does not look ahead. Where the
posterior is not available it is the greedy planner, like `planner`.
"""

from collections.abc import Mapping

from tolman.explore.actions import Goto, Move
from tolman.explore.agents.greedy_planner import LEAST_GAIN
from tolman.explore.agents.registry import text_explorer
from tolman.explore.cheapest import ExploreStep, Progress, cheapest_completion
from tolman.explore.topological_map import SightLines
from tolman.ideal.planner import Planner, PossibleWorlds, expected_gains

NEARLY = 0.8
"""Share of the largest expected gain with which it is content if the way is shorter."""
GOTO_EFFORT, QUERY_EFFORT = 3, 1000
"""Effort of going to a place, and of a query, which is taken only where no look is nearly as good; a rotation is 1."""


@text_explorer("cautious-planner")
class CautiousPlanner(Planner):
    """Nearly the largest expected gain per cost, by the shortest way along observed sight lines."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, horizon=0)

    def _believed_sight_lines(self, possible: PossibleWorlds) -> SightLines:
        del possible
        return {}

    def _choice(
        self, progress: Progress, possible: PossibleWorlds, ways: Mapping[ExploreStep, tuple[Move, ...]]
    ) -> ExploreStep | None:
        gains = expected_gains(progress, possible, list(ways))
        most = max(gains.values(), default=0.0)
        if most < LEAST_GAIN:
            return None
        good = [step for step in gains if gains[step] >= NEARLY * most]
        if len(possible.worlds) == 1:
            plan = cheapest_completion(progress, possible.worlds[0]).steps
            good = [step for step in plan if step in ways] or good
        return min(good, key=lambda step: (_effort(step, ways[step]), -gains.get(step, 0.0)))


def _effort(step: ExploreStep, way: tuple[Move, ...]) -> int:
    if isinstance(step, str):
        return QUERY_EFFORT
    return sum(GOTO_EFFORT if isinstance(move, Goto) else 1 for move in way)
