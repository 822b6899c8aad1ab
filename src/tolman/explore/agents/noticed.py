"""What someone who was told of a place before and after it changed can be sure has changed.

Nothing is guessed: a thing counts as moved only if it can't be where it was, and as turned only if it was seen to face
another way. Evidence of position counts from places that do not move: the start and the doors.
"""

from collections.abc import Iterable

from tolman.belief import Belief, Relation
from tolman.bins import FacingLabel
from tolman.explore.agents.acquaintance import Acquaintance
from tolman.explore.agents.recollection import Recollection
from tolman.explore.episode import Turn
from tolman.explore.heard import Heard, HeardEpisode
from tolman.geometry import Heading, difference
from tolman.sense import Observation, Sighting, in_view
from tolman.world import START, Change

_FACINGS = tuple(FacingLabel)
"""Quarter turns from the heading of an onlooker to the front of a thing, as an index."""
_PAIRS = 2000
"""Pairs of possible positions above which it is not worked out whether all of them would be in view."""


def notice_changes(heard: Heard) -> tuple[Change, ...]:
    """Things that are certain to have moved or turned since the first phase, in the order of the brief."""
    explored = tuple(turn for turn in heard.turns if turn.phase == "explore")
    belief, known = Recollection().of(HeardEpisode(heard.brief, explored))
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


def _out_of_place(view: Observation, belief: Belief, known: Acquaintance) -> list[str]:
    """What is in view where it can't have been, as seen from a place that did not move."""
    before = known.looks.get((view.standing_on, view.heading))
    return [
        sighting.name
        for sighting in view.sightings
        if sighting.name in known.zones
        and ((before and sighting.name not in before.names) or not _possible(sighting, view, belief))
    ]


def _missing(view: Observation, belief: Belief, known: Acquaintance) -> list[str]:
    """What is not in view where it must have been."""
    before = known.looks.get((view.standing_on, view.heading))
    gone = set(known.zones) - {START, view.standing_on, *view.names}
    return [name for name in gone if (before and name in before.names) or _must_be_seen(name, view, belief, known)]


def _possible(sighting: Sighting, view: Observation, belief: Belief) -> bool:
    """Whether something may have been seen there before the change."""
    told = Relation(sighting.name, view.standing_on, sighting.direction, sighting.distance, view.heading)
    return len(belief.stating((told,)).conflicts) == len(belief.conflicts)


def _must_be_seen(name: str, view: Observation, belief: Belief, known: Acquaintance) -> bool:
    """Whether something is in view from every place where it and the onlooker may have been."""
    if set(known.zones[name]).isdisjoint(known.zones.get(view.standing_on, ())):
        return False
    if belief.count(name) * belief.count(view.standing_on) > _PAIRS:
        return False
    here = belief.positions(view.standing_on)
    return all(in_view(difference(cell, origin), view.heading) for cell in belief.positions(name) for origin in here)
