"""Generation of a furnished space from a seed: room uses, furniture, and a camera position from which every piece is
visible.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import GenerationError
from tolman.core.files import packaged_table
from tolman.core.geometry import Cell
from tolman.core.seeds import check_seed, rng
from tolman.world.scene import Room
from tolman.world.space.categories import CATEGORIES
from tolman.world.space.floor import FEWEST_CLASSES, Point, SpaceSettings, make_floor
from tolman.world.space.furnished_space import Box, Piece, Space, on_floor
from tolman.world.space.furnishing import FurnishingState, add_openings, overlaps_any
from tolman.world.space.furniture import add_bed, add_desk, add_dining, add_kitchen, add_lounge, add_piece


@dataclass(frozen=True)
class RoomUse:
    """Furniture of a room for one use."""

    groups: tuple[Callable[[FurnishingState, Room], None], ...]
    """In order of placement."""
    others: tuple[tuple[str, float, int], ...]
    """Single pieces, placed in random order: a category, the probability of any piece of it, and the most of it."""
    compatible: tuple[str, ...]
    """Uses that may be next to it without a wall between."""


_GROUPS = {"bed": add_bed, "desk": add_desk, "dining": add_dining, "kitchen": add_kitchen, "lounge": add_lounge}
ROOM_USES: dict[str, RoomUse] = {
    name: RoomUse(
        tuple(_GROUPS[group] for group in use["groups"]), tuple(map(tuple, use["others"])), tuple(use["compatible"])
    )
    for name, use in packaged_table("tolman.world.space", "furniture.toml")["use"].items()
}
MAIN_USE_SHARES = {"living": 0.36, "bedroom": 0.2, "dining": 0.12, "study": 0.17, "kitchen": 0.15}
"""Probabilities of the use of a space's largest room."""
BATH_SHARE, BATH_CELLS = 0.5, 20
"""Probability that a space of one room and at most so many square metres is a bathroom."""
_TWO_USES_AREA = 20
"""Square metres from which on a room can have two uses."""
_MAX_USES = 4
_PLACEMENT_ORDER = ("wall", "end on", "free", "flat", "hung", "small", "top", "in wall")
_AREA_PER_PIECE = 1.3
"""Square metres of a room for each single piece."""


def furnish_floor(state: FurnishingState) -> None:
    """Add doors and windows, then groups of furniture, then single pieces."""
    add_openings(state)
    rooms = _largest_first(state.rooms)
    uses = _draw_uses(state, rooms)
    for room, use in zip(rooms, uses, strict=False):
        for group in ROOM_USES[use].groups:
            group(state, room)
    for room, use in zip(rooms, uses, strict=False):
        _add_single_pieces(state, room, use)
    if state.settings.least_pieces:
        _fill(state, list(zip(rooms, uses, strict=False)))


def _largest_first(rooms: Sequence[Room]) -> list[Room]:
    """The rooms by decreasing size; then again those that are large enough for two uses."""
    ordered = sorted(rooms, key=lambda room: -len(room.cells))
    return [*ordered, *(room for room in ordered if len(room.cells) >= _TWO_USES_AREA)][:_MAX_USES]


def _draw_uses(state: FurnishingState, rooms: Sequence[Room]) -> list[str]:
    """A use for each room: compatible uses, without repetition as long as there are any. A bathroom is the only use."""
    if len(state.rooms) == 1 and len(state.cells) <= BATH_CELLS and state.chance(BATH_SHARE):
        return ["bath"]
    drawn = float(state.stream.random())
    uses: list[str] = []
    for name, share in MAIN_USE_SHARES.items():
        drawn -= share
        if drawn < 0:
            uses.append(name)
            break
    uses = uses or ["living"]
    for _ in rooms[1:]:
        unused = [name for name in ROOM_USES[uses[0]].compatible if name not in uses]
        uses.append(unused[state.integer(0, len(unused) - 1)] if unused else uses[-1])
    return uses


def _add_single_pieces(state: FurnishingState, room: Room, use: str) -> None:
    """Add single pieces until the room has its number of them, those that need most space first."""
    budget = len(room.cells) / _AREA_PER_PIECE * state.uniform(0.8, 1.2)
    others = ROOM_USES[use].others
    drawn = [others[int(i)] for i in state.stream.permutation(len(others))]
    drawn.sort(key=lambda other: _PLACEMENT_ORDER.index(CATEGORIES[other[0]].placement))
    for category, probability, most in drawn:
        if not state.chance(probability):
            continue
        for _ in range(state.integer(1, most)):
            if budget <= 0 or add_piece(state, room, category) is None:
                break
            budget -= 1


_FILL_ROUNDS = 4
_MORE_OF_SMALL = 2
"""Pieces of a small category beyond the most of it that a room has else."""
_SPARE_PIECES = 8
"""Pieces beyond the least number that are aimed at, as the camera may not see all."""


def _is_small(category: str) -> bool:
    return category == "picture" or CATEGORIES[category].placement in ("small", "top")


def _fill(state: FurnishingState, uses: Sequence[tuple[Room, str]]) -> None:
    """Add more of what belongs into the rooms, above all on walls and on top of furniture, up to a random number."""
    least = state.settings.least_pieces + _SPARE_PIECES
    target = state.integer(min(least, state.settings.most_pieces), state.settings.most_pieces)
    for _ in range(_FILL_ROUNDS):
        for room, use in uses:
            others = ROOM_USES[use].others
            for i in state.stream.permutation(len(others)):
                category, _, most = others[int(i)]
                if len(state.pieces) >= target:
                    return
                if state.counts.get(category, 0) < most + (_MORE_OF_SMALL if _is_small(category) else 0):
                    add_piece(state, room, category)


Floats = NDArray[np.float64]

CAMERA_HEIGHT = 1.5
"""Metres from the floor to the camera."""
_CEILING = 3.0
_SPREAD = 0.32
"""Distance of sample points from the centre of a box, as a share of its size."""
_SAMPLE_POINTS = np.array(
    [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-0.6, 1.1)] + [(0, 0, 0)], np.float32
) * np.float32(_SPREAD)
_SEEN_THROUGH = frozenset({"chair", "lamp", "plant", "stool", "guitar", "bicycle", "rug", "door", "window", "picture"})
"""Categories that hide almost nothing."""
_OPEN_BELOW = frozenset({"table", "coffee table", "desk"})
"""Categories of which only the upper part hides anything."""
_PIXELS_PER_RADIAN = 1024 / (2 * np.pi)
"""In a panorama of 1024 by 512 pixels."""


def visible_shares(
    pieces: Sequence[Piece], cells: frozenset[Cell], cameras: Sequence[Point], height: float = CAMERA_HEIGHT
) -> Floats:
    """Share of each piece's sample points that each camera sees past the boxes of other pieces and walls, as an array
    [camera, piece]."""
    boxes = _boxes(pieces)
    low, high = boxes[..., 0], boxes[..., 1]
    centres, sides = (low + high)[:, None] / 2, (high - low)[:, None]
    points = (centres + sides * _SAMPLE_POINTS).reshape(-1, 3).astype(np.float32)
    solid = [i for i, piece in enumerate(pieces) if piece.category not in _SEEN_THROUGH]
    walls = np.array([*_wall_blocks(cells)], np.float32).reshape(-1, 3, 2)
    owner = np.repeat(np.arange(len(pieces)), len(_SAMPLE_POINTS))
    own = owner[:, None] == np.array([*solid, *[-1] * len(walls)])[None]
    occluders = np.concatenate([boxes[solid], walls])
    legs = [pieces[i].category in _OPEN_BELOW for i in solid]
    occluders[: len(solid)][legs, 2, 0] += 0.7 * (
        occluders[: len(solid)][legs, 2, 1] - occluders[: len(solid)][legs, 2, 0]
    )
    crossed = _crossed(_camera_points(cameras, height), points, occluders)
    hidden = (crossed & ~own[None]).any(axis=2)
    return 1 - hidden.reshape(len(cameras), len(pieces), len(_SAMPLE_POINTS)).mean(axis=2)


def pixels_covered(pieces: Sequence[Piece], cameras: Sequence[Point], height: float = CAMERA_HEIGHT) -> Floats:
    """Estimate of the pixels of a 1024 by 512 panorama that each piece would cover if nothing hid it, as an array
    [camera, piece]."""
    boxes = _boxes(pieces)
    sides = boxes[..., 1] - boxes[..., 0]
    offsets = boxes.mean(axis=2)[None] - _camera_points(cameras, height)[:, None]
    distances = np.maximum(np.sqrt((offsets**2).sum(axis=2)), 0.3)
    directions = np.abs(offsets) / distances[..., None]
    faces = sides[:, [1, 2, 0]] * sides[:, [2, 0, 1]]
    horizontal = np.maximum(np.sqrt(np.maximum(1 - directions[..., 2] ** 2, 0)), 0.2)
    solid_angles = (faces * directions).sum(axis=2) / distances**2
    return (solid_angles / horizontal * _PIXELS_PER_RADIAN**2).astype(np.float64)


def _boxes(pieces: Sequence[Piece]) -> NDArray[np.float32]:
    return np.array([piece.box for piece in pieces], np.float32).reshape(-1, 3, 2)


def _camera_points(cameras: Sequence[Point], height: float) -> NDArray[np.float32]:
    return np.array([(x, y, height) for x, y in cameras], np.float32)


def _crossed(starts: NDArray[np.float32], ends: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether the segment from each start to each end crosses each box."""
    shape = len(starts), len(ends), len(boxes)
    enter, leave = np.zeros(shape, np.float32), np.full(shape, 0.999, np.float32)
    for axis in range(3):
        length = ends[None, :, axis] - starts[:, None, axis]
        inverse = (1 / np.where(np.abs(length) < 1e-6, np.float32(1e-6), length))[..., None]
        first = (boxes[None, :, axis, 0] - starts[:, None, axis])[:, None] * inverse
        last = (boxes[None, :, axis, 1] - starts[:, None, axis])[:, None] * inverse
        enter = np.maximum(enter, np.minimum(first, last))
        leave = np.minimum(leave, np.maximum(first, last))
    return enter < leave


def _wall_blocks(cells: Iterable[Cell]) -> Iterator[Box]:
    """The bounding box of a floor without the floor, as boxes from floor to ceiling."""
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
"""Camera positions that are compared."""
_CAMERA_CLEARANCES = (0.75, 0.55, 0.4)
"""Metres of free floor on all sides of the camera, in order of preference."""
_MIN_VISIBLE_SHARE, _MIN_PIXELS = 0.34, 250
"""Visible share and estimated pixels in a 1024 by 512 panorama below which a piece is removed."""
_FILLED_AREA = 24
"""Square metres of a floor from which on 25 pieces leave room to stand."""
_LARGE_PIXELS = 2000
"""Pixels of a piece beyond which more do not make a camera position better."""


def generate_space(seed: int, settings: SpaceSettings | None = None) -> Space:
    """The furnished space of a seed; its camera sees all its pieces."""
    check_seed(seed)
    settings = settings or SpaceSettings()
    for attempt in range(_TRIES * (10 if settings.least_pieces else 1)):
        state = FurnishingState(
            make_floor(rng(seed, "space", "floor", attempt), settings.shapes), settings, rng(seed, "space", attempt)
        )
        if settings.least_pieces and len(state.cells) < _FILLED_AREA:
            continue
        furnish_floor(state)
        space = _from_best_camera(state, str(seed))
        if space is not None and len(space.classes) >= FEWEST_CLASSES and len(space.pieces) >= settings.least_pieces:
            return space
    raise GenerationError(
        f"no space with {FEWEST_CLASSES} classes{f' and {settings.least_pieces} pieces' * bool(settings.least_pieces)} "
        f"was found for seed {seed}; try another seed or more shapes"
    )


def _from_best_camera(state: FurnishingState, label: str) -> Space | None:
    """The space with the best camera position, without the pieces that are not well visible from it."""
    cameras = _camera_candidates(state)
    if not cameras:
        return None
    shares = visible_shares(state.pieces, state.cells, cameras)
    sizes = shares * pixels_covered(state.pieces, cameras)
    visible = (shares >= _MIN_VISIBLE_SHARE) & (sizes >= _MIN_PIXELS)
    best = int(np.argmax(visible.sum(axis=1) + np.minimum(sizes / _LARGE_PIXELS, 1).mean(axis=1)))
    kept = _with_visible_support(state, visible[best].tolist())
    return Space(state.rooms, tuple(replace(p, id=i) for i, p in enumerate(kept, start=1)), cameras[best], label)


def _with_visible_support(state: FurnishingState, visible: list[bool]) -> list[Piece]:
    """Visible pieces, without those that stand on an invisible one."""
    return [p for p in state.pieces if visible[p.id - 1] and visible[state.supports.get(p.id, p.id) - 1]]


def _camera_candidates(state: FurnishingState) -> list[Point]:
    """Random camera positions with as much free floor around them as possible, preferably not on a rug."""
    xs, ys = [x for x, _ in state.cells], [y for _, y in state.cells]
    solid = [piece.box for piece in state.pieces if not (piece.flat or piece.in_wall)]
    rugs = [piece.box for piece in state.pieces if piece.flat]
    for gap, occupied in ((_CAMERA_CLEARANCES[0], solid + rugs), *((gap, solid) for gap in _CAMERA_CLEARANCES)):
        found: list[Point] = []
        for _ in range(12 * _CAMERA_CANDIDATES):
            x = round(state.uniform(min(xs), max(xs)), 2)
            y = round(state.uniform(min(ys), max(ys)), 2)
            near = (x - gap, x + gap, y - gap, y + gap, 0.0, 2.0)
            if on_floor(state.cells, near) and not overlaps_any(near, occupied):
                found.append((x, y))
            if len(found) == _CAMERA_CANDIDATES:
                return found
        if found:
            return found
    return []
