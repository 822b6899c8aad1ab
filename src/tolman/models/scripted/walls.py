"""Where the walls of a room may be. A wall with a door is known; another must be far enough for all that is inside."""

from collections.abc import Mapping

from tolman.explore.agents.acquaintance import Acquaintance
from tolman.geometry import Cell, Heading
from tolman.world import Room

USUAL_WIDTH = 6
"""Cells across a room, where no room is known from wall to wall. An agent is not told."""
_AXES = ((Heading.EAST, Heading.WEST), (Heading.NORTH, Heading.SOUTH))

Side = tuple[int | None, int | None, list[int]]
"""First and last floor cell along one axis, where a door gives them away, and cells that must be in between."""


def believed_rooms(known: Acquaintance, cells: Mapping[str, Cell]) -> tuple[Room, ...]:
    """One rectangle for each zone, numbered from 1, in the frame of `cells`."""
    zones = range(known.zone_count)
    along = [[_side(known, cells, zone, axis) for zone in zones] for axis in range(2)]
    (xs, ys) = ([_span(side, _width(sides)) for side in sides] for sides in along)
    return tuple(Room(zone + 1, (xs[zone][0], ys[zone][0]), (xs[zone][1], ys[zone][1])) for zone in zones)


def _side(known: Acquaintance, cells: Mapping[str, Cell], zone: int, axis: int) -> Side:
    up, down = _AXES[axis]
    low = high = None
    inside: list[int] = []
    for name, zones in known.zones.items():
        if zone in zones and name in cells:
            place, inward = cells[name][axis], known.into.get((name, zone))
            if inward == up:
                low = place + 1
            elif inward == down:
                high = place - 1
            else:
                inside.append(place)
    return low, high, inside


def _width(sides: list[Side]) -> int:
    """What rooms measure along an axis: rooms of one place are mostly alike."""
    exact = [high - low + 1 for low, high, _ in sides if low is not None and high is not None]
    spans = [max(inside) - min(inside) + 1 for _, _, inside in sides if inside]
    return max(exact) if exact else max([USUAL_WIDTH, *spans])


def _span(side: Side, width: int) -> tuple[int, int]:
    """First and last cell of a room along an axis; never an empty one, though a belief may contradict itself."""
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
