"""The shapes of a floor plan: walls, floors, doors, things and the agent, each drawn in points on a sheet."""

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.path import Path as Outline
from matplotlib.transforms import Bbox

from tolman.core.geometry import Cell, Heading
from tolman.render.plan import style
from tolman.render.plan.drawing import text_outline
from tolman.render.plan.placement import Box, Canvas
from tolman.world import Door, Item, Pose, Scene, Thing
from tolman.world.vocabulary import KIND_BY_NAME

_UNKNOWN_FOOTPRINT = (0.6, 0.6)
_FRONT_WIDTH, _FRONT_DEPTH = 0.26, 0.15
_ROOMY = 0.42
"""A thing at least this deep (cells) holds the mark of its front inside; a shallower one has it before the front."""
_LEAST_DOTTED_CELL = 9.0
_LEAST_BODY = 3.0
"""Points: the smallest side of a thing that can still be seen."""


def fill(
    outlines: Iterable[Outline], face: str | Sequence[str], edge: str = "none", line: float = 0.0, opacity: float = 1.0
) -> PathCollection:
    """Outlines as one artist; `line` is the width of their edges in points."""
    return PathCollection(
        list(outlines),
        facecolors=face,
        edgecolors=edge,
        linewidths=line,
        alpha=opacity,
        joinstyle="round",
        capstyle="round",
    )


def line_width(sheet: Canvas) -> float:
    """Width of edges in points: thin, but never lost."""
    return min(max(0.028 * sheet.cell, 0.5), 1.6)


def shell(scene: Scene, sheet: Canvas) -> list[Artist]:
    """Walls as dark boxes around all rooms, the floors laid over them, room numbers, and the grid of cells."""
    walls = [_rectangle(sheet.cells(room.low, room.high, grow=1.0)) for room in scene.rooms]
    floors = [_rectangle(sheet.cells(room.low, room.high)) for room in scene.rooms]
    openings = [_rectangle(sheet.cells(door.cell, door.cell)) for door in scene.doors]
    tones = [room.id for room in scene.rooms] + [door.rooms[0] for door in scene.doors]
    artists = [fill(walls, style.WALL), fill(floors + openings, [style.floor_colour(room) for room in tones])]
    for artist in artists:
        artist.set_antialiased(False)
    return [*artists, _room_numbers(scene, sheet), *_grid(scene, sheet)]


def _room_numbers(scene: Scene, sheet: Canvas) -> Artist:
    numerals: list[Outline] = []
    for room in scene.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        size = 0.4 * sheet.cell * min(x1 - x0 + 1, y1 - y0 + 1)
        numerals.append(text_outline(str(room.id), *sheet.at((x0 + x1) / 2, (y0 + y1) / 2), size))
    return fill(numerals, [style.numeral_colour(room.id) for room in scene.rooms])


def _grid(scene: Scene, sheet: Canvas) -> list[Artist]:
    """A dot in the middle of every cell of floor, where the sheet is large enough for dots to be told apart."""
    if sheet.cell < _LEAST_DOTTED_CELL:
        return []
    xs, ys = zip(*(sheet.at(*cell) for room in scene.rooms for cell in room.cells), strict=True)
    size = max(1.0, 0.055 * sheet.cell)
    return [Line2D(xs, ys, linestyle="none", marker="o", markersize=size, color=style.FAINT, markeredgewidth=0)]


def doors(scene: Scene, sheet: Canvas) -> list[Artist]:
    """A leaf of each door's colour across its opening."""
    leaves = [rounded(_leaf_box(door, sheet), 0.04 * sheet.cell) for door in scene.doors]
    return [fill(leaves, [style.door_colour(door.name) for door in scene.doors], style.INK, line_width(sheet))]


def _leaf_box(door: Door, sheet: Canvas) -> Box:
    width, height = (0.34, 1.0) if door.axis == "x" else (1.0, 0.34)
    return sheet.around(*door.cell, width, height)


def things(scene: Scene, sheet: Canvas) -> list[Artist]:
    """Footprints to scale, each with a triangle at its front."""
    bodies = [rounded(_body_box(thing, sheet), 0.09 * sheet.cell) for thing in scene.things]
    fronts = [_polygon(_front_corners(thing, thing.front), sheet) for thing in scene.things if thing.front is not None]
    return [fill(bodies, style.THING, style.THING_EDGE, line_width(sheet)), fill(fronts, style.INK)]


def symbol_box(item: Item, sheet: Canvas) -> Box:
    """What a label must keep clear of: a door's cell, or a thing's footprint with the mark of its front."""
    if isinstance(item, Door):
        return sheet.cells(item.cell, item.cell)
    box = _body_box(item, sheet)
    if item.front is None:
        return box
    xs, ys = zip(*(sheet.at(*corner) for corner in _front_corners(item, item.front)), strict=True)
    return min(box[0], *xs), min(box[1], *ys), max(box[2], *xs), max(box[3], *ys)


def _body_box(thing: Thing, sheet: Canvas) -> Box:
    width, depth = (max(side, _LEAST_BODY / sheet.cell) for side in _footprint(thing))
    if thing.front in (Heading.EAST, Heading.WEST):
        width, depth = depth, width
    return sheet.around(*thing.cell, width, depth)


def _footprint(thing: Thing) -> tuple[float, float]:
    """Width and depth in cells, which are metres."""
    kind = KIND_BY_NAME.get(thing.category)
    return _UNKNOWN_FOOTPRINT if kind is None else (kind.width, kind.depth)


def _front_corners(thing: Thing, front: Heading) -> list[tuple[float, float]]:
    """Corners of the triangle at a thing's front, in the world frame."""
    _, depth = _footprint(thing)
    base = depth / 2 - _FRONT_DEPTH - 0.07 if depth >= _ROOMY else depth / 2 + 0.05
    corners = ((-_FRONT_WIDTH / 2, base), (_FRONT_WIDTH / 2, base), (0.0, base + _FRONT_DEPTH))
    return [_turned(thing.cell, front, *corner) for corner in corners]


def agent(cell: Cell, heading: Heading, sheet: Canvas, *, here: bool) -> list[Artist]:
    """A disc with an arrow along the heading: solid where the agent is, hollow where it only began."""
    radius = _agent_radius(sheet)
    arrow = ((0.0, 0.66), (0.46, -0.5), (0.0, -0.24), (-0.46, -0.5))
    kite = [_turned(cell, heading, radius * right, radius * ahead) for right, ahead in arrow]
    disc = Outline.circle(sheet.at(*cell), radius * sheet.cell)
    back, front, edge = (style.AGENT, style.HALO, style.HALO) if here else (style.HALO, style.AGENT, style.AGENT)
    return [fill([disc], back, edge, 1.4 * line_width(sheet)), fill([_polygon(kite, sheet)], front)]


def agent_box(cell: Cell, sheet: Canvas) -> Box:
    """What a label must keep clear of where the agent stands."""
    return sheet.around(*cell, 2 * _agent_radius(sheet), 2 * _agent_radius(sheet))


def _agent_radius(sheet: Canvas) -> float:
    """Radius of the agent's disc in cells: a third of one, or more where that would be too small to see."""
    return max(0.32, 5.0 / sheet.cell)


def field_of_view(scene: Scene, pose: Pose, sheet: Canvas) -> list[Artist]:
    """The 90-degree view ahead, on the floors and in the doorways of the rooms in which one stands."""
    far = 2.0 * scene.extent
    corners = ((0.0, 0.0), (far, far), (-far, far))
    view = _polygon([_turned(pose.cell, pose.heading, *corner) for corner in corners], sheet)
    boxes = [sheet.cells(scene.room(n).low, scene.room(n).high) for n in pose.rooms]
    boxes += [sheet.cells(d.cell, d.cell) for d in scene.doors if not set(d.rooms).isdisjoint(pose.rooms)]
    parts = [view.clip_to_bbox(Bbox.from_extents(*box)) for box in boxes]
    return [fill([part for part in parts if np.size(part.vertices)], style.AGENT, opacity=0.17)]


def _turned(cell: Cell, heading: Heading, right: float, ahead: float) -> tuple[float, float]:
    """World position of a point so many cells to the right and ahead, for someone on a cell with that heading."""
    dx, dy = heading.vector
    return cell[0] + dy * right + dx * ahead, cell[1] - dx * right + dy * ahead


def _polygon(corners: Sequence[tuple[float, float]], sheet: Canvas) -> Outline:
    return Outline([sheet.at(*corner) for corner in (*corners, corners[0])], closed=True)


def _rectangle(box: Box) -> Outline:
    x0, y0, x1, y1 = box
    return Outline([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], closed=True)


def rounded(box: Box, radius: float) -> Outline:
    """A rectangle with round corners of that radius in points, or as much of it as fits."""
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
