"""Meshes of a furnished space: floor, ceiling, walls along the outline, lights, and its pieces at their sizes."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from tolman.core.seeds import one_of, rng
from tolman.render.building.decor import decor_asset
from tolman.render.building.finishes import RoomFinish, SurfacePack, random_finish
from tolman.render.building.floor_finishes import FLOORS
from tolman.render.building.lamps import random_lamp
from tolman.render.building.relief import Surface
from tolman.render.building.rooms import floor_and_ceiling, wall_meshes
from tolman.render.building.things import AssetOf, pose_matrix
from tolman.render.building.walls import DOOR_HEIGHT, FRAME, WALL, Opening, Wall, slab
from tolman.render.building.windows import WINDOW_KINDS, Pane, window_frame
from tolman.render.shapes.mesh import Asset, Material, Mesh, Texture, srgb
from tolman.world.scene import Room
from tolman.world.space.categories import CATEGORIES
from tolman.world.space.floor import Point, WallLine
from tolman.world.space.furnished_space import Piece, Space

_ACCENTS = ("#8f3b34", "#3f5f73", "#6d7f63", "#c9a66b", "#7a6a86", "#b8806a", "#4f6b6a")
"""Colours of the one wall that may differ from the others."""
_ACCENT_SHARE = 0.4
_FLOORS = (*FLOORS, *("boards", "wide boards", "strips", "herringbone", "parquet") * 2)
"""Mostly of wood."""
_SPACE_LIT_AREA = 14.0
"""Square metres per ceiling lamp."""
_LAMP_POWER = 13.0
"""Radiance of a ceiling lamp times its square metres, above a dark floor."""
_CORNER_GAP = 0.001
"""Metres by which a wall ends before a convex corner, so that no two faces are coplanar."""
_LAMP_DISTANCE = 1.1
"""Least horizontal metres from the camera to a ceiling light, which would else fill the top of the panorama."""


@dataclass(frozen=True, eq=False)
class FinishedWall:
    """A wall of a space with its finish and openings."""

    wall: Wall
    finish: RoomFinish
    openings: dict[int, Opening]
    """By the number of the piece."""


def finished_walls(space: Space, seed: int, pack: SurfacePack | None = None) -> list[FinishedWall]:
    """The walls of a space; `seed` is that of their finish."""
    stream = rng(seed, "space finish")
    finish = random_finish(stream, pack, _FLOORS)
    accented = int(stream.integers(len(space.walls))) if stream.random() < _ACCENT_SHARE else -1
    accent = Surface(Material(srgb(one_of(stream, _ACCENTS)), roughness=0.95), 1.0)
    return [
        _finished_wall(space, line, replace(finish, wall=accent) if i == accented else finish)
        for i, line in enumerate(space.walls)
    ]


def space_building_meshes(space: Space, walls: list[FinishedWall], seed: int) -> Iterator[Mesh]:
    """Floor, ceiling, walls and lamps; `seed` is that of the space's appearance."""
    power = _LAMP_POWER * (1.15 - 0.7 * _lightness(walls[0].finish.floor.material))
    lamp = random_lamp(rng(seed, "lamps"), power)
    for room in space.rooms:
        yield from floor_and_ceiling(room, walls[0].finish, 0.5)
        for x, y in _lamp_places(room, space.camera):
            yield from lamp(x, y)
    for each in walls:
        yield from wall_meshes(each.wall, each.finish)


def space_panes(walls: list[FinishedWall]) -> list[Pane]:
    """The panes of all windows, with the numbers of their pieces."""
    return [Pane(i, each.wall, hole) for each in walls for i, hole in each.openings.items() if hole.low > 0]


def _finished_wall(space: Space, line: WallLine, finish: RoomFinish) -> FinishedWall:
    openings = {piece.id: _opening(piece, line) for piece in space.pieces if _is_in(piece, line)}
    outer = line.at - line.facing.vector[1 - line.along] * WALL
    start = line.low - (WALL if _is_free(space, line, line.low - 0.5) else -_CORNER_GAP)
    end = line.high + (WALL if _is_free(space, line, line.high + 0.5) else -_CORNER_GAP)
    return FinishedWall(Wall(line.along, start, end, line.at, outer, tuple(openings.values())), finish, openings)


def _is_free(space: Space, line: WallLine, place: float) -> bool:
    """Whether there is no floor beyond the end of a wall, so that it extends around the corner."""
    inside, outside = line.point(place, 0.5), line.point(place, -0.5)
    return not any((round(x), round(y)) in space.cells for x, y in (inside, outside))


def _is_in(piece: Piece, line: WallLine) -> bool:
    along, across = (piece.x, piece.y) if line.along == 0 else (piece.y, piece.x)
    same = piece.facing == line.facing.degrees and abs(across - line.at) <= piece.depth
    return piece.in_wall and same and line.low < along < line.high


def _opening(piece: Piece, line: WallLine) -> Opening:
    middle = piece.x if line.along == 0 else piece.y
    half = piece.width / 2
    return Opening(middle - half, middle + half, piece.base, piece.base + piece.height)


def _lightness(floor: Material) -> float:
    """Approximate reflectance of a floor; lights are brighter above a dark one."""
    if not isinstance(floor.colour, Texture):
        return sum(floor.colour) / 3
    return float(((floor.colour.image[::8, ::8] / 255) ** 2.2).mean())


def _lamp_places(room: Room, camera: Point) -> Iterator[Point]:
    """A regular grid, except near the camera."""
    (x0, y0), (x1, y1) = room.low, room.high
    width, depth = x1 - x0 + 1.0, y1 - y0 + 1.0
    columns, rows = (max(1, round(side / _SPACE_LIT_AREA**0.5)) for side in (width, depth))
    for i, j in product(range(columns), range(rows)):
        position = x0 - 0.5 + width * (i + 0.5) / columns, y0 - 0.5 + depth * (j + 0.5) / rows
        yield _away_from_camera(position, camera, ((x0 + x1) / 2, (y0 + y1) / 2))


def _away_from_camera(position: Point, camera: Point, centre: Point) -> Point:
    """The position of a light, moved from the camera towards the centre of the room if it is too near."""
    if math.dist(position, camera) >= _LAMP_DISTANCE:
        return position
    angle = math.atan2(centre[1] - camera[1], centre[0] - camera[0])
    return camera[0] + _LAMP_DISTANCE * math.cos(angle), camera[1] + _LAMP_DISTANCE * math.sin(angle)


_DOOR_COLOURS = ("#f0ede6", "#8a5f3a", "#5b3a24", "#c9b79c", "#4c5a63", "#6d2f2a")
_BRASS = Material(srgb("#c9a75a"), roughness=0.25, metallic=1.0)
_TRIM = Material(srgb("#efece4"), roughness=0.5)
_DOOR_OVERLAP = 0.01
"""Metres by which a door extends into the wall on all sides, so that no light leaks."""
_DECOR = frozenset({"rug", "picture"})


def piece_meshes(piece: Piece, asset_of: AssetOf, seed: int, walls: list[FinishedWall]) -> list[Mesh]:
    """The meshes of one piece; `seed` is that of the space's appearance."""
    for each in walls:
        if piece.id in each.openings:
            build = _door if piece.category == "door" else _window
            return list(build(each, each.openings[piece.id], seed))
    return list(placed_asset(piece, asset_of, seed).meshes)


def placed_asset(piece: Piece, asset_of: AssetOf, seed: int) -> Asset:
    """The asset of a piece at its size and position; the same for all pieces of a category unless it is varied."""
    category = CATEGORIES[piece.category]
    stream = rng(seed, "piece", piece.category, piece.id if category.varied else 0)
    size = piece.width, piece.depth, piece.height
    if piece.category in _DECOR:
        asset = decor_asset(piece.category, stream, size)
    else:
        asset = _sized(asset_of(piece.category, int(stream.integers(2**31))), size, stretched=category.stretched)
    return asset.moved(pose_matrix(piece.facing, (piece.x, piece.y, piece.base)))


def _sized(asset: Asset, size: tuple[float, float, float], *, stretched: bool) -> Asset:
    """An asset scaled to fill a box, or in proportion to fit it, with its back at the back of the box."""
    fitted = asset.fitted(*size)
    low, high = fitted.bounds
    factors = np.array(size) / np.maximum(high - low, 1e-6) if stretched else np.ones(3)
    back = -size[1] / 2 - low[1] * factors[1]
    return fitted.moved(np.column_stack([np.diag(factors), [0.0, back, 0.0]]))


def _door(each: FinishedWall, hole: Opening, seed: int) -> Iterator[Mesh]:
    """A door with raised panels and a handle, in a frame. All doors of a space have the same colour."""
    wall = each.wall
    code = one_of(rng(seed, "doors"), _DOOR_COLOURS)
    paint = Material(srgb(code), roughness=0.4)
    left, right = hole.start - _DOOR_OVERLAP, hole.end + _DOOR_OVERLAP
    yield slab(*wall.box(left, right, -0.01, DOOR_HEIGHT + _DOOR_OVERLAP, (0.07, -0.02)), paint)
    yield slab(*wall.box(left, right, -0.02, 0.004, (WALL, 0.0)), _TRIM)
    middle = (hole.start + hole.end) / 2
    for low, high in ((0.18, 0.95), (1.08, 1.88)):
        for start, end in ((hole.start + 0.1, middle - 0.04), (middle + 0.04, hole.end - 0.1)):
            yield slab(*wall.box(start, end, low, high, (0.03, -0.008)), paint)
    yield slab(*wall.box(hole.end - 0.14, hole.end - 0.03, 0.99, 1.02, (0.0, 0.035)), _BRASS)
    yield from _jambs(wall, hole)


def _jambs(wall: Wall, hole: Opening) -> Iterator[Mesh]:
    """The frame around a door, protruding slightly from the wall."""
    out = WALL, 0.012
    yield slab(*wall.box(hole.start - FRAME, hole.start, 0.0, DOOR_HEIGHT + FRAME, out), _TRIM)
    yield slab(*wall.box(hole.end, hole.end + FRAME, 0.0, DOOR_HEIGHT + FRAME, out), _TRIM)
    yield slab(*wall.box(hole.start, hole.end, DOOR_HEIGHT, DOOR_HEIGHT + FRAME, out), _TRIM)


def _window(each: FinishedWall, hole: Opening, seed: int) -> Iterator[Mesh]:
    """The frame of a window; all windows of a space are of one kind."""
    kind = list(WINDOW_KINDS.values())[int(rng(seed, "window kind").integers(len(WINDOW_KINDS)))]
    yield from window_frame(each.wall, hole, kind, each.finish.trim)
