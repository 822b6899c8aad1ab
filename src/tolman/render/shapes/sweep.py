"""Bodies made by carrying a section along a way: tubes, capsules, and lofts through several sections."""

from collections.abc import Sequence

import numpy as np

from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.surface import Floats, Vector, fan, grid_triangles, joined, outward, skin
from tolman.render.shapes.transforms import AXES, Axis


def tube(
    path: Sequence[Vector] | Floats,
    radius: float | Sequence[float],
    material: Material,
    sides: int = 8,
    *,
    loop: bool = False,
) -> Mesh:
    """A round bar along a path; `radius` may differ from point to point. A loop ends where it began."""
    way = np.array(path, np.float64)
    radii = np.broadcast_to(np.array(radius, np.float64), len(way))
    ahead = np.roll(way, -1, axis=0) - np.roll(way, 1, axis=0) if loop else np.gradient(way, axis=0)
    across, above = _frames(ahead)
    angle = np.arange(sides) * 2 * np.pi / sides
    ring = across[:, None] * np.cos(angle)[:, None] + above[:, None] * np.sin(angle)[:, None]
    return loft(list(way[:, None] + ring * radii[:, None, None]), material, loop=loop)


def capsule(a: Vector, b: Vector, radius: float, material: Material, end: float | None = None, sides: int = 10) -> Mesh:
    """A rod with round ends around a and b; `end` is its radius at b where that differs."""
    first, last = np.array(a, np.float64), np.array(b, np.float64)
    way = (last - first) / max(float(np.linalg.norm(last - first)), 1e-9)
    far = radius if end is None else end
    tilt = np.linspace(-np.pi / 2, 0, 4)
    begin = [(first + way * radius * np.sin(t), radius * np.cos(t)) for t in tilt]
    finish = [(last - way * far * np.sin(t), far * np.cos(t)) for t in tilt[::-1]]
    stations = begin + finish
    across, above = _frames(np.array([way]))
    angle = np.arange(sides) * 2 * np.pi / sides
    ring = across * np.cos(angle)[:, None] + above * np.sin(angle)[:, None]
    return loft([middle + ring * max(r, 1e-5) for middle, r in stations], material, lids=False)


def loft(rings: Sequence[Floats], material: Material, *, loop: bool = False, lids: bool = True) -> Mesh:
    """A smooth skin through rings of equally many points, with flat lids; a loop joins the last ring to the first."""
    grid = np.stack([*rings, rings[0]] if loop else list(rings))
    grid = np.concatenate([grid, grid[:, :1]], axis=1)
    around = np.gradient(np.concatenate([grid[:, -2:-1], grid, grid[:, 1:2]], axis=1), axis=1)[:, 1:-1]
    padded = np.concatenate([grid[-2:-1], grid, grid[1:2]]) if loop else grid
    along = np.gradient(padded, axis=0)[1:-1] if loop else np.gradient(grid, axis=0)
    normals = np.cross(around, along)
    size = np.linalg.norm(np.diff(grid, axis=0), axis=2).mean(axis=1)
    length = np.concatenate([[0.0], np.cumsum(size)])
    girth = float(np.linalg.norm(np.diff(grid, axis=1), axis=2).mean())
    coordinates = np.stack(np.broadcast_arrays(length[:, None], girth * np.arange(len(grid[0]))), -1)
    side = skin(
        grid.reshape(-1, 3),
        grid_triangles(*grid.shape[:2]),
        normals.reshape(-1, 3),
        coordinates.reshape(-1, 2),
        material,
    )
    body = outward(side)
    return body if loop or not lids else joined([body, *_lids(rings, material)])


def _lids(rings: Sequence[Floats], material: Material) -> list[Mesh]:
    lids: list[Mesh] = []
    for ring, inner in ((rings[0], rings[1]), (rings[-1], rings[-2])):
        normal = np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0)
        away = ring.mean(axis=0) - inner.mean(axis=0)
        normal = _unit(normal) if np.linalg.norm(normal) > 1e-12 else _unit(away)
        lids.append(fan(ring, normal if normal @ away > 0 else -normal, material))
    return lids


def _frames(ahead: Floats) -> tuple[Floats, Floats]:
    """Two directions square to the way at each point, turning as little as they can."""
    across, above = np.empty_like(ahead), np.empty_like(ahead)
    last = np.eye(3)[int(np.abs(ahead[0]).argmin())]
    for i, way in enumerate(ahead):
        forward = _unit(way)
        if abs(last @ forward) > 0.999:
            last = np.eye(3)[int(np.abs(forward).argmin())]
        across[i] = _unit(last - (last @ forward) * forward)
        above[i] = np.cross(forward, across[i])
        last = across[i]
    return across, above


def _unit(vector: Floats) -> Floats:
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


def circle(radius: float, at: Vector, axis: Axis = "z", number: int = 24) -> Floats:
    """Points of a circle about `at`, square to an axis: a path for rings."""
    angle = np.arange(number) * 2 * np.pi / number
    i = AXES.index(axis)
    points = np.tile(np.array(at, np.float64), (number, 1))
    points[:, (i + 1) % 3] += radius * np.cos(angle)
    points[:, (i + 2) % 3] += radius * np.sin(angle)
    return points


def ring(radius: float, thickness: float, at: Vector, material: Material, axis: Axis = "z", sides: int = 8) -> Mesh:
    """A torus about `at`: tyres, rims, hoops. `thickness` is the radius of its bar."""
    return tube(circle(radius, at, axis, max(16, min(40, round(120 * radius)))), thickness, material, sides, loop=True)
