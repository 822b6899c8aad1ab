"""Meshes from rows of points: surfaces of revolution, tubes, capsules, and lofts through several sections."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.mesh import AXES, Axis, Material, Mesh, Texture, Triangles

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]

TILE = 0.5
"""Metres over which a texture repeats."""


def points_of(text: str) -> Floats:
    """Points as rows, written as in SVG: coordinates with commas between them, points with spaces."""
    return np.array([[float(number) for number in point.split(",")] for point in text.split()])


def polar(radius: float, angle: float, z: float = 0.0) -> Vector:
    """The point at a distance from the z axis, at an angle in radians from x towards y."""
    return radius * math.cos(angle), radius * math.sin(angle), z


def smooth_mesh(points: Floats, triangles: Triangles, normals: Floats, coordinates: Floats, material: Material) -> Mesh:
    """A mesh with smooth normals; `coordinates`, in metres on the surface, are used if the material has a texture."""
    length = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    textured = isinstance(material.colour, Texture)
    return Mesh(
        points=points.astype(np.float32),
        triangles=triangles.astype(np.int32),
        material=material,
        normals=(normals / length).astype(np.float32),
        coordinates=(coordinates / TILE).astype(np.float32) if textured else None,
    )


def joined(meshes: list[Mesh]) -> Mesh:
    """Several meshes as one, with the material of the first."""
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]
    normals = [mesh.normals for mesh in meshes if mesh.normals is not None]
    coordinates = [mesh.coordinates for mesh in meshes if mesh.coordinates is not None]
    return Mesh(
        points=np.concatenate([mesh.points for mesh in meshes]),
        triangles=np.concatenate(triangles).astype(np.int32),
        material=meshes[0].material,
        normals=np.concatenate(normals) if len(normals) == len(meshes) else None,
        coordinates=np.concatenate(coordinates) if len(coordinates) == len(meshes) else None,
    )


def grid_triangles(rows: int, columns: int) -> Triangles:
    """Two triangles for each cell of a grid of points, which are listed row by row."""
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = first, first + 1, first + columns + 1, first + columns
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.int32)


def grid_mesh(
    grid: Floats, normals: Floats, material: Material, coordinates: Floats | None = None, *, inverted: bool = False
) -> Mesh:
    """A smooth surface through a grid of points (rows, columns, xyz); its coordinates are x and y unless given."""
    flat, triangles = grid.reshape(-1, 3), grid_triangles(*grid.shape[:2])
    across = flat[:, :2] if coordinates is None else coordinates.reshape(-1, 2)
    return smooth_mesh(flat, triangles[:, ::-1] if inverted else triangles, normals.reshape(-1, 3), across, material)


def fan(ring: Floats, normal: Floats, material: Material) -> Mesh:
    """A flat lid on a star-shaped ring of points."""
    middle = ring.mean(axis=0)
    points = np.vstack([middle, ring])
    n = len(ring)
    triangles = np.stack([np.zeros(n), 1 + np.arange(n), 1 + (np.arange(n) + 1) % n], 1).astype(np.int32)
    first, second = ring[0] - middle, np.cross(normal, ring[0] - middle)
    across = [(points - middle) @ (axis / max(float(np.linalg.norm(axis)), 1e-12)) for axis in (first, second)]
    turned = np.cross(ring - middle, np.roll(ring, -1, axis=0) - middle).sum(axis=0) @ normal
    triangles = triangles if turned > 0 else triangles[:, ::-1]
    return smooth_mesh(points, triangles, np.tile(normal, (n + 1, 1)), np.stack(across, 1), material)


def volume(mesh: Mesh) -> float:
    """Cubic metres inside a mesh, any hole closed from its centre; negative if it is inside out."""
    points = mesh.points.astype(np.float64) - mesh.points.mean(axis=0, dtype=np.float64)
    a, b, c = (points[mesh.triangles[:, i]] for i in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


def outward(mesh: Mesh) -> Mesh:
    """The closed mesh with triangles and normals facing outwards."""
    triangles = mesh.triangles if volume(mesh) > 0 else mesh.triangles[:, ::-1]
    a, b, c = (mesh.points[triangles[:, i]] for i in range(3))
    normals = mesh.normals
    if normals is not None:
        agree = (np.cross(b - a, c - a) * normals[triangles].sum(axis=1)).sum()
        normals = normals if agree > 0 else -normals
    return Mesh(mesh.points, triangles, mesh.material, normals, mesh.coordinates)


CREASE = 38.0
"""Degrees of bend from which on a profile has an edge."""


def lathe(profile: Sequence[tuple[float, float]] | Floats, material: Material, sides: int = 24) -> Mesh:
    """A surface of revolution from a profile of (radius, z), bottom to top; closed if both ends are on the axis."""
    line = np.array(profile, np.float64)
    pieces = [_band(piece, material, sides) for piece in smooth_runs(line)]
    return outward(joined(pieces))


def smooth_runs(line: Floats, crease: float = CREASE) -> list[Floats]:
    """An open line of points split where it bends sharply, without repeated points."""
    keep = np.concatenate([[True], np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-9])
    line = line[keep]
    step = np.diff(line, axis=0)
    angle = np.unwrap(np.arctan2(step[:, 1], step[:, 0]))
    bend = np.abs(np.degrees(np.diff(angle)))
    cuts = [0, *(np.flatnonzero(bend > crease) + 1), len(line) - 1]
    return [line[a : b + 1] for a, b in pairwise(cuts)]


def line_normals(line: Floats) -> Floats:
    """Normals to the right of a plane line at each of its points."""
    step = np.diff(line, axis=0)
    step /= np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-12)
    mean = np.vstack([step[:1], (step[1:] + step[:-1]) / 2, step[-1:]])
    return np.stack([mean[:, 1], -mean[:, 0]], 1)


def _band(line: Floats, material: Material, sides: int) -> Mesh:
    around = np.linspace(0, 2 * np.pi, sides + 1)
    cos, sin = np.cos(around), np.sin(around)
    cos[-1], sin[-1] = cos[0], sin[0]
    normal = line_normals(line)
    points = np.stack([line[:, :1] * cos, line[:, :1] * sin, line[:, 1:] + 0 * cos], -1)
    normals = np.stack([normal[:, :1] * cos, normal[:, :1] * sin, normal[:, 1:] + 0 * cos], -1)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    turns = max(1.0, round(2 * np.pi * float(line[:, 0].max()) / TILE)) * TILE
    coordinates = np.stack(np.broadcast_arrays(length[:, None], turns * around / (2 * np.pi)), -1)
    return grid_mesh(points, normals, material, coordinates)


def tube(
    path: Sequence[Vector] | Floats,
    radius: float | Sequence[float],
    material: Material,
    sides: int = 8,
    *,
    loop: bool = False,
) -> Mesh:
    """A round bar along a path, which is closed if `loop`; `radius` may differ from point to point."""
    line = np.array(path, np.float64)
    radii = np.broadcast_to(np.array(radius, np.float64), len(line))
    ahead = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0) if loop else np.gradient(line, axis=0)
    across, above = _frames(ahead)
    angle = np.arange(sides) * 2 * np.pi / sides
    ring = across[:, None] * np.cos(angle)[:, None] + above[:, None] * np.sin(angle)[:, None]
    return loft(list(line[:, None] + ring * radii[:, None, None]), material, loop=loop)


def capsule(a: Vector, b: Vector, radius: float, material: Material, end: float | None = None, sides: int = 10) -> Mesh:
    """A rod with round ends around a and b; `end` is its radius at b if that differs."""
    first, last = np.array(a, np.float64), np.array(b, np.float64)
    axis = (last - first) / max(float(np.linalg.norm(last - first)), 1e-9)
    end_radius = radius if end is None else end
    tilt = np.linspace(-np.pi / 2, 0, 4)
    start_cap = [(first + axis * radius * np.sin(t), radius * np.cos(t)) for t in tilt]
    end_cap = [(last - axis * end_radius * np.sin(t), end_radius * np.cos(t)) for t in tilt[::-1]]
    across, above = _frames(np.array([axis]))
    angle = np.arange(sides) * 2 * np.pi / sides
    ring = across * np.cos(angle)[:, None] + above * np.sin(angle)[:, None]
    return loft([centre + ring * max(r, 1e-5) for centre, r in start_cap + end_cap], material, lids=False)


def loft(rings: Sequence[Floats], material: Material, *, loop: bool = False, lids: bool = True) -> Mesh:
    """A smooth surface through rings of equally many points, with flat lids; `loop` joins the last and first ring."""
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
    body = outward(grid_mesh(grid, normals, material, coordinates))
    return body if loop or not lids else joined([body, *_lids(rings, material)])


def _lids(rings: Sequence[Floats], material: Material) -> list[Mesh]:
    lids: list[Mesh] = []
    for ring, inner in ((rings[0], rings[1]), (rings[-1], rings[-2])):
        normal = np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0)
        outwards = ring.mean(axis=0) - inner.mean(axis=0)
        normal = _unit(normal) if np.linalg.norm(normal) > 1e-12 else _unit(outwards)
        lids.append(fan(ring, normal if normal @ outwards > 0 else -normal, material))
    return lids


def _frames(ahead: Floats) -> tuple[Floats, Floats]:
    """Two directions normal to a path at each point, with as little twist as possible."""
    across, above = np.empty_like(ahead), np.empty_like(ahead)
    last = np.eye(3)[int(np.abs(ahead[0]).argmin())]
    for i, direction in enumerate(ahead):
        forward = _unit(direction)
        if abs(last @ forward) > 0.999:
            last = np.eye(3)[int(np.abs(forward).argmin())]
        across[i] = _unit(last - (last @ forward) * forward)
        above[i] = np.cross(forward, across[i])
        last = across[i]
    return across, above


def _unit(vector: Floats) -> Floats:
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


def circle(radius: float, at: Vector, axis: Axis = "z", number: int = 24) -> Floats:
    """Points of a circle about `at`, normal to an axis."""
    angle = np.arange(number) * 2 * np.pi / number
    i = AXES.index(axis)
    points = np.tile(np.array(at, np.float64), (number, 1))
    points[:, (i + 1) % 3] += radius * np.cos(angle)
    points[:, (i + 2) % 3] += radius * np.sin(angle)
    return points


def ring(radius: float, thickness: float, at: Vector, material: Material, axis: Axis = "z", sides: int = 8) -> Mesh:
    """A torus about `at`: tyres, rims, hoops. `thickness` is the radius of its bar."""
    return tube(circle(radius, at, axis, max(16, min(40, round(120 * radius)))), thickness, material, sides, loop=True)
