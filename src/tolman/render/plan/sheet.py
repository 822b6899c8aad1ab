"""The sheet of paper on which a floor plan is drawn: where each world point lies, in points of a 72nd of an inch."""

import math
from dataclasses import dataclass

from tolman.geometry import Cell
from tolman.render.plan.labels import Box
from tolman.world import Scene

MARGIN = 0.02
"""Blank edge around the plan, as a share of the picture's width."""
_NAMED_CELL = 17.0
"""Cells at least this large leave room for names; smaller ones get numbers and a legend."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Size of the picture and place of the plan on it; the picture's origin is its lower left corner."""

    width: int
    height: int
    cell: float
    """Points along a cell's side."""
    zero: tuple[float, float]
    """The point of world position (0, 0), the middle of that cell."""
    left: float
    right: float
    """Ends of the plan across the picture."""
    foot: float
    """Middle height of the strip with scale and north arrow."""
    strip: float
    """Height of that strip."""

    @property
    def has_names(self) -> bool:
        return self.cell >= _NAMED_CELL

    @property
    def lettering(self) -> float:
        """Size of labels, in points."""
        return min(max(0.27 * self.cell, 7.5), 0.016 * self.width + 2.0)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The point of a world position (cells east, cells north)."""
        return self.zero[0] + self.cell * x, self.zero[1] + self.cell * y

    def cells(self, low: Cell, high: Cell, grow: float = 0.0) -> Box:
        """The box of all cells from `low` to `high`, grown by so many cells on every side."""
        reach = 0.5 + grow
        return (*self.at(low[0] - reach, low[1] - reach), *self.at(high[0] + reach, high[1] + reach))

    def around(self, x: float, y: float, width: float, height: float) -> Box:
        """The box of a size in cells with its middle at a world position."""
        return (*self.at(x - width / 2, y - height / 2), *self.at(x + width / 2, y + height / 2))


def square_sheet(scene: Scene, pixels: int) -> Sheet:
    """A square picture with the plan in its middle, for frames that must all have one shape."""
    margin, strip = MARGIN * pixels, _strip(pixels)
    columns, rows = _extent(scene)
    cell = _whole(min((pixels - 2 * margin) / columns, (pixels - margin - strip) / rows))
    below = strip + (pixels - margin - strip - cell * rows) / 2
    return _sheet(scene, (pixels, pixels), cell, below, strip)


def tight_sheet(scene: Scene, pixels: int, legend: float = 0.0) -> Sheet:
    """A picture so many points wide, as tall as the plan and a legend of that height need."""
    margin, strip = MARGIN * pixels, _strip(pixels)
    columns, rows = _extent(scene)
    cell = _whole((pixels - 2 * margin) / max(columns, rows))
    height = math.ceil(margin + cell * rows + strip + legend)
    return _sheet(scene, (pixels, height), cell, strip + legend, strip)


def _sheet(scene: Scene, size: tuple[int, int], cell: float, below: float, strip: float) -> Sheet:
    """A sheet with the plan in the middle of its width, `below` points above its bottom."""
    (x0, y0), _ = scene.bounds
    across = cell * _extent(scene)[0]
    left, bottom = round((size[0] - across) / 2), round(below)
    zero = left + cell * (0.5 - x0), bottom + cell * (0.5 - y0)
    return Sheet(*size, cell, zero, left, left + across, bottom - strip / 2, strip)


def _strip(pixels: int) -> float:
    """Height of the strip for scale and north arrow, in points."""
    return min(max(0.05 * pixels, 16.0), 48.0)


def _extent(scene: Scene) -> tuple[int, int]:
    """Columns and rows of cells, outer walls included."""
    (x0, y0), (x1, y1) = scene.bounds
    return x1 - x0 + 1, y1 - y0 + 1


def _whole(cell: float) -> float:
    """A whole number of points where that loses little, so that edges of cells fall on edges of pixels."""
    return math.floor(cell) if cell >= 4 else cell
