"""The published integer mask of a scene: -1 outside, 0 wall, 1 to 99 rooms, 100 and 101 doors."""

from collections.abc import Sequence
from typing import Literal

from tolman.core.errors import SceneFileError
from tolman.core.geometry import Cell
from tolman.world.scene import Room, Scene

OUTSIDE, WALL, DOOR_X, DOOR_Y = -1, 0, 100, 101
Mask = Sequence[Sequence[int]]


def mask_of(scene: Scene) -> list[list[int]]:
    """The mask of a scene, indexed `mask[x][y]` from the low corner of its bounds."""
    (x0, y0), (x1, y1) = scene.bounds
    mask = [[OUTSIDE] * (y1 - y0 + 1) for _ in range(x1 - x0 + 1)]
    for room in scene.rooms:
        for x in range(room.low[0] - 1, room.high[0] + 2):
            for y in range(room.low[1] - 1, room.high[1] + 2):
                mask[x - x0][y - y0] = WALL
    for room in scene.rooms:
        for x, y in room.cells:
            mask[x - x0][y - y0] = room.id
    for door in scene.doors:
        mask[door.cell[0] - x0][door.cell[1] - y0] = DOOR_X if door.axis == "x" else DOOR_Y
    return mask


def rooms_of(mask: Mask) -> tuple[Room, ...]:
    """The rectangular rooms of a mask, by number."""
    if len({len(column) for column in mask}) > 1:
        raise SceneFileError("the mask is not a rectangle of cells")
    cells: dict[int, list[Cell]] = {}
    for x, column in enumerate(mask):
        for y, value in enumerate(column):
            if 1 <= value < DOOR_X:
                cells.setdefault(value, []).append((x, y))
    rooms: list[Room] = []
    for number in sorted(cells):
        xs, ys = zip(*cells[number], strict=True)
        room = Room(number, (min(xs), min(ys)), (max(xs), max(ys)))
        if len(room.cells) != len(cells[number]):
            raise SceneFileError(f"room {number} of the mask is not a rectangle")
        rooms.append(room)
    if not rooms:
        raise SceneFileError("the mask holds no room")
    return tuple(rooms)


DoorSpot = tuple[Cell, tuple[int, int], Literal["x", "y"]]
"""A door without its name: cell, rooms and axis, as in `Door`."""


def door_spots(mask: Mask) -> list[DoorSpot]:
    """The doors of a mask: east-west doors first, each kind sorted by x, then y."""
    spots: list[DoorSpot] = []
    axes: tuple[tuple[int, Literal["x", "y"]], ...] = ((DOOR_X, "x"), (DOOR_Y, "y"))
    for code, axis in axes:
        dx, dy = (1, 0) if axis == "x" else (0, 1)
        for x, column in enumerate(mask):
            for y, value in enumerate(column):
                if value == code:
                    if not (dx <= x < len(mask) - dx and dy <= y < len(column) - dy):
                        raise SceneFileError(f"the door at {(x, y)} is on the edge of the mask")
                    spots.append(((x, y), (mask[x - dx][y - dy], mask[x + dx][y + dy]), axis))
    return spots
