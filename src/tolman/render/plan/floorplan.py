"""A floor plan of a scene, drawn to scale: colours, symbols, scale bar, north arrow and legend."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path as Outline
from matplotlib.transforms import Affine2D, Bbox

from tolman.core.errors import SettingsError
from tolman.core.geometry import Cell, Heading
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
from tolman.render.plan.textmap import reading_order
from tolman.world import START, Door, Item, Pose, Scene, Thing
from tolman.world.vocabulary import KIND_BY_NAME, door_colour

PAGE = "#ffffff"
HALO = "#fffdf9"
WALL = "#47413c"
INK = "#2c2a28"
FAINT = "#b9ac99"
THING = "#a8b9bf"
THING_EDGE = "#3c4f58"
AGENT = "#c8452f"

_FLOORS = ("#f6f0e6", "#efe7d9", "#f3eadb", "#ebe4d8", "#f7eee0", "#ede5d3")
_NUMERALS = ("#ebe2d2", "#e3d9c7", "#e7dcc8", "#dfd6c6", "#ece0cc", "#e1d7c1")


def floor_colour(room: int) -> str:
    """One of a few similar tones, so that neighbouring rooms differ slightly."""
    return _FLOORS[room % len(_FLOORS)]


def numeral_colour(room: int) -> str:
    """A shade darker than that room's floor, for the number written on it."""
    return _NUMERALS[room % len(_NUMERALS)]


_UNKNOWN_FOOTPRINT = (0.6, 0.6)
_FRONT_WIDTH, _FRONT_DEPTH = 0.26, 0.15
_ROOMY = 0.42
"""Depth in cells from which on the triangle at a thing's front is inside its footprint; else it is in front of it."""
_LEAST_DOTTED_CELL = 9.0
_LEAST_BODY = 3.0
"""Points of the smallest visible side of a thing."""


def fill(
    outlines: Iterable[Outline], face: str | Sequence[str], edge: str = "none", line: float = 0.0, opacity: float = 1.0
) -> PathCollection:
    """Filled outlines as one artist; `line` is the width of their edges in points."""
    return PathCollection(
        list(outlines),
        facecolors=face,
        edgecolors=edge,
        linewidths=line,
        alpha=opacity,
        joinstyle="round",
        capstyle="round",
    )


def line_width(canvas: Canvas) -> float:
    """Width of edges in points."""
    return min(max(0.028 * canvas.cell, 0.5), 1.6)


def shell(scene: Scene, canvas: Canvas) -> list[Artist]:
    """Walls as dark boxes around all rooms, floors over them, room numbers, and the grid of cells."""
    walls = [_rectangle(canvas.cells(room.low, room.high, grow=1.0)) for room in scene.rooms]
    floors = [_rectangle(canvas.cells(room.low, room.high)) for room in scene.rooms]
    openings = [_rectangle(canvas.cells(door.cell, door.cell)) for door in scene.doors]
    tones = [room.id for room in scene.rooms] + [door.rooms[0] for door in scene.doors]
    artists = [fill(walls, WALL), fill(floors + openings, [floor_colour(room) for room in tones])]
    for artist in artists:
        artist.set_antialiased(False)
    numerals: list[Outline] = []
    for room in scene.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        size = 0.4 * canvas.cell * min(x1 - x0 + 1, y1 - y0 + 1)
        numerals.append(text_outline(str(room.id), *canvas.at((x0 + x1) / 2, (y0 + y1) / 2), size))
    return [*artists, fill(numerals, [numeral_colour(room.id) for room in scene.rooms]), *_grid(scene, canvas)]


def _grid(scene: Scene, canvas: Canvas) -> list[Artist]:
    """A dot in the middle of every floor cell, if cells are large enough."""
    if canvas.cell < _LEAST_DOTTED_CELL:
        return []
    xs, ys = zip(*(canvas.at(*cell) for room in scene.rooms for cell in room.cells), strict=True)
    size = max(1.0, 0.055 * canvas.cell)
    return [Line2D(xs, ys, linestyle="none", marker="o", markersize=size, color=FAINT, markeredgewidth=0)]


def doors(scene: Scene, canvas: Canvas) -> list[Artist]:
    """A bar of each door's colour across its opening."""
    leaves = [rounded(_leaf_box(door, canvas), 0.04 * canvas.cell) for door in scene.doors]
    return [fill(leaves, [door_colour(door.name) for door in scene.doors], INK, line_width(canvas))]


def _leaf_box(door: Door, canvas: Canvas) -> Box:
    width, height = (0.34, 1.0) if door.axis == "x" else (1.0, 0.34)
    return canvas.around(*door.cell, width, height)


def things(scene: Scene, canvas: Canvas) -> list[Artist]:
    """Footprints to scale, each with a triangle at its front."""
    bodies = [rounded(_body_box(thing, canvas), 0.09 * canvas.cell) for thing in scene.things]
    fronts = [_polygon(_front_corners(thing, thing.front), canvas) for thing in scene.things if thing.front is not None]
    return [fill(bodies, THING, THING_EDGE, line_width(canvas)), fill(fronts, INK)]


def symbol_box(item: Item, canvas: Canvas) -> Box:
    """The box that labels avoid: a door's cell, or a thing's footprint with the triangle at its front."""
    if isinstance(item, Door):
        return canvas.cells(item.cell, item.cell)
    box = _body_box(item, canvas)
    if item.front is None:
        return box
    xs, ys = zip(*(canvas.at(*corner) for corner in _front_corners(item, item.front)), strict=True)
    return min(box[0], *xs), min(box[1], *ys), max(box[2], *xs), max(box[3], *ys)


def _body_box(thing: Thing, canvas: Canvas) -> Box:
    width, depth = (max(side, _LEAST_BODY / canvas.cell) for side in _footprint(thing))
    if thing.front in (Heading.EAST, Heading.WEST):
        width, depth = depth, width
    return canvas.around(*thing.cell, width, depth)


def _footprint(thing: Thing) -> tuple[float, float]:
    """Width and depth in cells."""
    kind = KIND_BY_NAME.get(thing.category)
    return _UNKNOWN_FOOTPRINT if kind is None else (kind.width, kind.depth)


def _front_corners(thing: Thing, front: Heading) -> list[tuple[float, float]]:
    """Corners of the triangle at a thing's front, in the world frame."""
    _, depth = _footprint(thing)
    base = depth / 2 - _FRONT_DEPTH - 0.07 if depth >= _ROOMY else depth / 2 + 0.05
    corners = ((-_FRONT_WIDTH / 2, base), (_FRONT_WIDTH / 2, base), (0.0, base + _FRONT_DEPTH))
    return [_turned(thing.cell, front, *corner) for corner in corners]


def agent(cell: Cell, heading: Heading, canvas: Canvas, *, here: bool) -> list[Artist]:
    """A disc with an arrow along the heading: solid at the agent's position, hollow at its start."""
    radius = _agent_radius(canvas)
    arrow = ((0.0, 0.66), (0.46, -0.5), (0.0, -0.24), (-0.46, -0.5))
    kite = [_turned(cell, heading, radius * right, radius * ahead) for right, ahead in arrow]
    disc = Outline.circle(canvas.at(*cell), radius * canvas.cell)
    back, front, edge = (AGENT, HALO, HALO) if here else (HALO, AGENT, AGENT)
    return [fill([disc], back, edge, 1.4 * line_width(canvas)), fill([_polygon(kite, canvas)], front)]


def agent_box(cell: Cell, canvas: Canvas) -> Box:
    """The box of the agent's symbol, which labels avoid."""
    return canvas.around(*cell, 2 * _agent_radius(canvas), 2 * _agent_radius(canvas))


def _agent_radius(canvas: Canvas) -> float:
    """Radius of the agent's disc in cells: about a third, or more if that is too small to see."""
    return max(0.32, 5.0 / canvas.cell)


def field_of_view(scene: Scene, pose: Pose, canvas: Canvas) -> list[Artist]:
    """The 90-degree field of view, within the floors and doorways of the agent's rooms."""
    far = 2.0 * scene.extent
    corners = ((0.0, 0.0), (far, far), (-far, far))
    view = _polygon([_turned(pose.cell, pose.heading, *corner) for corner in corners], canvas)
    boxes = [canvas.cells(scene.room(n).low, scene.room(n).high) for n in pose.rooms]
    boxes += [canvas.cells(d.cell, d.cell) for d in scene.doors if not set(d.rooms).isdisjoint(pose.rooms)]
    parts = [view.clip_to_bbox(Bbox.from_extents(*box)) for box in boxes]
    return [fill([part for part in parts if np.size(part.vertices)], AGENT, opacity=0.17)]


def _turned(cell: Cell, heading: Heading, right: float, ahead: float) -> tuple[float, float]:
    """World position of a point given as cells to the right and ahead of an agent on a cell."""
    dx, dy = heading.vector
    return cell[0] + dy * right + dx * ahead, cell[1] - dx * right + dy * ahead


def _polygon(corners: Sequence[tuple[float, float]], canvas: Canvas) -> Outline:
    return Outline([canvas.at(*corner) for corner in (*corners, corners[0])], closed=True)


def _rectangle(box: Box) -> Outline:
    x0, y0, x1, y1 = box
    return Outline([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], closed=True)


def rounded(box: Box, radius: float) -> Outline:
    """A rectangle with round corners of some radius in points, or as much as fits."""
    x0, y0, x1, y1 = box
    r = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    corners = (
        ((x1 - r, y0), (x1, y0), (x1, y0 + r)),
        ((x1, y1 - r), (x1, y1), (x1 - r, y1)),
        ((x0 + r, y1), (x0, y1), (x0, y1 - r)),
        ((x0, y0 + r), (x0, y0), (x0 + r, y0)),
    )
    points = [(x0 + r, y0), *(point for corner in corners for point in corner)]
    codes = [Outline.MOVETO, *(Outline.LINETO, Outline.CURVE3, Outline.CURVE3) * len(corners)]
    return Outline(points, codes)


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
    return [fill(patches, colours, INK, 0.5), fill(texts, INK)]


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
    return [fill([bar], "none", INK, max(0.7, 0.1 * size)), fill([*texts, arrow], INK)]


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
    figure = Figure((canvas.width / _DPI, canvas.height / _DPI), dpi=_DPI, facecolor=PAGE)
    points = Affine2D().scale(1 / _DPI) + figure.dpi_scale_trans
    for layer, artist in enumerate(artists):
        artist.set_transform(points)
        artist.set_zorder(layer)
        figure.add_artist(artist)
    return figure


def _plan(scene: Scene, canvas: Canvas, labels: dict[str, str], pose: Pose | None) -> list[Artist]:
    """All artists of the plan, from the floor up; `labels` are the texts beside the items, by name."""
    view = [] if pose is None else field_of_view(scene, pose, canvas)
    standing = [] if pose is None else agent(pose.cell, pose.heading, canvas, here=True)
    return [
        *shell(scene, canvas),
        *view,
        *doors(scene, canvas),
        *things(scene, canvas),
        *agent(scene.start, Heading.NORTH, canvas, here=pose is None),
        *_labels(scene, canvas, labels),
        *standing,
        *scale_and_north(canvas),
    ]


def _labels(scene: Scene, canvas: Canvas, labels: dict[str, str]) -> list[Artist]:
    """Labels beside their symbols, dark with a light halo."""
    boxes = {item.name: symbol_box(item, canvas) for item in scene.items}
    boxes[START] = agent_box(scene.start, canvas)
    requests = [_request(scene, canvas, name, text, boxes[name]) for name, text in labels.items()]
    placed = place_labels(requests, list(boxes.values()), gap=0.03 * canvas.cell)
    outlines = [text_outline(label.text, label.x, label.y, canvas.font_size) for label in placed]
    halo = fill(outlines, HALO, HALO, _HALO * canvas.font_size)
    return [halo, fill(outlines, INK)]


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
