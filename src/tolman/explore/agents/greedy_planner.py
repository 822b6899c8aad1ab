"""Greedy planner: largest expected information gain per cost under the exact belief; ends when no gain is expected.

It receives the same messages as a model. Each turn it samples worlds consistent with its history, predicts what each
possible observation or query would give in each of them, and takes the one with the largest mean gain per cost. Moves
are free, so it may observe from any reachable place. It is not told how scenes are made, so it works in any world;
`planner` (tolman.ideal.planner) knows more, looks ahead and pays less, for more CPU time (docs/design/003).
"""

from statistics import fmean

from tolman.belief import Belief, ExactPosition
from tolman.core.geometry import Heading, difference
from tolman.core.seeds import rng
from tolman.explore.actions import COST, Actions, Observe, Query, Term
from tolman.explore.agents.registry import text_explorer
from tolman.explore.belief_tracker import BeliefTracker, SampledWorld, sample_world
from tolman.explore.episode import AgentHistory
from tolman.explore.topological_map import SightLines, TopologicalMap, ViewPose, moves_along
from tolman.sense import in_view
from tolman.world import START

WORLDS = 16
"""Worlds sampled each turn."""
SCREENING_WORLDS = 4
"""Worlds in which every possible view is evaluated, to choose the shortlist evaluated in all of them."""
SHORTLIST = 10
LEAST_GAIN = 0.05
"""Expected bits per unit of cost below which the planner ends."""


@text_explorer("greedy-planner")
class GreedyPlanner:
    """Greedy by expected information gain per cost."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._tracker = BeliefTracker()

    def act(self, history: AgentHistory) -> Actions:
        """The observation or query with the largest expected gain per cost, or `Term`."""
        belief, topology = self._tracker.of(history)
        if belief.is_certain:
            return Actions((), Term())
        stream = rng(self._seed, "planner", len(history.turns))
        worlds = [sample_world(belief, topology, history.brief, stream) for _ in range(WORLDS)]
        routes = topology.routes(history.standing_on, _shared_sight_lines(worlds))
        gains = _view_gains(belief, worlds, _new_views(topology, routes))
        gain = max(gains.values(), default=0.0)
        name, query_gain = _best_query(belief, topology, worlds)
        if max(gain, query_gain) < LEAST_GAIN:
            return Actions((), Term())
        if query_gain > gain:
            return Actions((), Query(name))
        place, heading = max(gains, key=lambda view: gains[view])
        return Actions(moves_along(history.heading, routes[place], heading), Observe())


def _new_views(topology: TopologicalMap, routes: dict[str, tuple[ViewPose, ...]]) -> list[ViewPose]:
    places = [place for place in routes if place in topology.zones]
    return [(place, heading) for place in places for heading in Heading if (place, heading) not in topology.looks]


def _best_query(belief: Belief, topology: TopologicalMap, worlds: list[SampledWorld]) -> tuple[str, float]:
    """The name whose exact position has the largest expected gain, and that gain in bits per unit of cost."""
    gains = {START: 0.0}
    for name in topology.zones:
        if belief.count(name) > 1:
            answers = ((ExactPosition(name, START, world.cells[name]),) for world in worlds)
            gains[name] = (fmean(belief.with_statements(answer).bits for answer in answers) - belief.bits) / COST[Query]
    best = max(gains, key=lambda name: gains[name])
    return best, gains[best]


def _view_gains(belief: Belief, worlds: list[SampledWorld], views: list[ViewPose]) -> dict[ViewPose, float]:
    """Expected gains in bits of the best views, after screening all views in a few worlds."""
    screened = {view: _gain(belief, worlds[:SCREENING_WORLDS], view) for view in views}
    short = sorted(views, key=lambda view: -screened[view])[:SHORTLIST]
    return {view: _gain(belief, worlds, view) for view in short}


def _gain(belief: Belief, worlds: list[SampledWorld], view: ViewPose) -> float:
    """Expected gain of an observation in bits."""
    return fmean(belief.with_statements(world.predict(view)).bits for world in worlds) - belief.bits


def _shared_sight_lines(worlds: list[SampledWorld]) -> SightLines:
    """Headings in which one name is in view from another in all sampled worlds."""
    lines: SightLines = {}
    placed = set(worlds[0].cells).intersection(*(world.cells for world in worlds))
    for a, zones in worlds[0].zones.items():
        for b, others in worlds[0].zones.items():
            if a != b and {a, b} <= placed and not set(zones).isdisjoint(others):
                apart = [difference(world.cells[b], world.cells[a]) for world in worlds]
                for heading in Heading:
                    if all(in_view(vector, heading) for vector in apart):
                        lines.setdefault(a, {})[b] = heading
    return lines
