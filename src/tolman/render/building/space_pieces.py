"""The pieces of a space where they are: models at their real size, doors and windows in their walls."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tolman.render.building.decor import decor_model
from tolman.render.building.measures import DOOR_HEIGHT, FRAME, WALL
from tolman.render.building.openings import Opening, Wall, slab
from tolman.render.building.shell import window_frame
from tolman.render.building.space_shell import Walled
from tolman.render.building.things import ModelOf
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.outline import extrusion
from tolman.seeds import rng
from tolman.world.space.sorts import SORTS
from tolman.world.space.values import Piece

Floats = NDArray[np.float64]

_LEAVES = ("#f0ede6", "#8a5f3a", "#5b3a24", "#c9b79c", "#4c5a63", "#6d2f2a")
"""Colours of doors."""
_BRASS = Material(srgb("#c9a75a"), roughness=0.25, metallic=1.0)
_TRIM = Material(srgb("#efece4"), roughness=0.5)
_SKY = Material((0.80, 0.91, 1.0), glow=4.5)
_TREES = (Material(srgb("#a9bfa6"), roughness=0.95), Material(srgb("#6f9158"), roughness=0.95))
"""Far ones and near ones."""
_INTO = 0.01
"""Metres that a door reaches into the wall on all sides, so that nothing shines through."""
_DECOR = frozenset({"rug", "picture"})


def piece_meshes(piece: Piece, model_of: ModelOf, look: int, walls: list[Walled]) -> list[Mesh]:
    """All of one piece; `look` is the seed of its model."""
    for each in walls:
        if piece.id in each.openings:
            hole = each.openings[piece.id]
            made = _door if piece.category == "door" else _window
            return list(made(each, hole, look))
    return list(placed_model(piece, model_of, look).meshes)


def placed_model(piece: Piece, model_of: ModelOf, look: int) -> Model:
    """The model of a piece, at its size and place. Pieces of a category look the same, unless their sort is varied."""
    sort = SORTS[piece.category]
    stream = rng(look, "piece", piece.category, piece.id if sort.varied else 0)
    size = piece.width, piece.depth, piece.height
    if piece.category in _DECOR:
        model = decor_model(piece.category, stream, size)
    else:
        model = _sized(model_of(piece.category, int(stream.integers(2**31))), size, stretched=sort.stretched)
    return model.moved(_turned(piece.facing, (piece.x, piece.y, piece.base)))


def _sized(model: Model, size: tuple[float, float, float], *, stretched: bool) -> Model:
    """Filling the box, or as large as can be in it; either way with its back at the back of the box."""
    fitted = model.fitted(*size)
    low, high = fitted.bounds
    factors = np.array(size) / np.maximum(high - low, 1e-6) if stretched else np.ones(3)
    back = -size[1] / 2 - low[1] * factors[1]
    return fitted.moved(np.column_stack([np.diag(factors), [0.0, back, 0.0]]))


def _turned(facing: int, shift: tuple[float, float, float]) -> Floats:
    """Turned clockwise from north, and moved."""
    angle = math.radians(facing)
    sin, cos = round(math.sin(angle)), round(math.cos(angle))
    return np.array([[cos, sin, 0, shift[0]], [-sin, cos, 0, shift[1]], [0, 0, 1, shift[2]]], np.float64)


def _door(each: Walled, hole: Opening, look: int) -> Iterator[Mesh]:
    """A leaf with raised fields and a handle, in a frame. All doors of a space are of one colour."""
    wall = each.wall
    code = _LEAVES[int(rng(look, "doors").integers(len(_LEAVES)))]
    paint = Material(srgb(code), roughness=0.4)
    yield slab(*wall.box(hole.start - _INTO, hole.end + _INTO, -0.01, DOOR_HEIGHT + _INTO, (0.07, -0.02)), paint)
    yield slab(*wall.box(hole.start - _INTO, hole.end + _INTO, -0.02, 0.004, (WALL, 0.0)), _TRIM)
    middle = (hole.start + hole.end) / 2
    for low, high in ((0.18, 0.95), (1.08, 1.88)):
        for start, end in ((hole.start + 0.1, middle - 0.04), (middle + 0.04, hole.end - 0.1)):
            yield slab(*wall.box(start, end, low, high, (0.03, -0.008)), paint)
    yield slab(*wall.box(hole.end - 0.14, hole.end - 0.03, 0.99, 1.02, (0.0, 0.035)), _BRASS)
    yield from _jambs(wall, hole)


def _jambs(wall: Wall, hole: Opening) -> Iterator[Mesh]:
    """Around the leaf, standing out from the wall a little."""
    out = WALL, 0.012
    yield slab(*wall.box(hole.start - FRAME, hole.start, 0.0, DOOR_HEIGHT + FRAME, out), _TRIM)
    yield slab(*wall.box(hole.end, hole.end + FRAME, 0.0, DOOR_HEIGHT + FRAME, out), _TRIM)
    yield slab(*wall.box(hole.start, hole.end, DOOR_HEIGHT, DOOR_HEIGHT + FRAME, out), _TRIM)


def _window(each: Walled, hole: Opening, look: int) -> Iterator[Mesh]:
    """Daylight behind a frame: the sky, and trees before it."""
    wall = each.wall
    stream = rng(look, "trees", round(1000 * hole.start), round(1000 * wall.inner))
    yield slab(*wall.box(hole.start, hole.end, hole.low, hole.high, (WALL, -WALL + 0.01)), _SKY)
    for layer, trees in enumerate(_TREES):
        low, high = wall.box(0.0, 1.0, 0.0, 1.0, (WALL - 0.012 - 0.006 * layer, -WALL + 0.015 + 0.006 * layer))
        span = low[1 - wall.along], high[1 - wall.along]
        line = _treetops(stream, hole, (0.42, 0.26)[layer])
        yield extrusion(line, span, trees, "y" if wall.along == 0 else "x")
    yield from window_frame(wall, hole, each.finish)


def _treetops(stream: np.random.Generator, hole: Opening, tall: float) -> list[tuple[float, float]]:
    """An outline along a window, from its lower edge up to about a share of its height."""
    along = np.linspace(hole.start, hole.end, 49)
    waves = np.zeros(len(along))
    for swing, length in ((0.12, 1.3), (0.05, 0.45), (0.025, 0.17)):
        waves += swing * np.abs(np.sin(np.pi * along / length + 6.3 * float(stream.random())))
    tops = hole.low + (hole.high - hole.low) * (tall - 0.1 + waves)
    line = [(float(a), float(top)) for a, top in zip(along, tops, strict=True)]
    return [(hole.start, hole.low), *line, (hole.end, hole.low)][::-1]
