"""Dimensions of rooms in metres, and walls as slabs with openings for doors and windows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.mesh import Material, Mesh

CEILING = 2.6
WALL = 0.1
"""Thickness of a wall. It stands in the middle of the cells between rooms: rooms are wider than their floor cells.
Thin, so that who stands in a doorway sees what is beside the wall, one cell off and up to seven cells along it."""
DOOR_WIDTH, DOOR_HEIGHT = 0.9, 2.05
FRAME = 0.07
SKIRTING_HEIGHT, SKIRTING_DEPTH = 0.09, 0.015
WINDOW_SILL, WINDOW_TOP = 0.85, 2.15
EYE = 0.8
"""Height of a camera, as published."""


SlabCorner = tuple[float, float, float]

_FACES = (
    (0, False, (1, 2)),
    (0, True, (1, 2)),
    (1, False, (0, 2)),
    (1, True, (0, 2)),
    (2, False, (0, 1)),
    (2, True, (0, 1)),
)
"""For each face the axis it is across, whether it is the higher one, and the axes along it."""


def slab(low: SlabCorner, high: SlabCorner, material: Material, repeat: float = 1.0) -> Mesh:
    """The box between two corners. A texture repeats every so many metres, counted from the world's origin."""
    ends = np.array([low, high], np.float64)
    quads: list[NDArray[np.float64]] = []
    flat: list[NDArray[np.float64]] = []
    for across, upper, (u, v) in _FACES:
        quad = np.empty((4, 3))
        quad[:, across] = ends[int(upper), across]
        quad[:, u] = ends[[0, 1, 1, 0], u]
        quad[:, v] = ends[[0, 0, 1, 1], v]
        if upper == (across == 1):
            quad = quad[::-1]
        quads.append(quad)
        flat.append(quad[:, [u, v]] / repeat)
    triangles = np.concatenate([[[i, i + 1, i + 2], [i, i + 2, i + 3]] for i in range(0, 24, 4)])
    return Mesh(
        np.concatenate(quads).astype(np.float32),
        triangles.astype(np.int32),
        material,
        coordinates=np.concatenate(flat).astype(np.float32),
    )


SlabBox = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True)
class Opening:
    """A hole in a wall: from where to where along it, and between which heights. Metres."""

    start: float
    end: float
    low: float
    high: float


@dataclass(frozen=True)
class Wall:
    """Half a wall, as thick as one room sees it. It runs along x or y."""

    along: int
    """0 for one that runs from west to east, 1 for one from south to north."""
    start: float
    end: float
    inner: float
    """Where on the other axis the face towards the room is."""
    outer: float
    openings: tuple[Opening, ...] = ()

    def slabs(self) -> Iterator[SlabBox]:
        """All of it but its openings."""
        at = self.start
        for hole in sorted(self.openings, key=lambda hole: hole.start):
            yield self.box(at, hole.start, 0.0, CEILING)
            if hole.low > 0:
                yield self.box(hole.start, hole.end, 0.0, hole.low)
            yield self.box(hole.start, hole.end, hole.high, CEILING)
            at = hole.end
        yield self.box(at, self.end, 0.0, CEILING)

    def box(
        self, start: float, end: float, low: float, high: float, depth: tuple[float, float] | None = None
    ) -> SlabBox:
        """A box in the wall, or as far to the sides of its inner face as `depth` says: outwards, and into the room."""
        near, far = sorted((self.inner, self.outer))
        if depth is not None:
            away = 1 if self.outer > self.inner else -1
            near, far = sorted((self.inner + away * depth[0], self.inner - away * depth[1]))
        if self.along == 0:
            return (start, near, low), (end, far, high)
        return (near, start, low), (far, end, high)

    def without(self, holes: Sequence[Opening]) -> list[tuple[float, float]]:
        """Stretches of the wall's foot that no opening interrupts."""
        stretches: list[tuple[float, float]] = []
        at = self.start
        for hole in sorted((hole for hole in holes if hole.low == 0), key=lambda hole: hole.start):
            stretches.append((at, hole.start))
            at = hole.end
        return [*stretches, (at, self.end)]
