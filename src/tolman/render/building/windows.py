"""Windows: their kinds, frames, and the panes that ids and depth show although light passes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tolman.render.building.walls import WALL, Opening, Wall, slab
from tolman.render.camera import Camera
from tolman.render.engine.values import NOTHING, Floats, Hits
from tolman.render.shapes.mesh import Material, Mesh

_THICK, _THIN = 0.05, 0.025
"""Metres of a frame's bars, and of bars between panes."""


@dataclass(frozen=True)
class WindowKind:
    """A kind of window: metres from the floor to its edges, and where bars divide it, as shares of its sides."""

    sill: float
    top: float
    upright: tuple[float, ...] = ()
    level: tuple[float, ...] = ()
    """From the bottom."""


WINDOW_KINDS: dict[str, WindowKind] = {
    "casement": WindowKind(0.85, 2.15, (0.5,)),
    "fixed": WindowKind(0.8, 2.1),
    "cross": WindowKind(0.75, 2.2, (0.5,), (0.68,)),
    "sash": WindowKind(0.8, 2.2, (), (0.5,)),
    "lattice": WindowKind(0.85, 2.15, (1 / 3, 2 / 3), (1 / 3, 2 / 3)),
    "triple": WindowKind(0.9, 2.1, (0.25, 0.75)),
    "high": WindowKind(1.25, 2.2, (1 / 3, 2 / 3)),
    "low": WindowKind(0.45, 2.2, (0.5,), (0.3,)),
}
"""By name."""


def window_frame(wall: Wall, hole: Opening, kind: WindowKind, trim: Material) -> Iterator[Mesh]:
    """The frame of a window, its bars, and a sill."""
    for start, end, low, high, depth in _bars(hole, kind):
        yield slab(*wall.box(start, end, low, high, depth), trim)
    yield slab(*wall.box(hole.start - 0.05, hole.end + 0.05, hole.low - 0.03, hole.low, (WALL, 0.06)), trim)


def _bars(hole: Opening, kind: WindowKind) -> Iterator[tuple[float, float, float, float, tuple[float, float]]]:
    """Ends, edges and depth of each bar; bars that cross have different depths, so that no faces coincide."""
    frame, upright, level = ((WALL * share, -WALL * 0.4) for share in (0.9, 0.82, 0.78))
    yield hole.start, hole.start + _THICK, hole.low, hole.high, frame
    yield hole.end - _THICK, hole.end, hole.low, hole.high, frame
    yield hole.start + _THICK, hole.end - _THICK, hole.low, hole.low + _THICK, frame
    yield hole.start + _THICK, hole.end - _THICK, hole.high - _THICK, hole.high, frame
    width, height = hole.end - hole.start, hole.high - hole.low
    for share in kind.upright:
        at = hole.start + share * width
        yield at - _THIN, at + _THIN, hole.low + _THICK, hole.high - _THICK, upright
    for share in kind.level:
        at = hole.low + share * height
        yield hole.start + _THICK, hole.end - _THICK, at - _THIN, at + _THIN, level


@dataclass(frozen=True)
class Pane:
    """The glass of a window, which the engine does not know: light passes it as if it were not there."""

    id: int
    """Of the window, or 0 if it is part of the building."""
    wall: Wall
    hole: Opening


def glazed(hits: Hits, camera: Camera, panes: Sequence[Pane]) -> Hits:
    """Hits in which rays that leave through a window hit its pane."""
    rows, columns = np.nonzero(hits.ids == NOTHING)
    if not panes or not len(rows):
        return hits
    origins, ways = camera.rays(rows.astype(np.float32) + 0.5, columns.astype(np.float32) + 0.5)
    depth, ids, normals = hits.depth.copy(), hits.ids.copy(), hits.normals.copy()
    nearest = np.full(len(rows), np.inf, np.float32)
    for pane in panes:
        far, inside = _crossing(origins, ways, pane)
        nearer = inside & (far < nearest)
        nearest = np.where(nearer, far, nearest)
        at = rows[nearer], columns[nearer]
        depth[at], ids[at], normals[at] = far[nearer], pane.id, _towards_room(pane)
    return replace(hits, depth=depth, ids=ids, normals=normals)


def _crossing(origins: Floats, ways: Floats, pane: Pane) -> tuple[Floats, NDArray[np.bool_]]:
    """Metres along each ray to the plane of a pane, and whether it crosses the pane there."""
    along, across = pane.wall.along, 1 - pane.wall.along
    way = ways[:, across]
    far = (pane.wall.outer - origins[:, across]) / np.where(np.abs(way) < 1e-9, np.float32(1e-9), way)
    place, height = origins[:, along] + far * ways[:, along], origins[:, 2] + far * ways[:, 2]
    hole = pane.hole
    inside = (far > 0) & (place >= hole.start) & (place <= hole.end) & (height >= hole.low) & (height <= hole.high)
    return far.astype(np.float32), inside


def _towards_room(pane: Pane) -> tuple[float, float, float]:
    sign = 1.0 if pane.wall.inner > pane.wall.outer else -1.0
    return (0.0, sign, 0.0) if pane.wall.along == 0 else (sign, 0.0, 0.0)
