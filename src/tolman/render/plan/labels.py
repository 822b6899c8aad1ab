"""Where to set labels so that they cover neither things, each other nor walls.

Each label tries a ring of places around its symbol and takes the one that hides least; a few rounds let earlier labels
give way to later ones. Boxes are (left, bottom, right, top) in points.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
class Wording:
    """One way to write a label, with its box in points."""

    text: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Request:
    """A label to be set: its wordings, best first, the box of its symbol, and the floors on which it may lie."""

    wordings: tuple[Wording, ...]
    symbol: Box
    floors: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A label that has its place: the text and the centre of its box, in points."""

    text: str
    x: float
    y: float


def place_labels(requests: Sequence[Request], obstacles: Sequence[Box], gap: float) -> list[Label]:
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


def _label(request: Request, box: _Boxes, choice: int) -> Label:
    per_wording = len(_ALONG) * 4
    left, bottom, right, top = (float(edge) for edge in box)
    return Label(request.wordings[choice // per_wording].text, (left + right) / 2, (bottom + top) / 2)


def _options(request: Request, gap: float) -> _Boxes:
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


def _fixed_costs(request: Request, places: _Boxes, obstacles: _Boxes) -> _Boxes:
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
