"""Placement of furniture: single pieces (along walls, on walls, on top of others), and groups such as a table with
chairs.
"""

from collections.abc import Iterator, Sequence

from tolman.core.geometry import Heading
from tolman.world.scene import Room
from tolman.world.space.categories import CATEGORIES
from tolman.world.space.floor import WallLine
from tolman.world.space.furnished_space import Piece, on_floor
from tolman.world.space.furnishing import (
    WALL_GAP,
    FurnishingState,
    Size,
    clearance_box,
    piece_at_wall,
    unplaced_piece,
    wall_places,
)

_TRIES = 8
_CLEARANCE = 0.55
"""Metres to keep free in front of furniture."""
_TOP = 2.35
"""Metres from the floor to the top of an air conditioner."""
_COUNTER = 0.9
"""Height of kitchen counters in metres."""


def add_piece(state: FurnishingState, room: Room, category: str) -> Piece | None:
    """Place a piece in a room by its category's placement rule; None if there is no place for it."""
    if not state.allows(category):
        return None
    walls = state.walls_in(room)
    match CATEGORIES[category].placement:
        case "wall":
            return put_by_wall(state, walls, category, state.draw_size(category))
        case "end on":
            return _add_end_on(state, walls, category)
        case "hung":
            return _add_hung(state, walls, category)
        case "top":
            return _add_on_any(state, category)
        case "small":
            return _add_small(state, walls, category)
        case "flat":
            return _add_flat(state, room, category)
        case _:
            return None


def put_by_wall(
    state: FurnishingState,
    walls: Sequence[WallLine],
    category: str,
    size: Size,
    clearance: float = _CLEARANCE,
    tries: int = _TRIES,
) -> Piece | None:
    """Place a piece with its back to a wall and free floor in front of it."""
    for wall, place in wall_places(state, walls, size[0], tries):
        piece = piece_at_wall(wall, place, category, size)
        front = clearance_box(wall, place, size[0], size[1], clearance)
        if state.fits(piece.box) and state.is_unoccupied(front):
            state.clearances.append(front)
            return state.place(piece)
    return None


def put_on_top(state: FurnishingState, below: Piece, category: str, share: float = 0.0) -> Piece | None:
    """Place a piece on another, `share` of the free half width to its right; None if it is too large or overlaps."""
    if not state.allows(category):
        return None
    width, depth, height = state.draw_size(category)
    if depth > below.depth or width > below.width:
        return None
    offset = share * (below.width - width) / 2
    turned = below.facing % 180 != 0
    sign = 1 if below.facing in (0, 270) else -1
    x, y = (below.x, below.y + sign * offset) if turned else (below.x + sign * offset, below.y)
    piece = unplaced_piece(category, x, y, below.facing, (width, depth, height), below.base + below.height)
    return state.place(piece, support=below) if state.fits(piece.box, 0.0) else None


def _add_on_any(state: FurnishingState, category: str) -> Piece | None:
    supports = [piece for piece in state.pieces if piece.category in _SUPPORTS.get(category, ())]
    for i in state.stream.permutation(len(supports)):
        placed = put_on_top(state, supports[int(i)], category, state.uniform(-0.8, 0.8))
        if placed is not None:
            return placed
    return None


def _add_end_on(state: FurnishingState, walls: Sequence[WallLine], category: str) -> Piece | None:
    """Place a piece along a wall, facing left or right."""
    width, depth, height = state.draw_size(category)
    for wall, place in wall_places(state, walls, depth):
        x, y = wall.point(place, width / 2 + WALL_GAP + 0.05)
        turn = 90 if state.chance(0.5) else 270
        piece = state.place_if_free(unplaced_piece(category, x, y, wall.facing.degrees + turn, (width, depth, height)))
        if piece is not None:
            return piece
    return None


def _add_hung(state: FurnishingState, walls: Sequence[WallLine], category: str) -> Piece | None:
    size = state.draw_size(category)
    for wall, place in wall_places(state, walls, size[0] + 0.3):
        base = _TOP - size[2] if category == "air conditioner" else state.uniform(1.55, 1.7) - size[2] / 2
        piece = piece_at_wall(wall, place, category, size, base)
        if state.fits(piece.box, 0.12):
            return state.place(piece)
    return None


def _add_small(state: FurnishingState, walls: Sequence[WallLine], category: str) -> Piece | None:
    """Place a piece in a corner or along a wall."""
    width, depth, height = state.draw_size(category)
    gap = 0.08 if height > 0.8 else 0.03
    for wall, place in wall_places(state, walls, width + 2 * gap, _TRIES + 2):
        x, y = wall.point(place, depth / 2 + gap)
        piece = state.place_if_free(unplaced_piece(category, x, y, wall.facing.degrees, (width, depth, height)))
        if piece is not None:
            return piece
    return None


def _add_flat(state: FurnishingState, room: Room, category: str) -> Piece | None:
    """Place a rug near the middle of a room."""
    spans = zip(room.low, room.high, strict=True)
    middle = [(low + 0.3 * (high - low), low + 0.7 * (high - low)) for low, high in spans]
    for _ in range(_TRIES):
        x, y = (state.uniform(low, high) for low, high in middle)
        placed = add_rug(state, unplaced_piece(category, x, y, 90 * state.integer(0, 1), state.draw_size(category)))
        if placed is not None:
            return placed
    return None


def add_rug(state: FurnishingState, rug: Piece) -> Piece | None:
    """Place a rug if it lies on the floor and under no other rug or furniture without legs."""
    others = [piece for piece in state.pieces if piece.flat or piece.category in _NO_RUG_UNDER]
    x0, x1, y0, y1, *_ = rug.box
    boxes = [piece.box for piece in others]
    apart = all(x0 > o[1] or x1 < o[0] or y0 > o[3] or y1 < o[2] for o in boxes)
    return state.place(rug) if apart and on_floor(state.cells, rug.box) and state.allows("rug") else None


_NO_RUG_UNDER = frozenset(
    {"bookcase", "cabinet", "dresser", "wardrobe", "refrigerator", "stove", "oven", "fireplace", "bathtub"}
)
"""Furniture without legs, under which no rug lies."""
_SUPPORTS: dict[str, tuple[str, ...]] = {
    "television": ("cabinet", "dresser"),
    "computer": ("desk",),
    "laptop": ("desk", "table"),
    "printer": ("desk", "cabinet", "dresser"),
    "microwave": ("cabinet",),
    "vase": ("table", "coffee table", "cabinet", "dresser", "desk"),
    "books": ("table", "coffee table", "cabinet", "dresser", "desk"),
    "radio": ("cabinet", "dresser", "desk"),
}
"""Categories on which a category may stand."""


def add_lounge(state: FurnishingState, room: Room) -> None:
    """A sofa (or two armchairs) at a wall with a coffee table and a rug in front, and a television opposite."""
    for category in ("sofa", "armchair"):
        if state.allows(category) and _add_seats(state, room, category):
            break
    _add_television(state, room)


def _add_seats(state: FurnishingState, room: Room, category: str) -> bool:
    seat, table = state.draw_size(category), state.draw_size("coffee table")
    pair = category == "armchair"
    width = 2 * seat[0] + 0.35 if pair else seat[0]
    for wall, place in wall_places(state, state.walls_in(room), width):
        places = [place - (width - seat[0]) / 2, place + (width - seat[0]) / 2] if pair else [place]
        seats = [piece_at_wall(wall, at, category, seat) for at in places]
        front = clearance_box(wall, place, width, seat[1], 0.45 + table[1] + 0.25)
        if all(state.fits(piece.box) for piece in seats) and state.is_unoccupied(front):
            for piece in seats:
                state.place(piece)
            _add_in_front(state, wall, place, width, seat[1])
            return True
    return False


def _add_in_front(state: FurnishingState, wall: WallLine, place: float, width: float, depth: float) -> None:
    """A coffee table and a rug in front of seats that reach `depth` metres from the wall."""
    size = state.draw_size("coffee table")
    if state.allows("coffee table") and state.chance(0.85):
        at = wall.point(place, depth + 0.45 + size[1] / 2)
        state.place_if_free(unplaced_piece("coffee table", *at, wall.facing.degrees, size), 0.3)
    if state.allows("rug") and state.chance(0.6):
        size = max(width + 0.2, 1.8), 1.5, state.draw_size("rug")[2]
        add_rug(state, unplaced_piece("rug", *wall.point(place, depth + 0.1 + size[1] / 2), wall.facing.degrees, size))
    state.clearances.append(clearance_box(wall, place, width, depth, 0.4))


def _add_television(state: FurnishingState, room: Room) -> None:
    """A television on a low cabinet, opposite the seats if there is a wall."""
    support = "cabinet" if state.allows("cabinet") else "dresser"
    if not (state.allows("television") and state.allows(support)) or not state.chance(0.8):
        return
    size = state.uniform(1.2, 1.6), 0.42, state.uniform(0.45, 0.55)
    seat = next((p for p in state.pieces if p.category in ("sofa", "armchair")), None)
    if seat is not None:
        opposite = Heading(seat.facing // 90).opposite
        for wall in (wall for wall in state.walls_in(room) if wall.facing is opposite):
            place = min(max(seat.x if wall.along == 0 else seat.y, wall.low + size[0] / 2), wall.high - size[0] / 2)
            piece = piece_at_wall(wall, place, support, size)
            if state.fits(piece.box):
                put_on_top(state, state.place(piece), "television")
                return
    placed = put_by_wall(state, state.walls_in(room), support, size)
    if placed is not None:
        put_on_top(state, placed, "television")


def add_dining(state: FurnishingState, room: Room) -> None:
    """A table away from the walls with chairs around it, and sometimes something on it."""
    if not (state.allows("table") and state.allows("chair")):
        return
    width, depth, height = state.draw_size("table")
    if state.chance(0.35):
        width = depth = state.uniform(0.9, 1.05)
    chair = state.draw_size("chair")
    for _ in range(_TRIES):
        facing = 90 * state.integer(0, 1)
        x = state.uniform(room.low[0] + 0.8, room.high[0] - 0.8)
        y = state.uniform(room.low[1] + 0.8, room.high[1] - 0.8)
        table = unplaced_piece("table", x, y, facing, (width, depth, height))
        around = unplaced_piece("table", x, y, facing, (width + 1.0, depth + 2 * chair[1] + 0.5, height))
        if state.fits(around.box, 0.1):
            placed = state.place(table)
            for seat in _chairs_around(state, placed, chair):
                state.place_if_free(seat, 0.02, placed)
            if state.chance(0.5):
                put_on_top(state, placed, ("vase", "books", "laptop")[state.integer(0, 2)], state.uniform(-0.4, 0.4))
            return


def _chairs_around(state: FurnishingState, table: Piece, size: Size) -> Iterator[Piece]:
    """Chairs along the two long sides and sometimes at the ends, all facing the table."""
    number = 1 if table.width < 1.2 else 2
    out = table.depth / 2 + size[1] / 2 + 0.04
    ends = state.chance(0.4)
    for side in (0, 180):
        for i in range(number):
            if state.chance(0.9):
                along = ((i + 0.5) / number - 0.5) * (table.width - 0.2)
                yield _chair_beside(table, side, along, out + state.uniform(0.0, 0.1), size)
        if ends:
            yield _chair_beside(table, side + 90, 0.0, table.width / 2 + size[1] / 2 + 0.04, size)


def _chair_beside(table: Piece, side: int, along: float, out: float, size: Size) -> Piece:
    heading = Heading((table.facing + side) // 90 % 4)
    (x, y), (dx, dy) = heading.vector, heading.turned(90).vector
    position = table.x + x * out + dx * along, table.y + y * out + dy * along
    return unplaced_piece("chair", *position, heading.opposite.degrees, size)


def add_desk(state: FurnishingState, room: Room) -> None:
    """A desk at a wall, a chair facing it, and electronics or books on it."""
    size, chair = state.draw_size("desk"), state.draw_size("chair")
    if not state.allows("desk"):
        return
    placed = put_by_wall(state, state.walls_in(room), "desk", size, 0.9)
    if placed is None:
        return
    state.clearances.pop()
    facing = Heading(placed.facing // 90)
    (x, y), out = facing.vector, size[1] / 2 + chair[1] / 2 + 0.06
    seat = unplaced_piece("chair", placed.x + x * out, placed.y + y * out, facing.opposite.degrees, chair)
    state.place_if_free(seat, 0.02, placed)
    for category in ("computer", "laptop"):
        put_on_top(state, placed, category, state.uniform(-0.3, 0.1))
    for category in ("printer", "radio", "books"):
        if state.chance(0.4):
            put_on_top(state, placed, category, 1.0)


def add_bed(state: FurnishingState, room: Room) -> None:
    """A bed with its head at a wall, small cabinets beside it, and a rug at its foot."""
    size = state.draw_size("bed")
    if not state.allows("bed"):
        return
    placed = put_by_wall(state, state.walls_in(room), "bed", size, 0.5, 2 * _TRIES)
    if placed is None:
        return
    wall = next(w for w in state.walls_in(room) if w.facing.degrees == placed.facing and _touches(w, placed))
    middle = placed.x if wall.along == 0 else placed.y
    if state.allows("cabinet") and state.chance(0.55):
        for side in (-1, 1):
            beside = piece_at_wall(wall, middle + side * (size[0] / 2 + 0.33), "cabinet", (0.48, 0.42, 0.55))
            if wall.low + 0.26 < middle + side * (size[0] / 2 + 0.33) < wall.high - 0.26:
                state.place_if_free(beside, 0.02)
    if state.allows("rug") and state.chance(0.4):
        rug = state.draw_size("rug")
        add_rug(state, unplaced_piece("rug", *wall.point(middle, size[1] + rug[1] / 2 - 0.4), placed.facing, rug))


def add_kitchen(state: FurnishingState, room: Room) -> None:
    """A row of appliances and cabinets along one or two walls."""
    appliance = next((category for category in ("stove", "oven", "dishwasher") if state.allows(category)), "stove")
    row = ["cabinet", appliance, "cabinet", "sink", "cabinet", "cabinet"]
    row.insert(0 if state.chance(0.5) else len(row), "refrigerator")
    walls = sorted(state.walls_in(room), key=lambda wall: -wall.length * state.uniform(0.7, 1.0))
    for wall in walls[:2]:
        if _add_row(state, wall, row) >= 3:
            break
    counters = [p for p in state.pieces if p.category == "cabinet" and p.height == _COUNTER]
    if counters and state.chance(0.6):
        put_on_top(state, counters[state.integer(0, len(counters) - 1)], "microwave")


def _add_row(state: FurnishingState, wall: WallLine, row: list[str]) -> int:
    """Place a row of pieces side by side along a wall, and return how many."""
    at, count = wall.low + 0.05, 0
    for category in row:
        width, depth, height = state.draw_size(category)
        if category != "refrigerator":
            width, depth, height = 0.62, 0.6, _COUNTER
        while at + width <= wall.high - 0.05 and state.allows(category):
            piece = piece_at_wall(wall, at + width / 2, category, (width, depth, height))
            if state.fits(piece.box, 0.0):
                state.place(piece)
                state.clearances.append(clearance_box(wall, at + width / 2, width, depth, 0.7))
                count += 1
                at += width + 0.004
                break
            at += 0.2
    return count


def _touches(wall: WallLine, piece: Piece) -> bool:
    across = piece.y if wall.along == 0 else piece.x
    return abs(abs(across - wall.at) - piece.depth / 2 - WALL_GAP) < 0.01
