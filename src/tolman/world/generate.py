"""Scene generation from a seed by the rules of the published dataset: layout, the agent's start, placement of things.

Layouts are those of the published generator (seed k gives the walls and doors of published scene k), or random trees of
any number of rooms.
"""

import copy
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from tolman.core.errors import GenerationError, SettingsError
from tolman.core.geometry import Cell, Heading, chebyshev
from tolman.core.seeds import check_seed, is_secret, rng
from tolman.world.files import DOOR_X, DOOR_Y, OUTSIDE, WALL, DoorSpot, door_spots, rooms_of
from tolman.world.footprints import fits
from tolman.world.scene import Door, Room, Scene, Thing
from tolman.world.settings import WorldSettings
from tolman.world.vocabulary import COLOURS, VOCABULARY_V1, ObjectKind, vocabulary_of

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
