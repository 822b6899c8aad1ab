"""Anti-aliased shapes and lettering on Pillow images, and text as outlines, the same on every machine."""

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.path import Path as Outline
from matplotlib.textpath import text_to_path
from PIL import Image, ImageDraw, ImageFont

from tolman.render.plan.map_style import Colour
from tolman.render.plan.placement import Box

_MISSING = "\N{REPLACEMENT CHARACTER}"
_LINE, _CAPITAL_MIDDLE = 1.2, 0.36
"""Height of a line and of the middle of a capital above its baseline, in sizes of the letters."""
_UNIT = 100.0


@cache
def _typeface_file() -> Path:
    """The typeface that comes with matplotlib."""
    return Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@dataclass(frozen=True)
class LineOutline:
    """A line of text as outlines at size 1 with its baseline from (0, 0), and how far the line runs."""

    vertices: npt.NDArray[np.float64]
    codes: npt.NDArray[np.uint8]
    advance: float


@lru_cache(maxsize=4096)
def _line_outline(line: str) -> LineOutline:
    font = FontProperties(fname=_typeface_file(), size=_UNIT)
    vertices, codes = text_to_path.get_text_path(font, line, ismath=False)
    advance, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    points = np.array(vertices, dtype=np.float64).reshape(-1, 2)
    return LineOutline(points / _UNIT, np.array(codes, dtype=np.uint8), advance / _UNIT)


@lru_cache(maxsize=4096)
def drawable(text: str) -> str:
    """A text as the typeface can draw it on one line: what it has no letter for becomes a replacement character."""
    face = FT2Font(str(_typeface_file()))
    return "".join(char if char.isprintable() and face.get_char_index(ord(char)) else _MISSING for char in text)


def text_size(text: str, size: float) -> tuple[float, float]:
    """Width and height of the box of one or more lines of text, for letters of that size."""
    lines = text.split("\n")
    return size * max(_line_outline(line).advance for line in lines), size * _LINE * len(lines)


def text_outline(text: str, x: float, y: float, size: float, *, centred: bool = True) -> Outline:
    """Lines of text with (x, y) in their middle or, where not `centred`, in the middle of their left edge."""
    lines = text.split("\n")
    parts: list[Outline] = []
    for i, line in enumerate(lines):
        letters = _line_outline(line)
        left = x - size * letters.advance / 2 if centred else x
        base = y + size * (_LINE * ((len(lines) - 1) / 2 - i) - _CAPITAL_MIDDLE)
        parts.append(Outline(letters.vertices * size + (left, base), letters.codes))
    return Outline.make_compound_path(*parts)


_INK, _RIM = "#1b1f24", "#ffffff"


def write_text(
    picture: Image.Image, text: str, left: tuple[float, float], size: float, *, room: float | None = None
) -> None:
    """A line of text from the middle of its left edge, in pixels from the upper left; cut off where there is no room.

    `room` is how many pixels there are, up to the right side of the picture unless told.
    """
    font = _rimmed_font(round(size))
    free = picture.width - left[0] if room is None else room
    line = drawable(text)
    while line and font.getlength(line) > free:
        line = line[:-1]
    draw = ImageDraw.Draw(picture)
    draw.text(left, line, fill=_INK, font=font, anchor="lm", stroke_width=max(1, round(size / 10)), stroke_fill=_RIM)


@lru_cache(maxsize=16)
def _rimmed_font(size: int) -> ImageFont.FreeTypeFont:
    """The typeface that comes with matplotlib, set letter by letter, so that it is alike on every machine."""
    face = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return ImageFont.truetype(face, size, layout_engine=ImageFont.Layout.BASIC)


Point = tuple[float, float]
Pixels = tuple[int, int, int, int]
"""Left, bottom, right and top side of a box of whole pixels."""

_FINE = 4
_SLAB = 48
"""Pixels along a line that share a mask."""
_MIDDLE = 0.36
"""Height of the middle of a capital above its baseline, in sizes of the letters."""
_EDGE = 4
"""Pixels around the letters on their mask, for rims and for letters that lean out of their line."""


class Brush:
    """A picture in the making."""

    def __init__(self, width: int, height: int, page: Colour) -> None:
        self._image = Image.new("RGB", (width, height), page)
        self._draw = ImageDraw.Draw(self._image)

    def png(self) -> bytes:
        """The finished picture in 256 colours, which halves its size; plain areas change by one step at most."""
        buffer = io.BytesIO()
        few = self._image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(buffer, "PNG")
        return buffer.getvalue()

    def block(self, box: Box, colour: Colour, edge: Colour | None = None) -> None:
        """A rectangle with its sides on whole pixels, and a line of one pixel inside them."""
        left, bottom, right, top = (round(side) for side in box)
        height = self._image.height
        self._draw.rectangle((left, height - top, right - 1, height - bottom - 1), fill=colour, outline=edge)

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """A filled circle."""
        self.ring(centre, radius, radius, colour)

    def ring(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """An open circle, its line inside the radius."""
        x, y = math.floor(centre[0]), math.floor(centre[1])
        self._paint(_ring((centre[0] - x, centre[1] - y), radius, width), colour, (x, y))

    def polygon(self, corners: Sequence[Point], colour: Colour, hole: Sequence[Point] = ()) -> None:
        """A filled shape, less a hole in it."""
        mask = _Mask(_pixels(corners))
        mask.polygon(corners)
        if hole:
            mask.polygon(hole, ink=0)
        self._paint(mask, colour)

    def line(self, a: Point, b: Point, width: float, colour: Colour) -> None:
        """A straight line with round ends."""
        for slab in _slabs(a, b, width):
            mask = _Mask(slab)
            mask.polygon(_strip(a, b, width))
            mask.disc(a, width / 2)
            mask.disc(b, width / 2)
            self._paint(mask, colour)

    def text(self, text: str, left: Point, size: float, colour: Colour, *, rim: int = 0) -> None:
        """A line of text from the middle of its left edge, its letters thickened by a rim of so many pixels."""
        base = round(self._image.height - left[1] + _MIDDLE * size)
        self._image.paste(colour, (round(left[0]) - _EDGE, base - _above(size)), _lettering(text, size, rim))

    def _paint(self, mask: "_Mask", colour: Colour, origin: tuple[int, int] = (0, 0)) -> None:
        """Colour through a mask, whose pixels count from `origin`."""
        at = origin[0] + mask.left, self._image.height - origin[1] - mask.top
        self._image.paste(colour, at, mask.reduced)


class _Mask:
    """How much of each pixel of a box some shapes cover."""

    def __init__(self, box: Pixels) -> None:
        self.left, bottom, right, self.top = box
        self._image = Image.new("L", (_FINE * (right - self.left), _FINE * (self.top - bottom)))
        self._draw = ImageDraw.Draw(self._image)

    def disc(self, centre: Point, radius: float, ink: int = 255) -> None:
        (x, y), reach = self._at(centre), _FINE * radius
        self._draw.ellipse((x - reach, y - reach, x + reach - 1, y + reach - 1), fill=ink)

    def polygon(self, corners: Sequence[Point], ink: int = 255) -> None:
        self._draw.polygon([self._at(corner) for corner in corners], fill=ink)

    @cached_property
    def reduced(self) -> Image.Image:
        """The mask at the picture's size; nothing can be added from now on."""
        return self._image.reduce(_FINE)

    def _at(self, point: Point) -> Point:
        return _FINE * (point[0] - self.left), _FINE * (self.top - point[1])


@lru_cache(maxsize=256)
def _ring(centre: Point, radius: float, width: float) -> _Mask:
    """A circle within a pixel of the origin. Those in the middle of a cell are all alike, and so made once."""
    mask = _Mask(_pixels([centre], radius))
    mask.disc(centre, radius)
    if width < radius:
        mask.disc(centre, radius - width, ink=0)
    return mask


def _pixels(points: Sequence[Point], reach: float = 0.0) -> Pixels:
    """The pixels around some points, and one more on every side for the softness of an edge."""
    xs, ys = zip(*points, strict=True)
    low = math.floor(min(xs) - reach) - 1, math.floor(min(ys) - reach) - 1
    return *low, math.ceil(max(xs) + reach) + 1, math.ceil(max(ys) + reach) + 1


def _strip(a: Point, b: Point, width: float) -> list[Point]:
    """Corners of a line that is so many pixels wide."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    scale = width / 2 / (math.hypot(dx, dy) or 1.0)
    x, y = -dy * scale, dx * scale
    return [(a[0] + x, a[1] + y), (b[0] + x, b[1] + y), (b[0] - x, b[1] - y), (a[0] - x, a[1] - y)]


def _slabs(a: Point, b: Point, reach: float) -> Iterator[Pixels]:
    """Boxes side by side that hold a line between them, so that a long slanting one needs no large mask."""
    along, across = (0, 1) if abs(b[0] - a[0]) >= abs(b[1] - a[1]) else (1, 0)
    if a[along] > b[along]:
        a, b = b, a
    slope = (b[across] - a[across]) / ((b[along] - a[along]) or 1.0)
    end = math.ceil(b[along] + reach) + 1
    for low in range(math.floor(a[along] - reach) - 1, end, _SLAB):
        high = min(low + _SLAB, end)
        first, last = sorted(a[across] + slope * (edge - a[along]) for edge in (low, high))
        near, far = math.floor(first - reach) - 1, math.ceil(last + reach) + 1
        yield (low, near, high, far) if along == 0 else (near, low, far, high)


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Pixels along a line of text."""
    return _font(size).getlength(text)


@lru_cache(maxsize=1024)
def _lettering(text: str, size: float, rim: int) -> Image.Image:
    """The mask of a line of text. Most names come back with every turn, so that keeping them saves a good part."""
    mask = Image.new("L", (math.ceil(text_width(text, size)) + 2 * _EDGE, _above(size) + math.ceil(0.3 * size) + _EDGE))
    draw = ImageDraw.Draw(mask)
    draw.text((_EDGE, _above(size)), text, 255, _font(size), anchor="ls", stroke_width=rim)
    return mask


def _above(size: float) -> int:
    """Pixels of a mask above the baseline of its letters."""
    return math.ceil(size) + _EDGE


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont:
    """The typeface that comes with matplotlib, set letter by letter, so that it is alike on every machine."""
    face = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return ImageFont.truetype(face, size, layout_engine=ImageFont.Layout.BASIC)
