"""Room layouts: the published generator's (seed k gives the walls and doors of published scene k), and random trees of
any number of rooms.
"""

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tolman.core.errors import GenerationError
from tolman.core.geometry import Heading
from tolman.core.seeds import is_secret, rng
from tolman.world.files import DOOR_X, DOOR_Y, OUTSIDE, WALL, DoorSpot
from tolman.world.scene import Room

Grid = npt.NDArray[np.int64]
"""`grid[row, column]`, which is `mask[x][y]`."""

_SEED_STEP = 1_000_007
"""Of the released generator, from one attempt to the next."""
RIGHT, LEFT, UP, DOWN = range(4)


class _Rejected(Exception):
    """This attempt violates a rule of the layout."""


@dataclass(frozen=True)
class _Frame:
    """Sides of the grid and of a room, in cells."""

    grid: int
    width: int
    height: int

    def clamp_column(self, column: int) -> int:
        return max(2, min(self.grid - self.width - 2, column))

    def clamp_row(self, row: int) -> int:
        return max(2, min(self.grid - self.height - 2, row))


Corner = tuple[int, int]
"""(column, row) of a room's first cell."""


def published_layout(seed: int, rooms: int, room_size: tuple[int, int]) -> list[list[int]]:
    """The released generator's mask for a seed and two, three or four rooms."""
    for stream in _streams(seed, (10 if rooms <= 3 else 30) + 1):
        try:
            return _attempt(stream, rooms, room_size).tolist()
        except _Rejected:
            continue
    raise GenerationError(f"no layout of {rooms} rooms was found for seed {seed}; try another seed or room size")


def _streams(seed: int, attempts: int) -> Iterator[np.random.Generator]:
    """A stream for each attempt. The released ones have 2**32 states, too few for a secret layout."""
    if is_secret(seed):
        yield from (rng(seed, "layout", attempt) for attempt in range(attempts))
        return
    base = int(copy.deepcopy(np.random.default_rng(seed)).integers(0, 2**32 - 1))
    yield from (np.random.default_rng((base + _SEED_STEP * attempt) % 2**32) for attempt in range(attempts))


def _attempt(draws: np.random.Generator, rooms: int, room_size: tuple[int, int]) -> Grid:
    width, height = room_size
    frame = _Frame(max(30, (width + 2) * math.ceil(math.sqrt(rooms)) * 2 + 10), width, height)
    corners = [_main_room(draws, frame)]
    for direction in _directions(draws, rooms):
        margin = min(2, min(width, height) // 3)
        offset = int(draws.integers(-margin, margin + 1))
        corners.append(_beside(corners[0], direction, offset, frame))
    grid = _draw(corners, frame)
    for number in range(2, rooms + 1):
        _cut_door(draws, grid, corners[0], corners[number - 1], frame)
    return trim(grid)


def _main_room(draws: np.random.Generator, frame: _Frame) -> Corner:
    centre = (frame.grid - frame.width) // 2
    column = centre + int(draws.integers(-frame.grid // 8, frame.grid // 8 + 1))
    row = centre + int(draws.integers(-frame.grid // 8, frame.grid // 8 + 1))
    return frame.clamp_column(column), frame.clamp_row(row)


def _directions(draws: np.random.Generator, rooms: int) -> list[int]:
    """Sides of the main room on which rooms 2, 3, ... are."""
    if rooms == 2:
        return [int(draws.integers(0, 4))]
    order = [RIGHT, LEFT, UP, DOWN]
    draws.shuffle(order)
    return order[: rooms - 1]


def _beside(main: Corner, direction: int, offset: int, frame: _Frame) -> Corner:
    """The corner of a room with exactly one wall cell between it and the main room."""
    column, row = main
    if direction == RIGHT:
        return column + frame.width + 1, frame.clamp_row(row + offset)
    if direction == LEFT:
        return column - frame.width - 1, frame.clamp_row(row + offset)
    if direction == UP:
        return frame.clamp_column(column + offset), row - frame.height - 1
    return frame.clamp_column(column + offset), row + frame.height + 1


def _draw(corners: list[Corner], frame: _Frame) -> Grid:
    grid = np.full((frame.grid, frame.grid), OUTSIDE)
    for number, (column, row) in enumerate(corners, start=1):
        if min(column, row) < 1 or max(column + frame.width, row + frame.height) > frame.grid - 1:
            raise _Rejected
        grid[row : row + frame.height, column : column + frame.width] = number
    for column, row in corners:
        walled = grid[row - 1 : row + frame.height + 1, column - 1 : column + frame.width + 1]
        walled[walled == OUTSIDE] = WALL
    if touches(grid):
        raise _Rejected
    return grid


def touches(grid: Grid) -> bool:
    """Whether two rooms share an edge, or touch diagonally across two wall cells."""
    if _any_two_rooms(grid[:, :-1], grid[:, 1:]) or _any_two_rooms(grid[:-1], grid[1:]):
        return True
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    falling = (a > 0) & (d > 0) & (b == WALL) & (c == WALL)
    rising = (b > 0) & (c > 0) & (a == WALL) & (d == WALL)
    return bool((falling | rising).any())


def _any_two_rooms(one: Grid, other: Grid) -> bool:
    """Whether any pair of neighbouring cells belongs to two different rooms."""
    return bool(((one > 0) & (other > 0) & (one != other)).any())


def _cut_door(draws: np.random.Generator, grid: Grid, main: Corner, other: Corner, frame: _Frame) -> None:
    """Put a door at a random cell of the wall between two rooms, within their overlap."""
    if abs(main[0] - other[0]) == frame.width + 1:
        lo, hi = max(main[1], other[1]), min(main[1], other[1]) + frame.height - 1
        wall, code = max(main[0], other[0]) - 1, DOOR_Y
    else:
        lo, hi = max(main[0], other[0]), min(main[0], other[0]) + frame.width - 1
        wall, code = max(main[1], other[1]) - 1, DOOR_X
    if lo > hi:
        raise _Rejected
    place = int(draws.integers(lo, hi + 1))
    row, column = (place, wall) if code == DOOR_Y else (wall, place)
    if grid[row, column] != WALL:
        raise _Rejected
    grid[row, column] = code


def trim(grid: Grid) -> Grid:
    """The grid cropped to the bounding box of the walls."""
    rows, columns = np.nonzero(grid != OUTSIDE)
    return grid[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


_TRIES_PER_ROOM = 400


def tree_layout(seed: int, rooms: int, room_size: tuple[int, int]) -> tuple[tuple[Room, ...], list[DoorSpot]]:
    """Rooms and doors of a random tree of rooms rooted at room 1, whose low corner is (0, 0)."""
    depth, width = room_size
    stream = rng(seed, "layout", rooms, *room_size)
    placed = [Room(1, (0, 0), (width - 1, depth - 1))]
    doors: list[DoorSpot] = []
    while len(placed) < rooms:
        room, door = _attach_room(stream, placed)
        placed.append(room)
        doors.append(door)
    return tuple(placed), doors


def _attach_room(stream: np.random.Generator, placed: list[Room]) -> tuple[Room, DoorSpot]:
    for _ in range(_TRIES_PER_ROOM):
        host = placed[int(stream.integers(len(placed)))]
        side = Heading(int(stream.integers(4)))
        room = _room_beside(stream, host, side, len(placed) + 1)
        if all(room.apart_from(other) for other in placed):
            return room, _door_between(stream, host, room, side)
    raise GenerationError(f"no free place was found for room {len(placed) + 1}; try another seed")


def _room_beside(stream: np.random.Generator, host: Room, side: Heading, number: int) -> Room:
    """A room of the host's size on one of its sides, shifted along the wall by up to a third of the shorter side."""
    width, depth = host.high[0] - host.low[0] + 1, host.high[1] - host.low[1] + 1
    dx, dy = side.vector
    shift = int(stream.integers(-(min(width, depth) // 3), min(width, depth) // 3 + 1))
    x = host.low[0] + dx * (width + 1) + (shift if dx == 0 else 0)
    y = host.low[1] + dy * (depth + 1) + (shift if dy == 0 else 0)
    return Room(number, (x, y), (x + width - 1, y + depth - 1))


def _door_between(stream: np.random.Generator, host: Room, room: Room, side: Heading) -> DoorSpot:
    across = side in (Heading.EAST, Heading.WEST)
    along = 1 if across else 0
    place = int(stream.integers(max(host.low[along], room.low[along]), min(host.high[along], room.high[along]) + 1))
    low, high = (host, room) if side in (Heading.EAST, Heading.NORTH) else (room, host)
    if across:
        return (high.low[0] - 1, place), (low.id, high.id), "x"
    return (place, high.low[1] - 1), (low.id, high.id), "y"
