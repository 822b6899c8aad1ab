"""The belief and the topological map after an agent's history, and sampling of worlds consistent with both."""

from dataclasses import dataclass

import numpy as np

from tolman.belief import Belief, Evidence, Relation
from tolman.belief.bitboard import bit_indices
from tolman.core.bins import NEAR, cardinal_relation, ego_relation
from tolman.core.geometry import Cell, Heading, difference, distance
from tolman.explore.episode import AgentHistory, Brief, Turn
from tolman.explore.topological_map import TopologicalMap, ViewPose
from tolman.sense import Observation, in_view
from tolman.world import START


class BeliefTracker:
    """Belief and topological map after a history.

    Results for the turns of the last call are kept and extended, which only saves time: another history starts anew.
    """

    def __init__(self, extent: int | None = None) -> None:
        self._extent = extent
        self._reset()

    def of(self, history: AgentHistory) -> tuple[Belief, TopologicalMap]:
        """Belief and map after a history. Positions lie within `extent` cells of the start, or `default_extent`."""
        brief, turns = history.brief, history.turns
        if brief != self._brief or turns[: len(self._turns)] != self._turns:
            self._reset()
        belief = self._belief or Belief.start(brief.names, self._extent or default_extent(brief))
        for turn in turns[len(self._turns) :]:
            if turn.feedback is not None and _anchor_of(turn.feedback) in self._topology.zones:
                belief = belief.after(turn.feedback)
                if isinstance(turn.feedback, Observation):
                    self._topology.learn(turn.feedback)
        self._brief, self._turns, self._belief = brief, turns, belief
        return belief, self._topology

    def _reset(self) -> None:
        self._brief: Brief | None = None
        self._turns: tuple[Turn, ...] = ()
        self._belief: Belief | None = None
        self._topology = TopologicalMap()


def _anchor_of(evidence: Evidence) -> str:
    """The name that must be known to use a piece of evidence; in an incomplete history it may not be."""
    return evidence.standing_on if isinstance(evidence, Observation) else evidence.name


def default_extent(brief: Brief) -> int:
    """Cells from the start within which everything is assumed to lie: the agent is not told the size of the world."""
    return min(100, 8 * brief.rooms + 2)


ROOM_WIDTHS = (4, 5, 6, 7, 8)
"""Room widths in cells, assumed equally likely: the agent is not told the true ones."""
_TYPICAL_FLOOR = 36
_TRIES = 8


@dataclass(frozen=True)
class SampledWorld:
    """One possible world: cell (in the agent's initial frame) and zones of every name that has a position in it."""

    cells: dict[str, Cell]
    zones: dict[str, tuple[int, ...]]

    def predict(self, view: ViewPose) -> tuple[Relation, ...]:
        """The relations that an observation would give in this world."""
        place, heading = view
        here, rooms = self.cells[place], self.zones[place]
        seen: list[tuple[str, Cell]] = []
        for name, zones in self.zones.items():
            if name != START and any(zone in rooms for zone in zones):
                cell = self.cells[name]
                if in_view(difference(cell, here), heading):
                    seen.append((name, cell))
        relations = [
            Relation(name, place, *ego_relation(difference(cell, here), heading), heading) for name, cell in seen
        ]
        for i, (name, cell) in enumerate(seen):
            for other, other_cell in seen[i + 1 :]:
                apart = difference(cell, other_cell)
                if distance(apart) <= NEAR:
                    relations.append(Relation(name, other, *cardinal_relation(apart, heading), heading))
        return tuple(relations)


def sample_world(belief: Belief, topology: TopologicalMap, brief: Brief, stream: np.random.Generator) -> SampledWorld:
    """Draw one world consistent with the evidence; names drawn into rooms not found yet get no position."""
    cells = _draw_seen(belief, topology, stream)
    zones = dict(topology.zones)
    floor, wall = _unseen_cells(topology, cells, stream)
    elsewhere = (brief.rooms - topology.zone_count) * _TYPICAL_FLOOR
    for names, free, unfound in ((brief.things, floor, elsewhere), (brief.doors, wall, 0)):
        for name in names:
            if name not in zones and len(free) + unfound:
                draw = int(stream.integers(len(free) + unfound))
                if draw < len(free):
                    zone, cells[name] = free.pop(draw)
                    zones[name] = (zone,)
    return SampledWorld(cells, zones)


def _draw_seen(belief: Belief, topology: TopologicalMap, stream: np.random.Generator) -> dict[str, Cell]:
    """Joint positions of everything seen: the first of a few tries without a misfit, else the one with the fewest.

    Names that no evidence places, as in an incomplete history, are put at the start.
    """
    order = _linked_order(belief)
    cells, misfits = _draw_once(belief, topology, order, stream)
    for _ in range(_TRIES - 1):
        if misfits == 0:
            break
        again, more = _draw_once(belief, topology, order, stream)
        if more < misfits:
            cells, misfits = again, more
    return cells | {name: (0, 0) for name in topology.zones if name not in cells}


def _draw_once(
    belief: Belief, topology: TopologicalMap, order: list[str], stream: np.random.Generator
) -> tuple[dict[str, Cell], int]:
    """Positions drawn one by one, each consistent with those before if possible, and the number that are not."""
    drawn: dict[str, int] = {}
    cells: dict[str, Cell] = {}
    misfits = 0
    for name in order:
        left = belief.domains[name]
        for other, displacements in belief.links.get(name, {}).items():
            if other in drawn:
                left &= displacements.reach_from(1 << drawn[other])
        indices = list(bit_indices(left or belief.domains[name]))
        if len(indices) > 1:
            stream.shuffle(indices)
        for index in indices:
            drawn[name], cells[name] = index, belief.board.cell(index)
            if left and topology.explains(name, cells):
                break
        else:
            misfits += 1
    return cells, misfits


def _linked_order(belief: Belief) -> list[str]:
    """Names in an order in which each is linked to an earlier one, fewest possible positions first."""
    order, left = [START], set(belief.domains) - {START}
    while left:
        linked = [name for name in left if any(other in belief.links[name] for other in order)]
        order.append(min(linked or left, key=lambda name: (belief.count(name), name)))
        left.remove(order[-1])
    return order


ZoneCell = tuple[int, Cell]


def _unseen_cells(
    topology: TopologicalMap, cells: dict[str, Cell], stream: np.random.Generator
) -> tuple[list[ZoneCell], list[ZoneCell]]:
    """Floor and wall cells of all zones that were never in view, given one draw of the rooms' walls."""
    taken = set(cells.values())
    floor: list[ZoneCell] = []
    wall: list[ZoneCell] = []
    for zone in range(topology.zone_count):
        looked = [(cells[place], heading) for place, heading in topology.looks if zone in topology.zones[place]]
        (x0, x1), (y0, y1) = _draw_walls(zone, topology, cells, stream)
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
    zone: int, topology: TopologicalMap, cells: dict[str, Cell], stream: np.random.Generator
) -> tuple[WallSpan, WallSpan]:
    """The sides of a zone along x and y: a wall with a door is known, the others are drawn."""
    members = [name for name, zones in topology.zones.items() if zone in zones]
    sides: list[WallSpan] = []
    for axis, (up, down) in enumerate(((Heading.EAST, Heading.WEST), (Heading.NORTH, Heading.SOUTH))):
        places = [(cells[name][axis], topology.into.get((name, zone))) for name in members]
        low = next((place + 1 for place, inward in places if inward == up), None)
        high = next((place - 1 for place, inward in places if inward == down), None)
        inside = [place for place, inward in places if inward not in (up, down)]
        sides.append(_draw_side(low, high, inside, stream))
    return sides[0], sides[1]


def _draw_side(low: int | None, high: int | None, inside: list[int], stream: np.random.Generator) -> WallSpan:
    """A side that contains all cells known to be inside."""
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
