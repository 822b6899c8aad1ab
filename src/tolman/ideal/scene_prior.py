"""The generator's distribution of scenes, exactly: what a scene may be before anything is seen.

Walls, doors and start are listed. With one to four rooms a published layout is room 1 with each other room beyond a
door in one of its walls. All rooms are squares of one size. Cells are in the frame of room 1, whose south-west corner
is (0, 0).

The cells of one room's things are computed for many rooms at once. A room of `side` by `side` cells has its own frame:
cell (0, 0) is its south-west corner, and its doors are in the wall around it, at -1 or `side` along one axis. Sets of
cells are bits of one 64-bit number. The generator (`tolman.world.generate`) places things one after another, and what
is free after some of them depends only on which cells they took, so the probability of a set is a sum over subsets,
not over orders.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tolman.core.geometry import Heading
from tolman.ideal.labels import Bools, Floats, Ints
from tolman.world import Scene, WorldSettings
from tolman.world.generate import LINE_MARGIN, SPACING
from tolman.world.settings import MAX_STAR_ROOMS

Masks = NDArray[np.uint64]

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


MOST_THINGS = 6
"""In a room, since probabilities are summed over subsets of them."""


@dataclass(frozen=True)
class ScenePrior:
    """The generator and its settings, which the generative observer knows; never the seed."""

    settings: WorldSettings

    @property
    def side(self) -> int:
        """Cells of floor along each side of a room."""
        return self.settings.room_size[0]

    @property
    def supported(self) -> bool:
        """Whether the posterior can be computed: up to four square rooms of at most 8 by 8 cells and 6 things."""
        width, depth = self.settings.room_size
        few = self.settings.rooms <= MAX_STAR_ROOMS and self.settings.things_per_room <= MOST_THINGS
        return few and width == depth and width * depth <= MOST_CELLS


def prior_of(scene: Scene) -> ScenePrior | None:
    """The prior for the generator's settings that a scene shows: number and size of rooms, and things per room.

    None where its rooms are not alike, or not a star around room 1, as no setting makes it.
    """
    sizes = {(r.high[1] - r.low[1] + 1, r.high[0] - r.low[0] + 1) for r in scene.rooms}
    counts = {sum(thing.room == room.id for thing in scene.things) for room in scene.rooms}
    if len(sizes) != 1 or len(counts) != 1 or any(1 not in door.rooms for door in scene.doors):
        return None
    if len(scene.doors) != len(scene.rooms) - 1 or counts == {0}:
        return None
    prior = ScenePrior(WorldSettings(len(scene.rooms), sizes.pop(), counts.pop()))
    return prior if prior.supported else None


@dataclass(frozen=True, eq=False)
class Layouts:
    """Weighted hypotheses of start, doors and rooms, a row each. The doors are named, in the order of the brief."""

    side: int
    start: Ints
    """Of shape (rows, 2)."""
    walls: Ints
    """Of shape (rows, doors): the wall of room 1 that holds each door, as a heading."""
    shift: Ints
    """Of shape (rows, doors): by how many cells the room beyond is shifted along that wall."""
    place: Ints
    """Of shape (rows, doors): the door's place along that wall, from 0."""
    weights: Floats

    def __len__(self) -> int:
        return len(self.weights)

    def take(self, rows: Ints | Bools) -> "Layouts":
        """Some of the rows."""
        return Layouts(
            self.side, self.start[rows], self.walls[rows], self.shift[rows], self.place[rows], self.weights[rows]
        )

    def weighted(self, weights: Floats) -> "Layouts":
        return Layouts(self.side, self.start, self.walls, self.shift, self.place, weights)

    @property
    def doors(self) -> Ints:
        """The doors' cells, of shape (rows, doors, 2)."""
        return _beside(self.walls, self.place, self.side, 0)

    @property
    def lows(self) -> Ints:
        """The south-west corners of all rooms, room 1 first, of shape (rows, rooms, 2)."""
        beyond = _beside(self.walls, self.shift, self.side, self.side)
        return np.concatenate([np.zeros((len(self), 1, 2), np.int64), beyond], axis=1)

    @property
    def parities(self) -> Ints:
        """For each room the parity, 2 x + y, of the middle of the walled area in the room's frame."""
        lows = self.lows
        low, high = lows.min(axis=1) - 1, lows.max(axis=1) + self.side
        middle = low + (high - low + 1) // 2
        return ((middle[:, None] - lows) % 2) @ np.array([2, 1])


_ALONG = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
"""By heading of a wall, the direction along it."""


def _beside(walls: Ints, along: Ints, side: int, depth: int) -> Ints:
    """Points beyond walls at a place along them; a room of `depth` cells has its corner there, a door has depth 0."""
    ahead = np.array([side, side, -1, -1]) + np.array([1, 1, -1, -1]) * (depth > 0)
    ahead[2:] -= max(depth - 1, 0)
    return _ALONG[walls] * along[..., None] + (1 - _ALONG[walls]) * ahead[walls][..., None]


def room_starts(side: int) -> Layouts:
    """Room 1 alone, with the start on each of its cells."""
    start = np.stack(np.divmod(np.arange(side**2), side), axis=1)
    none = np.zeros((side**2, 0), np.int64)
    return Layouts(side, start, none, none, none, np.ones(side**2))


def with_door(layouts: Layouts) -> Layouts:
    """One more named door, and the room beyond it, in every way that the generator allows."""
    side = layouts.side
    margin = min(2, side // 3)
    ways = [
        (wall, shift, place, 1.0 / (side - abs(shift)))
        for wall in Heading
        for shift in range(-margin, margin + 1)
        for place in range(max(0, shift), min(0, shift) + side)
    ]
    wall, shift, place = (np.array([way[i] for way in ways], np.int64) for i in range(3))
    row, way = (index.ravel() for index in np.indices((len(layouts), len(ways))))
    old, weight = layouts.walls, np.array([way[3] for way in ways])
    fits = (np.abs(layouts.start[row] - _beside(wall, place, side, 0)[way]).max(axis=1) >= SPACING) & (
        old[row] != wall[way][:, None]
    ).all(axis=1)
    lows, new = layouts.lows[:, 1:], _beside(wall, shift, side, side)
    for i in range(old.shape[1]):
        fits &= np.abs(lows[row, i] - new[way]).max(axis=1) > side
    row, way = row[fits], way[fits]

    def joined(before: Ints, added: Ints) -> Ints:
        return np.concatenate([before[row], added[way][:, None]], axis=1)

    walls, shifts, places = joined(old, wall), joined(layouts.shift, shift), joined(layouts.place, place)
    return Layouts(side, layouts.start[row], walls, shifts, places, layouts.weights[row] * weight[way])


def free_starts(layouts: Layouts) -> Ints:
    """The number of cells on which the generator might have put the start."""
    grid = room_grid(layouts.side)
    near = np.bitwise_or.reduce(grid.near[grid.point(layouts.doors)], axis=1)
    return np.bitwise_count(grid.every & ~near).astype(np.int64)
