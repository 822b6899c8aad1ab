"""What someone can know of a place from what was said to them: positions, rooms, and which way things face."""

from collections.abc import Iterable
from dataclasses import dataclass

from tolman.belief import Belief
from tolman.core.bins import FacingLabel
from tolman.core.geometry import Heading
from tolman.explore.belief_tracker import default_extent
from tolman.explore.episode import Brief, Turn
from tolman.explore.topological_map import TopologicalMap
from tolman.sense import Location, Observation

Evidence = Observation | Location
Fronts = dict[str, Heading | None]
"""By thing that was looked at: the way its front points, None for one that has no front."""

_TURNED = {FacingLabel.FORWARD: 0, FacingLabel.RIGHT: 90, FacingLabel.BACKWARD: 180, FacingLabel.LEFT: -90}
"""Clockwise degrees from someone's heading to the front of what they see."""


@dataclass(frozen=True)
class Knowledge:
    """All that follows from some evidence. `known` is not to be changed once it is here."""

    brief: Brief
    belief: Belief
    known: TopologicalMap
    fronts: Fronts


def knowledge_from(brief: Brief, evidence: Iterable[Evidence], extent: int | None = None) -> Knowledge:
    """What evidence from a world that does not change teaches.

    Positions lie within `extent` cells of the start along each axis, or within `default_extent` where that is not told.
    """
    known = TopologicalMap()
    told = update_topological_map(known, evidence)
    belief = Belief.start(brief.names, extent or default_extent(brief)).after_all(told)
    return Knowledge(brief, belief, known, fronts_in(brief, told))


def update_topological_map(known: TopologicalMap, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Take in looks one after the other; the evidence without what is about, or from, places never heard of."""
    told: list[Evidence] = []
    for piece in evidence:
        if subject_of(piece) in known.zones:
            told.append(piece)
            if isinstance(piece, Observation):
                known.learn(piece)
    return tuple(told)


def subject_of(piece: Evidence) -> str:
    """The place that a look is from, or that a query is about."""
    return piece.standing_on if isinstance(piece, Observation) else piece.name


def evidence_in(turns: Iterable[Turn]) -> tuple[Evidence, ...]:
    """What some turns were told."""
    return tuple(turn.told for turn in turns if turn.told is not None)


def fronts_in(brief: Brief, evidence: Iterable[Evidence]) -> Fronts:
    """Fronts of things, as last told. What a look says of a thing without a front goes before what a query says."""
    seen: Fronts = {}
    asked: Fronts = {}
    for piece in evidence:
        if isinstance(piece, Location):
            asked[piece.name] = piece.facing
        else:
            for sighting in piece.sightings:
                turn = _TURNED.get(sighting.detail) if isinstance(sighting.detail, FacingLabel) else None
                seen[sighting.name] = None if turn is None else piece.heading.turned(turn)
    things = set(brief.things)
    return {name: front for name, front in {**asked, **seen}.items() if name in things}
