"""Scene generation from a seed: layout, the agent's start, and placement of things by the rules of the published
dataset.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np

from tolman.core.errors import GenerationError, SettingsError
from tolman.core.geometry import Cell, Heading, chebyshev
from tolman.core.seeds import check_seed, rng
from tolman.world.files import DoorSpot, door_spots, rooms_of
from tolman.world.footprints import fits
from tolman.world.layout import published_layout, tree_layout
from tolman.world.scene import Door, Room, Scene, Thing
from tolman.world.settings import WorldSettings
from tolman.world.vocabulary import COLOURS, VOCABULARY_V1, ObjectKind, vocabulary_of

SPACING = 2
"""Least Chebyshev distance between things, doors and the start, in cells."""
LINE_MARGIN = 0.4
"""Cells."""
_TRIES = 200
_TRIES_OFF_LINES = 100
"""First tries, in which no thing may be collinear with two others of its room; crowded rooms can't satisfy this."""


@dataclass(frozen=True)
class Furnishing:
    """The agent's start and the things in the rooms."""

    start: Cell
    things: tuple[Thing, ...]


def furnish(seed: int, settings: WorldSettings, rooms: Sequence[Room], doors: Sequence[DoorSpot]) -> Furnishing:
    """Place the agent and the things, retrying with fresh draws until every room has its number of things."""
    for attempt in range(_TRIES):
        stream = rng(seed, "placement", attempt)
        start = _place_agent(stream, rooms[0], doors)
        cells = _place_things(stream, settings, rooms, doors, start, off_lines=attempt < _TRIES_OFF_LINES)
        if cells:
            if settings.version == 1:
                return Furnishing(start, _name_things(seed, settings, cells))
            taken = (start, *(spot[0] for spot in doors))
            return Furnishing(start, _name_sized_things(seed, settings, cells, rooms, taken))
    rows, columns = settings.room_size
    raise GenerationError(
        f"{settings.things_per_room} things in a room do not fit {SPACING} cells apart into rooms of"
        f" {columns} x {rows}; ask for fewer things or larger rooms"
    )


def _place_agent(stream: np.random.Generator, room: Room, doors: Sequence[DoorSpot]) -> Cell:
    """A cell of room 1 that is not next to a door."""
    free = [cell for cell in room.cells if all(chebyshev(cell, door[0]) >= SPACING for door in doors)]
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
    """Cells of the things of every room, or None if a room has no free cell left."""
    centre = _centre(rooms)
    cells: dict[int, list[Cell]] = {}
    for room in rooms:
        taken = [cell for cell, joined, _ in doors if room.id in joined]
        if room.id == 1:
            taken.append(start)
        fixed = len(taken)
        free = [cell for cell in room.cells if all(chebyshev(cell, other) >= SPACING for other in taken)]
        while len(taken) - fixed < settings.things_per_room:
            cell = _draw_cell(stream, free, centre)
            if cell is None:
                return None
            taken.append(cell)
            free = [other for other in free if chebyshev(cell, other) >= SPACING]
            if off_lines and len(taken) - fixed >= 2:
                first = len(taken) - fixed == 2
                free = _off_lines(free, combinations(taken, 2) if first else ((cell, other) for other in taken[:-1]))
        cells[room.id] = taken[fixed:]
    return cells


def _centre(rooms: Sequence[Room]) -> Cell:
    """The middle cell of the walled area."""
    xs = [x for room in rooms for x in (room.low[0] - 1, room.high[0] + 1)]
    ys = [y for room in rooms for y in (room.low[1] - 1, room.high[1] + 1)]
    return min(xs) + (max(xs) - min(xs) + 1) // 2, min(ys) + (max(ys) - min(ys) + 1) // 2


def _draw_cell(stream: np.random.Generator, free: Sequence[Cell], centre: Cell) -> Cell | None:
    """A random free cell, preferably an even number of cells from the centre along both axes."""
    even = [cell for cell in free if (cell[0] - centre[0]) % 2 == 0 == (cell[1] - centre[1]) % 2]
    pool = even or free
    return pool[int(stream.integers(len(pool)))] if pool else None


def _off_lines(free: list[Cell], lines: Iterable[tuple[Cell, Cell]]) -> list[Cell]:
    """The free cells at least `LINE_MARGIN` from the lines through the pairs of cells."""
    for (ax, ay), (bx, by) in lines:
        dx, dy = bx - ax, by - ay
        margin = LINE_MARGIN**2 * (dx * dx + dy * dy)
        free = [(x, y) for x, y in free if (dx * (y - ay) - dy * (x - ax)) ** 2 >= margin]
    return free


def _name_things(seed: int, settings: WorldSettings, cells: dict[int, list[Cell]]) -> tuple[Thing, ...]:
    """Give every cell a kind, a name and a front, and list the things in an order independent of rooms."""
    stream = rng(seed, "things")
    fronted = _names(stream, [kind for kind in VOCABULARY_V1 if kind.fronted])
    frontless = _names(stream, [kind for kind in VOCABULARY_V1 if not kind.fronted])
    share = sum(kind.fronted for kind in VOCABULARY_V1) / len(VOCABULARY_V1)
    things: list[Thing] = []
    for room, room_cells in cells.items():
        least = settings.fronted(room)
        has_front = [True] * least + [bool(draw < share) for draw in stream.random(len(room_cells) - least)]
        for cell, is_fronted in zip(stream.permutation(room_cells), has_front, strict=True):
            name, kind = next(fronted if is_fronted else frontless)
            front = Heading(int(stream.integers(4))) if is_fronted else None
            things.append(Thing(name, kind.name, (int(cell[0]), int(cell[1])), front, room))
    order = rng(seed, "order").permutation(len(things))
    return tuple(things[int(i)] for i in order)


def _name_sized_things(
    seed: int, settings: WorldSettings, cells: dict[int, list[Cell]], rooms: Sequence[Room], taken: Sequence[Cell]
) -> tuple[Thing, ...]:
    """The same where some kinds cover more than their cell: one that does not fit is kept for the next cell."""
    stream, kinds = rng(seed, "things"), vocabulary_of(settings.version)
    names = {part: _names(stream, [kind for kind in kinds if kind.fronted is part]) for part in (True, False)}
    kept: dict[bool, list[tuple[str, ObjectKind]]] = {True: [], False: []}
    share = sum(kind.fronted for kind in kinds) / len(kinds)
    everywhere = [cell for room_cells in cells.values() for cell in room_cells]
    things: list[Thing] = []
    for room, room_cells in cells.items():
        least = settings.fronted(room)
        has_front = [True] * least + [bool(draw < share) for draw in stream.random(len(room_cells) - least)]
        for place, is_fronted in zip(stream.permutation(room_cells), has_front, strict=True):
            cell = int(place[0]), int(place[1])
            clear = [*taken, *(other for other in everywhere if other != cell)]
            headings = [Heading(int(i)) for i in stream.permutation(4)] if is_fronted else [None]
            waiting, skipped = iter(kept[is_fronted]), list[tuple[str, ObjectKind]]()
            for name, kind in chain(waiting, names[is_fronted]):
                choices = (Thing(name, kind.name, cell, front, room) for front in headings)
                fitting = (each for each in choices if fits(each, rooms[room - 1], things, clear, settings.version))
                if thing := next(fitting, None):
                    things.append(thing)
                    break
                skipped.append((name, kind))
            kept[is_fronted] = [*skipped, *waiting]
    order = rng(seed, "order").permutation(len(things))
    return tuple(things[int(i)] for i in order)


def _names(stream: np.random.Generator, kinds: Sequence[ObjectKind]) -> Iterator[tuple[str, ObjectKind]]:
    """Kinds in random order, each once; then again with colours (`red chair`)."""
    for adjective in ("", *(f"{colour} " for colour in COLOURS)):
        for i in stream.permutation(len(kinds)):
            yield adjective + kinds[int(i)].name, kinds[int(i)]
    raise SettingsError("there are not enough names for that many things; ask for fewer")


_PUBLISHED_ROOM_COUNTS = (2, 3, 4)
_PUBLISHED_COLOURS = 5


def generate(seed: int, settings: WorldSettings | None = None) -> Scene:
    """The scene of a seed. With two to four rooms, seed k has the walls and doors of published scene k."""
    check_seed(seed)
    settings = settings or WorldSettings()
    rooms, spots = _layout(seed, settings)
    furnishing = furnish(seed, settings, rooms, spots)
    doors = tuple(
        Door(f"{colour} door", *spot) for colour, spot in zip(_door_colours(seed, len(spots)), spots, strict=True)
    )
    return Scene(rooms, doors, furnishing.things, furnishing.start, label=str(seed), version=settings.version)


def _layout(seed: int, settings: WorldSettings) -> tuple[tuple[Room, ...], list[DoorSpot]]:
    if settings.rooms in _PUBLISHED_ROOM_COUNTS:
        mask = published_layout(seed, settings.rooms, settings.room_size)
        return rooms_of(mask), door_spots(mask)
    return tree_layout(seed, settings.rooms, settings.room_size)


def _door_colours(seed: int, count: int) -> list[str]:
    """Distinct colours: the published five in random order, then the others."""
    colours = list(COLOURS)
    stream = rng(seed, "doors")
    first = [colours[int(i)] for i in stream.permutation(_PUBLISHED_COLOURS)]
    later = [colours[_PUBLISHED_COLOURS + int(i)] for i in stream.permutation(len(colours) - _PUBLISHED_COLOURS)]
    return (first + later)[:count]
