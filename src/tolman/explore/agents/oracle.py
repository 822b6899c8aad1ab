"""Oracle: knows the scene, and takes the observation or query with the largest true gain. A ceiling for greedy agents;
`perfect` pays the least possible.

It obeys the rules of the world: it moves only to what it has seen, and ends when its evidence determines all positions.
"""

from collections.abc import Iterator

from tolman.belief import Belief
from tolman.core.geometry import Heading, closest_heading, difference
from tolman.core.rules import STRICT
from tolman.explore.actions import COST, Actions, Move, Observe, Query, Term
from tolman.explore.agents.registry import Explorer, explorer
from tolman.explore.belief_tracker import BeliefTracker
from tolman.explore.episode import AgentHistory
from tolman.explore.topological_map import ViewPose, moves_along
from tolman.sense import Observation, observe, query
from tolman.world import START, Scene, changes_between

_ROUNDING = 1e-9
"""Bits below which a gain is a rounding error."""


@explorer("oracle")
def oracle(scene: Scene, seed: int) -> Explorer:
    """An oracle; it is deterministic, so the seed is not used."""
    del seed
    return Oracle(scene)


class Oracle:
    """Greedy by true information gain per cost."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._tracker = BeliefTracker(scene.extent)

    def act(self, history: AgentHistory) -> Actions:
        """The observation or query with the largest gain per cost, or `Term`."""
        belief, topology = self._tracker.of(history)
        if belief.is_certain:
            return Actions((), Term())
        looks = [
            (moves, seen)
            for moves, seen in true_looks(self._scene, history)
            if (seen.standing_on, seen.heading) not in topology.looks
        ]
        gains = [(round(belief.after(seen).bits - belief.bits, 9), -len(moves), moves) for moves, seen in looks]
        gain, _, moves = max(gains, key=lambda look: look[:2], default=(0.0, 0, ()))
        query_gain, name = self._best_query(belief, history.seen)
        if max(gain, query_gain) > _ROUNDING:
            return Actions((), Query(name)) if query_gain > gain else Actions(moves, Observe())
        return _most_new(looks, history) or Actions((), Term())

    def _best_query(self, belief: Belief, seen: tuple[str, ...]) -> tuple[float, str]:
        """The largest gain of a query in bits per unit of cost, and its name."""
        gains = [(0.0, START)]
        for name in seen:
            if belief.count(name) > 1:
                after = belief.after(query(self._scene, name, STRICT))
                gains.append((round(after.bits - belief.bits, 9) / COST[Query], name))
        return max(gains, key=lambda entry: entry[0])


def oracle_revision(history: AgentHistory, before: Scene, now: Scene) -> Actions:
    """The observation that shows most changed things not in view since the change; after all of them, the report."""
    changes = changes_between(before, now)
    views = (turn.feedback for turn in history.turns if turn.phase == "revise")
    shown = {name for view in views if isinstance(view, Observation) for name in view.names}
    unseen = {change.name for change in changes} - shown
    looks = list(true_looks(now, history)) if unseen else []
    showing = [(len(unseen.intersection(seen.names)), -len(moves), moves) for moves, seen in looks]
    count, _, moves = max(showing, key=lambda look: look[:2], default=(0, 0, ()))
    if count:
        return Actions(moves, Observe())
    return _most_new(looks, history) or Actions((), Term(changes))


def true_looks(scene: Scene, history: AgentHistory) -> Iterator[tuple[tuple[Move, ...], Observation]]:
    """Every reachable observation with the moves that lead to it."""
    for place, route in routes_in(scene, history).items():
        for heading in Heading:
            yield moves_along(history.heading, route, heading), observe(scene, place, heading)


def routes_in(scene: Scene, history: AgentHistory) -> dict[str, tuple[ViewPose, ...]]:
    """For every reachable place, a route with the fewest steps, each a place to go to and the heading to face."""
    routes: dict[str, tuple[ViewPose, ...]] = {history.standing_on: ()}
    frontier = [history.standing_on]
    for place in frontier:
        here = scene.pose_at(place, Heading.NORTH)
        for item in scene.items_in(here.rooms):
            if item.name not in routes and item.name in history.seen:
                heading = closest_heading(difference(item.cell, here.cell))
                routes[item.name] = (*routes[place], (item.name, heading))
                frontier.append(item.name)
    return routes


def _most_new(looks: list[tuple[tuple[Move, ...], Observation]], history: AgentHistory) -> Actions | None:
    """The observation that shows most names never seen, for use where none has a gain."""
    news = [(len(set(seen.names).difference(history.seen)), -len(moves), moves) for moves, seen in looks]
    count, _, moves = max(news, key=lambda look: look[:2], default=(0, 0, ()))
    return Actions(moves, Observe()) if count else None
