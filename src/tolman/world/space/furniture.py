"""Placement of furniture: single pieces (along walls, on walls, on top of others) and groups such as a table with its
chairs.
"""

from collections.abc import Iterator, Sequence

from tolman.core.geometry import Heading
from tolman.world.scene import Room
from tolman.world.space.categories import CATEGORIES
from tolman.world.space.floor import WallLine
from tolman.world.space.furnished_space import Piece, on_floor
from tolman.world.space.site import WALL_GAP, FurnishingState, Size, against, clearance_box, pick_wall, unplaced_piece

_TRIES = 8
_REACH = 0.55
"""Metres that stay free before furniture."""
_TOP = 2.35
"""Height up to which things hang."""


def add_piece(site: FurnishingState, room: Room, category: str) -> Piece | None:
    """A piece of a category somewhere in a room, placed the way that its sort is; None where there is no place."""
    if not site.may(category):
        return None
    walls = site.walls_in(room)
    match CATEGORIES[category].how:
        case "wall":
            return put_by_wall(site, walls, category, site.size(category))
        case "end on":
            return _end_on(site, walls, category)
        case "hung":
            return _hung(site, walls, category)
        case "top":
            return _on_any(site, category)
        case "small":
            return _small(site, walls, category)
        case "flat":
            return _flat(site, room, category)
        case _:
            return None


def put_by_wall(
    site: FurnishingState,
    walls: Sequence[WallLine],
    category: str,
    size: Size,
    reach: float = _REACH,
    tries: int = _TRIES,
) -> Piece | None:
    """A piece with its back to a wall and free floor before it."""
    for _ in range(tries):
        found = pick_wall(site, walls, size[0])
        if found is None:
            return None
        wall, place = found
        piece = against(wall, place, category, size)
        before = clearance_box(wall, place, size[0], size[1], reach)
        if site.fits(piece.box) and site.is_open(before):
            site.aprons.append(before)
            return site.place(piece)
    return None


def put_on_top(site: FurnishingState, below: Piece, category: str, share: float = 0.0) -> Piece | None:
    """A piece on another one, `share` of the half width to its right; None where it is too large or in the way."""
    if not site.may(category):
        return None
    width, depth, height = site.size(category)
    if depth > below.depth or width > below.width:
        return None
    off = share * (below.width - width) / 2
    turned = below.facing % 180 != 0
    sign = 1 if below.facing in (0, 270) else -1
    x, y = (below.x, below.y + sign * off) if turned else (below.x + sign * off, below.y)
    piece = unplaced_piece(category, x, y, below.facing, (width, depth, height), below.base + below.height)
    return site.place(piece, on=below) if site.fits(piece.box, 0.0) else None


def _on_any(site: FurnishingState, category: str) -> Piece | None:
    bearers = [piece for piece in site.pieces if piece.category in _BEARERS.get(category, ())]
    for i in site.stream.permutation(len(bearers)):
        placed = put_on_top(site, bearers[int(i)], category, site.between(-0.8, 0.8))
        if placed is not None:
            return placed
    return None


def _end_on(site: FurnishingState, walls: Sequence[WallLine], category: str) -> Piece | None:
    """Along a wall, its front to the left or right of it."""
    width, depth, height = site.size(category)
    for _ in range(_TRIES):
        found = pick_wall(site, walls, depth)
        if found is None:
            return None
        wall, place = found
        x, y = wall.point(place, width / 2 + WALL_GAP + 0.05)
        turn = 90 if site.chance(0.5) else 270
        piece = site.put(unplaced_piece(category, x, y, wall.facing.degrees + turn, (width, depth, height)))
        if piece is not None:
            return piece
    return None


def _hung(site: FurnishingState, walls: Sequence[WallLine], category: str) -> Piece | None:
    size = site.size(category)
    for _ in range(_TRIES):
        found = pick_wall(site, walls, size[0] + 0.3)
        if found is None:
            return None
        base = _TOP - size[2] if category == "air conditioner" else site.between(1.55, 1.7) - size[2] / 2
        piece = against(*found, category, size, base)
        if site.fits(piece.box, 0.12):
            return site.place(piece)
    return None


def _small(site: FurnishingState, walls: Sequence[WallLine], category: str) -> Piece | None:
    """In a corner, or somewhere along a wall."""
    width, depth, height = site.size(category)
    away = 0.08 if height > 0.8 else 0.03
    for _ in range(_TRIES + 2):
        found = pick_wall(site, walls, width + 2 * away)
        if found is None:
            return None
        wall, place = found
        x, y = wall.point(place, depth / 2 + away)
        piece = site.put(unplaced_piece(category, x, y, wall.facing.degrees, (width, depth, height)))
        if piece is not None:
            return piece
    return None


def _flat(site: FurnishingState, room: Room, category: str) -> Piece | None:
    """Somewhere about the middle of a room."""
    for _ in range(_TRIES):
        x, y = (site.between(low + 0.3 * (high - low), low + 0.7 * (high - low)) for low, high in _spans(room))
        placed = add_rug(site, unplaced_piece(category, x, y, 90 * site.whole(0, 1), site.size(category)))
        if placed is not None:
            return placed
    return None


def _spans(room: Room) -> tuple[tuple[int, int], tuple[int, int]]:
    return (room.low[0], room.high[0]), (room.low[1], room.high[1])


def add_rug(site: FurnishingState, rug: Piece) -> Piece | None:
    """A rug where there is floor for it, no other one, and nothing of it under what stands close to the floor."""
    others = [piece for piece in site.pieces if piece.flat or piece.category in _LOW]
    x0, x1, y0, y1, *_ = rug.box
    boxes = [piece.box for piece in others]
    apart = all(x0 > o[1] or x1 < o[0] or y0 > o[3] or y1 < o[2] for o in boxes)
    return site.place(rug) if apart and on_floor(site.cells, rug.box) and site.may("rug") else None


_LOW = frozenset(
    {"bookcase", "cabinet", "dresser", "wardrobe", "refrigerator", "stove", "oven", "fireplace", "bathtub"}
)
"""What rugs do not lie under."""
_BEARERS: dict[str, tuple[str, ...]] = {
    "television": ("cabinet", "dresser"),
    "computer": ("desk",),
    "laptop": ("desk", "table"),
    "printer": ("desk", "cabinet", "dresser"),
    "microwave": ("cabinet",),
    "vase": ("table", "coffee table", "cabinet", "dresser", "desk"),
    "books": ("table", "coffee table", "cabinet", "dresser", "desk"),
    "radio": ("cabinet", "dresser", "desk"),
}
"""What things may stand on."""


def add_lounge(site: FurnishingState, room: Room) -> None:
    """A sofa against a wall with a low table and a rug before it, and a television across from it."""
    for category in ("sofa", "armchair"):
        if site.may(category) and _seats(site, room, category):
            break
    _television(site, room)


def _seats(site: FurnishingState, room: Room, category: str) -> bool:
    seat, low = site.size(category), site.size("coffee table")
    pair = category == "armchair"
    width = 2 * seat[0] + 0.35 if pair else seat[0]
    for _ in range(_TRIES):
        found = pick_wall(site, site.walls_in(room), width)
        if found is None:
            return False
        wall, place = found
        places = [place - (width - seat[0]) / 2, place + (width - seat[0]) / 2] if pair else [place]
        sitting = [against(wall, at, category, seat) for at in places]
        before = clearance_box(wall, place, width, seat[1], 0.45 + low[1] + 0.25)
        if all(site.fits(piece.box) for piece in sitting) and site.is_open(before):
            for piece in sitting:
                site.place(piece)
            _before(site, wall, place, width, seat[1])
            return True
    return False


def _before(site: FurnishingState, wall: WallLine, place: float, width: float, deep: float) -> None:
    low = site.size("coffee table")
    out = deep + 0.45
    if site.may("coffee table") and site.chance(0.85):
        table = unplaced_piece("coffee table", *wall.point(place, out + low[1] / 2), wall.facing.degrees, low)
        site.put(table, 0.3)
    if site.may("rug") and site.chance(0.6):
        size = max(width + 0.2, 1.8), 1.5, site.size("rug")[2]
        add_rug(site, unplaced_piece("rug", *wall.point(place, deep + 0.1 + size[1] / 2), wall.facing.degrees, size))
    site.aprons.append(clearance_box(wall, place, width, deep, 0.4))


def _television(site: FurnishingState, room: Room) -> None:
    """On a low cabinet, across from the seats where there is a wall."""
    bearer = "cabinet" if site.may("cabinet") else "dresser"
    if not (site.may("television") and site.may(bearer)) or not site.chance(0.8):
        return
    size = site.between(1.2, 1.6), 0.42, site.between(0.45, 0.55)
    seat = next((p for p in site.pieces if p.category in ("sofa", "armchair")), None)
    if seat is not None:
        faced = Heading(seat.facing // 90).opposite
        for wall in (wall for wall in site.walls_in(room) if wall.facing is faced):
            place = min(max(seat.x if wall.along == 0 else seat.y, wall.low + size[0] / 2), wall.high - size[0] / 2)
            piece = against(wall, place, bearer, size)
            if site.fits(piece.box):
                put_on_top(site, site.place(piece), "television")
                return
    placed = put_by_wall(site, site.walls_in(room), bearer, size)
    if placed is not None:
        put_on_top(site, placed, "television")


def add_dining(site: FurnishingState, room: Room) -> None:
    """A table away from the walls with chairs around it."""
    if not (site.may("table") and site.may("chair")):
        return
    width, depth, height = site.size("table")
    if site.chance(0.35):
        width = depth = site.between(0.9, 1.05)
    chair = site.size("chair")
    for _ in range(_TRIES):
        facing = 90 * site.whole(0, 1)
        x = site.between(room.low[0] + 0.8, room.high[0] - 0.8)
        y = site.between(room.low[1] + 0.8, room.high[1] - 0.8)
        table = unplaced_piece("table", x, y, facing, (width, depth, height))
        around = unplaced_piece("table", x, y, facing, (width + 1.0, depth + 2 * chair[1] + 0.5, height))
        if site.fits(around.box, 0.1):
            placed = site.place(table)
            for seat in _around(site, placed, chair):
                site.put(seat, 0.02, placed)
            if site.chance(0.5):
                put_on_top(site, placed, ("vase", "books", "laptop")[site.whole(0, 2)], site.between(-0.4, 0.4))
            return


def _around(site: FurnishingState, table: Piece, size: tuple[float, float, float]) -> Iterator[Piece]:
    """Chairs along the two long sides, sometimes at the ends, all turned to the table."""
    number = 1 if table.width < 1.2 else 2
    reach = table.depth / 2 + size[1] / 2 + 0.04
    ends = site.chance(0.4)
    for side in (0, 180):
        for i in range(number):
            if site.chance(0.9):
                along = ((i + 0.5) / number - 0.5) * (table.width - 0.2)
                yield _beside(table, side, along, reach + site.between(0.0, 0.1), size)
        if ends:
            yield _beside(table, side + 90, 0.0, table.width / 2 + size[1] / 2 + 0.04, size)


def _beside(table: Piece, side: int, along: float, out: float, size: tuple[float, float, float]) -> Piece:
    heading = Heading((table.facing + side) // 90 % 4)
    (x, y), (dx, dy) = heading.vector, heading.turned(90).vector
    place = table.x + x * out + dx * along, table.y + y * out + dy * along
    return unplaced_piece("chair", *place, heading.opposite.degrees, size)


def add_desk(site: FurnishingState, room: Room) -> None:
    """A desk against a wall, a chair turned to it, and what stands on desks."""
    size, chair = site.size("desk"), site.size("chair")
    if not site.may("desk"):
        return
    placed = put_by_wall(site, site.walls_in(room), "desk", size, 0.9)
    if placed is None:
        return
    site.aprons.pop()
    facing = Heading(placed.facing // 90)
    (x, y), out = facing.vector, size[1] / 2 + chair[1] / 2 + 0.06
    seat = unplaced_piece("chair", placed.x + x * out, placed.y + y * out, facing.opposite.degrees, chair)
    site.put(seat, 0.02, placed)
    for category in ("computer", "laptop"):
        put_on_top(site, placed, category, site.between(-0.3, 0.1))
    for category in ("printer", "radio", "books"):
        if site.chance(0.4):
            put_on_top(site, placed, category, 1.0)


def add_bed(site: FurnishingState, room: Room) -> None:
    """A bed with its head to a wall, small cabinets beside it, and a rug at its foot."""
    size = site.size("bed")
    if not site.may("bed"):
        return
    placed = put_by_wall(site, site.walls_in(room), "bed", size, 0.5, 2 * _TRIES)
    if placed is None:
        return
    wall = next(w for w in site.walls_in(room) if w.facing.degrees == placed.facing and _touches(w, placed))
    middle = placed.x if wall.along == 0 else placed.y
    if site.may("cabinet") and site.chance(0.55):
        for side in (-1, 1):
            beside = against(wall, middle + side * (size[0] / 2 + 0.33), "cabinet", (0.48, 0.42, 0.55))
            if wall.low + 0.26 < middle + side * (size[0] / 2 + 0.33) < wall.high - 0.26:
                site.put(beside, 0.02)
    if site.may("rug") and site.chance(0.4):
        rug = site.size("rug")
        add_rug(site, unplaced_piece("rug", *wall.point(middle, size[1] + rug[1] / 2 - 0.4), placed.facing, rug))


def add_kitchen(site: FurnishingState, room: Room) -> None:
    """A row of appliances and cabinets along one wall, from one end of it."""
    hot = next((category for category in ("stove", "oven", "dishwasher") if site.may(category)), "stove")
    row = ["cabinet", hot, "cabinet", "sink", "cabinet", "cabinet"]
    row.insert(0 if site.chance(0.5) else len(row), "refrigerator")
    walls = sorted(site.walls_in(room), key=lambda wall: -wall.length * site.between(0.7, 1.0))
    for wall in walls[:2]:
        if _row(site, wall, row) >= 3:
            break
    counters = [p for p in site.pieces if p.category == "cabinet" and p.height == _COUNTER]
    if counters and site.chance(0.6):
        put_on_top(site, counters[site.whole(0, len(counters) - 1)], "microwave")


def _row(site: FurnishingState, wall: WallLine, row: list[str]) -> int:
    at, count = wall.low + 0.05, 0
    for category in row:
        width, depth, height = site.size(category)
        if category != "refrigerator":
            width, depth, height = 0.62, 0.6, _COUNTER
        while at + width <= wall.high - 0.05 and site.may(category):
            piece = against(wall, at + width / 2, category, (width, depth, height))
            if site.fits(piece.box, 0.0):
                site.place(piece)
                site.aprons.append(clearance_box(wall, at + width / 2, width, depth, 0.7))
                count += 1
                at += width + 0.004
                break
            at += 0.2
    return count


def _touches(wall: WallLine, piece: Piece) -> bool:
    across = piece.y if wall.along == 0 else piece.x
    return abs(abs(across - wall.at) - piece.depth / 2 - WALL_GAP) < 0.01


_COUNTER = 0.9
