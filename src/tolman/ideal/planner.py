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
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading, difference
from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Goto, Move, Observe, Query, Term
from tolman.explore.agents.greedy_planner import LEAST_GAIN, GreedyPlanner
from tolman.explore.agents.registry import text_explorer
from tolman.explore.belief_tracker import BeliefTracker, SampledWorld
from tolman.explore.cheapest import ExploreStep, KnownWorld, Progress, cheapest_completion, greedy_steps, step_cost
from tolman.explore.episode import AgentHistory
from tolman.explore.topological_map import SightLines, moves_along
from tolman.ideal.generative import WeightedScenes, posterior
from tolman.ideal.observer import prior_for
from tolman.sense import in_view
from tolman.world import START

DRAWS = 512
"""Scenes of the posterior from which worlds are drawn, where it can't be listed."""


@dataclass(frozen=True)
class PossibleWorlds:
    """Distinct worlds that may be the true one, the most frequent first, and how often each was drawn."""

    worlds: tuple[KnownWorld, ...]
    weights: tuple[float, ...]
    """They add up to 1."""
    sight_lines: SightLines
    """Headings in which one name is in view from another in all of these worlds."""


def possible_worlds(history: AgentHistory, count: int, stream: np.random.Generator) -> PossibleWorlds | None:
    """`count` draws from the posterior of the generative observer; None where it has none."""
    prior = prior_for(history.brief)
    scenes = None if prior is None else posterior(history, prior, draws=DRAWS)
    if scenes is None:
        return None
    marks = (np.arange(count) + stream.random()) / count
    rows = np.minimum(np.searchsorted(np.cumsum(scenes.weights), marks), len(scenes) - 1)
    drawn: Counter[tuple[int, ...]] = Counter()
    first: dict[tuple[int, ...], int] = {}
    names = (START, *scenes.brief.names)
    for row in rows.tolist():
        key = tuple(int(part) for name in names for part in scenes.cells[name][row])
        drawn[key] += 1
        first.setdefault(key, row)
    common = drawn.most_common()
    worlds = [_world(scenes, first[key]) for key, _ in common]
    return PossibleWorlds(
        tuple(map(KnownWorld, worlds)), tuple(times / count for _, times in common), _shared_sight_lines(worlds)
    )


def _world(scenes: WeightedScenes, row: int) -> SampledWorld:
    """One row, with the start's room as zone 0 and the room beyond the i-th door as zone i + 1."""
    cells = {name: (int(found[row][0]), int(found[row][1])) for name, found in scenes.cells.items()}
    zones: dict[str, tuple[int, ...]] = {START: (0,)}
    zones |= {name: (int(scenes.rooms[name][row]),) for name in scenes.brief.things}
    zones |= {door: (0, number) for number, door in enumerate(scenes.brief.doors, start=1)}
    return SampledWorld(cells, zones)


def _shared_sight_lines(worlds: list[SampledWorld]) -> SightLines:
    lines: SightLines = {}
    names = list(worlds[0].cells)
    for a in names:
        for b in names:
            if a != b and all(not set(world.zones[a]).isdisjoint(world.zones[b]) for world in worlds):
                apart = [difference(world.cells[b], world.cells[a]) for world in worlds]
                for heading in Heading:
                    if all(in_view(vector, heading) for vector in apart):
                        lines.setdefault(a, {})[b] = heading
    return lines


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
NEARLY = 0.8
"""Share of the largest expected gain with which the cautious planner is content if the way is shorter."""
GOTO_EFFORT, QUERY_EFFORT = 3, 1000
"""Effort of going to a place, and of a query, which is taken only where no look is nearly as good; a rotation is 1."""


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
        routes = topology.routes(history.standing_on, self._believed_sight_lines(possible))
        progress = Progress(
            belief,
            frozenset(topology.zones) - {START},
            frozenset(topology.looks),
            history.standing_on == START,
        )
        ways: dict[ExploreStep, tuple[Move, ...]] = {}
        for step in progress.steps():
            if isinstance(step, str):
                ways[step] = ()
            elif step[0] in routes:
                ways[step] = moves_along(history.heading, routes[step[0]], step[1])
        step = self._choice(progress, possible, ways)
        if step is None:
            return Actions((), Term())
        return Actions(ways[step], Query(step) if isinstance(step, str) else Observe())

    def _believed_sight_lines(self, possible: PossibleWorlds) -> SightLines:
        return possible.sight_lines

    def _choice(
        self, progress: Progress, possible: PossibleWorlds, ways: Mapping[ExploreStep, tuple[Move, ...]]
    ) -> ExploreStep | None:
        """The step to take, of those to which there is a way; None where none is worth its cost."""
        if self._horizon and len(possible.worlds) == 1:
            plan = cheapest_completion(progress, possible.worlds[0]).steps
            if ready := [step for step in plan if step in ways]:
                return ready[0]
        gains = _expected_gains(progress, possible, list(ways))
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


@text_explorer("cautious-planner")
class CautiousPlanner(Planner):
    """Nearly the cost of `planner` with the least to say and to get wrong on the way, to be learnt from.

    It moves only along sight lines that an observation has shown, there or back, so that one earlier message justifies
    each move. Of the steps that promise nearly as much as the best it takes the one with the shortest way. Once a
    single world is left, it takes steps of the cheapest exploration of it, the nearest first. It does not look ahead.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed, horizon=0)

    def _believed_sight_lines(self, possible: PossibleWorlds) -> SightLines:
        del possible
        return {}

    def _choice(
        self, progress: Progress, possible: PossibleWorlds, ways: Mapping[ExploreStep, tuple[Move, ...]]
    ) -> ExploreStep | None:
        gains = _expected_gains(progress, possible, list(ways))
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
