"""The line below a map picture: what its marks mean, and how the map fares in numbers."""

from collections.abc import Sequence

from tolman.render.plan.brush import Brush, text_width
from tolman.render.plan.map_marks import Mark
from tolman.render.plan.map_style import INK, LARGE_ERROR, QUIET, STATED, error_colour
from tolman.render.plan.sheet import Sheet

_SHADES = 12
_NORTH = ((0.0, 0.55), (0.32, -0.45), (0.0, -0.2), (-0.32, -0.45))
"""Outline of the arrow, in sizes of the letters."""


def draw_legend(brush: Brush, sheet: Sheet, marks: Sequence[Mark]) -> None:
    """Numbers at the right; at the left the meaning of the marks, where it fits."""
    size = legend_letters(sheet)
    edge, y = 0.9 * size, sheet.foot
    numbers = summary(marks)
    right = sheet.width - edge - text_width(numbers, size)
    brush.text(numbers, (right, y), size, INK)
    words = ("truth", "stated", "error")
    ends = [edge]
    for word, symbol in zip(words, (0.9, 0.9, 2.4), strict=True):
        ends.append(ends[-1] + size * (symbol + 1.5) + text_width(word, size))
    if ends[-1] > right:
        return
    for word, end in zip(words, ends[1:], strict=True):
        brush.text(word, (end - size - text_width(word, size), y), size, QUIET)
    brush.ring((ends[0] + 0.45 * size, y), 0.45 * size, 1.3, QUIET)
    brush.disc((ends[1] + 0.45 * size, y), 0.4 * size, STATED)
    _scale(brush, ends[2], y, 2.4 * size)


def legend_letters(sheet: Sheet) -> float:
    """Size of the letters in pixels."""
    return max(9.0, round(0.02 * sheet.width))


def _scale(brush: Brush, left: float, y: float, width: float) -> None:
    """A line that goes through the colours of errors from none to a large one."""
    step = width / _SHADES
    for i in range(_SHADES):
        colour = error_colour(LARGE_ERROR * i / (_SHADES - 1))
        brush.block((left + i * step, y - 1, left + (i + 1) * step, y + 1), colour)


def summary(marks: Sequence[Mark]) -> str:
    """How much of what has been seen the map places, and how far off on average."""
    seen = [mark for mark in marks if mark.seen]
    errors = [mark.error for mark in seen if mark.error is not None]
    if not seen:
        return "nothing seen yet"
    placed = f"{len(errors)} of {len(seen)} placed"
    if not errors:
        return placed
    mean = sum(errors) / len(errors)
    cells = f"{mean:.1f}" if mean < 1000 else f"{mean:,.0f}".replace(",", " ")
    return f"{placed}, mean error {cells} cells"


def draw_north(brush: Brush, sheet: Sheet) -> None:
    """An arrow to the north in the upper right corner."""
    size = legend_letters(sheet)
    x, y = sheet.width - 1.1 * size, sheet.height - 0.85 * size
    brush.polygon([(x + size * right, y + size * up) for right, up in _NORTH], QUIET)
    brush.text("N", (x - 0.5 * size - text_width("N", size), y), size, QUIET)
