"""Doors and windows: which walls have them, and what they keep free."""

from tolman.world.space.outline import Wall
from tolman.world.space.site import Site, Size, apron, draft
from tolman.world.space.sorts import SORTS, WALL_DEPTH
from tolman.world.space.values import Piece

SILL = 0.95
"""Metres of a window above the floor."""
_CORNER = 0.25
"""Metres that stay between an opening and the end of its wall, and half of those between two openings."""
_WINDOW_WALL = 2.4
_TRIES = 12


def add_openings(site: Site) -> None:
    """One door or a few, and windows in some of the walls."""
    floor = len(site.cells)
    walls = [wall for wall in site.walls if wall.length >= SORTS["door"].width[0] + 2 * _CORNER]
    for _ in range(1 + site.chance(0.5) + (floor > 40 and site.chance(0.5))):
        _add(site, walls, "door", site.size("door"), 0.0)
    for wall in sorted(site.walls, key=lambda wall: -wall.length):
        if wall.length >= _WINDOW_WALL and site.chance(0.55):
            number = 2 if wall.length >= 5 and site.chance(0.5) else 1
            size = site.size("window")
            for _ in range(number):
                _add(site, [wall], "window", size, SILL)


def _add(site: Site, walls: list[Wall], category: str, size: Size, base: float) -> None:
    width = min(size[0], *(wall.length - 2 * _CORNER for wall in walls))
    for _ in range(_TRIES):
        wall = walls[site.whole(0, len(walls) - 1)]
        place = site.between(wall.low + width / 2 + _CORNER, wall.high - width / 2 - _CORNER)
        piece = draft(category, *wall.point(place, -WALL_DEPTH / 2), wall.facing.degrees, (width, *size[1:]), base)
        if not any(_clash(piece, other) for other in site.pieces):
            site.place(piece)
            deep = 1.0 if category == "door" else 0.6
            x0, x1, y0, y1, _, _ = apron(wall, place, width + 0.1, -0.03, deep)
            site.taken.append((x0, x1, y0, y1, base, base + size[2]))
            return


def _clash(piece: Piece, other: Piece) -> bool:
    """Whether two openings come too close to each other."""
    reach = (piece.width + other.width) / 2 + 2 * _CORNER
    return max(abs(piece.x - other.x), abs(piece.y - other.y)) < reach
