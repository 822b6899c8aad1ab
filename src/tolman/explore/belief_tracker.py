"""The belief and the topological map that follow from an agent's history, and worlds sampled in agreement with both."""

from dataclasses import dataclass

import numpy as np

from tolman.belief import Belief, Relation
from tolman.belief.bitboard import bit_indices
from tolman.core.bins import NEAR, cardinal_relation, ego_relation
from tolman.core.geometry import Cell, Heading, difference, distance
from tolman.explore.episode import AgentHistory, Brief, Turn
from tolman.explore.topological_map import TopologicalMap, ViewPose
from tolman.sense import Location, Observation, in_view
from tolman.world import START


class BeliefTracker:
    """Belief and acquaintance after the turns heard so far.

    It keeps what it worked out for the turns it has heard before. That only saves time: told another story, it
    begins afresh.
    """

    def __init__(self, extent: int | None = None) -> None:
        self._extent = extent
        self._forget()

    def of(self, heard: AgentHistory) -> tuple[Belief, TopologicalMap]:
        """What follows from all that was heard. Positions lie within `extent` of the start or, without one, within
        `default_extent`."""
        brief, turns = heard.brief, heard.turns
        if brief != self._brief or turns[: len(self._turns)] != self._turns:
            self._forget()
        belief = self._belief or Belief.start(brief.names, self._extent or default_extent(brief))
        for turn in turns[len(self._turns) :]:
            if turn.told is not None and _anchor_of(turn.told) in self._known.zones:
                belief = belief.after(turn.told)
                if isinstance(turn.told, Observation):
                    self._known.learn(turn.told)
        self._brief, self._turns, self._belief = brief, turns, belief
        return belief, self._known

    def _forget(self) -> None:
        self._brief: Brief | None = None
        self._turns: tuple[Turn, ...] = ()
        self._belief: Belief | None = None
        self._known = TopologicalMap()


def _anchor_of(told: Observation | Location) -> str:
    """What one must have seen before to make sense of what is told. Where part of a story is missing, one may not."""
    return told.standing_on if isinstance(told, Observation) else told.name


def default_extent(brief: Brief) -> int:
    """Cells from the start beyond which nothing is expected: the size of the world is not told."""
    return min(100, 8 * brief.rooms + 2)


ROOM_WIDTHS = (4, 5, 6, 7, 8)
"""Cells across a room, as likely as each other until something is seen that needs more. An agent is not told."""
_TYPICAL_FLOOR = 36
_TRIES = 8


@dataclass(frozen=True)
class SampledWorld:
    """One possible world: a cell (in the agent's initial frame) and the zones of everything that has a place in it."""

    cells: dict[str, Cell]
    zones: dict[str, tuple[int, ...]]

    def foresee(self, look: ViewPose) -> tuple[Relation, ...]:
        """What a look would tell if this were the world."""
        place, heading = look
        here, rooms = self.cells[place], self.zones[place]
        seen: list[tuple[str, Cell]] = []
        for name, zones in self.zones.items():
            if name != START and any(zone in rooms for zone in zones):
                cell = self.cells[name]
                if in_view(difference(cell, here), heading):
                    seen.append((name, cell))
        told = [Relation(name, place, *ego_relation(difference(cell, here), heading), heading) for name, cell in seen]
        for i, (name, cell) in enumerate(seen):
            for other, other_cell in seen[i + 1 :]:
                apart = difference(cell, other_cell)
                if distance(apart) <= NEAR:
                    told.append(Relation(name, other, *cardinal_relation(apart, heading), heading))
        return tuple(told)


def sample_world(belief: Belief, known: TopologicalMap, brief: Brief, stream: np.random.Generator) -> SampledWorld:
    """Draw one world that agrees with the evidence; what may be in rooms not found yet gets no place."""
    cells = _draw_seen(belief, known, stream)
    zones = dict(known.zones)
    floor, wall = _unseen_cells(known, cells, stream)
    elsewhere = (brief.rooms - known.zone_count) * _TYPICAL_FLOOR
    for names, spots, lost in ((brief.things, floor, elsewhere), (brief.doors, wall, 0)):
        for name in names:
            if name not in zones and len(spots) + lost:
                draw = int(stream.integers(len(spots) + lost))
                if draw < len(spots):
                    zone, cells[name] = spots.pop(draw)
                    zones[name] = (zone,)
    return SampledWorld(cells, zones)


def _draw_seen(belief: Belief, known: TopologicalMap, stream: np.random.Generator) -> dict[str, Cell]:
    """Joint positions of everything seen: the first of a few tries that explains it all, else the best.

    What all evidence contradicts, as where part of it was not heard, is put at the start.
    """
    order = _linked_order(belief)
    cells, misfits = _draw_once(belief, known, order, stream)
    for _ in range(_TRIES - 1):
        if misfits == 0:
            break
        again, more = _draw_once(belief, known, order, stream)
        if more < misfits:
            cells, misfits = again, more
    return cells | {name: (0, 0) for name in known.zones if name not in cells}


def _draw_once(
    belief: Belief, known: TopologicalMap, order: list[str], stream: np.random.Generator
) -> tuple[dict[str, Cell], int]:
    """One position after another, each consistent with those before; and how many could not be."""
    drawn: dict[str, int] = {}
    cells: dict[str, Cell] = {}
    misfits = 0
    for name in order:
        left = belief.domains[name]
        for other, shifter in belief.links.get(name, {}).items():
            if other in drawn:
                left &= shifter.reach_from(1 << drawn[other])
        indices = list(bit_indices(left or belief.domains[name]))
        if len(indices) > 1:
            stream.shuffle(indices)
        for index in indices:
            drawn[name], cells[name] = index, belief.board.cell(index)
            if left and known.explains(name, cells):
                break
        else:
            misfits += 1
    return cells, misfits


def _linked_order(belief: Belief) -> list[str]:
    """Names in an order in which each is linked to an earlier one, surest first."""
    order, left = [START], set(belief.domains) - {START}
    while left:
        linked = [name for name in left if any(other in belief.links[name] for other in order)]
        order.append(min(linked or left, key=lambda name: (belief.count(name), name)))
        left.remove(order[-1])
    return order


ZoneCell = tuple[int, Cell]


def _unseen_cells(
    known: TopologicalMap, cells: dict[str, Cell], stream: np.random.Generator
) -> tuple[list[ZoneCell], list[ZoneCell]]:
    """Floor and wall cells of all zones that no look has covered, in one drawing of the rooms' walls."""
    taken = set(cells.values())
    floor: list[ZoneCell] = []
    wall: list[ZoneCell] = []
    for zone in range(known.zone_count):
        looked = [(cells[place], heading) for place, heading in known.looks if zone in known.zones[place]]
        (x0, x1), (y0, y1) = _draw_walls(zone, known, cells, stream)
        for x in range(x0 - 1, x1 + 2):
            for y in range(y0 - 1, y1 + 2):
                if (x, y) not in taken and not any(in_view((x - ax, y - ay), h) for (ax, ay), h in looked):
                    within = x0 <= x <= x1, y0 <= y <= y1
                    if any(within):
                        (floor if all(within) else wall).append((zone, (x, y)))
    return floor, wall


WallSpan = tuple[int, int]
"""First and last floor cell of a room along one axis."""


def _draw_walls(
    zone: int, known: TopologicalMap, cells: dict[str, Cell], stream: np.random.Generator
) -> tuple[WallSpan, WallSpan]:
    """The sides of a zone along x and y: a wall with a door is known, the others are drawn."""
    members = [name for name, zones in known.zones.items() if zone in zones]
    sides: list[WallSpan] = []
    for axis, (up, down) in enumerate(((Heading.EAST, Heading.WEST), (Heading.NORTH, Heading.SOUTH))):
        places = [(cells[name][axis], known.into.get((name, zone))) for name in members]
        low = next((place + 1 for place, inward in places if inward == up), None)
        high = next((place - 1 for place, inward in places if inward == down), None)
        inside = [place for place, inward in places if inward not in (up, down)]
        sides.append(_draw_side(low, high, inside, stream))
    return sides[0], sides[1]


def _draw_side(low: int | None, high: int | None, inside: list[int], stream: np.random.Generator) -> WallSpan:
    """A side that holds all cells known to be inside."""
    if low is not None and high is not None:
        return low, high
    width = ROOM_WIDTHS[int(stream.integers(len(ROOM_WIDTHS)))]
    if low is not None:
        return low, max([low + width - 1, *inside])
    if high is not None:
        return min([high - width + 1, *inside]), high
    span = max(inside) - min(inside) + 1
    width = max(width, span)
    first = max(inside) - width + 1 + int(stream.integers(width - span + 1))
    return first, first + width - 1
