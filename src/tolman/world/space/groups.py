"""Furniture that belongs together: a sofa and what is before it, a table and its chairs, a desk, a bed, a kitchen."""

from collections.abc import Iterator

from tolman.geometry import Heading
from tolman.world.scene import Room
from tolman.world.space.outline import Wall
from tolman.world.space.single import add_rug, by_wall, on_top
from tolman.world.space.site import AWAY, Site, against, apron, draft, pick_wall
from tolman.world.space.values import Piece

_TRIES = 8


def lounge(site: Site, room: Room) -> None:
    """A sofa against a wall with a low table and a rug before it, and a television across from it."""
    for category in ("sofa", "armchair"):
        if site.may(category) and _seats(site, room, category):
            break
    _television(site, room)


def _seats(site: Site, room: Room, category: str) -> bool:
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
        before = apron(wall, place, width, seat[1], 0.45 + low[1] + 0.25)
        if all(site.fits(piece.box) for piece in sitting) and site.is_open(before):
            for piece in sitting:
                site.place(piece)
            _before(site, wall, place, width, seat[1])
            return True
    return False


def _before(site: Site, wall: Wall, place: float, width: float, deep: float) -> None:
    low = site.size("coffee table")
    out = deep + 0.45
    if site.may("coffee table") and site.chance(0.85):
        table = draft("coffee table", *wall.point(place, out + low[1] / 2), wall.facing.degrees, low)
        site.put(table, 0.3)
    if site.may("rug") and site.chance(0.6):
        size = max(width + 0.2, 1.8), 1.5, site.size("rug")[2]
        add_rug(site, draft("rug", *wall.point(place, deep + 0.1 + size[1] / 2), wall.facing.degrees, size))
    site.aprons.append(apron(wall, place, width, deep, 0.4))


def _television(site: Site, room: Room) -> None:
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
                on_top(site, site.place(piece), "television")
                return
    placed = by_wall(site, site.walls_in(room), bearer, size)
    if placed is not None:
        on_top(site, placed, "television")


def dining(site: Site, room: Room) -> None:
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
        table = draft("table", x, y, facing, (width, depth, height))
        around = draft("table", x, y, facing, (width + 1.0, depth + 2 * chair[1] + 0.5, height))
        if site.fits(around.box, 0.1):
            placed = site.place(table)
            for seat in _around(site, placed, chair):
                site.put(seat, 0.02, placed)
            if site.chance(0.5):
                on_top(site, placed, ("vase", "books", "laptop")[site.whole(0, 2)], site.between(-0.4, 0.4))
            return


def _around(site: Site, table: Piece, size: tuple[float, float, float]) -> Iterator[Piece]:
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
    return draft("chair", *place, heading.opposite.degrees, size)


def desk(site: Site, room: Room) -> None:
    """A desk against a wall, a chair turned to it, and what stands on desks."""
    size, chair = site.size("desk"), site.size("chair")
    if not site.may("desk"):
        return
    placed = by_wall(site, site.walls_in(room), "desk", size, 0.9)
    if placed is None:
        return
    site.aprons.pop()
    facing = Heading(placed.facing // 90)
    (x, y), out = facing.vector, size[1] / 2 + chair[1] / 2 + 0.06
    seat = draft("chair", placed.x + x * out, placed.y + y * out, facing.opposite.degrees, chair)
    site.put(seat, 0.02, placed)
    for category in ("computer", "laptop"):
        on_top(site, placed, category, site.between(-0.3, 0.1))
    for category in ("printer", "radio", "books"):
        if site.chance(0.4):
            on_top(site, placed, category, 1.0)


def sleep(site: Site, room: Room) -> None:
    """A bed with its head to a wall, small cabinets beside it, and a rug at its foot."""
    size = site.size("bed")
    if not site.may("bed"):
        return
    placed = by_wall(site, site.walls_in(room), "bed", size, 0.5, 2 * _TRIES)
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
        add_rug(site, draft("rug", *wall.point(middle, size[1] + rug[1] / 2 - 0.4), placed.facing, rug))


def kitchen(site: Site, room: Room) -> None:
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
        on_top(site, counters[site.whole(0, len(counters) - 1)], "microwave")


def _row(site: Site, wall: Wall, row: list[str]) -> int:
    at, count = wall.low + 0.05, 0
    for category in row:
        width, depth, height = site.size(category)
        if category != "refrigerator":
            width, depth, height = 0.62, 0.6, _COUNTER
        while at + width <= wall.high - 0.05 and site.may(category):
            piece = against(wall, at + width / 2, category, (width, depth, height))
            if site.fits(piece.box, 0.0):
                site.place(piece)
                site.aprons.append(apron(wall, at + width / 2, width, depth, 0.7))
                count += 1
                at += width + 0.004
                break
            at += 0.2
    return count


def _touches(wall: Wall, piece: Piece) -> bool:
    across = piece.y if wall.along == 0 else piece.x
    return abs(abs(across - wall.at) - piece.depth / 2 - AWAY) < 0.01


_COUNTER = 0.9
