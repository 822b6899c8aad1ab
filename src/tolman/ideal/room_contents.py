"""What the things of one room may be, given everything told of it: every assignment of cells, with its probability."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tolman.ideal.scene_prior import CellSets, Floats, Ints, Masks, RoomGrid, Rooms, all_sets, set_cells
from tolman.ideal.told import Told


@dataclass
class SetStore:
    """All sets of cells by room, computed once and kept: turns and scenes share them."""

    grid: RoomGrid
    count: int
    keys: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Ascending, one for each room known."""
    starts: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    sizes: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    cells: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    chance: Floats = field(default_factory=lambda: np.zeros(0))

    def sets(self, rooms: Rooms) -> CellSets:
        """All sets of cells of some rooms."""
        where = self._find(rooms)
        row, index = spread(self.starts[where], self.sizes[where])
        return CellSets(row, self.cells[index], self.chance[index])

    def success(self, rooms: Rooms) -> Floats:
        """For each room the probability that placing does not fail."""
        where = self._find(rooms)
        row, index = spread(self.starts[where], self.sizes[where])
        return np.bincount(row, self.chance[index], len(where)).astype(np.float64)

    def _find(self, rooms: Rooms) -> Ints:
        keys = self._keys(rooms)
        missing, first = np.unique(keys[~np.isin(keys, self.keys)], return_index=True)
        if len(missing):
            self._add(missing, rooms.take(np.flatnonzero(~np.isin(keys, self.keys))[first]))
        return np.searchsorted(self.keys, keys)

    def _add(self, keys: Ints, rooms: Rooms) -> None:
        new = all_sets(rooms, self.count)
        sizes = np.bincount(new.room, minlength=len(keys))
        starts = len(self.chance) + np.cumsum(sizes) - sizes
        order = np.argsort(np.concatenate([self.keys, keys]))
        self.keys = np.concatenate([self.keys, keys])[order]
        self.starts = np.concatenate([self.starts, starts])[order]
        self.sizes = np.concatenate([self.sizes, sizes])[order]
        self.cells = np.concatenate([self.cells, new.cells]) if len(self.cells) else new.cells
        self.chance = np.concatenate([self.chance, new.chance])

    def _keys(self, rooms: Rooms) -> Ints:
        points = (self.grid.side + 2) ** 2
        keys = rooms.parity.astype(np.int64) + 4
        for column in np.sort(rooms.fixed, axis=1).T:
            keys = keys * points + column
        return keys


def spread(starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """For runs of some sizes the number of the run, and the index, of every member."""
    row = np.repeat(np.arange(len(sizes)), sizes)
    return row, starts[row] + np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)


@dataclass(frozen=True, eq=False)
class RoomContents:
    """Assignments of cells to the things of some rooms that agree with what was told."""

    room: Ints
    """Index of the room of each assignment, ascending."""
    cells: Ints
    """Of shape (assignments, things), by index; the things seen first, in the order of `names`, then the others."""
    chance: Floats
    names: tuple[str, ...]


def room_contents(told: Told, number: int, rooms: Rooms, sets: CellSets, anchors: Mapping[str, Ints]) -> RoomContents:
    """The assignments for the `number`-th room; `anchors` are by name the points of doors and start in each of `rooms`.

    Things never seen are on the cells left, which no look from a place of this room shows.
    """
    grid, count = rooms.grid, sets.cells.shape[1]
    names = told.seen_in(number)
    bits = np.uint64(1) << sets.cells.astype(np.uint64)
    left, row = np.bitwise_or.reduce(bits, axis=1), np.arange(len(sets.room))
    masks = {pair: grid.masks(table) for pair, table in told.allowed.items() if pair[1] in names}
    options = {name: _allowed(name, masks, anchors, len(rooms.fixed), grid) for name in names}
    names.sort(key=lambda name: float(np.bitwise_count(options[name]).mean()) if len(rooms.fixed) else 0.0)
    for name in names:
        fits = left & options[name][sets.room] != 0
        left, row = left[fits[row]], row[fits[row]]
        sets, row, left = _thinned(sets, row, left)
    placed: dict[str, Ints] = {}
    for name in names:
        allowed = left & options[name][sets.room[row]]
        for other, cells in placed.items():
            if (other, name) in masks:
                allowed &= masks[other, name][grid.point_of_cell(cells)]
        which, cell = set_cells(allowed, grid.side**2)
        placed = {other: cells[which] for other, cells in placed.items()} | {name: cell}
        row, left = row[which], left[which] & ~(np.uint64(1) << cell.astype(np.uint64))
    keep = np.ones(len(row), np.bool_)
    for place in told.looked_in(number):
        points = anchors[place][sets.room[row]] if place in anchors else grid.point_of_cell(placed[place])
        keep &= left & ~grid.masks(told.hidden[place])[points] == 0
    row, left = row[keep], left[keep]
    rest = set_cells(left, grid.side**2)[1].reshape(len(row), count - len(names))
    columns = [placed[name][keep][:, None] for name in names]
    return RoomContents(sets.room[row], np.concatenate([*columns, rest], axis=1), sets.chance[row], tuple(names))


def _thinned(sets: CellSets, row: Ints, left: Masks) -> tuple[CellSets, Ints, Masks]:
    """The sets that are still in use, renumbered."""
    return CellSets(sets.room[row], sets.cells[row], sets.chance[row]), np.arange(len(row)), left


def _allowed(
    name: str, masks: Mapping[tuple[str, str], Masks], anchors: Mapping[str, Ints], rooms: int, grid: RoomGrid
) -> Masks:
    """The cells that the doors and the start allow for a thing, in each room."""
    allowed = np.full(rooms, grid.every)
    for anchor, points in anchors.items():
        if (anchor, name) in masks:
            allowed &= masks[anchor, name][points]
    return allowed


def group_starts(groups: Sequence[int] | Ints, count: int) -> tuple[Ints, Ints]:
    """Start and size of each group among rows sorted by group."""
    sizes = np.bincount(np.asarray(groups), minlength=count)
    return np.cumsum(sizes) - sizes, sizes
