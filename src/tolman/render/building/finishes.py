"""Floors, walls and woodwork, by seed: textures are drawn with numpy, so nothing has to be fetched."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.material import Material, Texture, srgb

Floats = NDArray[np.float64]

_WALLS = ("#e9e4d8", "#dfe5e6", "#e8ddd0", "#d8e0d3", "#e6d9d4", "#d5dbe4", "#eee8da", "#dcd6cb")
_WOODS = ("#a9794a", "#8a5f3a", "#b98d5f", "#6f4a2d", "#c5a177")
_TILES = ("#d8d2c6", "#c7ccd0", "#b9b0a2", "#cfc4b4", "#9fa6a8")
_CARPETS = ("#8d8f86", "#7d6f66", "#8a9098", "#9c8c78", "#6f7a80")
_SIDE = 512


@dataclass(frozen=True, eq=False)
class Finish:
    """What one room is finished with; the floor's texture repeats every so many metres."""

    floor: Material
    repeat: float
    wall: Material
    ceiling: Material
    trim: Material


def finish(stream: np.random.Generator, floors: tuple[int, ...] = (0, 1, 2)) -> Finish:
    """One room's materials. `floors` are what to choose the floor from: 0 for planks, 1 for tiles, 2 for carpet."""
    kind = floors[int(stream.integers(len(floors)))]
    floor, repeat = (_planks, _tiles, _carpet)[kind](stream)
    wall = Material(srgb(_WALLS[int(stream.integers(len(_WALLS)))]), roughness=0.95)
    return Finish(
        floor,
        repeat,
        wall,
        Material(srgb("#f4f2ed"), roughness=0.95),
        Material(srgb("#f2efe8"), roughness=0.45),
    )


def _planks(stream: np.random.Generator) -> tuple[Material, float]:
    """Boards of wood, laid end to end with shifted joints; two metres repeat."""
    base = np.array(srgb(_WOODS[int(stream.integers(len(_WOODS)))]))
    boards, across = 16, _SIDE // 16
    shade = np.ones((_SIDE, _SIDE))
    for board in range(boards):
        rows = slice(board * across, (board + 1) * across)
        joint = int(stream.integers(_SIDE))
        for half in range(2):
            columns = np.arange(joint + half * _SIDE // 2, joint + (half + 1) * _SIDE // 2) % _SIDE
            shade[rows, columns] = 0.82 + 0.36 * stream.random()
        shade[rows, joint], shade[rows, (joint + _SIDE // 2) % _SIDE] = 0.5, 0.5
        shade[board * across] *= 0.6
    grain = _stretched(stream, 64, 4)
    return Material(Texture(_picture(base, shade * (1 + 0.16 * grain))), roughness=0.42), 2.0


def _tiles(stream: np.random.Generator) -> tuple[Material, float]:
    """Four by four tiles with joints; two metres repeat."""
    base = np.array(srgb(_TILES[int(stream.integers(len(_TILES)))]))
    size = _SIDE // 4
    shade = np.kron(0.94 + 0.12 * stream.random((4, 4)), np.ones((size, size))) * (1 + 0.06 * _cloud(stream, 24))
    edge = np.arange(_SIDE) % size < 4
    shade[edge, :] *= 0.62
    shade[:, edge] *= 0.62
    return Material(Texture(_picture(base, shade)), roughness=0.32), 2.0


def _carpet(stream: np.random.Generator) -> tuple[Material, float]:
    """Short pile."""
    base = np.array(srgb(_CARPETS[int(stream.integers(len(_CARPETS)))]))
    shade = 1 + 0.18 * (stream.random((_SIDE, _SIDE)) - 0.5) + 0.1 * _cloud(stream, 10)
    return Material(Texture(_picture(base, shade)), roughness=0.95), 1.5


def _picture(base: Floats, shade: Floats) -> NDArray[np.uint8]:
    linear = np.clip(base[None, None] * shade[..., None], 0, 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(encoded * 255).astype(np.uint8)


def _cloud(stream: np.random.Generator, cells: int) -> Floats:
    """Smooth noise in about [-1, 1] that repeats at its edges."""
    return _stretched(stream, cells, cells)


def _stretched(stream: np.random.Generator, rows: int, columns: int) -> Floats:
    """Smooth noise with so many bumps down and across."""
    coarse = stream.random((rows, columns)) * 2 - 1
    return _resized(_resized(coarse, 0), 1)


def _resized(values: Floats, axis: int) -> Floats:
    count = values.shape[axis]
    at = np.arange(_SIDE) * count / _SIDE
    low = at.astype(int)
    part = at - low
    part = part * part * (3 - 2 * part)
    part = part[:, None] if axis == 0 else part[None, :]
    return np.take(values, low % count, axis) * (1 - part) + np.take(values, (low + 1) % count, axis) * part
