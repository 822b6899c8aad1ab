"""Planner: looks ahead in worlds that the generative observer holds for possible, until every position is certain.

It receives the same messages as a model, and knows how scenes are generated, which no prompt tells. Each turn it draws
worlds from the posterior over scenes (`tolman.ideal.generative`) and ranks all looks and queries by expected
information gain per cost. For the best few it supposes each world to be the true one, goes on greedily to the end, and
takes the step with the lowest mean cost. Once a single world is left, it follows the cheapest exploration of it.
`horizon` limits how far it looks ahead; with 0 it takes the step with the largest gain (docs/design/003).

Where the posterior is not available (more than four rooms, or a world that the generator would not make) it acts as
`greedy-planner`, which draws worlds without such knowledge.
"""

import math
from collections.abc import Sequence

from tolman.core.errors import SettingsError
from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Observe, Query, Term
from tolman.explore.agents.greedy_planner import LEAST_GAIN, GreedyPlanner
from tolman.explore.agents.registry import text_explorer
from tolman.explore.belief_tracker import BeliefTracker
from tolman.explore.cheapest import cheapest_completion
from tolman.explore.episode import AgentHistory
from tolman.explore.known_world import ExploreStep, KnownWorld, Progress, greedy_steps, step_cost
from tolman.explore.topological_map import moves_along
from tolman.ideal.planning.possible_worlds import PossibleWorlds, possible_worlds
from tolman.world import START

WORLDS = 16
"""Worlds drawn each turn."""
SCREENING_WORLDS = 6
"""Worlds in which the gain of every step is computed, to choose the shortlist evaluated in all of them."""
SHORTLIST = 10
LOOKAHEAD_STEPS = 6
"""Steps for which the rest of the exploration is simulated."""
LOOKAHEAD_WORLDS = 8
"""Worlds in which it is."""
FULL_HORIZON = 40
"""More than any exploration of four rooms costs."""


@text_explorer("planner")
class Planner:
    """Lowest expected cost, looking ahead."""

    def __init__(self, seed: int, horizon: int = FULL_HORIZON) -> None:
        if horizon < 0:
            raise SettingsError("the horizon of the planner is a number of steps, 0 or more")
        self._seed, self._horizon = seed, horizon
        self._tracker = BeliefTracker()
        self._fallback = GreedyPlanner(seed)

    def act(self, history: AgentHistory) -> Actions:
        """The look or query with the lowest expected cost to the end, or `Term`."""
        belief, topology = self._tracker.of(history)
        if belief.is_certain:
            return Actions((), Term())
        possible = possible_worlds(history, WORLDS, rng(self._seed, "planner", len(history.turns)))
        if possible is None:
            return self._fallback.act(history)
        routes = topology.routes(history.standing_on, possible.sight_lines)
        progress = Progress(
            belief,
            frozenset(topology.zones) - {START},
            frozenset(topology.looks),
            history.standing_on == START,
        )
        reachable = [step for step in progress.steps() if isinstance(step, str) or step[0] in routes]
        step = self._choice(progress, possible, reachable)
        if step is None:
            return Actions((), Term())
        if isinstance(step, str):
            return Actions((), Query(step))
        return Actions(moves_along(history.heading, routes[step[0]], step[1]), Observe())

    def _choice(
        self, progress: Progress, possible: PossibleWorlds, reachable: Sequence[ExploreStep]
    ) -> ExploreStep | None:
        """The step to take; None where none is worth its cost."""
        if self._horizon and len(possible.worlds) == 1:
            plan = cheapest_completion(progress, possible.worlds[0]).steps
            if ready := [step for step in plan if step in reachable]:
                return ready[0]
        gains = _expected_gains(progress, possible, reachable)
        ranked = sorted(gains, key=lambda step: -gains[step])
        if not ranked or gains[ranked[0]] < LEAST_GAIN:
            return None
        if not self._horizon or not progress.looked:
            return ranked[0]
        costs = {step: self._cost_to_end(progress, possible, step) for step in ranked[:LOOKAHEAD_STEPS]}
        return min(costs, key=lambda step: costs[step])

    def _cost_to_end(self, progress: Progress, possible: PossibleWorlds, step: ExploreStep) -> float:
        """Mean cost of a step and of a greedy exploration after it, if each world in turn is the true one."""
        total = weight = 0.0
        for world, share in zip(possible.worlds[:LOOKAHEAD_WORLDS], possible.weights, strict=False):
            total += share * self._cost_in(world, progress, step)
            weight += share
        return total / weight

    def _cost_in(self, world: KnownWorld, progress: Progress, step: ExploreStep) -> float:
        """The cost in one world; beyond the horizon, as many bits per unit of cost as up to it."""
        after = progress.after(step, world)
        steps = greedy_steps(after, world, self._horizon)
        cost = step_cost(step) + sum(map(step_cost, steps))
        if cost <= self._horizon:
            return cost
        for taken in steps:
            after = after.after(taken, world)
        gained = after.belief.bits - progress.belief.bits
        return cost + cost * _missing_bits(after) / max(gained, LEAST_GAIN)


def _missing_bits(progress: Progress) -> float:
    """Bits until every position is certain."""
    belief = progress.belief
    return len(belief.names) * 2 * math.log2(belief.extent) - belief.bits


def _expected_gains(
    progress: Progress, possible: PossibleWorlds, steps: Sequence[ExploreStep]
) -> dict[ExploreStep, float]:
    """Expected bits per unit of cost of the most promising steps."""
    screened = {step: _gain(progress, possible, step, SCREENING_WORLDS) for step in steps}
    short = sorted(screened, key=lambda step: -screened[step])[:SHORTLIST]
    return {step: _gain(progress, possible, step, len(possible.worlds)) for step in short}


def _gain(progress: Progress, possible: PossibleWorlds, step: ExploreStep, count: int) -> float:
    """Expected bits per unit of cost, over the first `count` worlds."""
    belief, total, weight = progress.belief, 0.0, 0.0
    for world, share in zip(possible.worlds[:count], possible.weights, strict=False):
        total += share * belief.with_statements(world.outcome(step).statements).bits
        weight += share
    return (total / weight - belief.bits) / step_cost(step)
