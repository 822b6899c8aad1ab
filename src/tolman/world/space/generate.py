"""A furnished space from a seed: uses of its rooms, furniture, and a camera position from which every piece is
visible.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import GenerationError
from tolman.core.geometry import Cell
from tolman.core.seeds import check_seed, rng
from tolman.world.scene import Room
from tolman.world.space.categories import CATEGORIES
from tolman.world.space.floor import FEWEST_CLASSES, Point, SpaceSettings, make_floor
from tolman.world.space.furnished_space import Box, Piece, Space, on_floor
from tolman.world.space.furniture import add_piece
from tolman.world.space.site import FurnishingState, add_openings, overlaps_any
from tolman.world.space.themes import BATH_CELLS, BATH_SHARE, MAIN_USE_SHARES, ROOM_USES

_FOR_TWO = 20
"""Square metres from which on a room has two uses."""
_MOST_USES = 4
_ORDER = ("wall", "end on", "free", "flat", "hung", "small", "top", "in wall")
_CELLS_A_PIECE = 1.3
"""Square metres of a room for each piece that comes by itself."""


def furnish_floor(site: FurnishingState) -> None:
    """Doors and windows, then furniture, then what is put around it."""
    add_openings(site)
    rooms = _parts(site.rooms)
    uses = _uses(site, rooms)
    for room, use in zip(rooms, uses, strict=False):
        for group in ROOM_USES[use].groups:
            group(site, room)
    for room, use in zip(rooms, uses, strict=False):
        _add_single_pieces(site, room, use)


def _parts(rooms: Sequence[Room]) -> list[Room]:
    """The rooms, the largest first; then once more those that are large enough for two uses."""
    ordered = sorted(rooms, key=lambda room: -len(room.cells))
    return [*ordered, *(room for room in ordered if len(room.cells) >= _FOR_TWO)][:_MOST_USES]


def _uses(site: FurnishingState, rooms: Sequence[Room]) -> list[str]:
    """What each room is for: uses that go together, each once as long as there are any. A bathroom has no other use."""
    if len(site.rooms) == 1 and len(site.cells) <= BATH_CELLS and site.chance(BATH_SHARE):
        return ["bath"]
    drawn = float(site.stream.random())
    uses: list[str] = []
    for name, share in MAIN_USE_SHARES:
        drawn -= share
        if drawn < 0:
            uses.append(name)
            break
    uses = uses or [MAIN_USE_SHARES[0][0]]
    for _ in rooms[1:]:
        fresh = [name for name in ROOM_USES[uses[0]].goes_with if name not in uses]
        uses.append(fresh[site.whole(0, len(fresh) - 1)] if fresh else uses[-1])
    return uses


def _add_single_pieces(site: FurnishingState, room: Room, use: str) -> None:
    """Pieces that come one by one until the room has its share, those first that need most room."""
    budget = len(room.cells) / _CELLS_A_PIECE * site.between(0.8, 1.2)
    drawn = [ROOM_USES[use].others[int(i)] for i in site.stream.permutation(len(ROOM_USES[use].others))]
    for category, often, most in sorted(drawn, key=lambda other: _ORDER.index(CATEGORIES[other[0]].how)):
        if not site.chance(often):
            continue
        for _ in range(site.whole(1, most)):
            if budget <= 0 or add_piece(site, room, category) is None:
                break
            budget -= 1


Floats = NDArray[np.float64]

CAMERA_HEIGHT = 1.5
"""Metres of a camera above the floor."""
_CEILING = 3.0
_SPREAD = 0.32
"""How far from the middle of a box its points are, as a share of the box."""
_POINTS = np.array(
    [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-0.6, 1.1)] + [(0, 0, 0)], np.float32
) * np.float32(_SPREAD)
_SEEN_THROUGH = frozenset({"chair", "lamp", "plant", "stool", "guitar", "bicycle", "rug", "door", "window", "picture"})
"""What hides next to nothing."""
_OPEN_BELOW = frozenset({"table", "coffee table", "desk"})
"""What hides things only behind its uppermost part."""
_RADIAN = 1024 / (2 * np.pi)
"""Pixels along a radian of a panorama of the usual width."""


def visible_shares(
    pieces: Sequence[Piece], cells: frozenset[Cell], eyes: Sequence[Point], height: float = CAMERA_HEIGHT
) -> Floats:
    """For each eye and each piece the share of the piece's points that are not hidden, past boxes of all that hides."""
    boxes = _boxes(pieces)
    low, high = boxes[..., 0], boxes[..., 1]
    middles, sides = (low + high)[:, None] / 2, (high - low)[:, None]
    points = (middles + sides * _POINTS).reshape(-1, 3).astype(np.float32)
    solid = [i for i, piece in enumerate(pieces) if piece.category not in _SEEN_THROUGH]
    walls = np.array([*blocks(cells)], np.float32).reshape(-1, 3, 2)
    owner = np.repeat(np.arange(len(pieces)), len(_POINTS))
    own = owner[:, None] == np.array([*solid, *[-1] * len(walls)])[None]
    barriers = np.concatenate([boxes[solid], walls])
    legs = [pieces[i].category in _OPEN_BELOW for i in solid]
    barriers[: len(solid)][legs, 2, 0] += 0.7 * (
        barriers[: len(solid)][legs, 2, 1] - barriers[: len(solid)][legs, 2, 0]
    )
    crossed = _crossed(_starts(eyes, height), points, barriers)
    hidden = (crossed & ~own[None]).any(axis=2)
    return 1 - hidden.reshape(len(eyes), len(pieces), len(_POINTS)).mean(axis=2)


def pixels_covered(pieces: Sequence[Piece], eyes: Sequence[Point], height: float = CAMERA_HEIGHT) -> Floats:
    """About how many pixels of a panorama of 1024 by 512 each piece would cover for each eye, if nothing hid it."""
    boxes = _boxes(pieces)
    sides = boxes[..., 1] - boxes[..., 0]
    away = boxes.mean(axis=2)[None] - _starts(eyes, height)[:, None]
    far = np.maximum(np.sqrt((away**2).sum(axis=2)), 0.3)
    ways = np.abs(away) / far[..., None]
    faces = sides[:, [1, 2, 0]] * sides[:, [2, 0, 1]]
    level = np.maximum(np.sqrt(np.maximum(1 - ways[..., 2] ** 2, 0)), 0.2)
    return ((faces * ways).sum(axis=2) / far**2 / level * _RADIAN**2).astype(np.float64)


def _boxes(pieces: Sequence[Piece]) -> NDArray[np.float32]:
    return np.array([piece.box for piece in pieces], np.float32).reshape(-1, 3, 2)


def _starts(eyes: Sequence[Point], height: float) -> NDArray[np.float32]:
    return np.array([(x, y, height) for x, y in eyes], np.float32)


def _crossed(starts: NDArray[np.float32], ends: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether the lines from each start to each end go through each box."""
    shape = len(starts), len(ends), len(boxes)
    enter, leave = np.zeros(shape, np.float32), np.full(shape, 0.999, np.float32)
    for axis in range(3):
        way = ends[None, :, axis] - starts[:, None, axis]
        way = (1 / np.where(np.abs(way) < 1e-6, np.float32(1e-6), way))[..., None]
        first = (boxes[None, :, axis, 0] - starts[:, None, axis])[:, None] * way
        last = (boxes[None, :, axis, 1] - starts[:, None, axis])[:, None] * way
        enter = np.maximum(enter, np.minimum(first, last))
        leave = np.minimum(leave, np.maximum(first, last))
    return enter < leave


def blocks(cells: Iterable[Cell]) -> Iterator[Box]:
    """What is not floor within the box around it, as rectangles from floor to ceiling."""
    inside = set(cells)
    xs, ys = [x for x, _ in inside], [y for _, y in inside]
    for y in range(min(ys), max(ys) + 1):
        start = None
        for x in range(min(xs), max(xs) + 2):
            filled = x <= max(xs) and (x, y) not in inside
            if filled and start is None:
                start = x
            elif not filled and start is not None:
                yield start - 0.5, x - 0.5, y - 0.5, y + 0.5, 0.0, _CEILING
                start = None


_TRIES = 20
_CAMERA_CANDIDATES = 6
"""Places of the camera that are compared."""
_CAMERA_CLEARANCES = (0.75, 0.55, 0.4)
"""Metres around the camera that are free, the most first."""
_SHARE, _PIXELS = 0.34, 250
"""How much of a piece must be seen for it to stay, and about how large it must be in a panorama of 1024 by 512."""

_LARGE_PIXELS = 2000
"""Pixels of a piece beyond which it makes no place of the camera better."""


def generate_space(seed: int, settings: SpaceSettings | None = None) -> Space:
    """The furnished space that a seed makes: all its pieces can be seen from its camera."""
    check_seed(seed)
    settings = settings or SpaceSettings()
    for attempt in range(_TRIES):
        site = FurnishingState(
            make_floor(rng(seed, "space", "floor", attempt), settings.shapes), settings, rng(seed, "space", attempt)
        )
        furnish_floor(site)
        made = _from_best_camera(site, str(seed))
        if made is not None and len(made.classes) >= FEWEST_CLASSES:
            return made
    raise GenerationError(f"seed {seed} gives no space with {FEWEST_CLASSES} classes; try another seed or more shapes")


def _from_best_camera(site: FurnishingState, label: str) -> Space | None:
    """The space from the best place of the camera, without what can't be seen well from there."""
    eyes = _camera_candidates(site)
    if not eyes:
        return None
    shares = visible_shares(site.pieces, site.cells, eyes)
    sizes = shares * pixels_covered(site.pieces, eyes)
    good = (shares >= _SHARE) & (sizes >= _PIXELS)
    best = int(np.argmax(good.sum(axis=1) + np.minimum(sizes / _LARGE_PIXELS, 1).mean(axis=1)))
    kept = _with_supports(site, good[best].tolist())
    return Space(site.rooms, tuple(replace(p, id=i) for i, p in enumerate(kept, start=1)), eyes[best], label)


def _with_supports(site: FurnishingState, good: list[bool]) -> list[Piece]:
    """Pieces that are well seen and do not stand on one that is not."""
    return [p for p in site.pieces if good[p.id - 1] and (p.id not in site.on or good[site.on[p.id] - 1])]


def _camera_candidates(site: FurnishingState) -> list[Point]:
    """Some places where someone could stand, with as much room as there is, and not on a rug if that can be."""
    xs, ys = [x for x, _ in site.cells], [y for _, y in site.cells]
    solid = [piece.box for piece in site.pieces if not (piece.flat or piece.in_wall)]
    rugs = [piece.box for piece in site.pieces if piece.flat]
    for room, taken in ((_CAMERA_CLEARANCES[0], solid + rugs), *((room, solid) for room in _CAMERA_CLEARANCES)):
        found: list[Point] = []
        for _ in range(12 * _CAMERA_CANDIDATES):
            x = round(site.between(min(xs), max(xs)), 2)
            y = round(site.between(min(ys), max(ys)), 2)
            near = (x - room, x + room, y - room, y + room, 0.0, 2.0)
            if on_floor(site.cells, near) and not overlaps_any(near, taken):
                found.append((x, y))
            if len(found) == _CAMERA_CANDIDATES:
                return found
        if found:
            return found
    return []
