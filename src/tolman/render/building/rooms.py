"""The walls of a room with their doors and windows, chosen by the scene's own seed."""

from collections.abc import Iterator

from tolman.geometry import Heading
from tolman.render.building.measures import DOOR_HEIGHT, DOOR_WIDTH, WALL, WINDOW_SILL, WINDOW_TOP
from tolman.render.building.openings import Opening, Wall
from tolman.seeds import rng
from tolman.world import Door, Room, Scene

WINDOWS = (1.2, 1.6, 2.0)
"""Widths of windows."""
_MARGIN = 0.6
_SHARE = 0.6
"""Of outer walls that have a window."""


def walls_of(scene: Scene, room: Room, look: int) -> Iterator[Wall]:
    """The four walls; `look` is the seed of their windows."""
    (x0, y0), (x1, y1) = room.low, room.high
    half = WALL / 2
    lines = {
        Heading.NORTH: (0, x0 - 1.0, x1 + 1.0, y1 + 1.0 - half, y1 + 1.0),
        Heading.EAST: (1, y0 - 1.0, y1 + 1.0, x1 + 1.0 - half, x1 + 1.0),
        Heading.SOUTH: (0, x0 - 1.0, x1 + 1.0, y0 - 1.0 + half, y0 - 1.0),
        Heading.WEST: (1, y0 - 1.0, y1 + 1.0, x0 - 1.0 + half, x0 - 1.0),
    }
    for heading, line in lines.items():
        plain = Wall(*line)
        doors = tuple(_doorway(door, plain) for door in scene.doors if _is_in(door, plain, room))
        windows = () if doors else _windows(scene, room, heading, plain, look)
        yield Wall(*line, openings=(*doors, *windows))


def _is_in(door: Door, wall: Wall, room: Room) -> bool:
    return room.id in door.rooms and door.cell[1 - wall.along] == wall.outer


def _doorway(door: Door, wall: Wall) -> Opening:
    middle = float(door.cell[wall.along])
    return Opening(middle - DOOR_WIDTH / 2, middle + DOOR_WIDTH / 2, 0.0, DOOR_HEIGHT)


def _windows(scene: Scene, room: Room, heading: Heading, wall: Wall, look: int) -> tuple[Opening, ...]:
    """At most one window, in a wall behind which there is no other room."""
    stream = rng(look, "windows", room.id, int(heading))
    width = WINDOWS[int(stream.integers(len(WINDOWS)))]
    free = wall.end - wall.start - 2 * (1 + _MARGIN) - width
    if stream.random() > _SHARE or free < 0 or not _is_outer(scene, room, heading):
        return ()
    start = wall.start + 1 + _MARGIN + float(stream.random()) * free
    return (Opening(start, start + width, WINDOW_SILL, WINDOW_TOP),)


def _is_outer(scene: Scene, room: Room, heading: Heading) -> bool:
    """Whether nothing but the outside is behind a wall, as far as anyone could see through a window."""
    (x0, y0), (x1, y1) = room.low, room.high
    far = 4
    beyond = {
        Heading.NORTH: ((x0 - 1, y1 + 1), (x1 + 1, y1 + far)),
        Heading.EAST: ((x1 + 1, y0 - 1), (x1 + far, y1 + 1)),
        Heading.SOUTH: ((x0 - 1, y0 - far), (x1 + 1, y0 - 1)),
        Heading.WEST: ((x0 - far, y0 - 1), (x0 - 1, y1 + 1)),
    }
    (west, south), (east, north) = beyond[heading]
    others = (other for other in scene.rooms if other.id != room.id)
    return all(o.high[0] < west or o.low[0] > east or o.high[1] < south or o.low[1] > north for o in others)
