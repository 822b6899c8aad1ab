"""Put the agent and the things on the floor, by the placement rules of the published dataset.

Cells are integers. In each room every thing is at least two king's moves from other things, doors and the agent. No
kind of thing comes twice while kinds last, with a front and without. Draws come from our own named streams, so that
scenes are new ones in published layouts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tolman.errors import GenerationError, SettingsError
from tolman.geometry import Cell, Heading, chebyshev
from tolman.seeds import rng
from tolman.world.grid import DoorSpot
from tolman.world.scene import Room, Thing
from tolman.world.settings import WorldSettings
from tolman.world.vocabulary import COLOURS, KINDS, Kind

_SPACING = 2
_LINE_MARGIN = 0.4
_TRIES = 200
_TRIES_OFF_LINES = 100
"""Tries in which no thing may stand in line with two others of its room; full rooms can't keep that up."""


@dataclass(frozen=True)
class Furnishing:
    """Where the agent starts, and what stands in the rooms."""

    start: Cell
    things: tuple[Thing, ...]


def furnish(seed: int, settings: WorldSettings, rooms: Sequence[Room], doors: Sequence[DoorSpot]) -> Furnishing:
    """Place agent and things; tries again with fresh draws until every room is full."""
    for attempt in range(_TRIES):
        stream = rng(seed, "placement", attempt)
        start = _place_agent(stream, rooms[0], doors)
        cells = _place_things(stream, settings, rooms, doors, start, off_lines=attempt < _TRIES_OFF_LINES)
        if cells:
            return Furnishing(start, _name_things(seed, settings, cells))
    rows, columns = settings.room_size
    raise GenerationError(
        f"{settings.things_per_room} things in a room do not fit {_SPACING} cells apart into rooms of"
        f" {columns} x {rows}; ask for fewer things or larger rooms"
    )


def _place_agent(stream: np.random.Generator, room: Room, doors: Sequence[DoorSpot]) -> Cell:
    """A cell of room 1 that is not next to a door."""
    free = [cell for cell in room.cells if all(chebyshev(cell, door[0]) >= _SPACING for door in doors)]
    if not free:
        raise GenerationError("room 1 has no cell away from its doors for the agent; ask for larger rooms")
    return free[int(stream.integers(len(free)))]


def _place_things(
    stream: np.random.Generator,
    settings: WorldSettings,
    rooms: Sequence[Room],
    doors: Sequence[DoorSpot],
    start: Cell,
    *,
    off_lines: bool,
) -> dict[int, list[Cell]] | None:
    """Cells of the things of every room, or None where one room has no place left."""
    centre = _centre(rooms)
    cells: dict[int, list[Cell]] = {}
    for room in rooms:
        taken = [cell for cell, joined, _ in doors if room.id in joined]
        if room.id == 1:
            taken.append(start)
        fixed = len(taken)
        free = [cell for cell in room.cells if all(chebyshev(cell, other) >= _SPACING for other in taken)]
        while len(taken) - fixed < settings.things_per_room:
            cell = _pick(stream, free, centre)
            if cell is None:
                return None
            taken.append(cell)
            free = [other for other in free if chebyshev(cell, other) >= _SPACING]
            if off_lines and len(taken) - fixed >= 2:
                first_time = len(taken) - fixed == 2
                free = _off_lines(free, combinations(taken, 2) if first_time else ((cell, a) for a in taken[:-1]))
        cells[room.id] = taken[fixed:]
    return cells


def _centre(rooms: Sequence[Room]) -> Cell:
    """The middle cell of the walled area."""
    xs = [x for room in rooms for x in (room.low[0] - 1, room.high[0] + 1)]
    ys = [y for room in rooms for y in (room.low[1] - 1, room.high[1] + 1)]
    return min(xs) + (max(xs) - min(xs) + 1) // 2, min(ys) + (max(ys) - min(ys) + 1) // 2


def _pick(stream: np.random.Generator, free: Sequence[Cell], centre: Cell) -> Cell | None:
    """A random free cell, first among those an even number of cells from the centre both ways."""
    even = [cell for cell in free if (cell[0] - centre[0]) % 2 == 0 == (cell[1] - centre[1]) % 2]
    pool = even or free
    return pool[int(stream.integers(len(pool)))] if pool else None


def _off_lines(free: list[Cell], lines: Iterable[tuple[Cell, Cell]]) -> list[Cell]:
    """Cells at least 0.4 cells off the straight lines through pairs of others."""
    for (ax, ay), (bx, by) in lines:
        dx, dy = bx - ax, by - ay
        margin = _LINE_MARGIN**2 * (dx * dx + dy * dy)
        free = [(x, y) for x, y in free if (dx * (y - ay) - dy * (x - ax)) ** 2 >= margin]
    return free


def _name_things(seed: int, settings: WorldSettings, cells: dict[int, list[Cell]]) -> tuple[Thing, ...]:
    """Give every cell a kind, a name and a front, and list the things in an order that tells nothing of rooms."""
    stream = rng(seed, "things")
    fronted = _names(stream, [kind for kind in KINDS if kind.fronted])
    frontless = _names(stream, [kind for kind in KINDS if not kind.fronted])
    share = sum(kind.fronted for kind in KINDS) / len(KINDS)
    things: list[Thing] = []
    for room, places in cells.items():
        sure = settings.fronted(room)
        has_front = [True] * sure + [bool(draw < share) for draw in stream.random(len(places) - sure)]
        for cell, with_front in zip(stream.permutation(places), has_front, strict=True):
            name, kind = next(fronted if with_front else frontless)
            front = Heading(int(stream.integers(4))) if with_front else None
            things.append(Thing(name, kind.name, (int(cell[0]), int(cell[1])), front, room))
    order = rng(seed, "order").permutation(len(things))
    return tuple(things[int(i)] for i in order)


def _names(stream: np.random.Generator, kinds: Sequence[Kind]) -> Iterator[tuple[str, Kind]]:
    """Kinds in random order, each once; when they run out they come again in colours (`red chair`)."""
    for adjective in ("", *(f"{colour} " for colour in COLOURS)):
        for i in stream.permutation(len(kinds)):
            yield adjective + kinds[int(i)].name, kinds[int(i)]
    raise SettingsError("a world can't hold that many things: there are no more names; ask for fewer")
