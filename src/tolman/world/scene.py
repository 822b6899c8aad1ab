"""Scenes: rooms, doors, things and poses as frozen values that validate themselves.

Frame: integer cells, x east, y north. A wall is one cell thick and a door is one cell of a wall.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Literal

from tolman.core.errors import SceneFileError, UnknownNameError
from tolman.core.geometry import Cell, Heading, difference
from tolman.core.seeds import digest

START = "initial_pos"
"""Name of the agent's start cell, valid wherever the name of a thing or door is."""
AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle of floor: all cells from `low` to `high`, both included."""

    id: int
    low: Cell
    high: Cell

    def __post_init__(self) -> None:
        if self.id < 1 or self.low[0] > self.high[0] or self.low[1] > self.high[1]:
            raise SceneFileError(f"room {self.id} has no floor: it runs from {self.low} to {self.high}")

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is part of the floor."""
        x, y = cell
        return self.low[0] <= x <= self.high[0] and self.low[1] <= y <= self.high[1]

    def apart_from(self, other: "Room") -> bool:
        """Whether at least one wall cell lies between two rooms, corners included."""
        gap_x = max(self.low[0], other.low[0]) - min(self.high[0], other.high[0]) - 1
        gap_y = max(self.low[1], other.low[1]) - min(self.high[1], other.high[1]) - 1
        return max(gap_x, gap_y) >= 1

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The floor, sorted by x, then y."""
        (x0, y0), (x1, y1) = self.low, self.high
        return tuple((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))


@dataclass(frozen=True, slots=True)
class Door:
    """A passage between two rooms along `axis`: `x` is east-west, `y` north-south."""

    name: str
    cell: Cell
    rooms: tuple[int, int]
    """Room on the low side (west or south), then room on the high side (east or north)."""
    axis: Literal["x", "y"]

    def into(self, room: int) -> Heading:
        """The heading of an agent that walks through this door into `room`."""
        low, high = self.rooms
        if room not in (low, high):
            raise UnknownNameError(f"{self.name} does not lead to room {room}")
        inward = Heading.EAST if self.axis == "x" else Heading.NORTH
        return inward if room == high else inward.opposite

    def beyond(self, room: int) -> int:
        """The room on the other side."""
        low, high = self.rooms
        if room not in (low, high):
            raise UnknownNameError(f"{self.name} does not lead to room {room}")
        return high if room == low else low


@dataclass(frozen=True, slots=True)
class Thing:
    """An object on one cell of a room. `front` is None for things that look the same from all sides."""

    name: str
    category: str
    cell: Cell
    front: Heading | None
    room: int

    @property
    def rooms(self) -> tuple[int]:
        return (self.room,)


Item = Thing | Door


@dataclass(frozen=True, slots=True)
class Pose:
    """Cell and heading of an agent, and the rooms that it is in (two in a doorway)."""

    cell: Cell
    heading: Heading
    rooms: tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """A world: rooms connected by doors, things in the rooms, and the agent's start cell.

    Two scenes are the same if their `digest` is; `label` only says where a scene came from.
    """

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    things: tuple[Thing, ...]
    start: Cell
    label: str = field(default="", compare=False)
    version: int = 1
    """World version, which gives the sizes of things (`kind_in`)."""

    def __post_init__(self) -> None:
        if not self.rooms or [room.id for room in self.rooms] != list(self.room_ids):
            raise SceneFileError("rooms must be numbered 1, 2, 3, ... in order, and there must be at least one")
        for a, b in combinations(self.rooms, 2):
            if not a.apart_from(b):
                raise SceneFileError(f"rooms {a.id} and {b.id} have no wall between them")
        for door in self.doors:
            self._check_door(door)
        self._check_names_and_cells()

    def __repr__(self) -> str:
        named = f"{self.label!r}: " if self.label else ""
        counts = ((self.rooms, "room"), (self.doors, "door"), (self.things, "thing"))
        words = ", ".join(f"{len(some)} {one}{'s' * (len(some) != 1)}" for some, one in counts)
        return f"Scene({named}{words}, {self.digest[:8]})"

    def _repr_svg_(self) -> str:
        from tolman.world.drawing import scene_svg  # noqa: PLC0415 only notebooks draw

        return scene_svg(self, repr(self))

    def _check_names_and_cells(self) -> None:
        names = [item.name for item in self.items]
        if len(set(names)) != len(names) or START in names or AGENT in names:
            raise SceneFileError("names of things and doors must be unique, and not a reserved word")
        taken = {item.cell: item.name for item in self.items}
        for item in self.items:
            if taken[item.cell] != item.name:
                raise SceneFileError(f"{item.name} and {taken[item.cell]} are on the same cell {item.cell}")
        for thing in self.things:
            if thing.room not in self.room_ids or not self.room(thing.room).holds(thing.cell):
                raise SceneFileError(f"{thing.name} at {thing.cell} is not on the floor of room {thing.room}")
        if not self.room(1).holds(self.start) or self.start in taken:
            raise SceneFileError(f"the start {self.start} must be a free cell of room 1")

    def _check_door(self, door: Door) -> None:
        (x, y), (low, high) = door.cell, door.rooms
        below, above = ((x - 1, y), (x + 1, y)) if door.axis == "x" else ((x, y - 1), (x, y + 1))
        valid = low in self.room_ids and high in self.room_ids and not any(r.holds(door.cell) for r in self.rooms)
        if not valid or not self.room(low).holds(below) or not self.room(high).holds(above):
            raise SceneFileError(f"{door.name} at {door.cell} does not connect rooms {low} and {high}")

    @property
    def room_ids(self) -> range:
        return range(1, len(self.rooms) + 1)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All things in their order, then all doors."""
        return (*self.things, *self.doors)

    @cached_property
    def _by_name(self) -> dict[str, Item]:
        return {item.name: item for item in self.items}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    def item(self, name: str) -> Item:
        """The thing or door of that name."""
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownNameError(f"this scene has no thing or door called {name!r}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def room(self, number: int) -> Room:
        return self.rooms[number - 1]

    def items_in(self, rooms: tuple[int, ...]) -> tuple[Item, ...]:
        """Things and doors of one or more rooms, in the scene's order."""
        cache = self._items_by_rooms
        if rooms not in cache:
            cache[rooms] = tuple(item for item in self.items if not set(rooms).isdisjoint(item.rooms))
        return cache[rooms]

    @cached_property
    def _items_by_rooms(self) -> dict[tuple[int, ...], tuple[Item, ...]]:
        return {}

    def pose_at(self, name: str, heading: Heading) -> Pose:
        """The pose of an agent on a thing, in a doorway, or (`START`) at the start."""
        if name == START:
            return Pose(self.start, heading, (1,))
        item = self.item(name)
        return Pose(item.cell, heading, item.rooms)

    def from_start(self, name: str) -> Cell:
        """Position of a thing or door in the agent's initial frame: origin at the start, y to the north."""
        return (0, 0) if name == START else difference(self.item(name).cell, self.start)

    @cached_property
    def bounds(self) -> tuple[Cell, Cell]:
        """Lowest and highest cell, outer walls included."""
        xs = [x for room in self.rooms for x in (room.low[0] - 1, room.high[0] + 1)]
        ys = [y for room in self.rooms for y in (room.low[1] - 1, room.high[1] + 1)]
        return (min(xs), min(ys)), (max(xs), max(ys))

    @property
    def extent(self) -> int:
        """Longer side of the walled area in cells: the `g` of the published metrics."""
        (x0, y0), (x1, y1) = self.bounds
        return max(x1 - x0, y1 - y0) + 1

    @cached_property
    def digest(self) -> str:
        """Hash of the content, without the label, as 64 hexadecimal digits."""
        return digest(list(self._content()))

    def _content(self) -> Iterator[object]:
        yield [[room.low, room.high] for room in self.rooms]
        yield [[door.name, door.cell, door.rooms, door.axis] for door in self.doors]
        yield [[t.name, t.category, t.cell, t.front, t.room] for t in self.things]
        yield self.start
        if self.version != 1:
            yield ["version", self.version]
