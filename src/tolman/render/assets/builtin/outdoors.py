"""Trees, bushes, rocks, traffic cones and fire hydrants."""

import math
from itertools import pairwise

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import IRON, painted
from tolman.render.assets.builtin.plants import foliage
from tolman.render.shapes.extrusion import curve
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift, turn
from tolman.render.shapes.solids import ball, box, cylinder, disc
from tolman.render.shapes.sweep import Floats, grid_mesh, grid_triangles, lathe, points_of, polar, smooth_mesh, tube
from tolman.render.shapes.textures import mottled


def _bark(stream: Stream) -> Material:
    return Material(mottled(stream, *pick(stream, ("#3f2f22", "#6b5540"), ("#4a4038", "#7d6f60"))), roughness=0.95)


@register_asset("tree")
def tree(stream: Stream) -> Asset:
    """A broad-leaved tree."""
    bark = _bark(stream)
    greens = pick(
        stream, ("#2f5f2a", "#4a7f36", "#3a6b2e"), ("#3f6f24", "#6b9638", "#557f2c"), ("#a8641e", "#c98a2c", "#b5481e")
    )
    path = curve(points_of("0,0,0 0.05,0.02,0.9 -0.04,0.03,1.8 0.02,0,3.2"), 3)
    trunk = tube(path, np.linspace(0.21, 0.07, 10).tolist(), bark, 12)
    roots = [tube([polar(0.1, a, 0.25), polar(0.34, a)], [0.1, 0.04], bark, 8) for a in (0.3, 1.7, 3.1, 4.6)]
    parts: list[Mesh] = [trunk, *roots]
    for k in range(9):
        angle, high = k * 2.4 + between(stream, -0.3, 0.3), between(stream, 2.3, 4.2)
        out = between(stream, 0.55, 1.0) if k else 0.0
        spot = polar(out, angle, high if k else 4.2)
        branch = [(0, 0, high - 0.9), (0.6 * spot[0], 0.6 * spot[1], spot[2] - 0.35), spot]
        parts.append(tube(branch, [0.07, 0.04, 0.015], bark, 6))
        r = between(stream, 0.6, 0.8)
        parts.append(ball((r * 0.68, r * 0.68, r * 0.58), spot, painted(greens[0], 0.95), 6))
        parts.append(foliage(stream, spot, (r, r, 0.85 * r), 200, 0.17, painted(greens[1 + k % 2], 0.7)))
    return asset_from_parts(parts)


@register_asset("pine")
def pine(stream: Stream) -> Asset:
    """A conifer: tiers of drooping boughs, narrower upwards."""
    bark = _bark(stream)
    codes = pick(stream, ("#1f4a2c", "#2a5a36"), ("#2c5240", "#3a6650"), ("#24461f", "#365c2c"))
    greens = [painted(code, 0.9) for code in codes]
    h, tiers = 5.0, 9
    parts: list[Mesh] = [tube([(0, 0, 0), (0, 0, h * 0.9)], [0.15, 0.02], bark, 10)]
    for k in range(tiers):
        share = k / tiers
        z, r = 0.7 + share * (h - 1.2), 1.25 * (1 - share) ** 0.85 + 0.1
        parts.append(_bough(stream, z, r, 0.85 * (1 - 0.45 * share), greens[k % 2]))
    return asset_from_parts(parts)


def _bough(stream: Stream, z: float, r: float, tall: float, green: Material) -> Mesh:
    """A cone with a ragged hem."""
    points = 26
    reach = np.where(np.arange(points) % 2 == 0, 1.0, 0.72) * stream.uniform(0.88, 1.08, points)
    angle = np.arange(points) * 2 * np.pi / points + between(stream, 0, 1)
    rows = [(0.02, tall), (0.35, 0.62 * tall), (0.72, 0.26 * tall), (1.0, 0.0), (1.0, 0.0), (0.5, 0.16 * tall)]
    grid = np.stack(
        [
            np.stack([r * s * reach**s * np.cos(angle), r * s * reach**s * np.sin(angle), z + up + 0 * angle], 1)
            for s, up in rows
        ]
    )
    grid = np.concatenate([grid, grid[:, :1]], axis=1)
    normals = grid * np.array([1, 1, 0]) + np.array([0, 0, 0.35 * r])
    normals[4:] = (0, 0, -1)
    return grid_mesh(grid, normals, green, inverted=True)


@register_asset("bush")
def bush(stream: Stream) -> Asset:
    """A low, round shrub, perhaps with flowers."""
    greens = pick(stream, ("#2f5f2a", "#4a7f36"), ("#3d6b34", "#6b8f3c"), ("#27553a", "#3f7a52"))
    parts: list[Mesh] = []
    for k in range(7):
        angle, out = k * 2 * math.pi / 6, 0.3 if k else 0.0
        spot = polar(out, angle, between(stream, 0.3, 0.4) if k else 0.52)
        r = between(stream, 0.28, 0.34)
        parts.append(ball((0.85 * r, 0.85 * r, 0.8 * r), spot, painted(greens[0], 0.95), 6))
        parts.append(foliage(stream, spot, (r, r, 0.9 * r), 170, 0.055, painted(greens[1], 0.7)))
        if stream.random() < 0.4:
            parts.append(foliage(stream, spot, (1.04 * r, 1.04 * r, 0.95 * r), 14, 0.035, painted("#e46a9a", 0.8)))
    return asset_from_parts(parts, ball((0.5, 0.5, 0.14), (0, 0, 0.14), painted(greens[0], 0.95), 8))


@register_asset("rock")
def rock(stream: Stream) -> Asset:
    """A boulder with broken faces."""
    dark, light = pick(stream, ("#5f5b56", "#9a958d"), ("#7a5f48", "#b0906e"), ("#4a4f54", "#80868c"))
    up, around = np.linspace(-np.pi / 2, np.pi / 2, 25)[:, None], np.linspace(0, 2 * np.pi, 49)[None]
    points = np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up) + 0 * around], -1)
    points = points.reshape(-1, 3)
    for _ in range(26):
        way = stream.normal(size=3)
        way /= np.linalg.norm(way)
        over = points @ way - between(stream, 0.6, 0.85)
        points = points - np.maximum(over, 0)[:, None] * way
    points = points * np.array([0.75, between(stream, 0.55, 0.7), between(stream, 0.45, 0.6)])
    points[:, 2] = np.maximum(points[:, 2], -0.25)
    points += 0.006 * np.sin(points[:, [1, 2, 0]] * 37)
    stone = Material(mottled(stream, dark, light, 30), roughness=0.95)
    return asset_from_parts(_faceted(points, grid_triangles(25, 49), stone))


def _faceted(points: Floats, triangles: "np.ndarray[tuple[int, ...], np.dtype[np.int32]]", material: Material) -> Mesh:
    """Flat faces, each with its own corners."""
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    valid = np.linalg.norm(normals, axis=1) > 1e-9
    flat = corners[valid].reshape(-1, 3)
    own = np.arange(len(flat), dtype=np.int32).reshape(-1, 3)
    return smooth_mesh(flat, own, np.repeat(normals[valid], 3, axis=0), flat[:, [0, 2]] + flat[:, [1, 1]], material)


@register_asset("traffic cone")
def traffic_cone(stream: Stream) -> Asset:
    """Orange with white bands."""
    orange, white = painted(pick(stream, "#e8591c", "#f06a1e", "#d84a1a"), 0.5), painted("#f4f3ee", 0.4)
    h = 0.72

    def radius(z: float) -> float:
        return 0.145 - 0.12 * z / h

    levels = (0.03, 0.22, 0.34, 0.44, 0.54, h)
    bands = [
        lathe([(0.0, a), (radius(a), a), (radius(b), b), (0.0, b)], white if i % 2 else orange, 28)
        for i, (a, b) in enumerate(pairwise(levels))
    ]
    return asset_from_parts(
        box((0.4, 0.4, 0.035), (0, 0, 0), pick(stream, orange, painted("#222326", 0.8)), 0.012), bands
    )


@register_asset("fire hydrant")
def fire_hydrant(stream: Stream) -> Asset:
    """A red post with a cap, two arms, and a large outlet to the front."""
    red = painted(pick(stream, "#c0281f", "#d8a51e", "#c0281f"), 0.35)
    trim = pick(stream, IRON, painted("#e8e4da", 0.4))
    profile = points_of(
        "0.0,0.0 0.17,0.0 0.17,0.04 0.12,0.05 0.115,0.5 0.15,0.51 0.15,0.55 0.125,0.56 0.11,0.64 0.06,0.7 0.0,0.71"
    )
    body = lathe(profile, red, 28)
    bolt = cylinder(0.03, 0.05, (0, 0, 0.7), trim, sides=6)
    arm = [disc(0.06, 0.19, (0.0, 0, 0.4), red, "x", 18), disc(0.05, 0.03, (0.19, 0, 0.4), trim, "x", 6)]
    arms = [all_transformed(arm, turn("z", degrees)) for degrees in (180, 0)]
    outlet = [
        disc(0.08, 0.17, (0, 0, 0.36), red),
        disc(0.088, 0.03, (0, 0.14, 0.36), trim, sides=20),
        disc(0.03, 0.03, (0, 0.17, 0.36), trim, sides=6),
    ]
    bolts = [cylinder(0.013, 0.02, polar(0.147, 2 * math.pi * i / 8, 0.04), trim, sides=6) for i in range(8)]
    chain = tube(curve([(0.12, 0.1, 0.33), (0.1, 0.14, 0.26), (0.05, 0.17, 0.3)], 3), 0.008, IRON, 6)
    return asset_from_parts(body, bolt, arms, outlet, bolts, all_transformed([chain], shift()))
