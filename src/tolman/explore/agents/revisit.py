"""The revision policy of scripted agents: sweep the changed world, and detect the changes that are certain.

A change of position is certain only if observed from a place that does not move: the start or a door.
"""

from collections.abc import Iterable

from tolman.belief import Belief, Relation
from tolman.core.bins import FacingLabel
from tolman.core.geometry import Heading, difference
from tolman.explore.actions import Actions
from tolman.explore.agents.registry import most_text_turns
from tolman.explore.agents.scout import sweep_rooms
from tolman.explore.agents.tour import InferredFloorPlan, next_look
from tolman.explore.belief_tracker import BeliefTracker
from tolman.explore.episode import AgentHistory, Brief, TextHistory, Turn
from tolman.explore.topological_map import TopologicalMap
from tolman.sense import Observation, Sighting, in_view
from tolman.world import START, Change

_FACINGS = tuple(FacingLabel)
"""Indexed by the quarter turns from the heading of an observer to the front of a thing."""
_PAIRS = 2000
"""Most pairs of possible positions for which it is checked whether all of them would be in view."""


def detect_changes(history: AgentHistory) -> tuple[Change, ...]:
    """Things that have certainly moved or rotated since the first phase, in the order of the brief."""
    explored = tuple(turn for turn in history.turns if turn.phase == "explore")
    belief, topology = BeliefTracker().of(TextHistory(history.brief, explored))
    views = _views(turn for turn in history.turns if turn.phase == "revise")
    moved: set[str] = set()
    for view in views:
        if view.standing_on in (START, *history.brief.doors):
            moved.update(_out_of_place(view, belief, topology), _missing(view, belief, topology))
    old, new = _fronts(_views(explored)), _fronts(views)
    turned = {name for name in new if name in old and old[name] != new[name]}
    return tuple(
        Change(name, "position" if name in moved else "orientation")
        for name in history.brief.things
        if name in moved | turned
    )


def _views(turns: Iterable[Turn]) -> list[Observation]:
    return [turn.feedback for turn in turns if isinstance(turn.feedback, Observation)]


def _fronts(views: Iterable[Observation]) -> dict[str, Heading]:
    """The absolute facing of each thing, as last observed."""
    return {
        sighting.name: view.heading.turned(90 * _FACINGS.index(sighting.detail))
        for view in views
        for sighting in view.sightings
        if isinstance(sighting.detail, FacingLabel)
    }


def _out_of_place(view: Observation, belief: Belief, topology: TopologicalMap) -> list[str]:
    """Names in view where they can't have been before."""
    before = topology.looks.get((view.standing_on, view.heading))
    return [
        sighting.name
        for sighting in view.sightings
        if sighting.name in topology.zones
        and ((before and sighting.name not in before.names) or not _possible(sighting, view, belief))
    ]


def _missing(view: Observation, belief: Belief, topology: TopologicalMap) -> list[str]:
    """Names not in view where they must have been before."""
    before = topology.looks.get((view.standing_on, view.heading))
    gone = set(topology.zones) - {START, view.standing_on, *view.names}
    return [name for name in gone if (before and name in before.names) or _must_be_seen(name, view, belief, topology)]


def _possible(sighting: Sighting, view: Observation, belief: Belief) -> bool:
    """Whether a sighting is consistent with the belief before the change."""
    relation = Relation(sighting.name, view.standing_on, sighting.direction, sighting.distance, view.heading)
    return len(belief.with_statements((relation,)).conflicts) == len(belief.conflicts)


def _must_be_seen(name: str, view: Observation, belief: Belief, topology: TopologicalMap) -> bool:
    """Whether a name is in view for all possible positions of it and of the observer."""
    if set(topology.zones[name]).isdisjoint(topology.zones.get(view.standing_on, ())):
        return False
    if belief.count(name) * belief.count(view.standing_on) > _PAIRS:
        return False
    here = belief.positions(view.standing_on)
    return all(in_view(difference(cell, origin), view.heading) for cell in belief.positions(name) for origin in here)


def revisit(history: AgentHistory, changed_count: int) -> Actions | None:
    """The next turn of a scout's sweep through the changed world, or None when it is complete.

    It is complete when everything was seen again, or as many changes as were announced were detected and seen.
    """
    since = [turn for turn in history.turns if turn.phase == "revise"]
    seen = {name for view in _views(since) for name in view.names}
    found = [change for change in detect_changes(history) if change.name in seen]
    if len(found) >= changed_count or len(since) >= most_text_turns(history.brief.rooms):
        return None
    explored = tuple(turn for turn in history.turns if turn.phase == "explore")
    belief, topology = BeliefTracker().of(TextHistory(history.brief, explored))
    return next_look(RememberedFloorPlan(history.brief, belief, topology), sweep_rooms, since)


class RememberedFloorPlan(InferredFloorPlan):
    """A floor plan whose doors are remembered and whose things may have changed."""

    def __init__(self, brief: Brief, belief: Belief, topology: TopologicalMap) -> None:
        super().__init__(brief)
        fixed = self._fixed = {START, *brief.doors}
        self._belief = belief
        self._topology = TopologicalMap(
            {name: zones for name, zones in topology.zones.items() if name in fixed},
            dict(topology.into),
            {},
            {
                a: {b: h for b, h in topology.sight_lines[a].items() if b in fixed}
                for a in fixed & set(topology.sight_lines)
            },
        )

    def learn(self, observation: Observation) -> None:
        """Add one observation; only its doors are combined with the belief before the change."""
        self._topology.learn(observation)
        if observation.standing_on in self._fixed:
            doors = tuple(sighting for sighting in observation.sightings if sighting.name in self._fixed)
            self._belief = self._belief.after(Observation(observation.standing_on, observation.heading, doors, ()))
