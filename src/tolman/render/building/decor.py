"""Rugs and framed pictures with procedural designs: pieces of furnished spaces, and decor of rooms in scenes.

No question is about a room's decor, no kind of thing looks like it, and it hides nothing.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import one_of, rng
from tolman.render.building.walls import Wall, slab
from tolman.render.shapes.mesh import Asset, Material, Mesh, Texture, srgb, turn
from tolman.render.shapes.textures import rgb
from tolman.world import Room

Floats = NDArray[np.float64]
Stream = np.random.Generator

_PALETTES = (
    ("#1f3a5f", "#e8e2d4", "#c8553d", "#e0a458"),
    ("#2f4b3c", "#ece5d3", "#a7b88a", "#c98b5e"),
    ("#5b2333", "#f1e7da", "#c9a27e", "#33424f"),
    ("#6b7280", "#f3f4f1", "#2f3640", "#d9a441"),
    ("#274c56", "#efe9dc", "#7fb2b0", "#e2725b"),
    ("#4b3f5c", "#efe6ee", "#b08bbf", "#e3b778"),
)
_FRAMES = ("#2a2420", "#8a6038", "#e9e6df", "#b79a5b", "#1d1f22")
_ROWS, _COLUMNS = 192, 288


def decor_asset(category: str, stream: Stream, size: tuple[float, float, float]) -> Asset:
    """A rug or framed picture of some width, depth and height in metres, with its front to +y, on z = 0 over the
    origin."""
    colours = [rgb(code) for code in one_of(stream, _PALETTES)]
    colours = [colours[int(i)] for i in stream.permutation(len(colours))]
    return _rug(stream, size, colours) if category == "rug" else _framed_picture(stream, size, colours)


def _rug(stream: Stream, size: tuple[float, float, float], colours: list[Floats]) -> Asset:
    draw = one_of(stream, _RUGS)
    wool = 1 + 0.16 * (stream.random((_ROWS, _COLUMNS, 1)) - 0.5)
    material = Material(_texture(draw(stream, colours) * wool), roughness=0.95)
    w, d, h = size
    pile = Material(tuple(float(part) for part in (colours[0] / 255) ** 2.2), roughness=0.95)  # pyright: ignore[reportArgumentType]
    body = slab((-w / 2, -d / 2, 0.0), (w / 2, d / 2, h - 0.002), pile)
    corners = [(-w / 2, -d / 2, h), (w / 2, -d / 2, h), (w / 2, d / 2, h), (-w / 2, d / 2, h)]
    return Asset((body, _textured_quad(corners, material)))


def _framed_picture(stream: Stream, size: tuple[float, float, float], colours: list[Floats]) -> Asset:
    draw = one_of(stream, _PAINTINGS)
    material = Material(_texture(draw(stream, colours)), roughness=0.9)
    frame = Material(srgb(one_of(stream, _FRAMES)), roughness=0.45)
    w, d, h = size
    rim = 0.035
    back = slab((-w / 2, -d / 2, 0.0), (w / 2, d / 2 - 0.012, h), frame)
    bars = [
        slab((-w / 2, -d / 2, 0.0), (w / 2, d / 2, rim), frame),
        slab((-w / 2, -d / 2, h - rim), (w / 2, d / 2, h), frame),
        slab((-w / 2, -d / 2, rim), (-w / 2 + rim, d / 2, h - rim), frame),
        slab((w / 2 - rim, -d / 2, rim), (w / 2, d / 2, h - rim), frame),
    ]
    y, left, right, low, high = d / 2 - 0.01, w / 2 - rim, -w / 2 + rim, rim, h - rim
    if stream.random() < 0.4:
        mount = 0.06
        paper = Material(srgb("#f3f0e8"), roughness=0.95)
        bars.append(slab((right, -d / 2, low), (left, y - 0.0015, high), paper))
        left, right, low, high = left - mount, right + mount, low + mount, high - mount
    sheet = _textured_quad([(left, y, low), (right, y, low), (right, y, high), (left, y, high)], material)
    return Asset((back, *bars, sheet))


def _textured_quad(corners: list[tuple[float, float, float]], material: Material) -> Mesh:
    """A quad with a texture; corners anticlockwise from the lower left, seen from the front."""
    return Mesh(
        np.array(corners, np.float32),
        np.array([[0, 1, 2], [0, 2, 3]], np.int32),
        material,
        coordinates=np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32),
    )


def _texture(picture: Floats) -> Texture:
    return Texture(np.clip(picture, 0, 255).astype(np.uint8))


def _pixel_grid() -> tuple[Floats, Floats]:
    """Row and column of each pixel, from 0 to 1."""
    down, across = np.mgrid[0:_ROWS, 0:_COLUMNS]
    return (down + 0.5) / _ROWS, (across + 0.5) / _COLUMNS


def _coloured(numbers: NDArray[np.int64], colours: list[Floats]) -> Floats:
    return np.stack(colours)[numbers % len(colours)]


def _bordered(stream: Stream, colours: list[Floats]) -> Floats:
    """Lozenges within borders."""
    down, across = _pixel_grid()
    edge = np.minimum(np.minimum(down, 1 - down) * 2 / 3, np.minimum(across, 1 - across))
    count = 2 + int(stream.integers(3))
    lozenge = (np.abs((across * 3 * count) % 2 - 1) + np.abs((down * 2 * count) % 2 - 1)) < 0.7
    rings = np.select([edge < 0.02, edge < 0.06, edge < 0.075], [0, 2, 1], default=3)
    return _coloured(np.where((rings == 3) & lozenge, 1, rings), colours)


def _striped(stream: Stream, colours: list[Floats]) -> Floats:
    """Stripes of several widths across."""
    _, across = _pixel_grid()
    edges = np.sort(stream.random(9))
    return _coloured(np.searchsorted(edges, across.ravel()).reshape(across.shape), colours)


def _trellis(stream: Stream, colours: list[Floats]) -> Floats:
    """Crossing waves, light on dark."""
    down, across = _pixel_grid()
    count = 4 + int(stream.integers(3))
    wave = np.abs(np.sin(np.pi * count * across * 1.5)) - np.abs(np.sin(np.pi * count * down))
    return np.where((np.abs(wave) < 0.16)[..., None], _lightest(colours), _darkest(colours))


def _plain_wool(stream: Stream, colours: list[Floats]) -> Floats:
    """One colour with a darker hem."""
    down, across = _pixel_grid()
    hem = np.minimum(np.minimum(down, 1 - down) * 2 / 3, np.minimum(across, 1 - across)) < 0.03
    cloud = np.kron(stream.random((24, 36)), np.ones((8, 8)))
    return np.where(hem[..., None], colours[0] * 0.6, colours[0] * (0.9 + 0.15 * cloud)[..., None])


def _hills(stream: Stream, colours: list[Floats]) -> Floats:
    """Hills under a sky with a sun."""
    down, across = _pixel_grid()
    picture = _lightest(colours) * (0.85 + 0.2 * down[..., None])
    sun = (across - 0.2 - 0.6 * stream.random()) ** 2 * 2.25 + (down - 0.25) ** 2 < 0.008
    picture = np.where(sun[..., None], colours[2], picture)
    for level in range(3):
        phase, tall = 6.3 * stream.random(), 0.05 + 0.08 * stream.random()
        line = 0.45 + 0.16 * level + tall * np.sin(2 * np.pi * across * (1 + stream.random()) + phase)
        shade = _darkest(colours) * (1.5 - 0.35 * level)
        picture = np.where((down > line)[..., None], shade, picture)
    return picture


def _fields(stream: Stream, colours: list[Floats]) -> Floats:
    """Coloured rectangles."""
    down, across = _pixel_grid()
    columns, rows = np.sort(0.1 + 0.8 * stream.random(2)), np.sort(0.1 + 0.8 * stream.random(2))
    column = np.searchsorted(columns, across.ravel()).reshape(across.shape)
    row = np.searchsorted(rows, down.ravel()).reshape(down.shape)
    near = np.abs(across[..., None] - columns).min(axis=-1), np.abs(down[..., None] - rows).min(axis=-1)
    lines = np.logical_or(near[0] < 0.012, near[1] < 0.018)
    return np.where(np.expand_dims(lines, -1), _darkest(colours) * 0.5, _coloured(column + 2 * row, colours))


def _circles(stream: Stream, colours: list[Floats]) -> Floats:
    """Overlapping discs."""
    down, across = _pixel_grid()
    picture = np.broadcast_to(_lightest(colours), (_ROWS, _COLUMNS, 3))
    for i in range(5):
        x, y, r = 0.15 + 0.7 * stream.random(), 0.15 + 0.7 * stream.random(), 0.08 + 0.2 * stream.random()
        disc = ((across - x) * 1.5) ** 2 + (down - y) ** 2 < r * r
        picture = np.where(disc[..., None], colours[i % len(colours)], picture)
    return picture


def _lightest(colours: list[Floats]) -> Floats:
    return max(colours, key=lambda colour: float(colour.sum()))


def _darkest(colours: list[Floats]) -> Floats:
    return min(colours, key=lambda colour: float(colour.sum()))


_RUGS: tuple[Callable[[Stream, list[Floats]], Floats], ...] = (_bordered, _striped, _trellis, _plain_wool)
_PAINTINGS: tuple[Callable[[Stream, list[Floats]], Floats], ...] = (_hills, _fields, _circles, _hills)


_RUG_SHARE, _PICTURE_SHARE = 0.45, 0.5
"""Of rooms with a rug, and of walls with a picture."""
_RUG_THICKNESS, _PICTURE_DEPTH = 0.008, 0.03
_PICTURE_BASE = 1.35
"""Metres from the floor to the lower edge: above most things."""
_GAP = 0.35
"""Least metres between a picture and the end of its wall, a door or a window."""


def room_decor(room: Room, walls: Sequence[Wall], seed: int) -> Iterator[Mesh]:
    """The meshes of a room's decor; `seed` is that of the scene's appearance."""
    stream = rng(seed, "decor", room.id)
    if stream.random() < _RUG_SHARE:
        yield from _rug_of_room(room, stream)
    for wall in walls:
        if stream.random() < _PICTURE_SHARE:
            yield from _picture(wall, stream)


def _rug_of_room(room: Room, stream: Stream) -> Iterator[Mesh]:
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
