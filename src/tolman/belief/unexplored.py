"""The probe of unexplored space: which of some lettered points has the agent not had in view yet?

Points are cells of the world frame. The agent is shown the whole layout as characters, so that the question is what
it has looked at, not what the world is like.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.geometry import Cell, difference
from tolman.seeds import rng
from tolman.sense import in_view
from tolman.world import Pose, Scene
from tolman.world.grid import DOOR_X, OUTSIDE, WALL, mask_of

PER_SIDE = 3
"""Most points drawn from the unexplored, and as many from the explored, cells of a room."""


@dataclass(frozen=True)
class Points:
    """Lettered points in the order of their letters, and those among them that have not been in view."""

    cells: tuple[Cell, ...]
    unexplored: frozenset[Cell]

    @property
    def letters(self) -> dict[str, Cell]:
        return dict(zip(_letters(), self.cells, strict=False))


def _letters() -> Iterator[str]:
    """A to Z, then AA, AB and so on."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from alphabet
    for first in _letters():
        yield from (first + last for last in alphabet)


# ---- what has been in view ----


def cells_in_view(scene: Scene, pose: Pose) -> dict[int, list[Cell]]:
    """By room, the floor that a look from a pose explores: the field of view and the cell one stands on."""
    return {
        number: [
            cell
            for cell in scene.room(number).cells
            if cell == pose.cell or in_view(difference(cell, pose.cell), pose.heading)
        ]
        for number in pose.rooms
    }


def explored_cells(scene: Scene, looks: Iterable[Pose]) -> dict[int, set[Cell]]:
    """By room that was looked into, the floor explored by some looks."""
    explored: dict[int, set[Cell]] = {}
    for pose in looks:
        for room, cells in cells_in_view(scene, pose).items():
            explored.setdefault(room, set()).update(cells)
    return explored


# ---- the points ----


def draw_points(scene: Scene, looks: Iterable[Pose], pose: Pose, seed: int, turn: int) -> Points:
    """Points to ask about after some looks, for an agent in `pose`: up to three explored and as many not, a room."""
    return draw_among(scene, explored_cells(scene, looks), pose, seed, turn)


def draw_among(scene: Scene, explored: Mapping[int, set[Cell]], pose: Pose, seed: int, turn: int) -> Points:
    """The same, given the floor that was explored, by room that was looked into."""
    stream = rng(seed, "unexplored", turn)
    cells: list[Cell] = []
    unexplored: list[Cell] = []
    for room, seen in sorted(explored.items()):
        floor = [cell for cell in scene.room(room).cells if cell != pose.cell]
        sides = [[c for c in floor if c not in seen], [c for c in floor if c in seen]]
        count = min(PER_SIDE, *map(len, sides))
        drawn = [[side[int(i)] for i in stream.permutation(len(side))[:count]] for side in sides]
        unexplored += drawn[0]
        cells += drawn[0] + drawn[1]
    order = stream.permutation(len(cells))
    return Points(tuple(cells[int(i)] for i in order), frozenset(unexplored))


def released_points(scene: Scene, turns: Sequence[tuple[Pose, bool]], seed: int) -> tuple[Points, ...]:
    """The points that the authors' code drew after each turn; a turn is its pose and whether the agent looked.

    Their draws depend on the order in which CPython goes through a set, which depends on how the set came about. So
    each set is built here as it was there, one cell after the other.
    """
    stream = random.Random(seed)  # noqa: S311
    unexplored = {room.id: set(room.cells) for room in scene.rooms}
    explored: dict[int, set[Cell]] = {}
    points: list[Points] = []
    for pose, looked in turns:
        for room, seen in cells_in_view(scene, pose).items() if looked else ():
            if left := unexplored[room]:
                known = explored.setdefault(room, set())
                left.discard(pose.cell)
                known.add(pose.cell)
                for cell in [cell for cell in left if cell in seen]:
                    left.discard(cell)
                    known.add(cell)
        points.append(_released_draw(scene, pose, unexplored, explored, stream))
    return tuple(points)


def _released_draw(
    scene: Scene, pose: Pose, unexplored: dict[int, set[Cell]], explored: dict[int, set[Cell]], stream: random.Random
) -> Points:
    cells: list[Cell] = []
    asked: list[Cell] = []
    for room, known in sorted(explored.items()):
        floor = frozenset(scene.room(room).cells)
        left, seen = _one_by_one(sorted(unexplored[room])), _one_by_one(cell for cell in known if cell in floor)
        left.discard(pose.cell)
        seen.discard(pose.cell)
        count = min(PER_SIDE, len(left), len(seen))
        asked += (drawn := stream.sample(list(left), count))
        cells += [*drawn, *stream.sample(list(seen), count)]
    stream.shuffle(cells)
    return Points(tuple(cells), frozenset(asked))


def _one_by_one(cells: Iterable[Cell]) -> set[Cell]:
    """A set that grew: a set made of another, or of two, may go through the same cells in another order."""
    grown: set[Cell] = set()
    for cell in cells:
        grown.add(cell)
    return grown


def point_map(scene: Scene, pose: Pose, points: Points) -> str:
    """The layout, north on top: `#` wall or outside, `.` floor, `+` door, `*` the agent, and the points' letters.

    Every cell is one character wide, or two where there are more points than letters.
    """
    (x0, y0), _ = scene.bounds
    columns = [["#" if v in (OUTSIDE, WALL) else "." if v < DOOR_X else "+" for v in col] for col in mask_of(scene)]
    for mark, (x, y) in (*points.letters.items(), ("*", pose.cell)):
        columns[x - x0][y - y0] = mark
    width = max(map(len, points.letters), default=1)
    rows = reversed(list(zip(*columns, strict=True)))
    return "\n".join("".join(mark.ljust(width, "#" if mark == "#" else " ") for mark in row) for row in rows)
