"""The building around a space: floor, ceiling, walls along the outline, lights; its doors and windows are pieces."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from tolman.render.building.finishes import Finish, finish
from tolman.render.building.measures import CEILING, WALL
from tolman.render.building.openings import Opening, Wall, slab
from tolman.render.building.shell import wall_meshes
from tolman.render.shapes.material import Material, Texture, srgb
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.solids import cylinder
from tolman.seeds import rng
from tolman.world.scene import Room
from tolman.world.space.outline import Point
from tolman.world.space.outline import Wall as Line
from tolman.world.space.values import Piece, Space

_ACCENTS = ("#8f3b34", "#3f5f73", "#6d7f63", "#c9a66b", "#7a6a86", "#b8806a", "#4f6b6a")
"""Colours of the one wall that may differ from the others."""
_ACCENT_SHARE = 0.4
_FLOORS = (0, 0, 0, 0, 1, 1, 2)
"""Mostly planks, sometimes tiles or carpet."""
_LIT = 9.0
"""Square metres that one ceiling light serves."""
_LAMP, _GLOW = 0.2, 66.0
"""Radius of a ceiling light in metres, and how bright it is."""
_SHORT = 0.001
"""Metres by which a wall ends before a corner that stands out into the room, so that no two faces lie in one plane."""
_OVERHEAD = 1.1
"""Metres that no ceiling light is closer to the camera, seen from above: it would fill the top of the picture."""


@dataclass(frozen=True, eq=False)
class Walled:
    """A wall of a space with its finish and the pieces that are in it."""

    wall: Wall
    finish: Finish
    openings: dict[int, Opening]
    """By the number of the piece."""


def walled(space: Space, look: int) -> list[Walled]:
    """The walls of a space; `look` is the seed of their finish."""
    stream = rng(look, "space finish")
    made_of = finish(stream, _FLOORS)
    chosen = int(stream.integers(len(space.walls))) if stream.random() < _ACCENT_SHARE else -1
    accent = Material(srgb(_ACCENTS[int(stream.integers(len(_ACCENTS)))]), roughness=0.95)
    return [
        _walled(space, line, replace(made_of, wall=accent) if i == chosen else made_of)
        for i, line in enumerate(space.walls)
    ]


def space_shell(space: Space, walls: list[Walled]) -> Iterator[Mesh]:
    """All that belongs to the building and has no number."""
    shine = Material((1.0, 0.96, 0.90), glow=_GLOW * (1.15 - 0.7 * _lightness(walls[0].finish.floor)))
    for room in space.rooms:
        yield from _floor_and_ceiling(room, walls[0].finish)
        yield from _lights(room, space.camera, shine)
    for each in walls:
        yield from wall_meshes(each.wall, each.finish)


def _walled(space: Space, line: Line, made_of: Finish) -> Walled:
    openings = {piece.id: _opening(piece, line) for piece in space.pieces if _is_in(piece, line)}
    outer = line.at - line.facing.vector[1 - line.along] * WALL
    start = line.low - (WALL if _is_free(space, line, line.low - 0.5) else -_SHORT)
    end = line.high + (WALL if _is_free(space, line, line.high + 0.5) else -_SHORT)
    return Walled(Wall(line.along, start, end, line.at, outer, tuple(openings.values())), made_of, openings)


def _is_free(space: Space, line: Line, place: float) -> bool:
    """Whether there is no floor next to the end of a wall: it then reaches around the corner."""
    inside, outside = line.point(place, 0.5), line.point(place, -0.5)
    return not any((round(x), round(y)) in space.cells for x, y in (inside, outside))


def _is_in(piece: Piece, line: Line) -> bool:
    along, across = (piece.x, piece.y) if line.along == 0 else (piece.y, piece.x)
    same = piece.facing == line.facing.degrees and abs(across - line.at) <= piece.depth
    return piece.in_wall and same and line.low < along < line.high


def _opening(piece: Piece, line: Line) -> Opening:
    middle = piece.x if line.along == 0 else piece.y
    half = piece.width / 2
    return Opening(middle - half, middle + half, piece.base, piece.base + piece.height)


def _floor_and_ceiling(room: Room, look: Finish) -> Iterator[Mesh]:
    (x0, y0), (x1, y1) = room.low, room.high
    west, south, east, north = x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5
    yield slab((west, south, -0.1), (east, north, 0.0), look.floor, look.repeat)
    yield slab((west, south, CEILING), (east, north, CEILING + 0.1), look.ceiling)


def _lightness(floor: Material) -> float:
    """The share of light that a floor gives back, about: on a dark one lights are brighter."""
    if not isinstance(floor.colour, Texture):
        return sum(floor.colour) / 3
    return float(((floor.colour.image[::8, ::8] / 255) ** 2.2).mean())


_RIM = Material(srgb("#dcdcd8"), roughness=0.4)


def _lights(room: Room, camera: Point, shine: Material) -> Iterator[Mesh]:
    """Round lights below the ceiling, spread evenly but for the place of the camera."""
    (x0, y0), (x1, y1) = room.low, room.high
    wide, long = x1 - x0 + 1.0, y1 - y0 + 1.0
    across, along = (max(1, round(side / _LIT**0.5)) for side in (wide, long))
    for i, j in product(range(across), range(along)):
        middle = x0 - 0.5 + wide * (i + 0.5) / across, y0 - 0.5 + long * (j + 0.5) / along
        x, y = _beside(middle, camera, ((x0 + x1) / 2, (y0 + y1) / 2))
        yield cylinder(_LAMP, 0.02, (x, y, CEILING - 0.055), shine, sides=20)
        yield cylinder(_LAMP + 0.03, 0.035, (x, y, CEILING - 0.035), _RIM, sides=20)


def _beside(place: Point, camera: Point, middle: Point) -> Point:
    """A place far enough from the camera, moved towards the middle of the room if need be."""
    if math.dist(place, camera) >= _OVERHEAD:
        return place
    away = math.atan2(middle[1] - camera[1], middle[0] - camera[0])
    return camera[0] + _OVERHEAD * math.cos(away), camera[1] + _OVERHEAD * math.sin(away)
