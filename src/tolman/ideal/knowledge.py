"""What an agent can know from its evidence: positions, rooms, and the facings of objects."""

from collections.abc import Iterable
from dataclasses import dataclass

from tolman.belief import Belief, Evidence
from tolman.core.bins import FacingLabel
from tolman.core.geometry import Heading
from tolman.explore.belief_tracker import default_extent
from tolman.explore.episode import Brief, Turn
from tolman.explore.topological_map import TopologicalMap
from tolman.sense import Location, Observation

Fronts = dict[str, Heading | None]
"""By observed thing: the heading of its front, None for one without a front."""

_TURNED = {FacingLabel.FORWARD: 0, FacingLabel.RIGHT: 90, FacingLabel.BACKWARD: 180, FacingLabel.LEFT: -90}
"""Clockwise degrees from an observer's heading to the front of an object in view."""


@dataclass(frozen=True)
class Knowledge:
    """All that follows from some evidence. The topological map must not be changed afterwards."""

    brief: Brief
    belief: Belief
    topology: TopologicalMap
    fronts: Fronts


def knowledge_from(brief: Brief, evidence: Iterable[Evidence], extent: int | None = None) -> Knowledge:
    """What follows from evidence about an unchanged world.

    Positions lie within `extent` cells of the start along each axis, by default within `default_extent`.
    """
    topology = TopologicalMap()
    usable = update_topological_map(topology, evidence)
    belief = Belief.start(brief.names, extent or default_extent(brief)).after_all(usable)
    return Knowledge(brief, belief, topology, fronts_in(brief, usable))


def update_topological_map(topology: TopologicalMap, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Add observations in order; returns the evidence without what is from, or about, unknown places."""
    usable: list[Evidence] = []
    for piece in evidence:
        if subject_of(piece) in topology.zones:
            usable.append(piece)
            if isinstance(piece, Observation):
                topology.learn(piece)
    return tuple(usable)


def subject_of(piece: Evidence) -> str:
    """The place of an observation, or the subject of a query."""
    return piece.standing_on if isinstance(piece, Observation) else piece.name


def evidence_in(turns: Iterable[Turn]) -> tuple[Evidence, ...]:
    """The evidence that some turns returned."""
    return tuple(turn.feedback for turn in turns if turn.feedback is not None)


def fronts_in(brief: Brief, evidence: Iterable[Evidence]) -> Fronts:
    """Fronts of things, as last reported; observations take precedence over queries."""
    seen: Fronts = {}
    queried: Fronts = {}
    for piece in evidence:
        if isinstance(piece, Location):
            queried[piece.name] = piece.facing
        else:
            for sighting in piece.sightings:
                turn = _TURNED.get(sighting.detail) if isinstance(sighting.detail, FacingLabel) else None
                seen[sighting.name] = None if turn is None else piece.heading.turned(turn)
    things = set(brief.things)
    return {name: front for name, front in {**queried, **seen}.items() if name in things}
