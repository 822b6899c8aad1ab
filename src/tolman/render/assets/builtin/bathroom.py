"""Bathroom fittings and mirrors. Taps are at the back."""

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import (
    BRASS,
    CHROME,
    ENAMEL,
    STEEL,
    back_material,
    cloth,
    painted,
    reserved_material,
    wooden,
)
from tolman.render.assets.builtin.parts import back_board, handle, leaf
from tolman.render.shapes.extrusion import curve, extrusion
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift, stretch, turn
from tolman.render.shapes.solids import ball, box, cylinder, pad
from tolman.render.shapes.sweep import Floats, Vector, lathe, loft, points_of, tube

WATER = painted("#7fb8c4", 0.05)


def tap(at: Vector, height: float, reach: float, material: Material) -> list[Mesh]:
    """A swan neck that bends towards +y, with a cross on each side."""
    x, y, z = at
    neck = [(x, y, z), (x, y, z + 0.7 * height), (x, y + 0.4 * reach, z + height), (x, y + reach, z + 0.75 * height)]
    parts = [tube(curve(neck), 0.014, material)]
    for side in (x + s * 0.09 for s in (-1, 1)):
        parts.append(cylinder(0.014, 0.05, (side, y, z), material, sides=10))
        bars = (0.06, 0.014, 0.014), (0.014, 0.06, 0.014)
        parts += [box(size, (side, y, z + 0.045), material) for size in bars]
    return parts


def _oval(x: float, y: float, at: Vector, back: float = 0.0, number: int = 28) -> Floats:
    """An oval of points; `back` from 0 to 1 makes its rear half squarer."""
    angle = np.arange(number) * 2 * np.pi / number
    power = np.where(np.sin(angle) < 0, 1 - back, 1.0)
    across = np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** power
    return np.stack([x * across, y * np.sin(angle), 0 * angle], 1) + np.array(at)


@register_asset("bathtub")
def bathtub(stream: Stream) -> Asset:
    """A tub on feet, full of water, with a tap behind and a towel over its front."""
    shell = pick(stream, ENAMEL, painted("#2c4a5c", 0.2), painted("#7c2f38", 0.2), painted("#30343a", 0.2))
    h = between(stream, 0.44, 0.47)
    outer = [
        _oval(x * 0.36, y * 0.42, (0, 0.02, z * h), 0.2)
        for x, y, z in ((0.55, 0.6, 0.18), (0.8, 0.82, 0.24), (0.93, 0.94, 0.5), (0.98, 0.98, 0.9), (0.99, 0.99, 0.98))
    ]
    inner = [
        _oval(x * 0.36, y * 0.42, (0, 0.02, z * h), 0.2)
        for x, y, z in ((0.99, 0.99, 0.98), (0.9, 0.91, 0.97), (0.87, 0.89, 0.85), (0.85, 0.87, 0.72))
    ]
    rim = tube(_oval(0.355, 0.415, (0, 0.02, h - 0.012), 0.2), 0.022, ENAMEL, loop=True)
    feet = [ball((0.035, 0.035, 0.06), (x, y, 0.06), BRASS, 6) for x in (-0.2, 0.2) for y in (-0.22, 0.26)]
    towel = cloth(stream, "#c8483c", "#3f77b5", "#e0b04a", "#4f9a72")
    drape = [
        box((0.26, 0.012, 0.26), (0, 0.452, h - 0.24), towel),
        box((0.26, 0.08, 0.012), (0, 0.42, h + 0.012), towel),
        box((0.26, 0.012, 0.12), (0, 0.385, h - 0.1), towel),
    ]
    fittings = all_transformed(tap((0, -0.43, h - 0.06), 0.22, 0.16, CHROME))
    pipe = [tube([(s * 0.09, -0.43, 0), (s * 0.09, -0.43, h - 0.05)], 0.011, CHROME) for s in (-1, 1)]
    bar = tube([(-0.1, -0.43, h - 0.05), (0.1, -0.43, h - 0.05)], 0.016, CHROME)
    return asset_from_parts(
        loft(outer, shell), loft(inner, ENAMEL), _disc_of(inner[-1], WATER), rim, feet, drape, fittings, pipe, bar
    )


def _disc_of(line: Floats, material: Material) -> Mesh:
    return loft([line - np.array([0, 0, 0.02]), line], material)


@register_asset("sink")
def sink(stream: Stream) -> Asset:
    """A basin with a tap behind it, on a pedestal or on a cupboard with two doors."""
    h = 0.78
    fittings = tap((0, -0.19, h + 0.025), 0.15, 0.13, CHROME)
    return asset_from_parts(fittings, _pedestal(stream, h) if stream.random() < 0.5 else _vanity(stream, h))


_BASIN = points_of("0.0,-0.1 0.12,-0.1 0.2,-0.03 0.235,0.05 0.225,0.055 0.19,0.0 0.1,-0.05 0.0,-0.06")


def _pedestal(stream: Stream, h: float) -> list[Mesh]:
    tiles = painted(pick(stream, "#3f7f8a", "#4a6fa0", "#7a8f5a", "#a8663f"), 0.15)
    line = [(0.0, 0.0), (0.12, 0.0), (0.12, 0.03), (0.08, 0.1), (0.07, 0.4), (0.11, h - 0.09), (0.0, h - 0.09)]
    return [
        lathe(_BASIN, ENAMEL, 32).moved(stretch(1.15, 0.88)).moved(shift(0, 0.02, h)),
        cylinder(0.025, 0.006, (0, 0.02, h - 0.058), CHROME),
        pad((0.5, 0.09, 0.07), (0, -0.19, h - 0.02), ENAMEL, 0.02),
        box((0.56, 0.016, 0.2), (0, -0.235, h - 0.08), tiles),
        lathe(line, ENAMEL),
    ]


def _vanity(stream: Stream, h: float) -> list[Mesh]:
    enamel, slab, depth = reserved_material("sink", stream), painted("#e8e6e0", 0.2), 0.46
    rim = lathe([(0.2, 0.0), (0.235, 0.055), (0.225, 0.058), (0.19, 0.0)], ENAMEL, 32)
    bowl = lathe([(0.0, 0.0), (0.19, 0.0), (0.19, 0.004), (0.0, 0.004)], painted("#c9ced2", 0.2), 32)
    parts = all_transformed([rim, bowl], stretch(1.15, 0.82), shift(0, 0.02, h + 0.015))
    for s in (-1, 1):
        parts += leaf(0.27, h - 0.14, (s * 0.143, depth / 2, 0.08), enamel, panelled=True)
        parts += handle("knob", (s * 0.04, depth / 2 + 0.028, h * 0.6), STEEL)
    return [
        *parts,
        box((0.58, depth, h - 0.07), (0, 0, 0.06), enamel),
        box((0.6, depth + 0.03, 0.03), (0, 0, h - 0.015), slab, 0.008),
        box((0.6, 0.02, 0.09), (0, -depth / 2 - 0.005, h + 0.01), slab),
        box((0.56, depth - 0.04, 0.06), (0, 0, 0), painted("#2a2a2c", 0.8)),
        back_board(0.56, h - 0.1, (0, -depth / 2, 0.07), back_material("sink")),
    ]


@register_asset("toilet")
def toilet(stream: Stream) -> Asset:
    """A bowl with its seat to the front, the lid up against a cistern."""
    seat_coat = pick(stream, wooden(stream), painted("#2c3440", 0.2), painted("#3f6f8a", 0.2), painted("#8a3b3b", 0.2))
    outside = points_of("0.1,0.2,0.02,0.0 0.1,0.18,0.02,0.12 0.13,0.21,0.08,0.26 0.18,0.25,0.1,0.38")
    inside = points_of("0.18,0.25,0.1,0.38 0.12,0.18,0.1,0.375 0.1,0.15,0.1,0.3 0.05,0.08,0.1,0.26")
    foot, bowl = ([_oval(x, y, (0, at, z)) for x, y, at, z in ovals] for ovals in (outside, inside))
    ring = tube(_oval(0.15, 0.21, (0, 0.11, 0.4), 0.2), 0.03, seat_coat, loop=True)
    seat = all_transformed([ring], shift(z=-0.4), stretch(z=0.55), shift(z=0.4))
    line = curve(points_of("-0.17,0.0 -0.18,0.15 -0.12,0.28 0,0.315 0.12,0.28 0.18,0.15 0.17,0.0"))
    lid = extrusion(line, (-0.012, 0.012), seat_coat, "y", 0.006)
    raised = lid.moved(turn("x", 5)).moved(shift(0, -0.115, 0.41))
    height = between(stream, 0.72, 0.78)
    tank = pad((0.38, 0.17, height - 0.4), (0, -0.245, 0.38), ENAMEL, 0.03)
    top = pad((0.4, 0.19, 0.03), (0, -0.245, height - 0.03), ENAMEL, 0.012, steps=2)
    button = cylinder(0.022, 0.008, (0, -0.245, height), CHROME)
    water = cylinder(0.09, 0.004, (0, 0.1, 0.285), WATER)
    return asset_from_parts(loft(foot, ENAMEL), loft(bowl, ENAMEL, lids=False), seat, raised, tank, top, button, water)
