"""The rooms of a scene given what was told: contents of the rooms beyond doors, summed out, and of the start's room."""

import math
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from tolman.core.geometry import Cell
from tolman.ideal.room_contents import RoomContents, SetStore, group_starts, room_contents
from tolman.ideal.scene_prior import Floats, Ints, Layouts, Masks, Rooms, ScenePrior, room_grid
from tolman.ideal.told import MAIN, Told
from tolman.world import START


@dataclass(frozen=True, eq=False)
class BeyondDoor:
    """The contents of the room beyond a door, sorted by `groups`; layouts with one key share a group."""

    contents: RoomContents
    queried: bool
    keys: Ints
    """Ascending, one for each group."""
    starts: Ints
    sizes: Ints
    sums: Floats
    """Probability of what was told of the room, for each group."""
    cumulative: Floats

    def group(self, layouts: Layouts, number: int) -> Ints:
        """The group of each layout; -1 where nothing agrees."""
        keys = _room_key(layouts, number, self.queried)
        if not len(self.keys):
            return np.full(len(layouts), -1)
        where = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[where] == keys, where, -1)


def _room_key(layouts: Layouts, number: int, queried: bool) -> Ints:
    """What a room's contents depend on: wall, place of the door in it, parity; with queries also the door's cell."""
    place = layouts.place[:, number] - layouts.shift[:, number]
    keys = (layouts.walls[:, number] * layouts.side + place) * 4 + layouts.parities[:, number + 1]
    return _with_cell(keys, layouts.doors[:, number] - layouts.start) if queried else keys


def _with_cell(keys: Ints, cell: Ints) -> Ints:
    return (keys * 1000 + cell[:, 0] + 500) * 1000 + cell[:, 1] + 500


@cache
def _store(side: int, count: int) -> SetStore:
    return SetStore(room_grid(side), count)


def beyond_door(told: Told, prior: ScenePrior, number: int) -> BeyondDoor:
    """What may be in the `number`-th room, for each wall and place of its door, and parity."""
    side, grid, door = prior.side, room_grid(prior.side), told.brief.doors[number - 1]
    walls = [int(told.walls[door])] if door in told.walls else range(4)
    ways = np.array(list(product(walls, range(side), range(4))))
    points = np.array([_door_point(int(wall), int(place), side) for wall, place, _ in ways])
    rooms = Rooms(grid, grid.point(points)[:, None], ways[:, 2])
    sets = _store(side, prior.settings.things_per_room).sets(rooms)
    contents = room_contents(told, number, rooms, sets, {door: rooms.fixed[:, 0]})
    keys = ((ways[:, 0] * side + ways[:, 1]) * 4 + ways[:, 2])[contents.room]
    success = np.bincount(sets.room, sets.chance, len(ways))[contents.room]
    chance, keep = contents.chance / success, np.ones(len(keys), np.bool_)
    asked = [(i, name) for i, name in enumerate(contents.names) if name in told.exact]
    needed = [
        np.array(told.exact[name]) - (grid.cells[contents.cells[:, i]] - points[contents.room]) for i, name in asked
    ]
    for cell in needed:
        keep &= (cell == needed[0]).all(axis=1)
    if needed:
        keys = _with_cell(keys, needed[0])
    order = np.flatnonzero(keep)[np.argsort(keys[keep], kind="stable")]
    unique, group = np.unique(keys[order], return_inverse=True)
    starts, sizes = group_starts(group, len(unique))
    kept = RoomContents(contents.room[order], contents.cells[order], chance[order], contents.names)
    sums: Floats = np.bincount(group, kept.chance, len(unique)).astype(np.float64)
    return BeyondDoor(kept, bool(needed), unique, starts, sizes, sums, np.cumsum(kept.chance))


def _door_point(wall: int, place: int, side: int) -> Cell:
    """The door in the frame of the room beyond a wall of room 1."""
    return ((place, -1), (-1, place), (place, side), (side, place))[wall]


def with_contents(layouts: Layouts, number: int, contents: BeyondDoor) -> Layouts:
    """Layouts weighted by the probability of what was told of the room beyond a door."""
    group = contents.group(layouts, number)
    layouts, group = layouts.take(group >= 0), group[group >= 0]
    return layouts.weighted(layouts.weights * contents.sums[group])


def anchors_of(layouts: Layouts, told: Told) -> dict[str, Ints]:
    """By name, the points of the start and the doors in room 1."""
    grid = room_grid(layouts.side)
    points = grid.point(layouts.doors)
    return {START: grid.point(layouts.start), **{door: points[:, i] for i, door in enumerate(told.brief.doors)}}


def told_cell(told: Told, name: str, layouts: Layouts) -> Masks:
    """The cell of room 1 that a query told, in each layout; all cells without a query."""
    grid = room_grid(layouts.side)
    if name not in told.exact:
        return np.full(len(layouts), grid.every)
    at = layouts.start + np.array(told.exact[name])
    inside = ((at >= 0) & (at < layouts.side)).all(axis=1)
    bit = np.uint64(1) << np.where(inside, at @ np.array([layouts.side, 1]), 0).astype(np.uint64)
    return np.where(inside, bit, np.uint64(0))


@dataclass(frozen=True, eq=False)
class MainRooms:
    """Contents of room 1 with their weights, and the layouts that share each room."""

    layouts: Layouts
    """Sorted by `room`."""
    starts: Ints
    sizes: Ints
    cumulative: Floats
    contents: RoomContents
    weights: Floats
    ess: float


def main_rooms(told: Told, prior: ScenePrior, layouts: Layouts, seed: int, most: int) -> MainRooms | None:
    grid = room_grid(prior.side)
    parity = layouts.parities[:, 0]
    points = np.concatenate([grid.point(layouts.start)[:, None], grid.point(layouts.doors)], axis=1)
    keys = parity.astype(np.int64)
    for column in points.T:
        keys = keys * (grid.side + 2) ** 2 + column
    unique, first, room = np.unique(keys, return_index=True, return_inverse=True)
    sums = np.bincount(room, layouts.weights, len(unique))
    included = np.minimum(1.0, most * sums / sums.sum())
    chosen = np.flatnonzero(_permanent_draws(unique, seed) < included) if len(unique) > most else np.arange(len(unique))
    included = included[chosen] if len(unique) > most else np.ones(len(unique))
    rooms = Rooms(grid, points[first[chosen]], parity[first[chosen]])
    samples = layouts.take(first[chosen])
    sets = _store(prior.side, prior.settings.things_per_room).sets(rooms)
    contents = room_contents(told, MAIN, rooms, sets, anchors_of(samples, told))
    contents, kept = _agreeing(told, contents, samples)
    if not len(kept):
        return None
    rate = _success_rates(prior, samples)
    weights = contents.chance * (sums[chosen] / included / rate)[contents.room]
    by_room = np.bincount(contents.room, weights, len(chosen))
    doubt = float(((1 - included) * by_room**2).sum())
    ess = math.inf if doubt == 0 else float(by_room.sum()) ** 2 / doubt
    order = np.argsort(room, kind="stable")
    starts, sizes = group_starts(room, len(unique))
    ordered = layouts.take(order)
    return MainRooms(
        ordered, starts[chosen], sizes[chosen], np.cumsum(ordered.weights), contents, weights / weights.sum(), ess
    )


def _permanent_draws(keys: Ints, seed: int) -> Floats:
    """A number from 0 to 1 for each key, always the same, so that successive turns sample the same rooms."""
    mixed = (keys.astype(np.uint64) + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    return (mixed ^ mixed >> np.uint64(31)) / 2.0**64


def _agreeing(told: Told, contents: RoomContents, layouts: Layouts) -> tuple[RoomContents, Ints]:
    """The contents of room 1 that agree with queries."""
    grid, keep = room_grid(layouts.side), np.ones(len(contents.room), np.bool_)
    for i, name in enumerate(contents.names):
        if name in told.exact:
            at = grid.cells[contents.cells[:, i]] - layouts.start[contents.room]
            keep &= (at == told.exact[name]).all(axis=1)
    kept = np.flatnonzero(keep)
    return RoomContents(contents.room[kept], contents.cells[kept], contents.chance[kept], contents.names), kept


_RATES: dict[tuple[int, int, int, tuple[int, ...]], float] = {}


def _success_rates(prior: ScenePrior, layouts: Layouts) -> Floats:
    """For each layout the probability that placing start and things in room 1 succeeds; else both are drawn anew."""
    doors, parity = layouts.doors, layouts.parities[:, 0]
    keys, turned = _canonical(doors, parity, prior.side)
    unique, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    rates: list[float] = []
    for key, one in zip(unique.tolist(), first.tolist(), strict=True):
        name = (prior.side, prior.settings.things_per_room, int(key[0]), tuple(key[1:]))
        if name not in _RATES:
            _RATES[name] = _success_rate(prior, turned[0][one], int(turned[1][one]))
        rates.append(_RATES[name])
    return np.array(rates)[which.ravel()]


def _canonical(doors: Ints, parity: Ints, side: int) -> tuple[Ints, tuple[Ints, Ints]]:
    """Doors and parity turned and mirrored so that equal rooms look equal: keys, and the doors and parity so turned."""
    best = np.zeros((len(doors), doors.shape[1] + 1), np.int64)
    best_doors, best_parity = doors, parity
    grid = room_grid(side)
    at = np.stack([parity // 2, parity % 2], axis=1)
    for number in range(8):
        moved, marks = doors, at
        if number & 1:
            moved, marks = moved[..., ::-1], marks[..., ::-1]
        flip = np.array([number >> 1 & 1, number >> 2 & 1])
        moved = np.where(flip, side - 1 - moved, moved)
        marks = np.where(flip, side - 1 - marks, marks) % 2
        turned = marks @ np.array([2, 1])
        keys = np.concatenate([turned[:, None], np.sort(grid.point(moved), axis=1)], axis=1)
        if number == 0:
            best = keys
            continue
        differs = np.argmax(keys != best, axis=1)
        rows = np.arange(len(keys))
        lower = keys[rows, differs] < best[rows, differs]
        best = np.where(lower[:, None], keys, best)
        best_doors = np.where(lower[:, None, None], moved, best_doors)
        best_parity = np.where(lower, turned, best_parity)
    return best, (best_doors, best_parity)


def _success_rate(prior: ScenePrior, doors: Ints, parity: int) -> float:
    grid = room_grid(prior.side)
    points = grid.point(doors)
    free = grid.every & ~np.bitwise_or.reduce(grid.near[points]) if len(points) else grid.every
    starts = np.flatnonzero(np.uint64(free) >> np.arange(grid.side**2, dtype=np.uint64) & np.uint64(1))
    fixed = np.concatenate([grid.point_of_cell(starts)[:, None], np.tile(points, (len(starts), 1))], axis=1)
    rooms = Rooms(grid, fixed, np.full(len(starts), parity))
    return float(_store(prior.side, prior.settings.things_per_room).success(rooms).mean())
