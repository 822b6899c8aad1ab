"""A scene from above as a schematic picture, drawn to scale: one cell is one metre."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D

from tolman.errors import SettingsError
from tolman.geometry import Heading
from tolman.render.plan import style, symbols
from tolman.render.plan.labels import Box, Request, Wording, place_labels
from tolman.render.plan.legend import Legend, draw_legend, scale_and_north
from tolman.render.plan.letters import drawable, text_outline, text_size
from tolman.render.plan.order import reading_order
from tolman.render.plan.sheet import Sheet, square_sheet, tight_sheet
from tolman.world import START, Pose, Scene

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
    sheet = square_sheet(scene, pixels)
    labels = _names(scene) if sheet.has_names else {}
    canvas = FigureCanvasAgg(_figure(sheet, _plan(scene, sheet, labels, pose)))
    canvas.draw()
    return np.array(canvas.buffer_rgba(), dtype=np.uint8)[..., :3].copy()


def draw_floorplan(scene: Scene, *, pixels: int = 900, pose: Pose | None = None) -> Figure:
    """The plan as a figure that can be saved in any format; it is `pixels` wide at its own 72 dots an inch."""
    _check(pixels)
    sheet = tight_sheet(scene, pixels)
    if sheet.has_names:
        return _figure(sheet, _plan(scene, sheet, _names(scene), pose))
    items = reading_order(scene)
    legend = Legend(tuple((str(i), item) for i, item in enumerate(items, start=1)), pixels)
    sheet = tight_sheet(scene, pixels, legend.height)
    numbers = {START: _START_LABEL} | {item.name: number for number, item in legend.entries}
    return _figure(sheet, [*_plan(scene, sheet, numbers, pose), *draw_legend(legend)])


def _check(pixels: int) -> None:
    if pixels < _LEAST_PIXELS:
        raise SettingsError(f"a floor plan is at least {_LEAST_PIXELS} pixels wide, not {pixels}")


def _names(scene: Scene) -> dict[str, str]:
    return {START: _START_LABEL} | {name: drawable(name) for name in scene.names}


def _figure(sheet: Sheet, artists: Sequence[Artist]) -> Figure:
    """A figure of the sheet's size with artists one over the other, which are given in points."""
    figure = Figure((sheet.width / _DPI, sheet.height / _DPI), dpi=_DPI, facecolor=style.PAGE)
    points = Affine2D().scale(1 / _DPI) + figure.dpi_scale_trans
    for layer, artist in enumerate(artists):
        artist.set_transform(points)
        artist.set_zorder(layer)
        figure.add_artist(artist)
    return figure


def _plan(scene: Scene, sheet: Sheet, labels: dict[str, str], pose: Pose | None) -> list[Artist]:
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


def _lettered(scene: Scene, sheet: Sheet, labels: dict[str, str]) -> list[Artist]:
    """Labels beside their symbols, dark with a light halo."""
    boxes = {item.name: symbols.symbol_box(item, sheet) for item in scene.items}
    boxes[START] = symbols.agent_box(scene.start, sheet)
    requests = [_request(scene, sheet, name, text, boxes[name]) for name, text in labels.items()]
    placed = place_labels(requests, list(boxes.values()), gap=0.03 * sheet.cell)
    outlines = [text_outline(label.text, label.x, label.y, sheet.lettering) for label in placed]
    halo = symbols.fill(outlines, style.HALO, style.HALO, _HALO * sheet.lettering)
    return [halo, symbols.fill(outlines, style.INK)]


def _request(scene: Scene, sheet: Sheet, name: str, text: str, box: Box) -> Request:
    """A label on one line or, where it has several words, on two."""
    words = text.split(" ")
    half = (len(words) + 1) // 2
    texts = [text] if len(words) == 1 else [text, " ".join(words[:half]) + "\n" + " ".join(words[half:])]
    wordings = tuple(_wording(text, sheet.lettering) for text in texts)
    rooms = (scene.room(number) for number in scene.pose_at(name, Heading.NORTH).rooms)
    return Request(wordings, box, tuple(sheet.cells(room.low, room.high) for room in rooms))


def _wording(text: str, letters: float) -> Wording:
    width, height = text_size(text, letters)
    return Wording(text, width + _HALO * letters, height + _HALO * letters)
