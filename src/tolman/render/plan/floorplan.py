"""A scene from above as a schematic floor plan, drawn to scale, with scale bar, north arrow and legend."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.path import Path as Outline
from matplotlib.transforms import Affine2D

from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading
from tolman.render.plan import style, symbols
from tolman.render.plan.drawing import drawable, text_outline, text_size
from tolman.render.plan.placement import (
    CANVAS_MARGIN,
    Box,
    Canvas,
    LabelRequest,
    LabelText,
    place_labels,
    square_canvas,
    tight_canvas,
)
from tolman.render.plan.symbols import fill, rounded
from tolman.render.plan.textmap import reading_order
from tolman.world import START, Door, Item, Pose, Scene

_ROW = 1.55
"""Height of a row of the legend, in sizes of its letters."""
_SCALES = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True)
class Legend:
    """Numbers and names in columns that are read downwards, on a picture so many points wide."""

    entries: tuple[tuple[str, Item], ...]
    width: int

    @property
    def letters(self) -> float:
        """Size of the letters in points."""
        return max(7.5, 0.0095 * self.width)

    @property
    def row(self) -> float:
        """Points from one line to the next."""
        return _ROW * self.letters

    @cached_property
    def columns(self) -> int:
        longest = max((text_size(drawable(item.name), self.letters)[0] for _, item in self.entries), default=0.0)
        return max(1, int(self.width * (1 - 2 * CANVAS_MARGIN) / (longest + 4.5 * self.letters)))

    @property
    def rows(self) -> int:
        return math.ceil(len(self.entries) / self.columns)

    @property
    def height(self) -> float:
        """Points that it takes below the plan."""
        return self.row * (self.rows + 1)

    def corner(self, index: int) -> tuple[float, float]:
        """Left end and middle height of an entry's line."""
        column, row = divmod(index, self.rows)
        left = self.width * (CANVAS_MARGIN + (1 - 2 * CANVAS_MARGIN) * column / self.columns)
        return left, self.height - self.row * (row + 0.5)


def draw_names(legend: Legend) -> list[Artist]:
    """Each number before its name; between them a door has a patch of its colour."""
    size = legend.letters
    texts: list[Outline] = []
    patches: list[Outline] = []
    for i, (number, item) in enumerate(legend.entries):
        x, y = legend.corner(i)
        before = x + 2.0 * size - text_size(number, size)[0]
        after = x + (3.8 if isinstance(item, Door) else 2.6) * size
        texts.append(text_outline(number, before, y, size, centred=False))
        texts.append(text_outline(drawable(item.name), after, y, size, centred=False))
        if isinstance(item, Door):
            patches.append(rounded((x + 2.6 * size, y - 0.4 * size, x + 3.4 * size, y + 0.4 * size), 0.1 * size))
    colours = [style.door_colour(item.name) for _, item in legend.entries if isinstance(item, Door)]
    return [fill(patches, colours, style.INK, 0.5), fill(texts, style.INK)]


def scale_and_north(sheet: Canvas) -> list[Artist]:
    """A bar of a few cells below the plan's left edge, and an arrow to the north below its right edge."""
    size, y = min(1.15 * sheet.lettering, 0.45 * sheet.strip), sheet.foot
    across = (sheet.right - sheet.left) / sheet.cell
    cells = max(n for n in _SCALES if n == 1 or n <= across / 6)
    end, tick = sheet.left + cells * sheet.cell, 0.3 * size
    bar = Outline([(sheet.left, y + tick), (sheet.left, y), (end, y), (end, y + tick)])
    count = "1 cell" if cells == 1 else f"{cells} cells"
    texts = [
        text_outline(count, end + 0.6 * size, y + 0.2 * size, size, centred=False),
        text_outline("N", sheet.right - 1.6 * size, y, size),
    ]
    corners = ((0.0, 0.75), (0.4, -0.75), (0.0, -0.3), (-0.4, -0.75))
    arrow = Outline([(sheet.right + size * (dx - 0.4), y + size * dy) for dx, dy in corners])
    return [fill([bar], "none", style.INK, max(0.7, 0.1 * size)), fill([*texts, arrow], style.INK)]


_DPI = 72
_LEAST_PIXELS = 64
_START_LABEL = "start"
_HALO = 0.3
"""Width of the light line around letters, in sizes of the letters."""


def floorplan_png(scene: Scene, path: Path, *, pixels: int = 900) -> None:
    """Write a plan so many pixels wide and as tall as it needs to be. Same scene, same bytes."""
    canvas = FigureCanvasAgg(draw_floorplan(scene, pixels=pixels))
    canvas.print_png(path, metadata={"Software": None})  # pyright: ignore[reportUnknownMemberType]


def floorplan_rgb(scene: Scene, *, pixels: int = 512, pose: Pose | None = None) -> npt.NDArray[np.uint8]:
    """A square plan as an array (rows, columns, red-green-blue), with the agent and its field of view if given."""
    _check(pixels)
    sheet = square_canvas(scene, pixels)
    labels = _names(scene) if sheet.has_names else {}
    canvas = FigureCanvasAgg(_figure(sheet, _plan(scene, sheet, labels, pose)))
    canvas.draw()
    return np.array(canvas.buffer_rgba(), dtype=np.uint8)[..., :3].copy()


def draw_floorplan(scene: Scene, *, pixels: int = 900, pose: Pose | None = None) -> Figure:
    """The plan as a figure that can be saved in any format; it is `pixels` wide at its own 72 dots an inch."""
    _check(pixels)
    sheet = tight_canvas(scene, pixels)
    if sheet.has_names:
        return _figure(sheet, _plan(scene, sheet, _names(scene), pose))
    items = reading_order(scene)
    legend = Legend(tuple((str(i), item) for i, item in enumerate(items, start=1)), pixels)
    sheet = tight_canvas(scene, pixels, legend.height)
    numbers = {START: _START_LABEL} | {item.name: number for number, item in legend.entries}
    return _figure(sheet, [*_plan(scene, sheet, numbers, pose), *draw_names(legend)])


def _check(pixels: int) -> None:
    if pixels < _LEAST_PIXELS:
        raise SettingsError(f"a floor plan is at least {_LEAST_PIXELS} pixels wide, not {pixels}")


def _names(scene: Scene) -> dict[str, str]:
    return {START: _START_LABEL} | {name: drawable(name) for name in scene.names}


def _figure(sheet: Canvas, artists: Sequence[Artist]) -> Figure:
    """A figure of the sheet's size with artists one over the other, which are given in points."""
    figure = Figure((sheet.width / _DPI, sheet.height / _DPI), dpi=_DPI, facecolor=style.PAGE)
    points = Affine2D().scale(1 / _DPI) + figure.dpi_scale_trans
    for layer, artist in enumerate(artists):
        artist.set_transform(points)
        artist.set_zorder(layer)
        figure.add_artist(artist)
    return figure


def _plan(scene: Scene, sheet: Canvas, labels: dict[str, str], pose: Pose | None) -> list[Artist]:
    """Everything to scale, from the floor up; `labels` gives what to write beside each name."""
    view = [] if pose is None else symbols.field_of_view(scene, pose, sheet)
    someone = [] if pose is None else symbols.agent(pose.cell, pose.heading, sheet, here=True)
    return [
        *symbols.shell(scene, sheet),
        *view,
        *symbols.doors(scene, sheet),
        *symbols.things(scene, sheet),
        *symbols.agent(scene.start, Heading.NORTH, sheet, here=pose is None),
        *_lettered(scene, sheet, labels),
        *someone,
        *scale_and_north(sheet),
    ]


def _lettered(scene: Scene, sheet: Canvas, labels: dict[str, str]) -> list[Artist]:
    """Labels beside their symbols, dark with a light halo."""
    boxes = {item.name: symbols.symbol_box(item, sheet) for item in scene.items}
    boxes[START] = symbols.agent_box(scene.start, sheet)
    requests = [_request(scene, sheet, name, text, boxes[name]) for name, text in labels.items()]
    placed = place_labels(requests, list(boxes.values()), gap=0.03 * sheet.cell)
    outlines = [text_outline(label.text, label.x, label.y, sheet.lettering) for label in placed]
    halo = symbols.fill(outlines, style.HALO, style.HALO, _HALO * sheet.lettering)
    return [halo, symbols.fill(outlines, style.INK)]


def _request(scene: Scene, sheet: Canvas, name: str, text: str, box: Box) -> LabelRequest:
    """A label on one line or, where it has several words, on two."""
    words = text.split(" ")
    half = (len(words) + 1) // 2
    texts = [text] if len(words) == 1 else [text, " ".join(words[:half]) + "\n" + " ".join(words[half:])]
    wordings = tuple(_wording(text, sheet.lettering) for text in texts)
    rooms = (scene.room(number) for number in scene.pose_at(name, Heading.NORTH).rooms)
    return LabelRequest(wordings, box, tuple(sheet.cells(room.low, room.high) for room in rooms))


def _wording(text: str, letters: float) -> LabelText:
    width, height = text_size(text, letters)
    return LabelText(text, width + _HALO * letters, height + _HALO * letters)
