"""Poses on free cells, and the origin from which they are told: the start, or a door of the room."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tolman.ask.choose import shuffled
from tolman.geometry import Cell, Heading, difference, distance
from tolman.world import START, Pose, Room, Scene

CANDIDATES = 20
DRAWS = 10
_AT_START = "the place where you started"


def random_poses(scene: Scene, stream: np.random.Generator) -> Iterator[Pose]:
    """Up to twenty poses on free cells of rooms that hold two things more than one cell apart."""
    taken = {thing.cell for thing in scene.things}
    worthy = {room.id for room in scene.rooms if _two_apart(scene, room)}
    for _ in range(CANDIDATES):
        room = next((room for room in shuffled(scene.rooms, stream) if room.id in worthy), None)
        cell = _free_cell(room, taken, stream) if room else None
        if room and cell:
            yield Pose(cell, Heading(int(stream.integers(4))), (room.id,))


def _two_apart(scene: Scene, room: Room) -> bool:
    cells = [thing.cell for thing in scene.things if thing.room == room.id]
    return any(distance(difference(a, b)) > 1 for a, b in combinations(cells, 2))


def _free_cell(room: Room, taken: set[Cell], stream: np.random.Generator) -> Cell | None:
    (x0, y0), (x1, y1) = room.low, room.high
    for _ in range(DRAWS):
        cell = int(stream.integers(x0, x1 + 1)), int(stream.integers(y0, y1 + 1))
        if cell not in taken:
            return cell
    return None


def random_origin(scene: Scene, pose: Pose, stream: np.random.Generator) -> str:
    """The start for a pose in its room; else one of the doors of the room."""
    (room,) = pose.rooms
    doors = [door for door in scene.doors if room in door.rooms]
    return START if room == 1 or not doors else doors[int(stream.integers(len(doors)))].name


def origin_cell(scene: Scene, origin: str) -> Cell:
    """The world cell that an origin names."""
    return scene.start if origin == START else scene.item(origin).cell


def say_origin(origin: str) -> str:
    """Where (0, 0) is, in words."""
    return _AT_START if origin == START else f"the {origin}"


def hear_origin(words: str, scene: Scene) -> str | None:
    """The origin that some words name; None where the scene has none such."""
    if words == _AT_START:
        return START
    name = words.removeprefix("the ")
    return name if name in scene else None
