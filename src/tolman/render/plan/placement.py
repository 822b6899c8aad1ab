"""Where things lie on a plan: from world cells to points of the picture, and label placement that avoids overlaps."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tolman.core.geometry import Cell
from tolman.world import Scene

Box = tuple[float, float, float, float]
_Boxes = npt.NDArray[np.float64]

_ROUNDS = 3
_ALONG = (0.0, -0.25, 0.25, -0.5, 0.5)
_LATER = 0.02
"""Cost of each step down the list of places, in shares of a label hidden."""
_OFF_FLOOR, _ON_LABEL, _ON_SYMBOL, _BY_OTHER = 5.0, 3.0, 2.0, 0.6
_BESIDE = 0.4
"""A label this near (in heights of it) to the symbol of something else may be taken for its name."""


@dataclass(frozen=True, slots=True)
class LabelText:
    """One way to write a label, with its box in points."""

    text: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """A label to be set: its wordings, best first, the box of its symbol, and the floors on which it may lie."""

    wordings: tuple[LabelText, ...]
    symbol: Box
    floors: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A label that has its place: the text and the centre of its box, in points."""

    text: str
    x: float
    y: float


def place_labels(requests: Sequence[LabelRequest], obstacles: Sequence[Box], gap: float) -> list[PlacedLabel]:
    """Places for all labels, `gap` points from their symbols; `obstacles` are boxes of everything drawn."""
    if not requests:
        return []
    options = [_options(request, gap) for request in requests]
    fixed = [
        _fixed_costs(request, places, _array(obstacles)) for request, places in zip(requests, options, strict=True)
    ]
    chosen = [int(np.argmin(costs)) for costs in fixed]
    boxes = np.array([places[i] for places, i in zip(options, chosen, strict=True)])
    for _ in range(_ROUNDS):
        for n, (places, costs) in enumerate(zip(options, fixed, strict=True)):
            others = np.delete(boxes, n, axis=0)
            chosen[n] = int(np.argmin(costs + _ON_LABEL * _hidden(places, others)))
            boxes[n] = places[chosen[n]]
    return [_label(*triple) for triple in zip(requests, boxes, chosen, strict=True)]


def _label(request: LabelRequest, box: _Boxes, choice: int) -> PlacedLabel:
    per_wording = len(_ALONG) * 4
    left, bottom, right, top = (float(edge) for edge in box)
    return PlacedLabel(request.wordings[choice // per_wording].text, (left + right) / 2, (bottom + top) / 2)


def _options(request: LabelRequest, gap: float) -> _Boxes:
    """Boxes to try: for each wording below, above, right and left of the symbol, each slid along that side."""
    left, bottom, right, top = request.symbol
    x, y = (left + right) / 2, (bottom + top) / 2
    places: list[Box] = []
    for wording in request.wordings:
        w, h = wording.width, wording.height
        for slide in _ALONG:
            dx, dy = slide * (w + right - left), slide * (h + top - bottom)
            centres = (
                (x + dx, bottom - gap - h / 2),
                (x + dx, top + gap + h / 2),
                (right + gap + w / 2, y + dy),
                (left - gap - w / 2, y + dy),
            )
            places += [(cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2) for cx, cy in centres]
    return _array(places)


def _fixed_costs(request: LabelRequest, places: _Boxes, obstacles: _Boxes) -> _Boxes:
    """Cost of each place whatever the other labels do: late in the list, on or near symbols, off the floor."""
    on_floor = np.max([_hidden(places, _array([floor])) for floor in request.floors], axis=0)
    reach = _BESIDE * request.wordings[0].height
    others = obstacles[(obstacles != request.symbol).any(axis=1)] + (-reach, -reach, reach, reach)
    covered = _ON_SYMBOL * _hidden(places, obstacles) + _BY_OTHER * _hidden(places, others)
    return _LATER * np.arange(len(places)) + covered + _OFF_FLOOR * (1.0 - on_floor)


def _hidden(places: _Boxes, boxes: _Boxes) -> _Boxes:
    """For each place the share of its area that lies in some box."""
    wide = np.minimum(places[:, 2, None], boxes[:, 2]) - np.maximum(places[:, 0, None], boxes[:, 0])
    high = np.minimum(places[:, 3, None], boxes[:, 3]) - np.maximum(places[:, 1, None], boxes[:, 1])
    shared = (np.maximum(wide, 0.0) * np.maximum(high, 0.0)).sum(axis=1)
    return shared / ((places[:, 2] - places[:, 0]) * (places[:, 3] - places[:, 1]))


def _array(boxes: Sequence[Box]) -> _Boxes:
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


CANVAS_MARGIN = 0.02
"""Blank edge around the plan, as a share of the picture's width."""
_NAMED_CELL = 17.0
"""Cells at least this large leave room for names; smaller ones get numbers and a legend."""


@dataclass(frozen=True, slots=True)
class Canvas:
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


def square_canvas(scene: Scene, pixels: int) -> Canvas:
    """A square picture with the plan in its middle, for frames that must all have one shape."""
    margin, strip = CANVAS_MARGIN * pixels, _strip(pixels)
    columns, rows = _extent(scene)
    cell = _whole_points(min((pixels - 2 * margin) / columns, (pixels - margin - strip) / rows))
    below = strip + (pixels - margin - strip - cell * rows) / 2
    return _canvas(scene, (pixels, pixels), cell, below, strip)


def tight_canvas(scene: Scene, pixels: int, legend: float = 0.0) -> Canvas:
    """A picture so many points wide, as tall as the plan and a legend of that height need."""
    margin, strip = CANVAS_MARGIN * pixels, _strip(pixels)
    columns, rows = _extent(scene)
    cell = _whole_points((pixels - 2 * margin) / max(columns, rows))
    height = math.ceil(margin + cell * rows + strip + legend)
    return _canvas(scene, (pixels, height), cell, strip + legend, strip)


def _canvas(scene: Scene, size: tuple[int, int], cell: float, below: float, strip: float) -> Canvas:
    """A sheet with the plan in the middle of its width, `below` points above its bottom."""
    (x0, y0), _ = scene.bounds
    across = cell * _extent(scene)[0]
    left, bottom = round((size[0] - across) / 2), round(below)
    zero = left + cell * (0.5 - x0), bottom + cell * (0.5 - y0)
    return Canvas(*size, cell, zero, left, left + across, bottom - strip / 2, strip)


def _strip(pixels: int) -> float:
    """Height of the strip for scale and north arrow, in points."""
    return min(max(0.05 * pixels, 16.0), 48.0)


def _extent(scene: Scene) -> tuple[int, int]:
    """Columns and rows of cells, outer walls included."""
    (x0, y0), (x1, y1) = scene.bounds
    return x1 - x0 + 1, y1 - y0 + 1


def _whole_points(cell: float) -> float:
    """A whole number of points where that loses little, so that edges of cells fall on edges of pixels."""
    return math.floor(cell) if cell >= 4 else cell


_BORDER = 1.0
"""Cells of blank border on every side."""
_LEAST_SHAPE = 0.5
"""Least height of the picture as a share of its width."""


def map_canvas(scene: Scene, pixels: int) -> Canvas:
    """A picture so many pixels wide, as tall as the plan, its border and the strip for the legend need."""
    (x0, y0), (x1, y1) = scene.bounds
    columns, rows = x1 - x0 + 1 + 2 * _BORDER, y1 - y0 + 1 + 2 * _BORDER
    cell = _whole_pixels(pixels / max(columns, rows))
    strip = max(20, round(0.045 * pixels))
    high = max(math.ceil(cell * rows), round(_LEAST_SHAPE * pixels) - strip)
    left = round((pixels - cell * (columns - 2 * _BORDER)) / 2)
    bottom = strip + round((high - cell * (rows - 2 * _BORDER)) / 2)
    zero = left + cell * (0.5 - x0), bottom + cell * (0.5 - y0)
    return Canvas(pixels, high + strip, cell, zero, left, pixels - left, strip / 2, strip)


def map_area(sheet: Canvas, inset: float) -> Box:
    """All of the picture above the legend, less an inset in pixels."""
    return inset, sheet.strip + inset, sheet.width - inset, sheet.height - inset


def _whole_pixels(cell: float) -> float:
    """A whole number of pixels where that loses little, so that edges of cells fall on edges of pixels."""
    return math.floor(cell) if cell >= 8 else cell
