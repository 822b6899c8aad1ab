"""Layout of plans: the map from world cells to points of the picture, and label placement that avoids overlaps."""

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
"""Passes over all labels."""
_SLIDES = (0.0, -0.25, 0.25, -0.5, 0.5)
_RANK_COST = 0.02
"""Cost of each step down the list of candidate boxes; 1 is a label that is fully covered."""
_OFF_FLOOR_COST, _ON_LABEL_COST, _ON_SYMBOL_COST, _NEAR_OTHER_COST = 5.0, 3.0, 2.0, 0.6
_NEAR_HEIGHTS = 0.4
"""Distance, in label heights, within which a label may be mistaken for that of another symbol."""


@dataclass(frozen=True, slots=True)
class LabelText:
    """One way to write a label, with its size in points."""

    text: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """A label to place: its texts in order of preference, the box of its symbol, and the floors it should be on."""

    texts: tuple[LabelText, ...]
    symbol: Box
    floors: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A placed label: the text and the centre of its box, in points."""

    text: str
    x: float
    y: float


def place_labels(requests: Sequence[LabelRequest], obstacles: Sequence[Box], gap: float) -> list[PlacedLabel]:
    """Place all labels `gap` points from their symbols; `obstacles` are the boxes of everything drawn."""
    if not requests:
        return []
    candidates = [_candidates(request, gap) for request in requests]
    fixed = [_fixed_costs(r, boxes, _array(obstacles)) for r, boxes in zip(requests, candidates, strict=True)]
    chosen = [int(np.argmin(costs)) for costs in fixed]
    labels = np.array([boxes[i] for boxes, i in zip(candidates, chosen, strict=True)])
    for _ in range(_ROUNDS):
        for n, (boxes, costs) in enumerate(zip(candidates, fixed, strict=True)):
            others = np.delete(labels, n, axis=0)
            chosen[n] = int(np.argmin(costs + _ON_LABEL_COST * _covered_share(boxes, others)))
            labels[n] = boxes[chosen[n]]
    return [_placed_label(*triple) for triple in zip(requests, labels, chosen, strict=True)]


def _placed_label(request: LabelRequest, box: _Boxes, choice: int) -> PlacedLabel:
    per_text = len(_SLIDES) * 4
    left, bottom, right, top = (float(edge) for edge in box)
    return PlacedLabel(request.texts[choice // per_text].text, (left + right) / 2, (bottom + top) / 2)


def _candidates(request: LabelRequest, gap: float) -> _Boxes:
    """Candidate boxes: for each text below, above, right and left of the symbol, at several positions along it."""
    left, bottom, right, top = request.symbol
    x, y = (left + right) / 2, (bottom + top) / 2
    boxes: list[Box] = []
    for text in request.texts:
        w, h = text.width, text.height
        for slide in _SLIDES:
            dx, dy = slide * (w + right - left), slide * (h + top - bottom)
            centres = (
                (x + dx, bottom - gap - h / 2),
                (x + dx, top + gap + h / 2),
                (right + gap + w / 2, y + dy),
                (left - gap - w / 2, y + dy),
            )
            boxes += [(cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2) for cx, cy in centres]
    return _array(boxes)


def _fixed_costs(request: LabelRequest, boxes: _Boxes, obstacles: _Boxes) -> _Boxes:
    """Cost of each candidate apart from other labels: late in the list, on or near symbols, off the floor."""
    on_floor = np.max([_covered_share(boxes, _array([floor])) for floor in request.floors], axis=0)
    reach = _NEAR_HEIGHTS * request.texts[0].height
    others = obstacles[(obstacles != request.symbol).any(axis=1)] + (-reach, -reach, reach, reach)
    covered = _ON_SYMBOL_COST * _covered_share(boxes, obstacles) + _NEAR_OTHER_COST * _covered_share(boxes, others)
    return _RANK_COST * np.arange(len(boxes)) + covered + _OFF_FLOOR_COST * (1.0 - on_floor)


def _covered_share(boxes: _Boxes, others: _Boxes) -> _Boxes:
    """The share of each box's area that the others cover."""
    width = np.minimum(boxes[:, 2, None], others[:, 2]) - np.maximum(boxes[:, 0, None], others[:, 0])
    height = np.minimum(boxes[:, 3, None], others[:, 3]) - np.maximum(boxes[:, 1, None], others[:, 1])
    shared = (np.maximum(width, 0.0) * np.maximum(height, 0.0)).sum(axis=1)
    return shared / ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))


def _array(boxes: Sequence[Box]) -> _Boxes:
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


CANVAS_MARGIN = 0.02
"""Margin around the plan, as a share of the picture's width."""
_NAMED_CELL = 17.0
"""Points of a cell from which on items are labelled with names; below, with numbers and a legend."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """Size of the picture and position of the plan on it, in points from its lower left corner."""

    width: int
    height: int
    cell: float
    """Points along a cell's side."""
    zero: tuple[float, float]
    """The point of the centre of cell (0, 0)."""
    left: float
    right: float
    """Left and right end of the plan."""
    foot: float
    """Vertical centre of the strip with scale and north arrow."""
    strip: float
    """Height of that strip."""

    @property
    def has_names(self) -> bool:
        return self.cell >= _NAMED_CELL

    @property
    def font_size(self) -> float:
        """Of labels, in points."""
        return min(max(0.27 * self.cell, 7.5), 0.016 * self.width + 2.0)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The point of a world position (cells east, cells north)."""
        return self.zero[0] + self.cell * x, self.zero[1] + self.cell * y

    def cells(self, low: Cell, high: Cell, grow: float = 0.0) -> Box:
        """The box of all cells from `low` to `high`, enlarged by `grow` cells on every side."""
        margin = 0.5 + grow
        return (*self.at(low[0] - margin, low[1] - margin), *self.at(high[0] + margin, high[1] + margin))

    def around(self, x: float, y: float, width: float, height: float) -> Box:
        """The box of some size in cells, centred at a world position."""
        return (*self.at(x - width / 2, y - height / 2), *self.at(x + width / 2, y + height / 2))


def square_canvas(scene: Scene, pixels: int) -> Canvas:
    """A square picture with the plan in its middle, for frames that must all have the same shape."""
    margin, strip = CANVAS_MARGIN * pixels, _strip(pixels)
    columns, rows = _extent(scene)
    cell = _snapped_to_points(min((pixels - 2 * margin) / columns, (pixels - margin - strip) / rows))
    below = strip + (pixels - margin - strip - cell * rows) / 2
    return _canvas(scene, (pixels, pixels), cell, below, strip)


def tight_canvas(scene: Scene, pixels: int, legend: float = 0.0) -> Canvas:
    """A picture `pixels` points wide and as tall as needed for the plan and a legend of that height."""
    margin, strip = CANVAS_MARGIN * pixels, _strip(pixels)
    columns, rows = _extent(scene)
    cell = _snapped_to_points((pixels - 2 * margin) / max(columns, rows))
    height = math.ceil(margin + cell * rows + strip + legend)
    return _canvas(scene, (pixels, height), cell, strip + legend, strip)


def _canvas(scene: Scene, size: tuple[int, int], cell: float, below: float, strip: float) -> Canvas:
    """A canvas with the plan horizontally centred, `below` points above its bottom."""
    (x0, y0), _ = scene.bounds
    width = cell * _extent(scene)[0]
    left, bottom = round((size[0] - width) / 2), round(below)
    zero = left + cell * (0.5 - x0), bottom + cell * (0.5 - y0)
    return Canvas(*size, cell, zero, left, left + width, bottom - strip / 2, strip)


def _strip(pixels: int) -> float:
    """Height of the strip for scale and north arrow, in points."""
    return min(max(0.05 * pixels, 16.0), 48.0)


def _extent(scene: Scene) -> tuple[int, int]:
    """Columns and rows of cells, outer walls included."""
    (x0, y0), (x1, y1) = scene.bounds
    return x1 - x0 + 1, y1 - y0 + 1


def _snapped_to_points(cell: float) -> float:
    """Cells of at least 4 points rounded down to whole points, so that their edges are on pixel edges."""
    return math.floor(cell) if cell >= 4 else cell


_BORDER = 1.0
"""Cells of blank border on every side."""
_LEAST_SHAPE = 0.5
"""Least height of the picture as a share of its width."""


def map_canvas(scene: Scene, pixels: int) -> Canvas:
    """A picture `pixels` wide and as tall as needed for the plan, its border and the legend."""
    (x0, y0), (x1, y1) = scene.bounds
    columns, rows = x1 - x0 + 1 + 2 * _BORDER, y1 - y0 + 1 + 2 * _BORDER
    cell = _snapped_to_pixels(pixels / max(columns, rows))
    strip = max(20, round(0.045 * pixels))
    height = max(math.ceil(cell * rows), round(_LEAST_SHAPE * pixels) - strip)
    left = round((pixels - cell * (columns - 2 * _BORDER)) / 2)
    bottom = strip + round((height - cell * (rows - 2 * _BORDER)) / 2)
    zero = left + cell * (0.5 - x0), bottom + cell * (0.5 - y0)
    return Canvas(pixels, height + strip, cell, zero, left, pixels - left, strip / 2, strip)


def map_area(canvas: Canvas, inset: float) -> Box:
    """The picture above the legend, less an inset in pixels."""
    return inset, canvas.strip + inset, canvas.width - inset, canvas.height - inset


def _snapped_to_pixels(cell: float) -> float:
    """Cells of at least 8 pixels rounded down to whole pixels."""
    return math.floor(cell) if cell >= 8 else cell
