"""Dimensions of rooms in metres, and walls as slabs with openings for doors and windows."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.mesh import Material, Mesh

CEILING = 2.6
WALL = 0.1
"""Thickness of a wall, which runs through the middle of its cells: rooms are wider than their floor cells. It is thin,
so that from a doorway things beside the wall, one cell off and up to seven cells along it, are visible."""
DOOR_WIDTH, DOOR_HEIGHT = 0.9, 2.05
FRAME = 0.07
SKIRTING_HEIGHT, SKIRTING_DEPTH = 0.09, 0.015
EYE = 0.8
"""Height of the camera, as published."""

SlabCorner = tuple[float, float, float]

_FACES = (
    (0, False, (1, 2)),
    (0, True, (1, 2)),
    (1, False, (0, 2)),
    (1, True, (0, 2)),
    (2, False, (0, 1)),
    (2, True, (0, 1)),
)
"""For each face the axis of its normal, whether it is the upper one, and the axes along it."""


def slab(low: SlabCorner, high: SlabCorner, material: Material, repeat: float = 1.0) -> Mesh:
    """The box between two corners. A texture repeats every `repeat` metres from the world's origin, and is never
    mirrored seen from outside."""
    ends = np.array([low, high], np.float64)
    quads: list[NDArray[np.float64]] = []
    flat: list[NDArray[np.float64]] = []
    for normal, upper, (u, v) in _FACES:
        quad = np.empty((4, 3))
        quad[:, normal] = ends[int(upper), normal]
        quad[:, u] = ends[[0, 1, 1, 0], u]
        quad[:, v] = ends[[0, 0, 1, 1], v]
        mirrored = upper == (normal == 1)
        if mirrored:
            quad = quad[::-1]
        quads.append(quad)
        flat.append(quad[:, [u, v]] * (-1 if mirrored else 1, 1) / repeat)
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
    """A hole in a wall: its ends along the wall, and its lower and upper edge. Metres."""

    start: float
    end: float
    low: float
    high: float


@dataclass(frozen=True)
class Wall:
    """One room's side of a wall. Metres."""

    along: int
    """Axis of the wall: 0 for x (west to east), 1 for y (south to north)."""
    start: float
    end: float
    inner: float
    """Coordinate on the other axis of the face towards the room."""
    outer: float
    openings: tuple[Opening, ...] = ()

    def slabs(self) -> Iterator[SlabBox]:
        """The wall without its openings."""
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
        """A box as thick as the wall, or with `depth` as far from its inner face: outwards, and into the room."""
        near, far = sorted((self.inner, self.outer))
        if depth is not None:
            sign = 1 if self.outer > self.inner else -1
            near, far = sorted((self.inner + sign * depth[0], self.inner - sign * depth[1]))
        if self.along == 0:
            return (start, near, low), (end, far, high)
        return (near, start, low), (far, end, high)

    def foot_sections(self) -> list[tuple[float, float]]:
        """Sections of the wall's foot between doors."""
        sections: list[tuple[float, float]] = []
        at = self.start
        for hole in sorted((hole for hole in self.openings if hole.low == 0), key=lambda hole: hole.start):
            sections.append((at, hole.start))
            at = hole.end
        return [*sections, (at, self.end)]
