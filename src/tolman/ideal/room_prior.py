"""The generator's distribution of the cells of one room's things, exactly, for many rooms at once.

A room of `side` by `side` cells has its own frame: cell (0, 0) is its south-west corner, and its doors are in the wall
around it, at -1 or `side` along one axis. Sets of cells are bits of one 64-bit number. The generator
(`tolman.world.generate`) places things one after another, and what is free after some of them depends only on which
cells they took, so the probability of a set is a sum over subsets, not over orders.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tolman.world.generate import LINE_MARGIN, SPACING

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Masks = NDArray[np.uint64]
Bools = NDArray[np.bool_]

MOST_CELLS = 64
"""Of a room, so that a set of them fits into one number."""


@dataclass(frozen=True, eq=False)
class RoomGrid:
    """Tables for rooms of one size. A point is a cell of the room or of the wall around it, as an index."""

    side: int
    cells: Ints
    """East and north of the south-west corner, by index of the cell."""
    near: Masks
    """By point: the cells that are too close to it."""
    lines: Masks
    """By two points: the cells that are too close to the line through them."""
    even: Masks
    """By parity, 2 x + y: the cells that the generator prefers."""

    @property
    def every(self) -> np.uint64:
        """All cells of the room."""
        return np.uint64((1 << self.side**2) - 1)

    def point(self, at: Ints) -> Ints:
        """The index of points, given as x and y along the last axis."""
        return (at[..., 0] + 1) * (self.side + 2) + at[..., 1] + 1

    def point_of_cell(self, cell: Ints) -> Ints:
        """The index as a point of cells, given by index."""
        x, y = np.divmod(cell, self.side)
        return (x + 1) * (self.side + 2) + y + 1

    def masks(self, allowed: NDArray[np.bool_]) -> Masks:
        """By point, the cells at an allowed displacement from it; `allowed` has zero displacement in the middle."""
        points, middle = _points(self.side), allowed.shape[0] // 2
        apart = self.cells[None] - points[:, None] + middle
        return pack(allowed[apart[..., 0], apart[..., 1]])


@cache
def room_grid(side: int) -> RoomGrid:
    """The tables for a room size, at most 8."""
    cells = np.stack(np.divmod(np.arange(side**2), side), axis=1)
    points = _points(side)
    near = pack(np.abs(cells[None] - points[:, None]).max(axis=2) < SPACING)
    a, b = points[:, None, None], points[None, :, None]
    dx, dy = (b - a)[..., 0], (b - a)[..., 1]
    off = dx * (cells[:, 1] - a[..., 1]) - dy * (cells[:, 0] - a[..., 0])
    lines = pack(off**2 < LINE_MARGIN**2 * (dx * dx + dy * dy))
    even = pack(np.array([((cells - parity) % 2 == 0).all(axis=1) for parity in ((0, 0), (0, 1), (1, 0), (1, 1))]))
    return RoomGrid(side, cells, near, lines, even)


def _points(side: int) -> Ints:
    return np.stack(np.divmod(np.arange((side + 2) ** 2), side + 2), axis=1) - 1


def pack(flags: NDArray[np.bool_]) -> Masks:
    """Rows of flags, one for each cell, as numbers."""
    bits = np.uint64(1) << np.arange(flags.shape[-1], dtype=np.uint64)
    return np.asarray(np.where(flags, bits, np.uint64(0)).sum(axis=-1, dtype=np.uint64))


def set_cells(masks: Masks, count: int) -> tuple[Ints, Ints]:
    """Row and index of every cell in some sets, by row."""
    shifted = masks[:, None] >> np.arange(count, dtype=np.uint64)
    return tuple(np.nonzero(shifted & np.uint64(1)))  # pyright: ignore[reportReturnType]


@dataclass(frozen=True, eq=False)
class Rooms:
    """Rooms of one size, without their things: the points of doors and of the start, and the parity of each."""

    grid: RoomGrid
    fixed: Ints
    """Of shape (rooms, fixed points), by index."""
    parity: Ints

    @property
    def free(self) -> Masks:
        """The cells on which a first thing may be."""
        return self.grid.every & ~np.bitwise_or.reduce(self.grid.near[self.fixed], axis=1)

    @property
    def fixed_lines(self) -> Masks:
        """The cells too close to a line through two fixed points."""
        lines = np.zeros(len(self.fixed), np.uint64)
        for i in range(self.fixed.shape[1]):
            for j in range(i):
                lines |= self.grid.lines[self.fixed[:, j], self.fixed[:, i]]
        return lines

    def lines_through(self, points: Ints) -> Masks:
        """The cells too close to a line through a point, one for each room, and a fixed one."""
        return np.bitwise_or.reduce(self.grid.lines[points[:, None], self.fixed], axis=1)

    def pool(self, free: Masks) -> Masks:
        """The cells from which the next thing is drawn: the preferred ones among the free, else all of them."""
        preferred = free & self.grid.even[self.parity]
        return np.where(preferred > 0, preferred, free)

    def take(self, rows: Ints) -> "Rooms":
        return Rooms(self.grid, self.fixed[rows], self.parity[rows])


def set_probabilities(rooms: Rooms, cells: Ints) -> Floats:
    """For each room the probability that its things take a set of cells, in any order; 0 for an impossible one."""
    count, grid = cells.shape[1], rooms.grid
    points = grid.point_of_cell(cells)
    near, through = grid.near[points], [rooms.lines_through(points[:, i]) for i in range(count)]
    free: list[Masks] = [rooms.free]
    lines: list[Masks] = [rooms.fixed_lines]
    chance: list[Floats] = [np.ones(len(cells))]
    for subset in range(1, 1 << count):
        members = [i for i in range(count) if subset >> i & 1]
        last, rest = members[-1], members[:-1]
        before = subset ^ (1 << last)
        free.append(free[before] & ~near[:, last])
        added = lines[before] | through[last]
        for other in rest:
            added = added | grid.lines[points[:, other], points[:, last]]
        lines.append(added)
        chance.append(np.zeros(len(cells)))
    for subset in range((1 << count) - 1):
        left = free[subset] & ~lines[subset] if subset.bit_count() >= 2 else free[subset]
        pool = rooms.pool(left)
        share = chance[subset] / np.maximum(np.bitwise_count(pool), 1)
        for i in range(count):
            if not subset >> i & 1:
                chance[subset | 1 << i] += share * (pool >> cells[:, i].astype(np.uint64) & np.uint64(1))
    return chance[-1]


@dataclass(frozen=True, eq=False)
class CellSets:
    """All sets of cells that the things of some rooms may take, with their probabilities."""

    room: Ints
    """Index of the room of each set, ascending."""
    cells: Ints
    """Of shape (sets, things), by index."""
    chance: Floats
    """Less than 1 in all for a room in which placing may fail; the generator then starts again."""


def all_sets(rooms: Rooms, count: int) -> CellSets:
    """Every set of `count` cells that the generator may choose in each of some rooms."""
    grid, number = rooms.grid, len(rooms.fixed)
    room, cells = np.arange(number), np.zeros((number, 0), np.int64)
    taken, free, lines = np.zeros(number, np.uint64), rooms.free, rooms.fixed_lines
    chance = np.ones(number)
    for placed in range(count):
        pool = rooms.take(room).pool(free & ~lines if placed >= 2 else free)
        row, cell = set_cells(pool, grid.side**2)
        chance = (chance / np.maximum(np.bitwise_count(pool), 1))[row]
        point = grid.point_of_cell(cell)
        more = lines[row] | rooms.take(room[row]).lines_through(point)
        for i in range(placed):
            more |= grid.lines[grid.point_of_cell(cells[row, i]), point]
        room, cells = room[row], np.concatenate([cells[row], cell[:, None]], axis=1)
        taken, free, lines = taken[row] | np.uint64(1) << cell.astype(np.uint64), free[row] & ~grid.near[point], more
        order = np.lexsort((taken, room))
        first = np.flatnonzero(
            np.diff(room[order], prepend=-1) | (np.diff(taken[order], prepend=taken[order][:1]) != 0)
        )
        chance = np.add.reduceat(chance[order], first) if len(first) else chance[order]
        kept = order[first]
        room, cells, taken, free, lines = room[kept], cells[kept], taken[kept], free[kept], lines[kept]
    return CellSets(room, cells, chance)
