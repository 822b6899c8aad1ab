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
        routes = topology.routes(history.standing_on, self._believed_sight_lines(worlds))
        view, gain = _best_view(belief, worlds, _new_views(topology, routes))
        name, query_gain = _best_query(belief, topology, worlds)
        if max(gain, query_gain) < LEAST_GAIN:
            return Actions((), Term())
        if view is None or query_gain > gain:
            return Actions((), Query(name))
        return Actions(moves_along(history.heading, routes[view[0]], view[1]), Observe())

    def _believed_sight_lines(self, worlds: list[SampledWorld]) -> SightLines:
        return _shared_sight_lines(worlds)


class CautiousPlanner(GreedyPlanner):
    """The greedy planner, moving only along sight lines that an observation has shown, there or back.

    Each of its moves can be justified by one earlier message, so it is easier to learn from, at about the same cost.
    """

    def _believed_sight_lines(self, worlds: list[SampledWorld]) -> SightLines:
        del worlds
        return {}


text_explorer("greedy-planner")(GreedyPlanner)
text_explorer("cautious-planner")(CautiousPlanner)


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


def _best_view(belief: Belief, worlds: list[SampledWorld], views: list[ViewPose]) -> tuple[ViewPose | None, float]:
    """The view with the largest expected gain, and that gain in bits, after screening all views in a few worlds."""
    screened = {view: _gain(belief, worlds[:SCREENING_WORLDS], view) for view in views}
    short = sorted(views, key=lambda view: -screened[view])[:SHORTLIST]
    gains = {view: _gain(belief, worlds, view) for view in short}
    best = max(gains, key=lambda view: gains[view], default=None)
    return best, gains[best] if best else 0.0


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
