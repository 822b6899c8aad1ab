"""Lettering of the floor plan: text as outlines, taken literally, alike on every machine. Lengths are in points."""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.path import Path as Outline
from matplotlib.textpath import text_to_path

_MISSING = "\N{REPLACEMENT CHARACTER}"
_LINE, _MIDDLE = 1.2, 0.36
"""Height of a line and of the middle of a capital above its baseline, in sizes of the letters."""
_UNIT = 100.0


@cache
def _face() -> Path:
    """The typeface that comes with matplotlib."""
    return Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@dataclass(frozen=True)
class Letters:
    """A line of text as outlines at size 1 with its baseline from (0, 0), and how far the line runs."""

    vertices: npt.NDArray[np.float64]
    codes: npt.NDArray[np.uint8]
    advance: float


@lru_cache(maxsize=4096)
def _letters(line: str) -> Letters:
    font = FontProperties(fname=_face(), size=_UNIT)
    vertices, codes = text_to_path.get_text_path(font, line, ismath=False)
    advance, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    points = np.array(vertices, dtype=np.float64).reshape(-1, 2)
    return Letters(points / _UNIT, np.array(codes, dtype=np.uint8), advance / _UNIT)


@lru_cache(maxsize=4096)
def drawable(text: str) -> str:
    """A text as the typeface can draw it on one line: what it has no letter for becomes a replacement character."""
    face = FT2Font(str(_face()))
    return "".join(char if char.isprintable() and face.get_char_index(ord(char)) else _MISSING for char in text)


def text_size(text: str, size: float) -> tuple[float, float]:
    """Width and height of the box of one or more lines of text, for letters of that size."""
    lines = text.split("\n")
    return size * max(_letters(line).advance for line in lines), size * _LINE * len(lines)


def text_outline(text: str, x: float, y: float, size: float, *, centred: bool = True) -> Outline:
    """Lines of text with (x, y) in their middle or, where not `centred`, in the middle of their left edge."""
    lines = text.split("\n")
    parts: list[Outline] = []
    for i, line in enumerate(lines):
        letters = _letters(line)
        left = x - size * letters.advance / 2 if centred else x
        base = y + size * (_LINE * ((len(lines) - 1) / 2 - i) - _MIDDLE)
        parts.append(Outline(letters.vertices * size + (left, base), letters.codes))
    return Outline.make_compound_path(*parts)
