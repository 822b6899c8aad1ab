"""Layouts of any number of rooms: each new room is attached to a random side of a random earlier one.

The published recipe stops at four rooms. This one goes on to 32 and keeps its rules: one wall cell between joined
rooms, one door per joint, no two rooms that share an edge or meet at a corner. The rooms form a tree.
"""

import numpy as np

from tolman.errors import GenerationError
from tolman.geometry import Heading
from tolman.seeds import rng
from tolman.world.grid import DoorSpot
from tolman.world.scene import Room

_TRIES_PER_ROOM = 400


def attached_layout(seed: int, rooms: int, room_size: tuple[int, int]) -> tuple[tuple[Room, ...], list[DoorSpot]]:
    """Rooms and doors of a tree of rooms grown from room 1, which has its first cell at (0, 0)."""
    depth, width = room_size
    stream = rng(seed, "layout", rooms, *room_size)
    placed = [Room(1, (0, 0), (width - 1, depth - 1))]
    doors: list[DoorSpot] = []
    while len(placed) < rooms:
        room, door = _attach_one(stream, placed)
        placed.append(room)
        doors.append(door)
    return tuple(placed), doors


def _attach_one(stream: np.random.Generator, placed: list[Room]) -> tuple[Room, DoorSpot]:
    for _ in range(_TRIES_PER_ROOM):
        host = placed[int(stream.integers(len(placed)))]
        side = Heading(int(stream.integers(4)))
        room = _beside(stream, host, side, len(placed) + 1)
        if all(room.apart_from(other) for other in placed):
            return room, _door(stream, host, room, side)
    raise GenerationError(f"no free side was found for room {len(placed) + 1}; try another seed")


def _beside(stream: np.random.Generator, host: Room, side: Heading, number: int) -> Room:
    """A room of the host's size on one of its sides, shifted along the wall by up to a third of it."""
    width, depth = host.high[0] - host.low[0] + 1, host.high[1] - host.low[1] + 1
    dx, dy = side.vector
    shift = int(stream.integers(-(min(width, depth) // 3), min(width, depth) // 3 + 1))
    x = host.low[0] + dx * (width + 1) + (shift if dx == 0 else 0)
    y = host.low[1] + dy * (depth + 1) + (shift if dy == 0 else 0)
    return Room(number, (x, y), (x + width - 1, y + depth - 1))


def _door(stream: np.random.Generator, host: Room, room: Room, side: Heading) -> DoorSpot:
    across = side in (Heading.EAST, Heading.WEST)
    along = 1 if across else 0
    place = int(stream.integers(max(host.low[along], room.low[along]), min(host.high[along], room.high[along]) + 1))
    low, high = (host, room) if side in (Heading.EAST, Heading.NORTH) else (room, host)
    if across:
        return (high.low[0] - 1, place), (low.id, high.id), "x"
    return (place, high.low[1] - 1), (low.id, high.id), "y"
