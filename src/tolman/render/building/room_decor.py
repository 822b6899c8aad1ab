"""Decor of rooms in scenes: rugs on the floor and pictures on the walls. No question is about them, no kind of thing
looks like them, and they hide nothing."""

from collections.abc import Iterator, Sequence

import numpy as np

from tolman.core.seeds import rng
from tolman.render.building.decor import decor_asset
from tolman.render.building.walls import Wall
from tolman.render.shapes.mesh import Mesh, turn
from tolman.world import Room

_RUG_SHARE, _PICTURE_SHARE = 0.45, 0.5
"""Of rooms with a rug, and of walls with a picture."""
_RUG_THICKNESS, _PICTURE_DEPTH = 0.008, 0.03
_PICTURE_BASE = 1.35
"""Metres from the floor to the lower edge: above most things."""
_GAP = 0.35
"""Least metres between a picture and the end of its wall, a door or a window."""
Stream = np.random.Generator


def room_decor(room: Room, walls: Sequence[Wall], seed: int) -> Iterator[Mesh]:
    """The meshes of a room's decor; `seed` is that of the scene's appearance."""
    stream = rng(seed, "decor", room.id)
    if stream.random() < _RUG_SHARE:
        yield from _rug(room, stream)
    for wall in walls:
        if stream.random() < _PICTURE_SHARE:
            yield from _picture(wall, stream)


def _rug(room: Room, stream: Stream) -> Iterator[Mesh]:
    """A rug within the cells of a room, along one of its sides."""
    spans = [high - low + 0.6 for low, high in zip(room.low, room.high, strict=True)]
    sides = [min(float(stream.uniform(1.3, 2.6)), span) for span in spans]
    middle = [
        low - 0.3 + side / 2 + float(stream.random()) * (span - side)
        for low, side, span in zip(room.low, sides, spans, strict=True)
    ]
    asset = decor_asset("rug", stream, (sides[0], sides[1], _RUG_THICKNESS))
    yield from asset.moved(np.column_stack([np.eye(3), [*middle, 0.0]])).meshes


def _picture(wall: Wall, stream: Stream) -> Iterator[Mesh]:
    """A picture on the longest free part of a wall, if it is long enough."""
    width, height = float(stream.uniform(0.4, 0.95)), float(stream.uniform(0.4, 0.7))
    asset, share = decor_asset("picture", stream, (width, _PICTURE_DEPTH, height)), float(stream.random())
    start, end = max(_free_parts(wall), key=lambda part: part[1] - part[0])
    spare = end - start - width - 2 * _GAP
    if spare < 0:
        return
    place = start + _GAP + width / 2 + share * spare
    sign = 1 if wall.inner < wall.outer else -1
    across = wall.inner - sign * (_PICTURE_DEPTH / 2 + 0.001)
    x, y = (place, across) if wall.along == 0 else (across, place)
    facing = (180 if sign > 0 else 0) if wall.along == 0 else (90 if sign > 0 else -90)
    moved = asset.moved(turn("z", facing))
    yield from moved.moved(np.column_stack([np.eye(3), [x, y, _PICTURE_BASE]])).meshes


def _free_parts(wall: Wall) -> list[tuple[float, float]]:
    """Parts of a wall between its corners, doors and windows."""
    parts: list[tuple[float, float]] = []
    at = wall.start
    for hole in sorted(wall.openings, key=lambda hole: hole.start):
        parts.append((at, hole.start))
        at = hole.end
    return [*parts, (at, wall.end)]
