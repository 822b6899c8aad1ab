"""Symbols of a floor plan: walls, floors, doors, things and the agent, in points of a canvas."""

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
from tolman.world.vocabulary import KIND_BY_NAME, door_colour

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
    artists = [fill(walls, style.WALL), fill(floors + openings, [style.floor_colour(room) for room in tones])]
    for artist in artists:
        artist.set_antialiased(False)
    numerals: list[Outline] = []
    for room in scene.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        size = 0.4 * canvas.cell * min(x1 - x0 + 1, y1 - y0 + 1)
        numerals.append(text_outline(str(room.id), *canvas.at((x0 + x1) / 2, (y0 + y1) / 2), size))
    return [*artists, fill(numerals, [style.numeral_colour(room.id) for room in scene.rooms]), *_grid(scene, canvas)]


def _grid(scene: Scene, canvas: Canvas) -> list[Artist]:
    """A dot in the middle of every floor cell, if cells are large enough."""
    if canvas.cell < _LEAST_DOTTED_CELL:
        return []
    xs, ys = zip(*(canvas.at(*cell) for room in scene.rooms for cell in room.cells), strict=True)
    size = max(1.0, 0.055 * canvas.cell)
    return [Line2D(xs, ys, linestyle="none", marker="o", markersize=size, color=style.FAINT, markeredgewidth=0)]


def doors(scene: Scene, canvas: Canvas) -> list[Artist]:
    """A bar of each door's colour across its opening."""
    leaves = [rounded(_leaf_box(door, canvas), 0.04 * canvas.cell) for door in scene.doors]
    return [fill(leaves, [door_colour(door.name) for door in scene.doors], style.INK, line_width(canvas))]


def _leaf_box(door: Door, canvas: Canvas) -> Box:
    width, height = (0.34, 1.0) if door.axis == "x" else (1.0, 0.34)
    return canvas.around(*door.cell, width, height)


def things(scene: Scene, canvas: Canvas) -> list[Artist]:
    """Footprints to scale, each with a triangle at its front."""
    bodies = [rounded(_body_box(thing, canvas), 0.09 * canvas.cell) for thing in scene.things]
    fronts = [_polygon(_front_corners(thing, thing.front), canvas) for thing in scene.things if thing.front is not None]
    return [fill(bodies, style.THING, style.THING_EDGE, line_width(canvas)), fill(fronts, style.INK)]


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
    back, front, edge = (style.AGENT, style.HALO, style.HALO) if here else (style.HALO, style.AGENT, style.AGENT)
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
    return [fill([part for part in parts if np.size(part.vertices)], style.AGENT, opacity=0.17)]


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
