"""A plot of a room as it lies on its map: the outline of its floor, its pieces with their names, and the camera."""

import io
from collections.abc import Callable

from PIL import Image, ImageDraw

from tolman.benchmarks.osr_bench.chart import Handedness, charted
from tolman.benchmarks.osr_bench.grid_map import SIZE
from tolman.render.lettering import write
from tolman.world.space import Space

_SIDE, _MARGIN, _LETTERS = 800, 80, 12
"""Pixels of the plot, around it, and of its letters."""
_PAPER, _FLOOR, _GRID, _WALL, _BOX, _DOT = "#ffffff", "#f5f6f8", "#d9dde3", "#1b1f24", "#9aa4b2", "#0072b2"
_WIDE = 72
"""Pixels that a name takes at most, near enough."""
Pixel = tuple[float, float]


def layout_png(room: Space, size: int = SIZE, handedness: Handedness = "true") -> bytes:
    """The plot as a PNG file: the cells of the map are drawn in, and what has a cell on the map lies in it here."""
    at = _pixels(room, size, handedness)
    whole = _SIDE + 2 * _MARGIN
    picture = Image.new("RGB", (whole, whole), _PAPER)
    draw = ImageDraw.Draw(picture)
    draw.polygon([at(*corner) for corner in room.layout], fill=_FLOOR)
    for line in range(size + 1):
        place = _MARGIN + line * _SIDE / size
        draw.line((_MARGIN, place, whole - _MARGIN, place), fill=_GRID)
        draw.line((place, _MARGIN, place, whole - _MARGIN), fill=_GRID)
    draw.polygon([at(*corner) for corner in room.layout], outline=_WALL, width=3)
    for piece in room.pieces:
        west, east, south, north = piece.box[:4]
        draw.polygon([at(west, south), at(east, south), at(east, north), at(west, north)], outline=_BOX)
    x, y = at(*room.camera)
    draw.polygon([(x, y - 12), (x - 7, y + 7), (x + 7, y + 7)], fill=_WALL)
    taken: list[Pixel] = []
    for piece in room.pieces:
        x, y = at(piece.x, piece.y)
        draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill=_DOT)
        while any(abs(x - a) < _WIDE and abs(y - b) < _LETTERS for a, b in taken):
            y += _LETTERS
        taken.append((x, y))
        write(picture, piece.category, (x + 6, y), _LETTERS)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _pixels(room: Space, size: int, handedness: Handedness) -> Callable[[float, float], Pixel]:
    grid = charted(room.layout, size=size, handedness=handedness)
    scale = _SIDE / (grid.side * size)

    def at(x: float, y: float) -> Pixel:
        right = x - grid.west if handedness == "true" else grid.east - x
        return _MARGIN + scale * right, _MARGIN + scale * (grid.north - y)

    return at
