"""Text as outlines, and anti-aliased shapes and text on Pillow images; the same on every machine."""

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

from tolman.core.files import encoded
from tolman.render.plan.map_style import Colour
from tolman.render.plan.placement import Box

_MISSING = "\N{REPLACEMENT CHARACTER}"
_LINE, _CAPITAL_MIDDLE = 1.2, 0.36
"""Height of a line, and height of the middle of a capital above the baseline, in font sizes."""
_UNIT = 100.0
"""Font size at which outlines are made."""


@cache
def _typeface_file() -> Path:
    """The typeface that comes with matplotlib."""
    return Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@dataclass(frozen=True)
class LineOutline:
    """The outlines of a line of text at font size 1, with its baseline from (0, 0), and its length."""

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
    """The text with a replacement character for everything that the typeface can't draw on one line."""
    face = FT2Font(str(_typeface_file()))
    return "".join(char if char.isprintable() and face.get_char_index(ord(char)) else _MISSING for char in text)


def text_size(text: str, size: float) -> tuple[float, float]:
    """Width and height of one or more lines of text at a font size."""
    lines = text.split("\n")
    return size * max(_line_outline(line).advance for line in lines), size * _LINE * len(lines)


def text_outline(text: str, x: float, y: float, size: float, *, centred: bool = True) -> Outline:
    """Lines of text with (x, y) at their centre or, if not `centred`, at the middle of their left edge."""
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
    """Draw a line of text on a picture, with the middle of its left edge at `left`, in pixels from the upper left.

    It is truncated to `room` pixels, by default up to the right side of the picture.
    """
    font = _font(round(size))
    free = picture.width - left[0] if room is None else room
    line = drawable(text)
    while line and font.getlength(line) > free:
        line = line[:-1]
    draw = ImageDraw.Draw(picture)
    draw.text(left, line, fill=_INK, font=font, anchor="lm", stroke_width=max(1, round(size / 10)), stroke_fill=_RIM)


Point = tuple[float, float]
Pixels = tuple[int, int, int, int]
"""Left, bottom, right and top side of a box of whole pixels."""

_OVERSAMPLING = 4
_SLAB = 48
"""Pixels along a line that share a mask."""
_EDGE = 4
"""Pixels around the text on its mask, for rims and overhanging letters."""


class Brush:
    """Draws shapes and text on a picture; coordinates are pixels from its lower left corner."""

    def __init__(self, width: int, height: int, page: Colour) -> None:
        self._image = Image.new("RGB", (width, height), page)
        self._draw = ImageDraw.Draw(self._image)

    def png(self) -> bytes:
        """The picture in 256 colours, which halves its size; plain areas change by at most one step."""
        return encoded(self._image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE), "PNG")

    def block(self, box: Box, colour: Colour, edge: Colour | None = None) -> None:
        """A rectangle with its sides on whole pixels, and an inner edge of one pixel."""
        left, bottom, right, top = (round(side) for side in box)
        height = self._image.height
        self._draw.rectangle((left, height - top, right - 1, height - bottom - 1), fill=colour, outline=edge)

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """A filled circle."""
        self.ring(centre, radius, radius, colour)

    def ring(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """A circle with a line of some width inside its radius."""
        x, y = math.floor(centre[0]), math.floor(centre[1])
        self._paint(_ring((centre[0] - x, centre[1] - y), radius, width), colour, (x, y))

    def polygon(self, corners: Sequence[Point], colour: Colour, hole: Sequence[Point] = ()) -> None:
        """A filled polygon with an optional hole."""
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
        """A line of text with the middle of its left edge at `left`, thickened by `rim` pixels."""
        base = round(self._image.height - left[1] + _CAPITAL_MIDDLE * size)
        self._image.paste(colour, (round(left[0]) - _EDGE, base - _above(size)), _lettering(text, size, rim))

    def _paint(self, mask: "_Mask", colour: Colour, origin: tuple[int, int] = (0, 0)) -> None:
        """Paint a colour through a mask, whose pixels count from `origin`."""
        at = origin[0] + mask.left, self._image.height - origin[1] - mask.top
        self._image.paste(colour, at, mask.reduced)


class _Mask:
    """Coverage of the pixels of a box by shapes, by oversampling."""

    def __init__(self, box: Pixels) -> None:
        self.left, bottom, right, self.top = box
        self._image = Image.new("L", (_OVERSAMPLING * (right - self.left), _OVERSAMPLING * (self.top - bottom)))
        self._draw = ImageDraw.Draw(self._image)

    def disc(self, centre: Point, radius: float, ink: int = 255) -> None:
        (x, y), reach = self._at(centre), _OVERSAMPLING * radius
        self._draw.ellipse((x - reach, y - reach, x + reach - 1, y + reach - 1), fill=ink)

    def polygon(self, corners: Sequence[Point], ink: int = 255) -> None:
        self._draw.polygon([self._at(corner) for corner in corners], fill=ink)

    @cached_property
    def reduced(self) -> Image.Image:
        """The mask at the picture's resolution; nothing can be added afterwards."""
        return self._image.reduce(_OVERSAMPLING)

    def _at(self, point: Point) -> Point:
        return _OVERSAMPLING * (point[0] - self.left), _OVERSAMPLING * (self.top - point[1])


@lru_cache(maxsize=256)
def _ring(centre: Point, radius: float, width: float) -> _Mask:
    """A circle within a pixel of the origin, cached: those in the middle of cells are all the same."""
    mask = _Mask(_pixels([centre], radius))
    mask.disc(centre, radius)
    if width < radius:
        mask.disc(centre, radius - width, ink=0)
    return mask


def _pixels(points: Sequence[Point], reach: float = 0.0) -> Pixels:
    """The pixels around some points, and one more on every side for anti-aliasing."""
    xs, ys = zip(*points, strict=True)
    low = math.floor(min(xs) - reach) - 1, math.floor(min(ys) - reach) - 1
    return *low, math.ceil(max(xs) + reach) + 1, math.ceil(max(ys) + reach) + 1


def _strip(a: Point, b: Point, width: float) -> list[Point]:
    """Corners of a line of some width."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    scale = width / 2 / (math.hypot(dx, dy) or 1.0)
    x, y = -dy * scale, dx * scale
    return [(a[0] + x, a[1] + y), (b[0] + x, b[1] + y), (b[0] - x, b[1] - y), (a[0] - x, a[1] - y)]


def _slabs(a: Point, b: Point, reach: float) -> Iterator[Pixels]:
    """Adjacent boxes that cover a line, so that a long diagonal line needs no large mask."""
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
    """Width of a line of text in pixels."""
    return _font(size).getlength(text)


@lru_cache(maxsize=1024)
def _lettering(text: str, size: float, rim: int) -> Image.Image:
    """The mask of a line of text, cached, as most names recur in every picture."""
    mask = Image.new("L", (math.ceil(text_width(text, size)) + 2 * _EDGE, _above(size) + math.ceil(0.3 * size) + _EDGE))
    draw = ImageDraw.Draw(mask)
    draw.text((_EDGE, _above(size)), text, 255, _font(size), anchor="ls", stroke_width=rim)
    return mask


def _above(size: float) -> int:
    """Pixels of a text mask above the baseline."""
    return math.ceil(size) + _EDGE


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont:
    """The typeface of matplotlib with basic layout, which gives the same result on every machine."""
    return ImageFont.truetype(_typeface_file(), size, layout_engine=ImageFont.Layout.BASIC)
