"""Walls with holes: the slabs that are left around doors and windows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tolman.render.building.measures import CEILING

Box = tuple[tuple[float, float, float], tuple[float, float, float]]


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

    def slabs(self) -> Iterator[Box]:
        """All of it but its openings."""
        at = self.start
        for hole in sorted(self.openings, key=lambda hole: hole.start):
            yield self.box(at, hole.start, 0.0, CEILING)
            if hole.low > 0:
                yield self.box(hole.start, hole.end, 0.0, hole.low)
            yield self.box(hole.start, hole.end, hole.high, CEILING)
            at = hole.end
        yield self.box(at, self.end, 0.0, CEILING)

    def box(self, start: float, end: float, low: float, high: float, depth: tuple[float, float] | None = None) -> Box:
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
