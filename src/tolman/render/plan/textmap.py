"""A scene as text for a terminal: a map of characters and a legend."""

from collections.abc import Iterator
from itertools import count, product
from string import ascii_letters, ascii_lowercase

from tolman.core.geometry import Cell, Heading
from tolman.world import START, Door, Item, Scene


def reading_order(scene: Scene) -> tuple[Item, ...]:
    """Things room by room, each from north to south and west to east; then doors likewise."""
    things = sorted(scene.things, key=lambda thing: (thing.room, -thing.cell[1], thing.cell[0]))
    doors = sorted(scene.doors, key=lambda door: (-door.cell[1], door.cell[0]))
    return (*things, *doors)


WALL, FLOOR, START_CODE = "█", "·", "@"
ARROWS = {Heading.NORTH: "↑", Heading.EAST: "→", Heading.SOUTH: "↓", Heading.WEST: "←"}
_TICK = 5
_HEADER = ("code", "name", "east", "north", "facing", "room")


def text_map(scene: Scene) -> str:
    """The map, north up, and one legend line for the start, each thing and each door.

    The legend gives positions in the agent's initial frame: cells east and north of the start. Codes are single letters
    up to 52 things and longer beyond. Unprintable characters of names are escaped.
    """
    codes = _codes(scene)
    width = max(2, *(len(code) + code.isalpha() for code in codes.values()))
    return "\n".join((*_map_lines(scene, codes, width), "", *_legend_lines(scene, codes))) + "\n"


def _codes(scene: Scene) -> dict[str, str]:
    """Codes by name, in the order of the legend: letters for things, all of the same length, and numbers for doors."""
    letters, length = ascii_letters, 1
    while len(letters) ** length < len(scene.things):
        letters, length = ascii_lowercase, length + 1
    codes = map("".join, product(letters, repeat=length))
    numbers = map(str, count(1))
    items = reading_order(scene)
    return {START: START_CODE} | {i.name: next(numbers if isinstance(i, Door) else codes) for i in items}


def _map_lines(scene: Scene, codes: dict[str, str], width: int) -> Iterator[str]:
    symbols = _symbols(scene, codes, WALL * width)
    (x0, y0), (x1, y1) = scene.bounds
    east, north = scene.start
    ruler = max(len(str(y - north)) for y in (y0, y1))
    for y in range(y1, y0 - 1, -1):
        row = "".join(symbols.get((x, y), " ").ljust(width) for x in range(x0, x1 + 1))
        yield f"{y - north:>{ruler}}  {row}".rstrip()
    first = x0 + (east - x0) % _TICK
    ticks = "".join(f"{x - east:<{_TICK * width}}" for x in range(first, x1 + 1, _TICK))
    yield (" " * (ruler + 2 + (first - x0) * width) + ticks).rstrip()


def _symbols(scene: Scene, codes: dict[str, str], wall: str) -> dict[Cell, str]:
    """The characters of each cell that is wall, floor, thing, door or start."""
    symbols: dict[Cell, str] = {}
    for room in scene.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        symbols |= {(x, y): wall for x in range(x0 - 1, x1 + 2) for y in range(y0 - 1, y1 + 2)}
    symbols |= {cell: FLOOR for room in scene.rooms for cell in room.cells}
    symbols |= {
        item.cell: codes[item.name] + ("" if isinstance(item, Door) or item.front is None else ARROWS[item.front])
        for item in scene.items
    }
    return symbols | {scene.start: START_CODE + ARROWS[Heading.NORTH]}


def _legend_lines(scene: Scene, codes: dict[str, str]) -> Iterator[str]:
    rows = [_HEADER, (START_CODE, START, "0", "0", Heading.NORTH.word, "1")]
    rows += [_legend_row(scene, scene.item(name), code) for name, code in codes.items() if name != START]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for code, name, east, north, facing, room in rows:
        left = f"{code:<{widths[0]}}  {name:<{widths[1]}}  {east:>{widths[2]}}  {north:>{widths[3]}}"
        yield f"{left}  {facing:<{widths[4]}}  {room}"


def _legend_row(scene: Scene, item: Item, code: str) -> tuple[str, str, str, str, str, str]:
    """A door's facing is the axis of its passage, and it has two rooms: west or south, then east or north."""
    east, north = scene.from_start(item.name)
    if isinstance(item, Door):
        facing = "east-west" if item.axis == "x" else "north-south"
    else:
        facing = "-" if item.front is None else item.front.word
    return code, printable(item.name), str(east), str(north), facing, " and ".join(map(str, item.rooms))


def printable(name: str) -> str:
    r"""A name with unprintable characters escaped, such as `\n`."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in name)
