"""The sheet of a map picture: the plan with a border of blank cells, so that a near miss beyond the walls still shows.

The sheet depends on the scene alone, so that the pictures of all turns lie exactly over each other.
"""

import math

from tolman.render.plan.labels import Box
from tolman.render.plan.sheet import Sheet
from tolman.world import Scene

_BORDER = 1.0
"""Cells of blank border on every side."""
_LEAST_SHAPE = 0.5
"""Least height of the picture as a share of its width."""


def map_sheet(scene: Scene, pixels: int) -> Sheet:
    """A picture so many pixels wide, as tall as the plan, its border and the strip for the legend need."""
    (x0, y0), (x1, y1) = scene.bounds
    columns, rows = x1 - x0 + 1 + 2 * _BORDER, y1 - y0 + 1 + 2 * _BORDER
    cell = _whole(pixels / max(columns, rows))
    strip = max(20, round(0.045 * pixels))
    high = max(math.ceil(cell * rows), round(_LEAST_SHAPE * pixels) - strip)
    left = round((pixels - cell * (columns - 2 * _BORDER)) / 2)
    bottom = strip + round((high - cell * (rows - 2 * _BORDER)) / 2)
    zero = left + cell * (0.5 - x0), bottom + cell * (0.5 - y0)
    return Sheet(pixels, high + strip, cell, zero, left, pixels - left, strip / 2, strip)


def field(sheet: Sheet, inset: float) -> Box:
    """All of the picture above the legend, less an inset in pixels."""
    return inset, sheet.strip + inset, sheet.width - inset, sheet.height - inset


def _whole(cell: float) -> float:
    """A whole number of pixels where that loses little, so that edges of cells fall on edges of pixels."""
    return math.floor(cell) if cell >= 8 else cell
