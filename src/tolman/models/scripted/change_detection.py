"""Detection of changes: the fewest moved objects that explain the contradictions between old and new evidence.

A rotated thing was not moved, so a new front decides its change. A thing was certainly moved if it is in another room,
if all its positions in the old belief contradict the new evidence, or if it was not in view where it must have been.
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
"""Most pairs of possible positions for which it is checked whether a thing should have been in view."""
LIKELY_SHARE = 0.5
"""Share of those pairs with the thing in view, from which on it is reported as moved."""


@dataclass(frozen=True)
class RevisedKnowledge:
    """The knowledge after the change, and the detected changes, most certain first."""

    knowledge: Knowledge
    changes: tuple[Change, ...]


def revise(memory: Knowledge, since: Sequence[Evidence], count: int) -> RevisedKnowledge:
    """Old knowledge revised by the evidence since `count` things changed. Doors and the start have not moved."""
    places, since = _map_since_change(memory, since)
    now = fronts_in(memory.brief, since)
    turned = [name for name, front in now.items() if name in memory.fronts and memory.fronts[name] != front]
    moved = _moved(memory, places, since, turned, count - len(turned))
    likely = _likely(memory, places, since, [*turned, *moved])
    found = [*(Change(name, "orientation") for name in turned), *(Change(name, "position") for name in moved + likely)]
    changes = tuple(found[: max(0, count)])
    gone = {change.name for change in changes if change.kind == "position"}
    belief = _belief_without(memory, gone, since)
    topology = _remembered_map(memory, places, gone)
    return RevisedKnowledge(Knowledge(memory.brief, belief, topology, {**memory.fronts, **now}), changes)


# ---- rooms ----


def _map_since_change(memory: Knowledge, since: Iterable[Evidence]) -> tuple[TopologicalMap, tuple[Evidence, ...]]:
    """The topological map by the evidence since the change, and the evidence that can be used.

    Only doors are kept from before, and the rooms of things that the agent stands on or queries.
    """
    zones = memory.topology.zones
    topology = TopologicalMap({name: zones[name] for name in zones if len(zones[name]) > 1 or name == START})
    topology.into.update(memory.topology.into)
    usable: list[Evidence] = []
    for piece in since:
        place = subject_of(piece)
        if place in zones:
            topology.zones.setdefault(place, zones[place])
        usable += update_topological_map(topology, [piece])
    return topology, tuple(usable)


def _remembered_map(memory: Knowledge, places: TopologicalMap, gone: Iterable[str]) -> TopologicalMap:
    """Rooms by the new evidence, and as before for names neither seen nor missed since."""
    kept = {name: zones for name, zones in memory.topology.zones.items() if name not in set(gone)}
    return TopologicalMap({**kept, **places.zones}, places.into, places.looks, places.sight_lines)


# ---- positions ----


def _belief_without(memory: Knowledge, gone: Iterable[str], since: Iterable[Evidence]) -> Belief:
    """The belief if exactly the things in `gone` were moved."""
    lost = set(gone)
    domains = {name: bits for name, bits in memory.belief.domains.items() if name not in lost}
    links = {
        name: {other: displacements for other, displacements in linked.items() if other not in lost}
        for name, linked in memory.belief.links.items()
        if name not in lost
    }
    return Belief(memory.belief.names, memory.belief.extent, domains, links).after_all(since)


def _moved(
    memory: Knowledge, places: TopologicalMap, since: Sequence[Evidence], turned: Iterable[str], most: int
) -> list[str]:
    """Things that must have been moved: those in another room, then greedily those that resolve most contradictions."""
    zones = memory.topology.zones
    fixed = set(turned)
    free = [name for name in memory.brief.things if name in zones and name not in fixed]
    moved = [name for name in free if name in places.zones and set(places.zones[name]).isdisjoint(zones[name])]
    remaining = _contradictions(memory, places, since, moved)
    while remaining and len(moved) < most:
        left = [name for name in free if name not in moved]
        after = {name: _contradictions(memory, places, since, [*moved, name]) for name in left}
        best = min(after, key=lambda name: after[name], default=None)
        if best is None or after[best] >= remaining:
            break
        moved.append(best)
        remaining = after[best]
    return moved[: max(0, most)]


def _contradictions(memory: Knowledge, places: TopologicalMap, since: Sequence[Evidence], moved: Sequence[str]) -> int:
    """Number of contradictions that remain if exactly these things were moved."""
    belief = _belief_without(memory, moved, since)
    absent = _absent(memory, belief, places, since, moved)
    return len(belief.conflicts) + sum(share == 1.0 for shares in absent.values() for share in shares)


def _likely(memory: Knowledge, places: TopologicalMap, since: Sequence[Evidence], settled: Sequence[str]) -> list[str]:
    """Things that were probably moved, as they were not in view where they should have been; most certain first."""
    belief = _belief_without(memory, settled, since)
    shares = {name: max(found) for name, found in _absent(memory, belief, places, since, settled).items()}
    return sorted((name for name in shares if shares[name] >= LIKELY_SHARE), key=lambda name: -shares[name])


def _absent(
    memory: Knowledge, belief: Belief, places: TopologicalMap, since: Iterable[Evidence], settled: Sequence[str]
) -> dict[str, list[float]]:
    """For things missing from views: per observation, the share of possible positions that would be in view."""
    zones = memory.topology.zones
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
