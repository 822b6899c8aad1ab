"""Strategist: sweep each room, then observe from its most uncertain objects. The published proxy of the text logs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from tolman.belief import Belief, ExactPosition
from tolman.core.geometry import Heading, closest_heading, difference
from tolman.explore.agents.tour import FloorPlanLike, Tour, TourSteps, touring_explorer
from tolman.sense import Observation
from tolman.world import START

Edge = frozenset[str]


@touring_explorer("strategist")
def resolve_rooms(floor_plan: FloorPlanLike) -> TourSteps:
    """Sweep each room, then resolve its uncertain positions."""
    tour = Tour(floor_plan)
    return tour.everywhere(partial(_explore_room, tour))


class _RoomBelief:
    """The belief about one room since it was entered, with the point of entry as origin."""

    def __init__(self, floor_plan: FloorPlanLike, room: int, entry: str) -> None:
        self._floor_plan, self._room, self._entry = floor_plan, room, entry
        self.nodes = floor_plan.names_in(room)
        self.belief = Belief.start(floor_plan.names, floor_plan.extent)
        if entry != START:
            self.belief = self.belief.with_statements((ExactPosition(entry, START, (0, 0)),))
        self.edges: set[Edge] = set()

    def learn(self, observation: Observation) -> None:
        """Add what was seen of this room from within it; the rest of the view is ignored."""
        self.nodes = self._floor_plan.names_in(self._room)
        inside = set(self.nodes)
        if observation.standing_on not in (self._entry, *inside):
            return
        sightings = tuple(s for s in observation.sightings if s.name in inside)
        near_pairs = tuple(p for p in observation.near_pairs if p.name in inside and p.other in inside)
        seen = replace(observation, sightings=sightings, near_pairs=near_pairs)
        self.belief = self.belief.after(seen)
        self.edges |= {frozenset((seen.standing_on, name)) for name in seen.names}

    def unrelated(self, name: str) -> list[str]:
        """Nodes of the room that were never seen from this one, nor this one from them."""
        return [other for other in self.nodes if other != name and frozenset((name, other)) not in self.edges]

    @property
    def done(self) -> bool:
        certain = all(self.belief.is_constrained(name) and self.belief.count(name) == 1 for name in self.nodes)
        return certain or not any(self.unrelated(name) for name in self.nodes)

    def most_uncertain(self, used: set[str]) -> str | None:
        """The node with most possible positions among those that still lack a relation."""
        free = [name for name in self.nodes if name not in used and self.unrelated(name)]
        return min(free, key=lambda name: (-self.belief.count(name), name), default=None)

    def best_heading(self, anchor: str, used: Iterable[Heading]) -> Heading | None:
        """The heading towards most possible positions of unrelated nodes, from the anchor's possible positions."""
        votes: Counter[Heading] = Counter()
        origins = self.belief.positions(anchor)
        for other in self.unrelated(anchor):
            for cell in self.belief.positions(other):
                votes.update(closest_heading(difference(cell, origin)) for origin in origins)
        best = [heading for heading in Heading if heading not in set(used) and votes[heading]]
        return max(best, key=lambda heading: (votes[heading], -heading), default=None)


def _explore_room(tour: Tour, room: int, entry: str) -> TourSteps:
    belief = _RoomBelief(tour.floor_plan, room, entry)
    yield from _updating(belief, tour.sweep(room, entry))
    yield from _updating(belief, _resolve(tour, room, belief))


def _updating(belief: _RoomBelief, looks: TourSteps) -> TourSteps:
    """The same steps, with the belief updated by every observation."""
    try:
        actions = next(looks)
        while True:
            turn = yield actions
            if isinstance(turn.feedback, Observation):
                belief.learn(turn.feedback)
            actions = looks.send(turn)
    except StopIteration:
        return


def _resolve(tour: Tour, room: int, belief: _RoomBelief) -> TourSteps:
    """Observe from one uncertain node after another until the room is resolved."""
    used: set[str] = set()
    while not belief.done:
        anchor = belief.most_uncertain(used)
        if anchor is None:
            return
        used.add(anchor)
        looked: list[Heading] = []
        while not belief.done and (heading := belief.best_heading(anchor, looked)) is not None:
            if tour.standing_on != anchor:
                tour.go(anchor)
            tour.rotate_to(heading)
            yield from tour.look(room)
            looked.append(heading)
