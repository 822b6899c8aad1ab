"""Strategist: sweep each room, then look from the most uncertain things. The published proxy of the text logs."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

from tolman.belief import Belief, ExactPosition
from tolman.core.geometry import Heading, closest_heading, difference
from tolman.explore.agents.registry import Explorer, explorer, text_explorer
from tolman.explore.agents.tour import FloorPlanLike, InferredFloorPlan, Tour, TouringExplorer, TourSteps, TrueFloorPlan
from tolman.sense import Observation
from tolman.world import START, Scene

Edge = frozenset[str]


@explorer("strategist")
def strategist(scene: Scene, seed: int) -> Explorer:
    """A strategist; it makes no random choice, so the seed is not used."""
    del seed
    return TouringExplorer(lambda _: TrueFloorPlan(scene), studies)


@text_explorer("strategist")
def text_strategist(seed: int) -> Explorer:
    """A strategist without a floor plan, which finds its way by what it hears."""
    del seed
    return TouringExplorer(InferredFloorPlan, studies)


def studies(place: FloorPlanLike) -> TourSteps:
    """One study of each room."""
    tour = Tour(place)
    return tour.everywhere(partial(_study_room, tour))


class _RoomBelief:
    """What was learned of one room since it was entered, with the point of entry as origin."""

    def __init__(self, place: FloorPlanLike, room: int, entry: str) -> None:
        self._place, self._room, self._entry = place, room, entry
        self.nodes = place.names_in(room)
        self.belief = Belief.start(place.names, place.extent)
        if entry != START:
            self.belief = self.belief.stating((ExactPosition(entry, START, (0, 0)),))
        self.edges: set[Edge] = set()

    def learn(self, observation: Observation) -> None:
        """Take in what was seen of this room from within; the rest of the view is not its concern."""
        self.nodes = self._place.names_in(self._room)
        inside = set(self.nodes)
        if observation.standing_on not in (self._entry, *inside):
            return
        seen = Observation(
            observation.standing_on,
            observation.heading,
            tuple(s for s in observation.sightings if s.name in inside),
            tuple(p for p in observation.near_pairs if p.name in inside and p.other in inside),
        )
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
        """Where most of the possible positions of unrelated nodes lie, seen from the anchor's possible positions."""
        votes: Counter[Heading] = Counter()
        origins = self.belief.positions(anchor)
        for other in self.unrelated(anchor):
            for cell in self.belief.positions(other):
                votes.update(closest_heading(difference(cell, origin)) for origin in origins)
        best = [heading for heading in Heading if heading not in set(used) and votes[heading]]
        return max(best, key=lambda heading: (votes[heading], -heading), default=None)


def _study_room(tour: Tour, room: int, entry: str) -> TourSteps:
    study = _RoomBelief(tour.place, room, entry)
    yield from _learning(study, tour.sweep(room, entry))
    yield from _learning(study, _resolve(tour, room, study))


def _learning(study: _RoomBelief, looks: TourSteps) -> TourSteps:
    """Let a study see every observation that passes through."""
    try:
        actions = next(looks)
        while True:
            turn = yield actions
            if isinstance(turn.told, Observation):
                study.learn(turn.told)
            actions = looks.send(turn)
    except StopIteration:
        return


def _resolve(tour: Tour, room: int, study: _RoomBelief) -> TourSteps:
    """Look from one uncertain node after another until the room is settled."""
    used: set[str] = set()
    while not study.done:
        anchor = study.most_uncertain(used)
        if anchor is None:
            return
        used.add(anchor)
        looked: list[Heading] = []
        while not study.done and (heading := study.best_heading(anchor, looked)) is not None:
            if tour.standing_on != anchor:
                tour.go(anchor)
            tour.rotate_to(heading)
            yield from tour.look(room)
            looked.append(heading)
