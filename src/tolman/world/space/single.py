"""Pieces that come by themselves: against walls, in corners, on walls, and on top of others."""

from collections.abc import Sequence

from tolman.world.scene import Room
from tolman.world.space.outline import Wall
from tolman.world.space.site import AWAY, Site, Size, against, apron, draft, pick_wall
from tolman.world.space.sorts import SORTS
from tolman.world.space.values import Piece, on_floor

_TRIES = 8
_REACH = 0.55
"""Metres that stay free before furniture."""
_TOP = 2.35
"""Height up to which things hang."""


def add(site: Site, room: Room, category: str) -> Piece | None:
    """A piece of a category somewhere in a room, placed the way that its sort is; None where there is no place."""
    if not site.may(category):
        return None
    walls = site.walls_in(room)
    match SORTS[category].how:
        case "wall":
            return by_wall(site, walls, category, site.size(category))
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


def by_wall(
    site: Site, walls: Sequence[Wall], category: str, size: Size, reach: float = _REACH, tries: int = _TRIES
) -> Piece | None:
    """A piece with its back to a wall and free floor before it."""
    for _ in range(tries):
        found = pick_wall(site, walls, size[0])
        if found is None:
            return None
        wall, place = found
        piece = against(wall, place, category, size)
        before = apron(wall, place, size[0], size[1], reach)
        if site.fits(piece.box) and site.is_open(before):
            site.aprons.append(before)
            return site.place(piece)
    return None


def on_top(site: Site, below: Piece, category: str, share: float = 0.0) -> Piece | None:
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
    piece = draft(category, x, y, below.facing, (width, depth, height), below.base + below.height)
    return site.place(piece, on=below) if site.fits(piece.box, 0.0) else None


def _on_any(site: Site, category: str) -> Piece | None:
    bearers = [piece for piece in site.pieces if piece.category in _BEARERS.get(category, ())]
    for i in site.stream.permutation(len(bearers)):
        placed = on_top(site, bearers[int(i)], category, site.between(-0.8, 0.8))
        if placed is not None:
            return placed
    return None


def _end_on(site: Site, walls: Sequence[Wall], category: str) -> Piece | None:
    """Along a wall, its front to the left or right of it."""
    width, depth, height = site.size(category)
    for _ in range(_TRIES):
        found = pick_wall(site, walls, depth)
        if found is None:
            return None
        wall, place = found
        x, y = wall.point(place, width / 2 + AWAY + 0.05)
        turn = 90 if site.chance(0.5) else 270
        piece = site.put(draft(category, x, y, wall.facing.degrees + turn, (width, depth, height)))
        if piece is not None:
            return piece
    return None


def _hung(site: Site, walls: Sequence[Wall], category: str) -> Piece | None:
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


def _small(site: Site, walls: Sequence[Wall], category: str) -> Piece | None:
    """In a corner, or somewhere along a wall."""
    width, depth, height = site.size(category)
    away = 0.08 if height > 0.8 else 0.03
    for _ in range(_TRIES + 2):
        found = pick_wall(site, walls, width + 2 * away)
        if found is None:
            return None
        wall, place = found
        x, y = wall.point(place, depth / 2 + away)
        piece = site.put(draft(category, x, y, wall.facing.degrees, (width, depth, height)))
        if piece is not None:
            return piece
    return None


def _flat(site: Site, room: Room, category: str) -> Piece | None:
    """Somewhere about the middle of a room."""
    for _ in range(_TRIES):
        x, y = (site.between(low + 0.3 * (high - low), low + 0.7 * (high - low)) for low, high in _spans(room))
        placed = add_rug(site, draft(category, x, y, 90 * site.whole(0, 1), site.size(category)))
        if placed is not None:
            return placed
    return None


def _spans(room: Room) -> tuple[tuple[int, int], tuple[int, int]]:
    return (room.low[0], room.high[0]), (room.low[1], room.high[1])


def add_rug(site: Site, rug: Piece) -> Piece | None:
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
