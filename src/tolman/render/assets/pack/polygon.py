"""Polygons cut into triangles, also those with dents."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Corner = tuple[int, int, int]


def triangulated(
    points: NDArray[np.float64], first: NDArray[np.int64], count: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Many polygons at once: each is `count` rows of the points from row `first`.

    Gives for each triangle the polygon that it is cut from, and its three rows. Triangles keep the polygons' order.
    """
    threes, fours = np.flatnonzero(count == 3), np.flatnonzero(count == 4)
    faces = [threes, fours, fours]
    rows = [first[threes, None] + np.arange(3), *_halves(points, first[fours])]
    for polygon in np.flatnonzero(count > 4):
        start = int(first[polygon])
        places = np.array(triangles_of(points[start : start + int(count[polygon])]), dtype=np.int64)
        faces.append(np.full(len(places), polygon))
        rows.append(places + start)
    face = np.concatenate(faces)
    order = np.argsort(face, kind="stable")
    return face[order], np.concatenate(rows)[order]


def _halves(points: NDArray[np.float64], first: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both triangles of each four-cornered polygon, cut at the diagonal that lies inside."""
    rows = first[:, None] + np.arange(4)
    a, b, c, d = (points[rows[:, i]] for i in range(4))
    inside = (np.cross(b - a, c - a) * np.cross(c - a, d - a)).sum(axis=1) >= 0
    one = np.where(inside[:, None], rows[:, (0, 1, 2)], rows[:, (0, 1, 3)])
    two = np.where(inside[:, None], rows[:, (0, 2, 3)], rows[:, (1, 2, 3)])
    return one, two


def triangles_of(points: NDArray[np.float64]) -> list[Corner]:
    """Triangles that fill one polygon, as places in its list of corners: n - 2 of them, wound as it is."""
    flat = _flattened(points)
    if _bulges(flat):
        return [(0, i, i + 1) for i in range(1, len(flat) - 1)]
    return _clipped(flat)


def _flattened(points: NDArray[np.float64]) -> list[tuple[float, float]]:
    """The corners in the plane of the polygon, anticlockwise: the axis that it leans on most is dropped."""
    edges = points - points[0]
    normal = np.cross(edges[1:-1], edges[2:]).sum(axis=0)
    axis = int(np.argmax(np.abs(normal)))
    first, second = ((1, 2), (2, 0), (0, 1))[axis]
    sign = 1.0 if normal[axis] >= 0 else -1.0
    return [(float(p[first]) * sign, float(p[second])) for p in points]


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _bulges(flat: list[tuple[float, float]]) -> bool:
    count = len(flat)
    return all(_turn(flat[i - 1], flat[i], flat[(i + 1) % count]) >= 0 for i in range(count))


def _clipped(flat: list[tuple[float, float]]) -> list[Corner]:
    """Ears cut off one by one. A polygon that crosses itself has no ear at some point: the rest becomes a fan."""
    rest = list(range(len(flat)))
    found: list[Corner] = []
    while len(rest) > 3:
        ear = next((i for i in range(len(rest)) if _is_ear(flat, rest, i)), None)
        if ear is None:
            break
        found.append((rest[ear - 1], rest[ear], rest[(ear + 1) % len(rest)]))
        del rest[ear]
    return found + [(rest[0], rest[i], rest[i + 1]) for i in range(1, len(rest) - 1)]


def _is_ear(flat: list[tuple[float, float]], rest: list[int], place: int) -> bool:
    before, here, after = (flat[rest[(place + step) % len(rest)]] for step in (-1, 0, 1))
    if _turn(before, here, after) <= 0:
        return False
    others = (flat[i] for i in rest if flat[i] not in (before, here, after))
    return not any(
        _turn(before, here, p) >= 0 and _turn(here, after, p) >= 0 and _turn(after, before, p) >= 0 for p in others
    )
