"""The world that a scripted agent answers from: the true scene, or one built from samples consistent with its history.

The start of a believed scene is at (0, 0) in room 1; the other rooms are numbered as they were found.

Changes are detected as the fewest moved objects that explain the contradictions between old and new evidence. A rotated
thing was not moved, so a new front decides its change. A thing was certainly moved if it is in another room, if all its
positions in the old belief contradict the new evidence, or if it was not in view where it must have been.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from tolman.belief import Belief
from tolman.belief.cognitive_map import Placement
from tolman.core.geometry import Cell, Heading, difference
from tolman.core.seeds import rng
from tolman.explore.belief_tracker import SampledWorld, sample_world
from tolman.explore.episode import TextHistory
from tolman.explore.topological_map import TopologicalMap
from tolman.ideal.knowledge import (
    Evidence,
    Knowledge,
    evidence_in,
    fronts_in,
    knowledge_from,
    subject_of,
    update_topological_map,
)
from tolman.models.call_context import SceneCallContext
from tolman.models.scripted.conversation_parsing import GivenMap
from tolman.sense import Observation, in_view
from tolman.world import START, Change, Door, Room, Scene, Thing, changes_between

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


DEFAULT_ROOM_WIDTH = 6
"""Assumed width of rooms in cells where no room is known from wall to wall."""
_AXES = ((Heading.EAST, Heading.WEST), (Heading.NORTH, Heading.SOUTH))

RoomSide = tuple[int | None, int | None, list[int]]
"""First and last floor cell along one axis, where known from a door, and cells that must lie between."""


def believed_rooms(topology: TopologicalMap, cells: Mapping[str, Cell]) -> tuple[Room, ...]:
    """One rectangle for each zone, numbered from 1, in the frame of `cells`."""
    zones = range(topology.zone_count)
    along = [[_side(topology, cells, zone, axis) for zone in zones] for axis in range(2)]
    (xs, ys) = ([_span(side, _width(sides)) for side in sides] for sides in along)
    return tuple(Room(zone + 1, (xs[zone][0], ys[zone][0]), (xs[zone][1], ys[zone][1])) for zone in zones)


def _side(topology: TopologicalMap, cells: Mapping[str, Cell], zone: int, axis: int) -> RoomSide:
    up, down = _AXES[axis]
    low = high = None
    inside: list[int] = []
    for name, zones in topology.zones.items():
        if zone in zones and name in cells:
            place, inward = cells[name][axis], topology.into.get((name, zone))
            if inward == up:
                low = place + 1
            elif inward == down:
                high = place - 1
            else:
                inside.append(place)
    return low, high, inside


def _width(sides: list[RoomSide]) -> int:
    """The width of rooms along an axis: rooms of one scene are mostly of one size."""
    exact = [high - low + 1 for low, high, _ in sides if low is not None and high is not None]
    spans = [max(inside) - min(inside) + 1 for _, _, inside in sides if inside]
    return max(exact) if exact else max([DEFAULT_ROOM_WIDTH, *spans])


def _span(side: RoomSide, width: int) -> tuple[int, int]:
    """First and last cell of a room along an axis; never empty, although a belief may contradict itself."""
    low, high, inside = side
    if low is not None and high is not None:
        return low, max(low, high)
    if low is not None:
        return low, max([low + width - 1, *inside])
    if high is not None:
        return min([high - width + 1, *inside]), high
    if not inside:
        return 0, width - 1
    spare = max(0, width - (max(inside) - min(inside) + 1))
    return min(inside) - spare // 2, max(inside) + spare - spare // 2


WORLD_DRAWS = 8
"""Worlds sampled from an uncertain belief; the one closest to their mean is the believed world."""
GivenPlacements = Mapping[str, Placement]
"""Positions in cells east and north of the start, and facings, by name."""
NO_ROOM = 0
"""Room number of things in none of the rooms found, which are never in view."""


@dataclass(frozen=True)
class BelievedWorld(Scene):
    """A scene without validation, as a belief may contradict itself."""

    def __post_init__(self) -> None:
        pass


@dataclass(frozen=True)
class WorldSamples:
    """Worlds sampled from an agent's knowledge, each consistent with it."""

    knowledge: Knowledge
    draws: tuple[SampledWorld, ...]
    seed: int
    given: GivenPlacements
    """Placements of a given map, which override the samples."""

    @property
    def closest_to_mean(self) -> BelievedWorld:
        """The believed world: the sample closest to the mean of all."""
        return _build_world(self, _nearest_to_mean(self.knowledge, self.draws))

    def others(self) -> Iterator[BelievedWorld]:
        """The worlds of all samples."""
        return (_build_world(self, draw) for draw in self.draws)


def sample_worlds(knowledge: Knowledge, seed: int, given: GivenPlacements | None = None) -> WorldSamples:
    """Sample worlds: one if it is certain, else `WORLD_DRAWS`. Placements given beyond the extent are ignored."""
    stream = rng(seed, "believed world")
    certain = all(knowledge.belief.count(name) == 1 for name in knowledge.topology.zones)
    draws = [
        sample_world(knowledge.belief, knowledge.topology, knowledge.brief, stream)
        for _ in range(1 if certain else WORLD_DRAWS)
    ]
    extent = knowledge.belief.extent
    near = {name: placed for name, placed in (given or {}).items() if max(map(abs, placed.position)) <= extent}
    return WorldSamples(knowledge, tuple(draws), seed, near)


def _nearest_to_mean(knowledge: Knowledge, draws: Sequence[SampledWorld]) -> SampledWorld:
    """The sample with the least squared distance to the mean of all, over the names seen."""
    names = [name for name in knowledge.topology.zones if all(name in draw.cells for draw in draws)]
    means = {
        name: tuple(sum(draw.cells[name][axis] for draw in draws) / len(draws) for axis in range(2)) for name in names
    }

    def error(draw: SampledWorld) -> float:
        return sum((a - b) ** 2 for name in names for a, b in zip(draw.cells[name], means[name], strict=True))

    return min(draws, key=error)


def _build_world(samples: WorldSamples, draw: SampledWorld) -> BelievedWorld:
    """The world of one sample; names without a position or facing in it get random ones."""
    knowledge, given = samples.knowledge, samples.given
    brief, topology = knowledge.brief, knowledge.topology
    cells = draw.cells | {name: (round(at.position[0]), round(at.position[1])) for name, at in given.items()}
    rooms = believed_rooms(topology, cells)
    floor = [cell for room in rooms for cell in room.cells]
    stream = rng(samples.seed, "unseen things")
    cells = {name: floor[int(stream.integers(len(floor)))] for name in brief.names} | cells
    fronts = {name: Heading(int(stream.integers(4))) for name in brief.things} | knowledge.fronts
    fronts |= {name: placed.facing for name, placed in given.items()}
    things = [Thing(name, "", cells[name], fronts[name], _room(name, draw, rooms, given)) for name in brief.things]
    doors = [_door(name, cells[name], topology) for name in brief.doors]
    return BelievedWorld(rooms, tuple(doors), tuple(things), (0, 0))


def _room(name: str, draw: SampledWorld, rooms: tuple[Room, ...], given: GivenPlacements) -> int:
    """The room number of a thing: that of its zone in the sample, else of the room that contains its given position."""
    if name in draw.zones:
        return draw.zones[name][0] + 1
    at = given[name].position if name in given else None
    return next((room.id for room in rooms if at and room.holds((round(at[0]), round(at[1])))), NO_ROOM)


def _door(name: str, cell: Cell, topology: TopologicalMap) -> Door:
    """A door between two rooms found; one never seen has `NO_ROOM` on both sides."""
    sides = sorted(
        (topology.into[name, zone] not in (Heading.EAST, Heading.NORTH), zone) for zone in _zones(name, topology)
    )
    if len(sides) < 2:
        return Door(name, cell, (NO_ROOM, NO_ROOM), "x")
    (_, high), (_, low) = sides[:2]
    inward = topology.into[name, high]
    return Door(name, cell, (low + 1, high + 1), "x" if inward in (Heading.EAST, Heading.WEST) else "y")


def _zones(name: str, topology: TopologicalMap) -> list[int]:
    return [zone for zone in topology.zones.get(name, ()) if (name, zone) in topology.into]


@dataclass(frozen=True)
class AgentBelief:
    """The world that an agent believes in, and how certain it is."""

    world: Scene
    changes: tuple[Change, ...]
    """Detected changes, most certain first."""
    source: str
    """Where the belief comes from, as the agent states it in its replies."""
    unknown_fronts: frozenset[str] = frozenset()
    """Things whose front was never observed."""
    samples: WorldSamples | None = None

    def others(self) -> Iterator[Scene]:
        """The worlds of all samples."""
        return iter(()) if self.samples is None else self.samples.others()


def belief_from_truth(context: SceneCallContext) -> AgentBelief:
    """The belief of an agent that is given the true scene."""
    changes = changes_between(context.before, context.scene) if context.before else ()
    return AgentBelief(context.scene, changes, "I was handed the true world.")


@lru_cache(maxsize=128)
def belief_from_history(history: TextHistory, changed: int | None, given: GivenMap, seed: int) -> AgentBelief:
    """The belief of an agent that knows only its history."""
    revised = _revised(history, changed)
    knowledge, brief = revised.knowledge, history.brief
    samples = sample_worlds(knowledge, seed, dict(given))
    unknown_fronts = {name for name in brief.things if name not in knowledge.fronts and name not in dict(given)}
    source = _source(knowledge, given)
    return AgentBelief(samples.closest_to_mean, revised.changes, source, frozenset(unknown_fronts), samples)


def _source(knowledge: Knowledge, given: GivenMap) -> str:
    if given:
        return "I work this out on the map that I was given."
    names = knowledge.brief.names
    certain = sum(knowledge.belief.count(name) == 1 for name in names)
    return f"I work this out on my own map: {certain} of {len(names)} positions are certain."


def _revised(history: TextHistory, changed: int | None) -> RevisedKnowledge:
    memory = knowledge_from(history.brief, evidence_in(turn for turn in history.turns if turn.phase == "explore"))
    if history.phase == "explore":
        return RevisedKnowledge(memory, ())
    since = evidence_in(turn for turn in history.turns if turn.phase == "revise")
    return revise(memory, since, changed or 0)
