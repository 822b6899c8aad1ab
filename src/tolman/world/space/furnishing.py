"""State of a floor while it is being furnished (placed pieces, space to keep free, categories still allowed), and its
doors and windows.
"""

from collections.abc import Iterator, Sequence
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
"""Metres between a wall and a piece against it, for the skirting board."""
PIECE_GAP = 0.06
"""Metres between two pieces side by side."""
_LEAST_WALL = 0.4
"""Metres of a usable wall section."""
_LEAST_CLASS_LIMIT = 10
"""The limit of classes is drawn for each space, from this up to the limit in its settings."""
_FIRST_SIMILAR_SHARE = 0.6
"""Probability of the first category of a group that looks similar."""


@dataclass
class FurnishingState:
    """A floor and its pieces so far."""

    rooms: tuple[Room, ...]
    settings: SpaceSettings
    stream: np.random.Generator
    pieces: list[Piece] = field(default_factory=list[Piece])
    occupied: list[Box] = field(default_factory=list[Box])
    """Boxes in which nothing more can be placed."""
    clearances: list[Box] = field(default_factory=list[Box])
    """Boxes to keep free in front of furniture; they may overlap each other."""
    supports: dict[int, int] = field(default_factory=dict[int, int])
    """By the id of a piece: the id of the one it stands on or belongs to."""

    def __post_init__(self) -> None:
        self.walls: tuple[WallLine, ...] = walls_of(corners_of(self.rooms))
        self.cells: frozenset[Cell] = frozenset(cell for room in self.rooms for cell in room.cells)
        self.counts: dict[str, int] = {}
        self._walls_in: dict[int, list[WallLine]] = {}
        limit = self.settings.most_classes
        self._class_limit = self.integer(min(_LEAST_CLASS_LIMIT, limit), limit)
        self._excluded: set[str] = {name for group in SIMILAR_CATEGORIES for name in group}.difference(
            group[0] if self.chance(_FIRST_SIMILAR_SHARE) else group[self.integer(1, len(group) - 1)]
            for group in SIMILAR_CATEGORIES
        )

    def chance(self, share: float) -> bool:
        """True with probability `share`."""
        return bool(self.stream.random() < share)

    def uniform(self, low: float, high: float) -> float:
        """A random number from low to high."""
        return low + float(self.stream.random()) * (high - low)

    def integer(self, low: int, high: int) -> int:
        """A random integer from low to high, both included."""
        return low + int(self.stream.random() * (high - low + 1))

    def allows(self, category: str) -> bool:
        """Whether another piece of a category is allowed."""
        if len(self.pieces) >= self.settings.most_pieces:
            return False
        if category in self.counts:
            return True
        return len(self.counts) < self._class_limit and category not in self._excluded

    def draw_size(self, category: str) -> Size:
        """A random size within the category's ranges."""
        ranges = CATEGORIES[category]
        return self.uniform(*ranges.width), self.uniform(*ranges.depth), self.uniform(*ranges.height)

    def walls_in(self, room: Room) -> list[WallLine]:
        """Sections of the floor's walls along one room."""
        if room.id not in self._walls_in:
            self._walls_in[room.id] = [
                part for wall in self.walls if (part := _part_along_room(wall, room)) is not None
            ]
        return self._walls_in[room.id]

    def fits(self, box: Box, gap: float = PIECE_GAP) -> bool:
        """Whether a box is above the floor, `gap` metres from other pieces, and outside their clearances."""
        return (
            on_floor(self.cells, box)
            and not overlaps_any(box, self.occupied, gap)
            and not overlaps_any(box, self.clearances)
        )

    def is_unoccupied(self, box: Box) -> bool:
        """Whether a box is above the floor and free of pieces; it may overlap clearances."""
        return on_floor(self.cells, box) and not overlaps_any(box, self.occupied)

    def place_if_free(self, piece: Piece, gap: float = PIECE_GAP, support: Piece | None = None) -> Piece | None:
        """Place a piece if it is allowed and fits; `support` is what it stands on or belongs to."""
        return self.place(piece, support) if self.allows(piece.category) and self.fits(piece.box, gap) else None

    def place(self, piece: Piece, support: Piece | None = None) -> Piece:
        """Place a piece that is known to fit."""
        placed = replace(piece, id=len(self.pieces) + 1)
        self.pieces.append(placed)
        self.counts[piece.category] = self.counts.get(piece.category, 0) + 1
        if not placed.flat:
            self.occupied.append(placed.box)
        if support is not None:
            self.supports[placed.id] = support.id
        return placed


def unplaced_piece(category: str, x: float, y: float, facing: int, size: Size, base: float = 0.0) -> Piece:
    """A piece that is not placed yet, its numbers rounded to millimetres."""
    x, y, width, depth, height, base = (round(value, 3) for value in (x, y, *size, base))
    return Piece(1, category, x, y, facing % 360, width, depth, height, base)


def piece_at_wall(wall: WallLine, place: float, category: str, size: Size, base: float = 0.0) -> Piece:
    """A piece with its back to a wall, centred at the coordinate `place` along it."""
    x, y = wall.point(place, size[1] / 2 + WALL_GAP)
    return unplaced_piece(category, x, y, wall.facing.degrees, size, base)


def clearance_box(wall: WallLine, place: float, width: float, depth: float, out: float) -> Box:
    """The box in front of a piece at a wall, from `depth` to `depth + out` metres from the wall."""
    near, far = wall.point(place - width / 2, depth + 0.03), wall.point(place + width / 2, depth + out)
    (x0, x1), (y0, y1) = sorted((near[0], far[0])), sorted((near[1], far[1]))
    return x0, x1, y0, y1, 0.0, 2.0


def wall_places(
    state: FurnishingState, walls: Sequence[WallLine], width: float, tries: int = 8
) -> Iterator[tuple[WallLine, float]]:
    """Random walls, each with a coordinate along it for a piece of some width; long walls and corners are more likely.
    None if no wall is long enough."""
    spare = [max(0.0, wall.length - width) for wall in walls]
    for _ in range(tries if sum(spare) > 0 else 0):
        drawn = float(state.stream.random()) * sum(spare)
        for wall, length in zip(walls, spare, strict=True):
            if drawn < length:
                low, high = wall.low + width / 2 + 0.02, wall.high - width / 2 - 0.02
                if state.chance(0.3):
                    yield wall, low if drawn < length / 2 else high
                else:
                    yield wall, low + (high - low) * drawn / length
                break
            drawn -= length
        else:
            return


def overlaps_any(box: Box, others: Sequence[Box], gap: float = -TOUCH) -> bool:
    """`overlap` of a box with any of the others, but faster."""
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


_SILL = 0.95
"""Metres from the floor to a window."""
_OPENING_MARGIN = 0.25
"""Metres between an opening and the end of its wall, and half of those between two openings."""
_WINDOW_WALL = 2.4
"""Metres of the shortest wall with a window."""
_OPENING_TRIES = 12


def add_openings(state: FurnishingState) -> None:
    """Add one to three doors, and windows in some of the walls."""
    floor = len(state.cells)
    walls = [wall for wall in state.walls if wall.length >= CATEGORIES["door"].width[0] + 2 * _OPENING_MARGIN]
    for _ in range(1 + state.chance(0.5) + (floor > 40 and state.chance(0.5))):
        _add_opening(state, walls, "door", state.draw_size("door"), 0.0)
    for wall in sorted(state.walls, key=lambda wall: -wall.length):
        if wall.length >= _WINDOW_WALL and state.chance(0.55):
            number = 2 if wall.length >= 5 and state.chance(0.5) else 1
            size = state.draw_size("window")
            for _ in range(number):
                _add_opening(state, [wall], "window", size, _SILL)


def _add_opening(state: FurnishingState, walls: list[WallLine], category: str, size: Size, base: float) -> None:
    width = min(size[0], *(wall.length - 2 * _OPENING_MARGIN for wall in walls))
    for _ in range(_OPENING_TRIES):
        wall = walls[state.integer(0, len(walls) - 1)]
        place = state.uniform(wall.low + width / 2 + _OPENING_MARGIN, wall.high - width / 2 - _OPENING_MARGIN)
        piece = unplaced_piece(
            category, *wall.point(place, -WALL_DEPTH / 2), wall.facing.degrees, (width, *size[1:]), base
        )
        if not any(_too_close(piece, other) for other in state.pieces):
            state.place(piece)
            depth = 1.0 if category == "door" else 0.6
            x0, x1, y0, y1, _, _ = clearance_box(wall, place, width + 0.1, -0.03, depth)
            state.occupied.append((x0, x1, y0, y1, base, base + size[2]))
            return


def _too_close(piece: Piece, other: Piece) -> bool:
    """Whether two openings are too close to each other."""
    least = (piece.width + other.width) / 2 + 2 * _OPENING_MARGIN
    return max(abs(piece.x - other.x), abs(piece.y - other.y)) < least
