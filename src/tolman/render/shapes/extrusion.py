"""Plane outlines, and their extrusion to solids."""

from collections.abc import Sequence

import numpy as np

from tolman.render.shapes.mesh import Axis, Material, Mesh
from tolman.render.shapes.sweep import Floats, Triangles, grid_triangles, joined, line_normals, smooth_mesh, smooth_runs

Flat = Sequence[tuple[float, float]] | Floats
_PLANES: dict[Axis, tuple[int, int, int]] = {"z": (0, 1, 2), "x": (1, 2, 0), "y": (0, 2, 1)}
"""World axes of the outline's two axes and of its depth."""


def extrusion(
    outline: Flat, span: tuple[float, float], material: Material, along: Axis = "z", bevel: float = 0.0
) -> Mesh:
    """An outline without holes extruded between two depths: in x, y along z; in y, z along x; in x, z along y."""
    line = np.array(outline, np.float64)
    if _area(line) < 0:
        line = line[::-1]
    low, high = min(span), max(span)
    inner = inset(line, bevel)
    lids = [_lid(inner, low, -1.0, material), _lid(inner, high, 1.0, material)]
    bands = [_band(run, rim, (low, high), bevel, material) for run, rim in _runs(line, inner)]
    mesh = joined([*lids, *bands])
    order = _PLANES[along]
    back = np.argsort(order)
    flipped = along == "y"
    triangles = mesh.triangles[:, ::-1] if flipped else mesh.triangles
    normals = None if mesh.normals is None else mesh.normals[:, back]
    return Mesh(mesh.points[:, back], triangles, material, normals, mesh.coordinates)


def inset(line: Floats, by: float) -> Floats:
    """An anticlockwise closed outline moved inwards on all sides."""
    if by <= 0:
        return line
    step = np.roll(line, -1, axis=0) - line
    step /= np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-12)
    left = np.stack([-step[:, 1], step[:, 0]], 1)
    mitre = left + np.roll(left, 1, axis=0)
    mitre /= np.maximum((mitre * left).sum(axis=1, keepdims=True), 0.35)
    return line + by * mitre


def rounded(width: float, height: float, radius: float, steps: int = 4) -> list[tuple[float, float]]:
    """A rectangle with rounded corners, centred on the origin."""
    r = min(radius, width / 2 - 1e-6, height / 2 - 1e-6)
    angles = np.linspace(0, np.pi / 2, steps + 1)
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return [
        (
            sx * (width / 2 - r) + r * float(np.cos(a + i * np.pi / 2)),
            sy * (height / 2 - r) + r * float(np.sin(a + i * np.pi / 2)),
        )
        for i, (sx, sy) in enumerate(corners)
        for a in angles
    ]


def curve(points: Sequence[tuple[float, ...]] | Floats, steps: int = 4, *, loop: bool = False) -> Floats:
    """A Catmull-Rom spline through some points, with `steps` between each two."""
    line = np.array(points, np.float64)
    ends = (line[-1:], line[:2]) if loop else (2 * line[:1] - line[1:2], 2 * line[-1:] - line[-2:-1])
    padded = np.concatenate([ends[0], line, ends[1]])
    t = (np.arange(steps) / steps)[:, None]
    parts: list[Floats] = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        parts.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.concatenate(parts if loop else [*parts, line[-1:]])


def _runs(line: Floats, inner: Floats) -> list[tuple[Floats, Floats]]:
    """The closed line split at its sharp corners, each piece with the same piece of the inset line."""
    both = np.concatenate([line, inner], axis=1)
    step = np.roll(line, -1, axis=0) - line
    bend = np.abs(
        np.angle(np.exp(1j * np.diff(np.arctan2(step[:, 1], step[:, 0]), prepend=np.arctan2(*step[-1, ::-1]))))
    )
    sharpest = int(bend.argmax())
    both = np.roll(both, -sharpest, axis=0)
    both = np.concatenate([both, both[:1]])
    pieces: list[tuple[Floats, Floats]] = []
    start = 0
    for run in smooth_runs(both[:, :2]):
        piece = both[start : start + len(run)]
        pieces.append((piece[:, :2], piece[:, 2:]))
        start += len(run) - 1
    return pieces


def _band(run: Floats, rim: Floats, span: tuple[float, float], bevel: float, material: Material) -> Mesh:
    """The side along a piece of the outline, with its bevels up to the lids."""
    low, high = span
    levels = (
        [(rim, low), (run, low + bevel), (run, high - bevel), (rim, high)] if bevel > 0 else [(run, low), (run, high)]
    )
    points = np.stack([np.column_stack([line, np.full(len(line), z)]) for line, z in levels])
    normals = np.tile(np.column_stack([line_normals(run), np.zeros(len(run))]), (len(levels), 1, 1))
    if bevel > 0:
        normals[0], normals[-1] = (0, 0, -1), (0, 0, 1)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(run, axis=0), axis=1))])
    heights = np.array([z for _, z in levels])
    coordinates = np.stack(np.broadcast_arrays(length[None], heights[:, None]), -1).reshape(-1, 2)
    triangles = grid_triangles(len(levels), len(run))
    return smooth_mesh(points.reshape(-1, 3), triangles, normals.reshape(-1, 3), coordinates, material)


def _lid(line: Floats, z: float, up: float, material: Material) -> Mesh:
    points = np.column_stack([line, np.full(len(line), z)])
    triangles = _ears(line)
    return smooth_mesh(
        points, triangles if up > 0 else triangles[:, ::-1], np.tile([0.0, 0.0, up], (len(line), 1)), line, material
    )


def _area(line: Floats) -> float:
    x, y = line.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def _ears(line: Floats) -> Triangles:
    """Triangles of an anticlockwise outline, by ear clipping."""
    left = list(range(len(line)))
    triangles: list[tuple[int, int, int]] = []
    while len(left) > 3:
        ear = next((i for i in range(len(left)) if _is_ear(line, left, i)), 0)
        triangles.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return np.array([*triangles, tuple(left)], np.int32)


def _is_ear(line: Floats, left: list[int], i: int) -> bool:
    a, b, c = line[left[i - 1]], line[left[i]], line[left[(i + 1) % len(left)]]
    if _side(a, b, c) <= 1e-15:
        return False
    others = np.array([line[j] for k, j in enumerate(left) if k not in ((i - 1) % len(left), i, (i + 1) % len(left))])
    inside = (_side(a, b, others) >= 0) & (_side(b, c, others) >= 0) & (_side(c, a, others) >= 0)
    return not inside.any()


def _side(a: Floats, b: Floats, c: Floats) -> Floats:
    return (b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0])
