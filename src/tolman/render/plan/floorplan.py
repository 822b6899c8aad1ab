"""A floor plan of a scene, drawn to scale, with scale bar, north arrow and legend."""

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
from tolman.world.vocabulary import door_colour

_ROW = 1.55
"""Height of a row of the legend, in font sizes."""
_SCALES = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True)
class Legend:
    """Numbers and names in columns that are read downwards; `width` is that of the picture in points."""

    entries: tuple[tuple[str, Item], ...]
    width: int

    @property
    def font_size(self) -> float:
        """In points."""
        return max(7.5, 0.0095 * self.width)

    @property
    def row(self) -> float:
        """Points from one line to the next."""
        return _ROW * self.font_size

    @cached_property
    def columns(self) -> int:
        longest = max((text_size(drawable(item.name), self.font_size)[0] for _, item in self.entries), default=0.0)
        return max(1, int(self.width * (1 - 2 * CANVAS_MARGIN) / (longest + 4.5 * self.font_size)))

    @property
    def rows(self) -> int:
        return math.ceil(len(self.entries) / self.columns)

    @property
    def height(self) -> float:
        """Height in points."""
        return self.row * (self.rows + 1)

    def corner(self, index: int) -> tuple[float, float]:
        """Middle of the left edge of an entry."""
        column, row = divmod(index, self.rows)
        left = self.width * (CANVAS_MARGIN + (1 - 2 * CANVAS_MARGIN) * column / self.columns)
        return left, self.height - self.row * (row + 0.5)


def draw_names(legend: Legend) -> list[Artist]:
    """The entries of the legend: number, for a door a patch of its colour, and name."""
    size = legend.font_size
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
    colours = [door_colour(item.name) for _, item in legend.entries if isinstance(item, Door)]
    return [fill(patches, colours, style.INK, 0.5), fill(texts, style.INK)]


def scale_and_north(canvas: Canvas) -> list[Artist]:
    """A scale bar below the plan's left edge, and a north arrow below its right edge."""
    size, y = min(1.15 * canvas.font_size, 0.45 * canvas.strip), canvas.foot
    across = (canvas.right - canvas.left) / canvas.cell
    cells = max(n for n in _SCALES if n == 1 or n <= across / 6)
    end, tick = canvas.left + cells * canvas.cell, 0.3 * size
    bar = Outline([(canvas.left, y + tick), (canvas.left, y), (end, y), (end, y + tick)])
    count = "1 cell" if cells == 1 else f"{cells} cells"
    texts = [
        text_outline(count, end + 0.6 * size, y + 0.2 * size, size, centred=False),
        text_outline("N", canvas.right - 1.6 * size, y, size),
    ]
    corners = ((0.0, 0.75), (0.4, -0.75), (0.0, -0.3), (-0.4, -0.75))
    arrow = Outline([(canvas.right + size * (dx - 0.4), y + size * dy) for dx, dy in corners])
    return [fill([bar], "none", style.INK, max(0.7, 0.1 * size)), fill([*texts, arrow], style.INK)]


_DPI = 72
_LEAST_PIXELS = 64
_START_LABEL = "start"
_HALO = 0.3
"""Width of the light line around letters, in font sizes."""


def floorplan_png(scene: Scene, path: Path, *, pixels: int = 900) -> None:
    """Write a plan `pixels` wide as a PNG. The same scene gives the same bytes."""
    figure_canvas = FigureCanvasAgg(draw_floorplan(scene, pixels=pixels))
    figure_canvas.print_png(path, metadata={"Software": None})  # pyright: ignore[reportUnknownMemberType]


def floorplan_rgb(scene: Scene, *, pixels: int = 512, pose: Pose | None = None) -> npt.NDArray[np.uint8]:
    """A square plan as an array (rows, columns, red-green-blue), with the agent and its field of view if given."""
    _check(pixels)
    canvas = square_canvas(scene, pixels)
    labels = _names(scene) if canvas.has_names else {}
    figure_canvas = FigureCanvasAgg(_figure(canvas, _plan(scene, canvas, labels, pose)))
    figure_canvas.draw()
    return np.array(figure_canvas.buffer_rgba(), dtype=np.uint8)[..., :3].copy()


def draw_floorplan(scene: Scene, *, pixels: int = 900, pose: Pose | None = None) -> Figure:
    """The plan as a figure that can be saved in any format; `pixels` is its width at 72 dots per inch."""
    _check(pixels)
    canvas = tight_canvas(scene, pixels)
    if canvas.has_names:
        return _figure(canvas, _plan(scene, canvas, _names(scene), pose))
    items = reading_order(scene)
    legend = Legend(tuple((str(i), item) for i, item in enumerate(items, start=1)), pixels)
    canvas = tight_canvas(scene, pixels, legend.height)
    numbers = {START: _START_LABEL} | {item.name: number for number, item in legend.entries}
    return _figure(canvas, [*_plan(scene, canvas, numbers, pose), *draw_names(legend)])


def _check(pixels: int) -> None:
    if pixels < _LEAST_PIXELS:
        raise SettingsError(f"a floor plan is at least {_LEAST_PIXELS} pixels wide, not {pixels}")


def _names(scene: Scene) -> dict[str, str]:
    return {START: _START_LABEL} | {name: drawable(name) for name in scene.names}


def _figure(canvas: Canvas, artists: Sequence[Artist]) -> Figure:
    """A figure of the canvas's size with artists in points, each drawn over those before it."""
    figure = Figure((canvas.width / _DPI, canvas.height / _DPI), dpi=_DPI, facecolor=style.PAGE)
    points = Affine2D().scale(1 / _DPI) + figure.dpi_scale_trans
    for layer, artist in enumerate(artists):
        artist.set_transform(points)
        artist.set_zorder(layer)
        figure.add_artist(artist)
    return figure


def _plan(scene: Scene, canvas: Canvas, labels: dict[str, str], pose: Pose | None) -> list[Artist]:
    """All artists of the plan, from the floor up; `labels` are the texts beside the items, by name."""
    view = [] if pose is None else symbols.field_of_view(scene, pose, canvas)
    agent = [] if pose is None else symbols.agent(pose.cell, pose.heading, canvas, here=True)
    return [
        *symbols.shell(scene, canvas),
        *view,
        *symbols.doors(scene, canvas),
        *symbols.things(scene, canvas),
        *symbols.agent(scene.start, Heading.NORTH, canvas, here=pose is None),
        *_labels(scene, canvas, labels),
        *agent,
        *scale_and_north(canvas),
    ]


def _labels(scene: Scene, canvas: Canvas, labels: dict[str, str]) -> list[Artist]:
    """Labels beside their symbols, dark with a light halo."""
    boxes = {item.name: symbols.symbol_box(item, canvas) for item in scene.items}
    boxes[START] = symbols.agent_box(scene.start, canvas)
    requests = [_request(scene, canvas, name, text, boxes[name]) for name, text in labels.items()]
    placed = place_labels(requests, list(boxes.values()), gap=0.03 * canvas.cell)
    outlines = [text_outline(label.text, label.x, label.y, canvas.font_size) for label in placed]
    halo = symbols.fill(outlines, style.HALO, style.HALO, _HALO * canvas.font_size)
    return [halo, symbols.fill(outlines, style.INK)]


def _request(scene: Scene, canvas: Canvas, name: str, text: str, box: Box) -> LabelRequest:
    """A label on one line or, if it has several words, on two."""
    words = text.split(" ")
    half = (len(words) + 1) // 2
    texts = [text] if len(words) == 1 else [text, " ".join(words[:half]) + "\n" + " ".join(words[half:])]
    measured = tuple(_label_text(text, canvas.font_size) for text in texts)
    rooms = (scene.room(number) for number in scene.pose_at(name, Heading.NORTH).rooms)
    return LabelRequest(measured, box, tuple(canvas.cells(room.low, room.high) for room in rooms))


def _label_text(text: str, font_size: float) -> LabelText:
    width, height = text_size(text, font_size)
    return LabelText(text, width + _HALO * font_size, height + _HALO * font_size)
