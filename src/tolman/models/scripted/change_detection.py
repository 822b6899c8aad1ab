"""What changed behind someone's back: the fewest moved things that explain why memory and new evidence disagree.

A turned thing was not moved, so a new front settles a thing. A thing was surely moved if it is in another room, if the
positions that memory leaves it all contradict what was heard since, or if it was not seen where it must have been.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from tolman.belief import Belief
from tolman.core.geometry import Heading, difference
from tolman.explore.topological_map import TopologicalMap
from tolman.ideal.knowledge import Evidence, Knowledge, fronts_in, subject_of, update_topological_map
from tolman.sense import Observation, in_view
from tolman.world import START, Change

MOST_PAIRS = 400
"""Pairs of possible positions up to which it is worked out whether something must have been in view."""
LIKELY_SHARE = 0.5
"""Share of those pairs in which something should have been seen, from which on it is called moved."""


@dataclass(frozen=True)
class RevisedKnowledge:
    """What is known after the change, and the changes found, surest first."""

    knowledge: Knowledge
    changes: tuple[Change, ...]


def revise(memory: Knowledge, since: Sequence[Evidence], count: int) -> RevisedKnowledge:
    """Memory, set right by what was heard since `count` things changed. Doors and the start are where they were."""
    places, since = _map_since_change(memory, since)
    now = fronts_in(memory.brief, since)
    turned = [name for name, front in now.items() if name in memory.fronts and memory.fronts[name] != front]
    moved = _moved(memory, places, since, turned, count - len(turned))
    likely = _likely(memory, places, since, [*turned, *moved])
    found = [*(Change(name, "orientation") for name in turned), *(Change(name, "position") for name in moved + likely)]
    changes = tuple(found[: max(0, count)])
    gone = {change.name for change in changes if change.kind == "position"}
    belief = _belief_without(memory, gone, since)
    known = _remembered_map(memory, places, gone)
    return RevisedKnowledge(Knowledge(memory.brief, belief, known, {**memory.fronts, **now}), changes)


# ---- rooms ----


def _map_since_change(memory: Knowledge, since: Iterable[Evidence]) -> tuple[TopologicalMap, tuple[Evidence, ...]]:
    """Who is in which room by what was heard since the change, and what of that makes sense.

    Only doors are remembered, and the rooms of things that one stands on or asks about.
    """
    zones = memory.known.zones
    known = TopologicalMap({name: zones[name] for name in zones if len(zones[name]) > 1 or name == START})
    known.into.update(memory.known.into)
    told: list[Evidence] = []
    for piece in since:
        place = subject_of(piece)
        if place in zones:
            known.zones.setdefault(place, zones[place])
        told += update_topological_map(known, [piece])
    return known, tuple(told)


def _remembered_map(memory: Knowledge, places: TopologicalMap, gone: Iterable[str]) -> TopologicalMap:
    """Rooms as told since the change, and as remembered for what was neither seen nor missed since."""
    kept = {name: zones for name, zones in memory.known.zones.items() if name not in set(gone)}
    return TopologicalMap({**kept, **places.zones}, places.into, places.looks, places.sight_lines)


# ---- positions ----


def _belief_without(memory: Knowledge, gone: Iterable[str], since: Iterable[Evidence]) -> Belief:
    """Positions if just the things that are `gone` were moved."""
    lost = set(gone)
    domains = {name: bits for name, bits in memory.belief.domains.items() if name not in lost}
    links = {
        name: {other: shifter for other, shifter in linked.items() if other not in lost}
        for name, linked in memory.belief.links.items()
        if name not in lost
    }
    return Belief(memory.belief.names, memory.belief.extent, domains, links).after_all(since)


def _moved(
    memory: Knowledge, places: TopologicalMap, since: Sequence[Evidence], turned: Iterable[str], most: int
) -> list[str]:
    """Things that must have been moved: first those in another room, then one by one what explains most."""
    zones = memory.known.zones
    fixed = set(turned)
    free = [name for name in memory.brief.things if name in zones and name not in fixed]
    moved = [name for name in free if name in places.zones and set(places.zones[name]).isdisjoint(zones[name])]
    trouble = _contradictions(memory, places, since, moved)
    while trouble and len(moved) < most:
        left = [name for name in free if name not in moved]
        after = {name: _contradictions(memory, places, since, [*moved, name]) for name in left}
        best = min(after, key=lambda name: after[name], default=None)
        if best is None or after[best] >= trouble:
            break
        moved.append(best)
        trouble = after[best]
    return moved[: max(0, most)]


def _contradictions(memory: Knowledge, places: TopologicalMap, since: Sequence[Evidence], moved: Sequence[str]) -> int:
    """Contradictions that remain if just these things were moved."""
    belief = _belief_without(memory, moved, since)
    absent = _absent(memory, belief, places, since, moved)
    return len(belief.conflicts) + sum(share == 1.0 for shares in absent.values() for share in shares)


def _likely(memory: Knowledge, places: TopologicalMap, since: Sequence[Evidence], settled: Sequence[str]) -> list[str]:
    """Things that were probably moved, as they were not seen where they should have been; surest first."""
    belief = _belief_without(memory, settled, since)
    shares = {name: max(found) for name, found in _absent(memory, belief, places, since, settled).items()}
    return sorted((name for name in shares if shares[name] >= LIKELY_SHARE), key=lambda name: -shares[name])


def _absent(
    memory: Knowledge, belief: Belief, places: TopologicalMap, since: Iterable[Evidence], settled: Sequence[str]
) -> dict[str, list[float]]:
    """For things missing from views: the share of possible positions, look by look, in which they would be there."""
    zones = memory.known.zones
    shares: dict[str, list[float]] = {}
    for look in since:
        if not isinstance(look, Observation) or look.standing_on not in places.zones:
            continue
        here = places.zones[look.standing_on]
        for name in memory.brief.things:
            missing = name in zones and name not in settled and name not in {*look.names, look.standing_on}
            if missing and not set(zones[name]).isdisjoint(here):
                share = _share_in_view(belief, name, look.standing_on, look.heading)
                if share:
                    shares.setdefault(name, []).append(share)
    return shares


def _share_in_view(belief: Belief, name: str, place: str, heading: Heading) -> float:
    """Share of pairs of possible positions in which a thing is in view from a place; 0 where there are too many."""
    if belief.count(name) * belief.count(place) > MOST_PAIRS:
        return 0.0
    pairs = list(product(belief.positions(name), belief.positions(place)))
    return sum(in_view(difference(cell, here), heading) for cell, here in pairs) / len(pairs)
