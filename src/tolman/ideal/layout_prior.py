"""The generator's distribution of walls, doors and start, listed: what it may be before anything is seen.

With one to four rooms a published layout is room 1 with each other room beyond a door in one of its walls. All rooms
are squares of one size. Cells are in the frame of room 1, whose south-west corner is (0, 0).
"""

from dataclasses import dataclass

import numpy as np

from tolman.core.geometry import Heading
from tolman.ideal.room_prior import MOST_CELLS, Bools, Floats, Ints, room_grid
from tolman.world import Scene, WorldSettings
from tolman.world.generate import SPACING
from tolman.world.settings import MAX_STAR_ROOMS

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
