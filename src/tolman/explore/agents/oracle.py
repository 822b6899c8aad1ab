"""Oracle: knows the world, and takes the look or query that in truth tells most. A ceiling for step by step greed.

It plays by the rules: it goes only where it has been shown a way, and ends when its evidence, not its knowledge, is
complete.
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

_NOTHING = 1e-9
"""Bits that are only rounding."""


@explorer("oracle")
def oracle(scene: Scene, seed: int) -> Explorer:
    """An oracle; it makes no random choice, so the seed is not used."""
    del seed
    return Oracle(scene)


class Oracle:
    """Greedy by true information per cost."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._recollection = BeliefTracker(scene.extent)

    def act(self, heard: AgentHistory) -> Actions:
        """The look or query that adds most bits for its cost, or the end."""
        belief, known = self._recollection.of(heard)
        if belief.is_certain:
            return Actions((), Term())
        looks = [(moves, seen) for moves, seen in true_looks(self._scene, heard) if _pose(seen) not in known.looks]
        gains = [(_round(belief.after(seen).bits - belief.bits), -len(moves), moves) for moves, seen in looks]
        gain, _, moves = max(gains, key=lambda look: look[:2], default=(0.0, 0, ()))
        worth, name = self._best_query(belief, heard.seen)
        if max(gain, worth) > _NOTHING:
            return Actions((), Query(name)) if worth > gain else Actions(moves, Observe())
        return _most_new(looks, heard) or Actions((), Term())

    def _best_query(self, belief: Belief, seen: tuple[str, ...]) -> tuple[float, str]:
        """The bits that a query tells for a cost of one, and the name to ask for."""
        worth = [(0.0, START)]
        for name in seen:
            if belief.count(name) > 1:
                told = belief.after(query(self._scene, name, STRICT))
                worth.append((_round(told.bits - belief.bits) / COST[Query], name))
        return max(worth, key=lambda entry: entry[0])


def oracle_revision(heard: AgentHistory, before: Scene, now: Scene) -> Actions:
    """The look that shows most of the changed things not in view since the change; once all were, the report."""
    changes = changes_between(before, now)
    told = (turn.told for turn in heard.turns if turn.phase == "revise")
    shown = {name for view in told if isinstance(view, Observation) for name in view.names}
    unseen = {change.name for change in changes} - shown
    looks = list(true_looks(now, heard)) if unseen else []
    showing = [(len(unseen.intersection(seen.names)), -len(moves), moves) for moves, seen in looks]
    count, _, moves = max(showing, key=lambda look: look[:2], default=(0, 0, ()))
    if count:
        return Actions(moves, Observe())
    return _most_new(looks, heard) or Actions((), Term(changes))


def true_looks(scene: Scene, heard: AgentHistory) -> Iterator[tuple[tuple[Move, ...], Observation]]:
    """Every look within reach: the moves that lead to it, and what it will show."""
    for place, route in _true_routes(scene, heard).items():
        for heading in Heading:
            yield moves_along(heard.heading, route, heading), observe(scene, place, heading)


def _true_routes(scene: Scene, heard: AgentHistory) -> dict[str, tuple[ViewPose, ...]]:
    """For every place within reach: the (place to go to, heading to face) steps that lead there, fewest first."""
    routes: dict[str, tuple[ViewPose, ...]] = {heard.standing_on: ()}
    frontier = [heard.standing_on]
    for place in frontier:
        here = scene.pose_at(place, Heading.NORTH)
        for item in scene.items_in(here.rooms):
            if item.name not in routes and item.name in heard.seen:
                heading = closest_heading(difference(item.cell, here.cell))
                routes[item.name] = (*routes[place], (item.name, heading))
                frontier.append(item.name)
    return routes


def _most_new(looks: list[tuple[tuple[Move, ...], Observation]], heard: AgentHistory) -> Actions | None:
    """The look that shows most of what was never seen, for where nothing else tells more."""
    news = [(len(set(seen.names).difference(heard.seen)), -len(moves), moves) for moves, seen in looks]
    count, _, moves = max(news, key=lambda look: look[:2], default=(0, 0, ()))
    return Actions(moves, Observe()) if count else None


def _pose(seen: Observation) -> ViewPose:
    return seen.standing_on, seen.heading


def _round(bits: float) -> float:
    return round(bits, 9)
