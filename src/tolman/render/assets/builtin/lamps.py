"""Lamps, candles and parasols: the same from all sides."""

import math

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import BLACK, BRASS, CHROME, IRON, STEEL, painted, timber, wooden
from tolman.render.shapes.extrusion import curve
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift
from tolman.render.shapes.solids import ball
from tolman.render.shapes.sweep import capsule, grid_mesh, lathe, points_of, polar, tube


@register_asset("lamp")
def lamp(stream: Stream) -> Asset:
    """A standard lamp: a round foot, a pole and a shade."""
    pole = pick(stream, BRASS, IRON, CHROME, wooden(stream))
    shade = painted(pick(stream, "#f6ead0", "#f3e3c2", "#e8d9c8", "#d9b38c", "#c9d6cf"), 0.95)
    h, low, high = between(stream, 1.48, 1.55), between(stream, 0.17, 0.2), between(stream, 0.1, 0.17)
    drop = between(stream, 0.25, 0.3)
    foot = lathe([(0.0, 0.0), (0.15, 0.0), (0.15, 0.012), (0.05, 0.03), (0.014, 0.06), (0.0, 0.06)], pole, 28)
    stem = tube([(0, 0, 0.03), (0, 0, h - 0.05)], 0.014, pole, sides=10)
    cover = lathe([(low, h - drop), (high, h), (high - 0.006, h), (low - 0.006, h - drop), (low, h - drop)], shade, 32)
    bulb = ball(0.035, (0, 0, h - drop * 0.55), painted("#fff6dc", 0.3), 8)
    quarters = (0, math.pi / 2, math.pi, 1.5 * math.pi)
    spokes = [tube([(0, 0, h - 0.03), polar(high, a, h - 0.01)], 0.003, IRON, sides=4) for a in quarters]
    return asset_from_parts(foot, stem, cover, bulb, spokes, ball(0.012, (0, 0, h), pole, 6))


@register_asset("candle")
def candle(stream: Stream) -> Asset:
    """A lit candle in a holder."""
    holder = pick(stream, BRASS, STEEL, painted("#2f5f8a", 0.2))
    wax = painted(pick(stream, "#f4ead2", "#b8352c", "#f0e6c0", "#5f7f5a"), 0.4)
    top = between(stream, 0.2, 0.225)
    profile = points_of(
        "0.0,0.0 0.045,0.0 0.058,0.012 0.055,0.016 0.03,0.012 0.018,0.02 0.014,0.045 0.03,0.06 0.027,0.065 0.0,0.065"
    )
    plate = lathe(profile, holder, 28)
    body = lathe([(0.0, 0.05), (0.022, 0.05), (0.021, top - 0.006), (0.017, top), (0.0, top - 0.006)], wax, 20)
    drips = [
        capsule(polar(0.0205, a, top - 0.01), polar(0.021, a, top - drop), 0.004, wax, sides=6)
        for a, drop in ((0.4, 0.05), (2.0, 0.03), (3.6, 0.06), (5.2, 0.04))
    ]
    wick = capsule((0, 0, top - 0.006), (0, 0, top + 0.01), 0.0018, BLACK, sides=6)
    flame = lathe(curve(points_of("0.0,0.0 0.01,0.014 0.007,0.03 0.0,0.052"), 3), painted("#ffb52e", 0.9), 12)
    core = lathe(curve(points_of("0.0,0.0 0.006,0.01 0.0,0.028"), 3), painted("#fff1b0", 0.9), 10)
    return asset_from_parts(plate, body, drips, wick, all_transformed([flame, core], shift(z=top + 0.004)))


@register_asset("parasol")
def parasol(stream: Stream) -> Asset:
    """A wide shade of eight panels in two colours, on a pole with a heavy foot."""
    first, second = pick(
        stream, ("#c8372d", "#f2efe6"), ("#2c5fa8", "#f2efe6"), ("#2f8a57", "#f2e2b0"), ("#e0a82e", "#f6f1e4")
    )
    wood, foot = timber(stream, "#8a5f38", "#b98a58"), painted("#6b6d70", 0.8)
    top, r, drop = 1.84, 0.475, between(stream, 0.28, 0.34)
    panels = [_panel(k, r, top, drop, painted(first if k % 2 else second, 0.9)) for k in range(8)]
    eighths = [math.pi * k / 4 for k in range(8)]
    ribs = [tube([(0, 0, top - 0.01), polar(0.97 * r, a, top - drop)], 0.006, wood, sides=5) for a in eighths]
    pole = tube([(0, 0, 0.02), (0, 0, top + 0.02)], 0.018, wood, sides=10)
    base = lathe([(0.0, 0.0), (0.2, 0.0), (0.2, 0.04), (0.06, 0.08), (0.03, 0.16), (0.0, 0.16)], foot, 28)
    return asset_from_parts(panels, ribs, pole, base, ball(0.025, (0, 0, top + 0.03), wood, 8))


def _panel(k: int, r: float, top: float, drop: float, material: Material) -> Mesh:
    """One of eight panels, sagging a little between its ribs, with a hem that hangs down."""
    angles = np.linspace(math.pi * k / 4, math.pi * (k + 1) / 4, 5)
    sag = 1 - 0.05 * np.sin(np.linspace(0, math.pi, 5))
    out = np.array([0.001, 0.35, 0.7, 1.0, 1.0])[:, None]
    down = np.array([0.0, 0.3, 0.66, 1.0, 1.22])[:, None]
    points = np.stack(
        [out * r * sag * np.cos(angles), out * r * sag * np.sin(angles), top - drop * down + 0 * angles], -1
    )
    normals = np.stack([drop * np.cos(angles) + 0 * out, drop * np.sin(angles) + 0 * out, r + 0 * out + 0 * angles], -1)
    return grid_mesh(points, normals, material, inverted=True)
