"""Bodies turned on a lathe: a profile of radius and height carried around the z axis."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.surface import TILE, Floats, grid_triangles, joined, outward, skin

CREASE = 38.0
"""Degrees by which a profile must bend for an edge to be seen there."""


def lathe(profile: Sequence[tuple[float, float]] | Floats, material: Material, sides: int = 24) -> Mesh:
    """A profile of (radius, z) from the underside to the top. Closed where it begins and ends on the axis."""
    line = np.array(profile, np.float64)
    pieces = [_band(piece, material, sides) for piece in smooth_runs(line)]
    return outward(joined(pieces))


def smooth_runs(line: Floats, crease: float = CREASE) -> list[Floats]:
    """An open line of points, cut where it bends sharply. Points that repeat the one before are left out."""
    keep = np.concatenate([[True], np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-9])
    line = line[keep]
    step = np.diff(line, axis=0)
    angle = np.unwrap(np.arctan2(step[:, 1], step[:, 0]))
    bend = np.abs(np.degrees(np.diff(angle)))
    cuts = [0, *(np.flatnonzero(bend > crease) + 1), len(line) - 1]
    return [line[a : b + 1] for a, b in pairwise(cuts)]


def line_normals(line: Floats) -> Floats:
    """Right of the way along a line in a plane, at each of its points."""
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
    triangles = grid_triangles(len(line), sides + 1)
    return skin(points.reshape(-1, 3), triangles, normals.reshape(-1, 3), coordinates.reshape(-1, 2), material)
