"""Musical instruments."""

import math
from itertools import product

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import BLACK, BRASS, CHROME, painted, timber
from tolman.render.shapes.extrusion import curve, extrusion
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift, turn
from tolman.render.shapes.solids import box, cylinder, disc
from tolman.render.shapes.sweep import capsule, ring, tube


@register_asset("piano")
def piano(stream: Stream) -> Asset:
    """An upright piano, its keys, music and pedals to the front."""
    wood = pick(
        stream,
        painted("#141416", 0.08),
        timber(stream, "#4a2616", "#73412a", 0.2),
        timber(stream, "#6b4526", "#94683e", 0.25),
        painted("#eae6dc", 0.12),
    )
    w, h = 0.98, between(stream, 1.12, 1.2)
    case = [
        box((w, 0.26, h - 0.03), (0, -0.16, 0), wood, 0.006),
        box((w, 0.3, 0.03), (0, -0.15, h - 0.03), wood, 0.008),
        box((w - 0.08, 0.012, 0.42), (0, -0.025, 0.12), wood, 0.005),
        box((w - 0.08, 0.012, h - 0.82), (0, -0.025, 0.74), wood, 0.005),
        box((w, 0.3, 0.05), (0, 0.1, 0.58), wood, 0.008),
        *(box((0.035, 0.3, 0.13), (s * (w / 2 - 0.0175), 0.1, 0.6), wood, 0.01) for s in (-1, 1)),
        *(box((0.05, 0.05, 0.58), (s * (w / 2 - 0.05), 0.2, 0), wood, 0.01) for s in (-1, 1)),
        *(box((0.06, 0.4, 0.05), (s * (w / 2 - 0.05), 0.04, 0), wood, 0.01) for s in (-1, 1)),
    ]
    lid = box((w - 0.07, 0.03, 0.08), (0, -0.02, 0.66), wood, 0.005)
    felt = box((w - 0.07, 0.01, 0.02), (0, 0.0, 0.66), painted("#8c1f2a", 0.9), 0.001)
    pedals = [box((0.035, 0.1, 0.012), (x, 0.01, 0.06), BRASS, 0.005) for x in (-0.07, 0, 0.07)]
    pages = [box((0.19, 0.004, 0.25), (s * 0.098, 0, 0), painted("#f7f4ea", 0.9), 0.001) for s in (-1, 1)]
    lines = product((-1, 1), range(5))
    pages += [box((0.15, 0.003, 0.003), (s * 0.098, 0.003, 0.04 + 0.045 * i), BLACK, 0.0005) for s, i in lines]
    sheets = all_transformed(pages, turn("x", 12), shift(0, 0.035, 0.76))
    rest = box((0.5, 0.04, 0.012), (0, 0.04, 0.75), wood)
    return asset_from_parts(case, lid, felt, pedals, sheets, rest, _keys(w - 0.08))


def _keys(width: float) -> list[Mesh]:
    number = 28
    step = width / number
    white, black = painted("#f6f3ea", 0.15), painted("#101012", 0.15)
    keys = [
        box((step * 0.9, 0.2, 0.022), (step * (i - number / 2 + 0.5), 0.13, 0.635), white, 0.002) for i in range(number)
    ]
    sharps = [
        box((step * 0.5, 0.12, 0.022), (step * (i - number / 2), 0.095, 0.652), black, 0.003)
        for i in range(1, number)
        if i % 7 not in (0, 3)
    ]
    return keys + sharps


_WAIST = (
    (0.0, 0.0), (0.13, 0.02), (0.19, 0.12), (0.165, 0.22), (0.125, 0.29), (0.135, 0.37), (0.125, 0.44), (0.06, 0.48),
    (0.0, 0.485),
)  # fmt: skip
"""Half the outline of a guitar, upwards."""


@register_asset("guitar")
def guitar(stream: Stream) -> Asset:
    """An acoustic guitar on a stand, its strings to the front."""
    tones = ("#c98f4a", "#e6b874"), ("#b06a2c", "#d99a52"), ("#8f2f22", "#b8503a"), ("#7a3f1c", "#a8622c")
    top = timber(stream, *pick(stream, *tones), 0.2)
    side, dark = timber(stream, "#4a2616", "#6b3a24", 0.25), painted("#20140e", 0.4)
    half = curve(_WAIST, 4)
    line = [(float(x), float(z)) for x, z in half] + [(-float(x), float(z)) for x, z in half[-2:0:-1]]
    body = [
        extrusion(line, (-0.05, 0.045), side, "y", 0.006),
        extrusion([(0.97 * x, 0.97 * z + 0.007) for x, z in line], (0.045, 0.05), top, "y", 0.002),
    ]
    hole = [
        disc(0.05, 0.002, (0, 0.0495, 0.31), painted("#0c0806", 0.9), sides=28),
        ring(0.054, 0.004, (0, 0.05, 0.31), dark, "y", 6),
    ]
    bridge = box((0.15, 0.014, 0.03), (0, 0.055, 0.12), dark, 0.004)
    guard = disc(0.045, 0.0022, (-0.075, 0.0495, 0.255), dark, sides=20)
    strings = [
        tube([(x, 0.071, 0.135), (x * 0.8, 0.071, 0.85)], 0.0016, CHROME, sides=4)
        for x in (-0.02, -0.012, -0.004, 0.004, 0.012, 0.02)
    ]
    sounding = [*body, *hole, bridge, guard, *strings, *_neck(side, dark)]
    return asset_from_parts(all_transformed(sounding, turn("x", 3), shift(0, 0.02, 0.07)), _stand())


def _neck(side: Material, dark: Material) -> list[Mesh]:
    neck = [
        box((0.05, 0.022, 0.4), (0, 0.055, 0.45), dark, 0.005),
        box((0.044, 0.03, 0.36), (0, 0.035, 0.48), side, 0.01),
    ]
    frets = [
        box((0.049, 0.003, 0.004), (0, 0.067, 0.83 - 0.4 * (1 - 2 ** (-k / 9))), CHROME, 0.001) for k in range(1, 13)
    ]
    outline = [(-0.028, 0.84), (0.028, 0.84), (0.04, 0.88), (0.036, 1.0), (-0.036, 1.0), (-0.04, 0.88)]
    head = extrusion(outline, (0.03, 0.05), side, "y", 0.004)
    pegs = [
        capsule((s * 0.036, 0.04, z), (s * 0.062, 0.04, z), 0.009, CHROME, sides=8)
        for s, z in product((-1, 1), (0.895, 0.93, 0.965))
    ]
    return [*neck, *frets, head, *pegs]


def _stand() -> list[Mesh]:
    feet = [
        tube([(0, -0.06, 0.3), (0.15 * math.cos(a), -0.015 + 0.075 * math.sin(a), 0.008)], 0.009, BLACK)
        for a in (0.6, 2.5, 4.7)
    ]
    hooks = [
        tube([(s * 0.07, -0.07, 0.12), (s * 0.07, 0.06, 0.065), (s * 0.07, 0.085, 0.1)], 0.01, BLACK) for s in (-1, 1)
    ]
    return [
        *feet,
        *hooks,
        tube([(0, -0.06, 0.3), (0, -0.06, 0.12)], 0.012, BLACK),
        tube([(-0.07, -0.07, 0.12), (0.07, -0.07, 0.12)], 0.01, BLACK),
        cylinder(0.012, 0.02, (0, -0.06, 0.29), BLACK),
    ]
