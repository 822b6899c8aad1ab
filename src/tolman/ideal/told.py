"""Everything that an exploration told about displacements, positive and negative, as tables of what is still allowed.

A look from A tells where each listed name is, and that no other name of A's rooms is in view; that two listed names are
close together or are not; a move tells that its target was in view, or was not; a query tells an exact position. Each
is a set of allowed displacements between two names in cells east and north.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np

from tolman.core.bins import NEAR, cardinal_relation, ego_relation
from tolman.core.geometry import Cell, Heading, distance
from tolman.explore.actions import Rotate
from tolman.explore.episode import Brief, Turn
from tolman.explore.topological_map import TopologicalMap
from tolman.ideal.knowledge import Fronts, fronts_in, update_topological_map
from tolman.ideal.scene_prior import Bools
from tolman.sense import Location, Observation, in_view
from tolman.world import START

REACH = 10
"""Cells along each axis between two names of one room, walls included, at most."""
MAIN = 0
"""Index of the start's room; the room beyond the i-th door of the brief has index i + 1."""

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Told:
    """What was told of the rooms of a star-shaped world."""

    brief: Brief
    rooms: Mapping[str, tuple[int, ...]]
    """By name seen, and the start: its rooms, by index. A door never seen is one of the main room all the same."""
    walls: Mapping[str, Heading]
    """By door seen: the wall of the main room that holds it."""
    fronts: Fronts
    allowed: Mapping[Pair, Bools]
    """By two names (from, to) in one room: the displacements that are allowed, zero in the middle, both ways round."""
    hidden: Mapping[str, Bools]
    """By place looked from: the displacements at which there is nothing but what was listed."""
    exact: Mapping[str, Cell]
    """Positions that a query told, in cells east and north of the start."""
    looks: tuple[Observation, ...]
    topology: TopologicalMap

    def seen_in(self, room: int) -> list[str]:
        """The things known to be in a room."""
        return [name for name in self.brief.things if self.rooms.get(name) == (room,)]

    def looked_in(self, room: int) -> list[str]:
        """The places of a room from which something was looked at."""
        return [place for place in self.hidden if room in self.rooms[place]]


@dataclass
class _Tables:
    rooms: Mapping[str, tuple[int, ...]]
    allowed: dict[Pair, Bools] = field(default_factory=dict[Pair, Bools])
    hidden: dict[str, Bools] = field(default_factory=dict[str, Bools])

    def restrict(self, a: str, b: str, allowed: Bools) -> None:
        """Allow only some displacements from `a` to `b`, where they share a room."""
        if a != b and not set(self.rooms[a]).isdisjoint(self.rooms[b]):
            for pair, table in (((a, b), allowed), ((b, a), allowed[::-1, ::-1])):
                self.allowed[pair] = self.allowed[pair] & table if pair in self.allowed else table


def what_was_told(brief: Brief, turns: Iterable[Turn]) -> Told | None:
    """What an exploration of an unchanged world told; None where it does not fit a star of rooms around the start's."""
    turns = tuple(turns)
    topology = TopologicalMap()
    evidence = update_topological_map(topology, (turn.feedback for turn in turns if turn.feedback is not None))
    rooms = _rooms(brief, topology)
    if rooms is None:
        return None
    tables = _Tables({**dict.fromkeys(brief.doors, (MAIN,)), **rooms})
    looks = tuple(piece for piece in evidence if isinstance(piece, Observation))
    for look in looks:
        _add_look(tables, look)
    for place, heading, name, came in _moves(turns):
        if place in rooms and name in rooms:
            seen = _in_view(heading)
            tables.restrict(place, name, seen if came else ~seen)
    walls = {door: topology.into[door, topology.zones[door][0]].opposite for door in brief.doors if door in rooms}
    exact = {piece.name: piece.position for piece in evidence if isinstance(piece, Location) and piece.name != START}
    return Told(brief, rooms, walls, fronts_in(brief, evidence), tables.allowed, tables.hidden, exact, looks, topology)


def _rooms(brief: Brief, topology: TopologicalMap) -> dict[str, tuple[int, ...]] | None:
    """The rooms of all names seen; None where a door was seen that does not lead out of the start's room."""
    index = {0: MAIN}
    for number, door in enumerate(brief.doors, start=1):
        zones = topology.zones.get(door)
        if zones is not None:
            if len(zones) != 2 or zones[0] != 0:
                return None
            index[zones[1]] = number
    if set(topology.zones) - {START, *brief.names}:
        return None
    return {name: tuple(index[zone] for zone in zones) for name, zones in topology.zones.items()}


def _add_look(tables: _Tables, look: Observation) -> None:
    place, heading = look.standing_on, look.heading
    unseen = ~_in_view(heading)
    tables.hidden[place] = tables.hidden.get(place, unseen) & unseen
    listed = {seen.name for seen in look.sightings}
    for name in tables.rooms:
        if name not in listed and name not in (place, START):
            tables.restrict(place, name, unseen)
    for seen in look.sightings:
        tables.restrict(place, seen.name, _seen(heading, str(seen.direction), str(seen.distance)))
    close = {frozenset((pair.name, pair.other)): pair for pair in look.near_pairs}
    for a, b in combinations((seen.name for seen in look.sightings), 2):
        pair = close.get(frozenset((a, b)))
        if pair is None:
            tables.restrict(a, b, ~_close())
        else:
            tables.restrict(pair.other, pair.name, _around(heading, str(pair.direction), str(pair.distance)))


_NOT_IN_VIEW = "it is not in view from here"


def _moves(turns: Iterable[Turn]) -> Iterator[tuple[str, Heading, str, bool]]:
    """Every move to a name: from where, facing where, and whether it could be made."""
    place, heading = START, Heading.NORTH
    for turn in turns:
        for move in turn.done:
            if isinstance(move, Rotate):
                heading = heading.turned(move.degrees)
            else:
                yield place, heading, move.name, True
                place = move.name
        place, heading = turn.standing_on, turn.heading
        failure = turn.failure
        if failure is not None and failure.reason == _NOT_IN_VIEW and failure.action.startswith("Goto("):
            yield place, heading, failure.action.removeprefix("Goto(").removesuffix(")"), False


def _table(holds: Callable[[Cell], bool]) -> Bools:
    """Of all displacements those for which something holds."""
    side = range(-REACH, REACH + 1)
    return np.array([[holds((x, y)) for y in side] for x in side])


@cache
def _in_view(heading: Heading) -> Bools:
    return _table(lambda apart: in_view(apart, heading))


@cache
def _close() -> Bools:
    return _table(lambda apart: distance(apart) <= NEAR)


@cache
def _seen(heading: Heading, direction: str, far: str) -> Bools:
    return _table(lambda apart: tuple(map(str, ego_relation(apart, heading))) == (direction, far))


@cache
def _around(heading: Heading, direction: str, far: str) -> Bools:
    return _table(lambda apart: tuple(map(str, cardinal_relation(apart, heading))) == (direction, far))
