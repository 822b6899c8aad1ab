"""A floor while it is being furnished: what is placed, what must stay free, what may still come; and its doors and
windows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tolman.core.geometry import Cell
from tolman.world.scene import Room
from tolman.world.space.categories import CATEGORIES, SIMILAR_CATEGORIES, WALL_DEPTH
from tolman.world.space.floor import SpaceSettings, WallLine, corners_of, walls_of
from tolman.world.space.furnished_space import TOUCH, Box, Piece, on_floor

Size = tuple[float, float, float]
"""Width, depth and height in metres."""
WALL_GAP = 0.02
"""Metres between a wall and what stands against it: room for the skirting."""
PIECE_GAP = 0.06
"""Metres between two pieces that stand side by side."""
_LEAST_WALL = 0.4
_LEAST_CLASS_LIMIT = 10
"""The least that a space's own limit of classes can be, as far as its settings let it."""
_FIRST_SIMILAR_SHARE = 0.6
"""How often it is the first of some categories that look alike."""


@dataclass
class FurnishingState:
    """A floor and what is on it so far."""

    rooms: tuple[Room, ...]
    settings: SpaceSettings
    stream: np.random.Generator
    pieces: list[Piece] = field(default_factory=list[Piece])
    taken: list[Box] = field(default_factory=list[Box])
    """Where nothing more can stand."""
    aprons: list[Box] = field(default_factory=list[Box])
    """What stays free in front of furniture. Aprons may overlap each other."""
    on: dict[int, int] = field(default_factory=dict[int, int])
    """Which piece stands on which or belongs to it, by their numbers."""

    def __post_init__(self) -> None:
        self.walls: tuple[WallLine, ...] = walls_of(corners_of(self.rooms))
        self.cells: frozenset[Cell] = frozenset(cell for room in self.rooms for cell in room.cells)
        self.counts: dict[str, int] = {}
        self._walls_in: dict[int, list[WallLine]] = {}
        most = self.settings.most_classes
        self._most_classes = self.whole(min(_LEAST_CLASS_LIMIT, most), most)
        self._left_out: set[str] = {name for group in SIMILAR_CATEGORIES for name in group}.difference(
            group[0] if self.chance(_FIRST_SIMILAR_SHARE) else group[self.whole(1, len(group) - 1)]
            for group in SIMILAR_CATEGORIES
        )

    def chance(self, share: float) -> bool:
        """True in that share of cases."""
        return bool(self.stream.random() < share)

    def between(self, low: float, high: float) -> float:
        """A number from low to high."""
        return low + float(self.stream.random()) * (high - low)

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self.stream.random() * (high - low + 1))

    def may(self, category: str) -> bool:
        """Whether another piece of a category may come."""
        if len(self.pieces) >= self.settings.most_pieces:
            return False
        if category in self.counts:
            return True
        return len(self.counts) < self._most_classes and category not in self._left_out

    def size(self, category: str) -> Size:
        """A size that the category comes in."""
        sort = CATEGORIES[category]
        return self.between(*sort.width), self.between(*sort.depth), self.between(*sort.height)

    def walls_in(self, room: Room) -> list[WallLine]:
        """Walls of the floor along one room, no longer than the room."""
        if room.id not in self._walls_in:
            self._walls_in[room.id] = [
                part for wall in self.walls if (part := _part_along_room(wall, room)) is not None
            ]
        return self._walls_in[room.id]

    def fits(self, box: Box, gap: float = PIECE_GAP) -> bool:
        """Whether a box is above the floor and free of all that is there."""
        return (
            on_floor(self.cells, box) and not overlaps_any(box, self.taken, gap) and not overlaps_any(box, self.aprons)
        )

    def is_open(self, box: Box) -> bool:
        """Whether nothing stands in a box; it may be free for the sake of something else."""
        return on_floor(self.cells, box) and not overlaps_any(box, self.taken)

    def put(self, piece: Piece, gap: float = PIECE_GAP, on: Piece | None = None) -> Piece | None:
        """Place a piece where it fits, or nothing; `on` is what it stands on or belongs to."""
        return self.place(piece, on) if self.may(piece.category) and self.fits(piece.box, gap) else None

    def place(self, piece: Piece, on: Piece | None = None) -> Piece:
        """Place a piece; whoever asks has seen that it fits."""
        placed = _numbered(piece, len(self.pieces) + 1)
        self.pieces.append(placed)
        self.counts[piece.category] = self.counts.get(piece.category, 0) + 1
        if not placed.flat:
            self.taken.append(placed.box)
        if on is not None:
            self.on[placed.id] = on.id
        return placed


def unplaced_piece(category: str, x: float, y: float, facing: int, size: Size, base: float = 0.0) -> Piece:
    """A piece that is not placed yet, to the millimetre."""
    x, y, width, depth, height, base = (round(value, 3) for value in (x, y, *size, base))
    return Piece(1, category, x, y, facing % 360, width, depth, height, base)


def against(wall: WallLine, place: float, category: str, size: Size, base: float = 0.0) -> Piece:
    """A piece with its back to a wall, its middle at a place along it."""
    x, y = wall.point(place, size[1] / 2 + WALL_GAP)
    return unplaced_piece(category, x, y, wall.facing.degrees, size, base)


def clearance_box(wall: WallLine, place: float, width: float, depth: float, out: float) -> Box:
    """The floor before a piece against a wall: from `depth` metres off the wall another `out` metres."""
    near, far = wall.point(place - width / 2, depth + 0.03), wall.point(place + width / 2, depth + out)
    (x0, x1), (y0, y1) = sorted((near[0], far[0])), sorted((near[1], far[1]))
    return x0, x1, y0, y1, 0.0, 2.0


def pick_wall(site: FurnishingState, walls: Sequence[WallLine], width: float) -> tuple[WallLine, float] | None:
    """A wall and a place along it for something so wide; longer walls come up more often, corners too."""
    spare = [max(0.0, wall.length - width) for wall in walls]
    total = sum(spare)
    if total <= 0:
        return None
    drawn = float(site.stream.random()) * total
    for wall, room in zip(walls, spare, strict=True):
        if drawn < room:
            low, high = wall.low + width / 2 + 0.02, wall.high - width / 2 - 0.02
            if site.chance(0.3):
                return wall, low if drawn < room / 2 else high
            return wall, low + (high - low) * drawn / room
        drawn -= room
    return None


def _numbered(piece: Piece, number: int) -> Piece:
    size = piece.width, piece.depth, piece.height
    return Piece(number, piece.category, piece.x, piece.y, piece.facing, *size, piece.base)


def overlaps_any(box: Box, others: Sequence[Box], gap: float = -TOUCH) -> bool:
    """Whether a box overlaps any of the others or comes closer than `gap` metres; as `overlap`, but quicker."""
    west, east, south, north = box[0] - gap, box[1] + gap, box[2] - gap, box[3] + gap
    low, high = box[4] + TOUCH, box[5] - TOUCH
    for x0, x1, y0, y1, z0, z1 in others:
        if west < x1 and x0 < east and south < y1 and y0 < north and low < z1 and z0 < high:
            return True
    return False


def _part_along_room(wall: WallLine, room: Room) -> WallLine | None:
    other = 1 - wall.along
    low, high = room.low[wall.along] - 0.5, room.high[wall.along] + 0.5
    sides = room.low[other] - 0.5, room.high[other] + 0.5
    inward = wall.facing.vector[other] > 0
    if wall.at != (sides[0] if inward else sides[1]):
        return None
    low, high = max(low, wall.low), min(high, wall.high)
    return replace(wall, low=low, high=high) if high - low >= _LEAST_WALL else None


SILL = 0.95
"""Metres of a window above the floor."""
_CORNER = 0.25
"""Metres that stay between an opening and the end of its wall, and half of those between two openings."""
_WINDOW_WALL = 2.4
_OPENING_TRIES = 12


def add_openings(site: FurnishingState) -> None:
    """One door or a few, and windows in some of the walls."""
    floor = len(site.cells)
    walls = [wall for wall in site.walls if wall.length >= CATEGORIES["door"].width[0] + 2 * _CORNER]
    for _ in range(1 + site.chance(0.5) + (floor > 40 and site.chance(0.5))):
        _add_opening(site, walls, "door", site.size("door"), 0.0)
    for wall in sorted(site.walls, key=lambda wall: -wall.length):
        if wall.length >= _WINDOW_WALL and site.chance(0.55):
            number = 2 if wall.length >= 5 and site.chance(0.5) else 1
            size = site.size("window")
            for _ in range(number):
                _add_opening(site, [wall], "window", size, SILL)


def _add_opening(site: FurnishingState, walls: list[WallLine], category: str, size: Size, base: float) -> None:
    width = min(size[0], *(wall.length - 2 * _CORNER for wall in walls))
    for _ in range(_OPENING_TRIES):
        wall = walls[site.whole(0, len(walls) - 1)]
        place = site.between(wall.low + width / 2 + _CORNER, wall.high - width / 2 - _CORNER)
        piece = unplaced_piece(
            category, *wall.point(place, -WALL_DEPTH / 2), wall.facing.degrees, (width, *size[1:]), base
        )
        if not any(_clash(piece, other) for other in site.pieces):
            site.place(piece)
            deep = 1.0 if category == "door" else 0.6
            x0, x1, y0, y1, _, _ = clearance_box(wall, place, width + 0.1, -0.03, deep)
            site.taken.append((x0, x1, y0, y1, base, base + size[2]))
            return


def _clash(piece: Piece, other: Piece) -> bool:
    """Whether two openings come too close to each other."""
    reach = (piece.width + other.width) / 2 + 2 * _CORNER
    return max(abs(piece.x - other.x), abs(piece.y - other.y)) < reach
