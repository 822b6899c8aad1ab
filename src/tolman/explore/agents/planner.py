"""Planner: look where the exact belief expects to learn most for the cost, and stop when nothing is left to learn.

It is told just what a model is told. Each turn it imagines worlds that agree with all it has heard, foresees what each
possible look or query would say in each of them, and takes the one with the largest mean gain per cost. Moves are free,
so a look can be from any place within reach; looking two looks ahead was tried and did not pay (docs/design/003).
"""

from statistics import fmean

from tolman.belief import Belief, ExactPosition
from tolman.core.geometry import Heading, difference
from tolman.core.seeds import rng
from tolman.explore.actions import COST, Actions, Observe, Query, Term
from tolman.explore.agents.registry import Explorer, explorer, text_explorer
from tolman.explore.belief_tracker import BeliefTracker, SampledWorld, sample_world
from tolman.explore.episode import AgentHistory
from tolman.explore.topological_map import SightLines, TopologicalMap, ViewPose, moves_along
from tolman.sense import in_view
from tolman.world import START, Scene

WORLDS = 16
"""Worlds imagined each turn."""
GLANCES = 4
"""Worlds in which every possible look is tried, to pick those worth trying in all of them."""
SHORTLIST = 10
LEAST_GAIN = 0.05
"""Expected bits for a cost of one; below this nothing is left to learn."""


@explorer("planner")
def planner(scene: Scene, seed: int) -> Explorer:
    """A planner; it never looks at the scene, only at what a model is told."""
    del scene
    return Planner(seed)


@text_explorer("planner")
class Planner:
    """Greedy by expected information per cost."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._recollection = BeliefTracker()

    def act(self, heard: AgentHistory) -> Actions:
        """The look or query that pays best now, or the end."""
        belief, known = self._recollection.of(heard)
        if belief.is_certain:
            return Actions((), Term())
        stream = rng(self._seed, "planner", len(heard.turns))
        worlds = [sample_world(belief, known, heard.brief, stream) for _ in range(WORLDS)]
        routes = known.routes(heard.standing_on, _shared_sight_lines(worlds))
        look, gain = _best_look(belief, worlds, _open_looks(known, routes))
        name, worth = _best_query(belief, known, worlds)
        if max(gain, worth) < LEAST_GAIN:
            return Actions((), Term())
        if look is None or worth > gain:
            return Actions((), Query(name))
        return Actions(moves_along(heard.heading, routes[look[0]], look[1]), Observe())


def _open_looks(known: TopologicalMap, routes: dict[str, tuple[ViewPose, ...]]) -> list[ViewPose]:
    places = [place for place in routes if place in known.zones]
    return [(place, heading) for place in places for heading in Heading if (place, heading) not in known.looks]


def _best_query(belief: Belief, known: TopologicalMap, worlds: list[SampledWorld]) -> tuple[str, float]:
    """The thing whose exact position would tell most, and the expected bits for a cost of one."""
    gains = {START: 0.0}
    for name in known.zones:
        if belief.count(name) > 1:
            told = ((ExactPosition(name, START, world.cells[name]),) for world in worlds)
            gains[name] = (fmean(belief.stating(news).bits for news in told) - belief.bits) / COST[Query]
    best = max(gains, key=lambda name: gains[name])
    return best, gains[best]


def _best_look(belief: Belief, worlds: list[SampledWorld], looks: list[ViewPose]) -> tuple[ViewPose | None, float]:
    """The look that tells most, and its expected bits. All are tried in a few worlds, the best of them in all."""
    glances = {look: _gain(belief, worlds[:GLANCES], look) for look in looks}
    short = sorted(looks, key=lambda look: -glances[look])[:SHORTLIST]
    gains = {look: _gain(belief, worlds, look) for look in short}
    best = max(gains, key=lambda look: gains[look], default=None)
    return best, gains[best] if best else 0.0


def _gain(belief: Belief, worlds: list[SampledWorld], look: ViewPose) -> float:
    """Expected bits of a look."""
    return fmean(belief.stating(world.foresee(look)).bits for world in worlds) - belief.bits


def _shared_sight_lines(worlds: list[SampledWorld]) -> SightLines:
    """Headings in which one thing is in sight from another in all imagined worlds."""
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
