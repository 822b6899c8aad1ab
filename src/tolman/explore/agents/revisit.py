"""The revision policy of scripted agents: go through a changed world again, and detect the changes that are certain.

A change counts only if it is certain: evidence of position comes from places that do not move, the start and the
doors.
"""

from collections.abc import Iterable

from tolman.belief import Belief, Relation
from tolman.core.bins import FacingLabel
from tolman.core.geometry import Heading, difference
from tolman.explore.actions import Actions
from tolman.explore.agents.registry import MOST_TEXT_TURNS
from tolman.explore.agents.scout import sweeps
from tolman.explore.agents.tour import InferredFloorPlan, next_look
from tolman.explore.belief_tracker import BeliefTracker
from tolman.explore.episode import AgentHistory, Brief, TextHistory, Turn
from tolman.explore.topological_map import TopologicalMap
from tolman.sense import Observation, Sighting, in_view
from tolman.world import START, Change

_FACINGS = tuple(FacingLabel)
"""Quarter turns from the heading of an onlooker to the front of a thing, as an index."""
_PAIRS = 2000
"""Pairs of possible positions above which it is not worked out whether all of them would be in view."""


def detect_changes(heard: AgentHistory) -> tuple[Change, ...]:
    """Things that are certain to have moved or turned since the first phase, in the order of the brief."""
    explored = tuple(turn for turn in heard.turns if turn.phase == "explore")
    belief, known = BeliefTracker().of(TextHistory(heard.brief, explored))
    views = _views(turn for turn in heard.turns if turn.phase == "revise")
    moved: set[str] = set()
    for view in views:
        if view.standing_on in (START, *heard.brief.doors):
            moved.update(_out_of_place(view, belief, known), _missing(view, belief, known))
    old, new = _fronts(_views(explored)), _fronts(views)
    turned = {name for name in new if name in old and old[name] != new[name]}
    return tuple(
        Change(name, "position" if name in moved else "orientation")
        for name in heard.brief.things
        if name in moved | turned
    )


def _views(turns: Iterable[Turn]) -> list[Observation]:
    return [turn.told for turn in turns if isinstance(turn.told, Observation)]


def _fronts(views: Iterable[Observation]) -> dict[str, Heading]:
    """The way each thing faces, in the world's frame, from the looks that told it."""
    return {
        sighting.name: view.heading.turned(90 * _FACINGS.index(sighting.detail))
        for view in views
        for sighting in view.sightings
        if isinstance(sighting.detail, FacingLabel)
    }


def _out_of_place(view: Observation, belief: Belief, known: TopologicalMap) -> list[str]:
    """What is in view where it can't have been, as seen from a place that did not move."""
    before = known.looks.get((view.standing_on, view.heading))
    return [
        sighting.name
        for sighting in view.sightings
        if sighting.name in known.zones
        and ((before and sighting.name not in before.names) or not _possible(sighting, view, belief))
    ]


def _missing(view: Observation, belief: Belief, known: TopologicalMap) -> list[str]:
    """What is not in view where it must have been."""
    before = known.looks.get((view.standing_on, view.heading))
    gone = set(known.zones) - {START, view.standing_on, *view.names}
    return [name for name in gone if (before and name in before.names) or _must_be_seen(name, view, belief, known)]


def _possible(sighting: Sighting, view: Observation, belief: Belief) -> bool:
    """Whether something may have been seen there before the change."""
    told = Relation(sighting.name, view.standing_on, sighting.direction, sighting.distance, view.heading)
    return len(belief.stating((told,)).conflicts) == len(belief.conflicts)


def _must_be_seen(name: str, view: Observation, belief: Belief, known: TopologicalMap) -> bool:
    """Whether something is in view from every place where it and the onlooker may have been."""
    if set(known.zones[name]).isdisjoint(known.zones.get(view.standing_on, ())):
        return False
    if belief.count(name) * belief.count(view.standing_on) > _PAIRS:
        return False
    here = belief.positions(view.standing_on)
    return all(in_view(difference(cell, origin), view.heading) for cell in belief.positions(name) for origin in here)


def revisit(heard: AgentHistory, changed_count: int) -> Actions | None:
    """The next look of a scout's sweep through the changed place, or None when there is nothing more to look at.

    That is when everything was seen again, or as many things as are said to have changed were both noticed and seen.
    """
    since = [turn for turn in heard.turns if turn.phase == "revise"]
    told = [turn.told for turn in since if isinstance(turn.told, Observation)]
    seen = {name for view in told for name in view.names}
    found = [change for change in detect_changes(heard) if change.name in seen]
    if len(found) >= changed_count or len(since) >= MOST_TEXT_TURNS:
        return None
    explored = tuple(turn for turn in heard.turns if turn.phase == "explore")
    belief, known = BeliefTracker().of(TextHistory(heard.brief, explored))
    return next_look(RememberedFloorPlan(heard.brief, belief, known), sweeps, since)


class RememberedFloorPlan(InferredFloorPlan):
    """A place whose doors are remembered and whose things may have changed."""

    def __init__(self, brief: Brief, belief: Belief, known: TopologicalMap) -> None:
        super().__init__(brief)
        fixed = self._fixed = {START, *brief.doors}
        self._belief = belief
        self._known = TopologicalMap(
            {name: zones for name, zones in known.zones.items() if name in fixed},
            dict(known.into),
            {},
            {a: {b: h for b, h in known.sight_lines[a].items() if b in fixed} for a in fixed & set(known.sight_lines)},
        )

    def learn(self, observation: Observation) -> None:
        """Take in one look. Only what it says of doors is set beside what was believed before the change."""
        self._known.learn(observation)
        if observation.standing_on in self._fixed:
            doors = tuple(sighting for sighting in observation.sightings if sighting.name in self._fixed)
            self._belief = self._belief.after(Observation(observation.standing_on, observation.heading, doors, ()))
