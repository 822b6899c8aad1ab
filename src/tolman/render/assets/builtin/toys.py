"""Toys. Their front is the direction that they face or drive."""

import math

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import BLACK, CHROME, DARK, PAINTS, RUBBER, cloth, fur, painted, timber
from tolman.render.assets.builtin.parts import wheel
from tolman.render.shapes.extrusion import curve, extrusion
from tolman.render.shapes.mesh import Asset, Mesh, all_transformed, pair, shift, turn
from tolman.render.shapes.solids import ball, box, disc, pad
from tolman.render.shapes.sweep import capsule, lathe, points_of, tube


@register_asset("teddy bear")
def teddy_bear(stream: Stream) -> Asset:
    """Sitting, its legs and face to the front."""
    tones = ("#7a4e2a", "#a8753f"), ("#a87b46", "#d6ad72"), ("#5a3c28", "#80583a"), ("#b9a58a", "#e0d2bc")
    coat = fur(stream, *pick(stream, *tones))
    pale, black = painted("#ead9b5", 0.95), painted("#161412", 0.2)
    half: list[Mesh] = [
        ball(0.042, (0.095, -0.01, 0.47), coat, 8),
        ball((0.028, 0.02, 0.028), (0.095, 0.02, 0.47), pale, 8),
        capsule((0.1, 0.03, 0.27), (0.17, 0.09, 0.17), 0.042, coat),
        capsule((0.08, 0.04, 0.065), (0.13, 0.2, 0.06), 0.06, coat),
        ball((0.045, 0.016, 0.05), (0.14, 0.255, 0.065), pale, 8),
        ball(0.014, (0.042, 0.113, 0.425), black, 8),
    ]
    body: list[Mesh] = [
        ball((0.13, 0.115, 0.15), (0, 0, 0.16), coat, 10),
        ball((0.085, 0.05, 0.1), (0, 0.078, 0.16), pale, 10),
        ball((0.12, 0.11, 0.105), (0, 0.015, 0.395), coat, 10),
        ball((0.055, 0.05, 0.042), (0, 0.11, 0.37), pale, 10),
        ball((0.02, 0.014, 0.015), (0, 0.158, 0.385), black, 8),
    ]
    bow = painted(pick(stream, *PAINTS[:4]), 0.6)
    tie = [ball((0.045, 0.018, 0.03), (s * 0.045, 0.11, 0.285), bow, 8) for s in (-1, 1)] + [
        ball(0.02, (0, 0.12, 0.285), bow, 8)
    ]
    return asset_from_parts(pair(*half), body, tie)


@register_asset("toy airplane")
def toy_airplane(stream: Stream) -> Asset:
    """A propeller at its nose, wings, and a tail fin at the back."""
    codes = pick(stream, ("#c8372d", "#f0c23a"), ("#2c5fa8", "#e4e0d6"), ("#2f8a57", "#f0c23a"), ("#e07f2a", "#2c5fa8"))
    coat, trim = painted(codes[0], 0.3), painted(codes[1], 0.3)
    profile = points_of("0.0,-0.33 0.035,-0.3 0.075,-0.1 0.098,0.1 0.094,0.22 0.07,0.28 0.0,0.3")
    hull = lathe(curve(profile, 3), coat, 20)
    wing = _wing(0.34, between(stream, 0.15, 0.19), between(stream, 0.08, 0.13))
    tail = _wing(between(stream, 0.11, 0.14), 0.09, 0.06)
    fin = [(-0.33, 0.0), (-0.33, 0.13), (-0.28, 0.13), (-0.2, 0.0)]
    z = 0.15
    blade = box((0.21, 0.008, 0.028), (0, 0, -0.014), DARK, 0.004)
    blades = [blade.moved(turn("y", degrees)).moved(shift(0, 0.31, z)) for degrees in (25, 115)]
    wheels = [
        (
            *wheel(0.04, 0.028, (s * 0.085, 0.12, 0.04), RUBBER, trim),
            capsule((s * 0.06, 0.12, 0.05), (s * 0.04, 0.11, z - 0.03), 0.008, CHROME),
        )
        for s in (-1, 1)
    ]
    rear = [
        *wheel(0.018, 0.014, (0, -0.27, 0.018), RUBBER, trim),
        capsule((0, -0.27, 0.02), (0, -0.27, z - 0.02), 0.006, CHROME),
    ]
    cockpit = ball((0.04, 0.075, 0.045), (0, 0.07, z + 0.055), painted("#9cc7dd", 0.08), 10)
    return asset_from_parts(
        hull.moved(turn("x", -90)).moved(shift(z=z)),
        extrusion(wing, (z - 0.01, z + 0.04), trim, "z", 0.012).moved(shift(0, 0.08)),
        extrusion(tail, (z + 0.015, z + 0.028), trim, "z", 0.004).moved(shift(0, -0.29)),
        extrusion(fin, (-0.008, 0.008), trim, "x", 0.004).moved(shift(z=z + 0.01)),
        disc(0.024, 0.035, (0, 0.295, z), trim),
        blades,
        wheels,
        rear,
        cockpit,
    )


def _wing(half: float, root: float, end: float) -> list[tuple[float, float]]:
    right = [(half - 0.03, -end / 2 - 0.005), (half, -end / 4), (half, end / 4), (half - 0.03, end / 2)]
    return [(0, -root / 2), *right, (0, root / 2), *((-x, y) for x, y in reversed(right))]


@register_asset("toy truck")
def toy_truck(stream: Stream) -> Asset:
    """A tipper: a cab with headlights ahead, an open tray behind it."""
    codes = pick(stream, ("#e0a82e", "#c8372d"), ("#c8372d", "#2c5fa8"), ("#2c5fa8", "#e0a82e"), ("#2f8a57", "#e07f2a"))
    coat, tray, glass = painted(codes[0], 0.3), painted(codes[1], 0.3), painted("#9cc7dd", 0.08)
    frame = box((0.16, 0.6, 0.04), (0, 0, 0.07), DARK)
    cab_side = [(0.08, 0.1), (0.08, 0.3), (0.19, 0.3), (0.225, 0.2), (0.31, 0.185), (0.315, 0.1)]
    cab = extrusion(cab_side, (-0.125, 0.125), coat, "x", 0.012)
    shield = all_transformed([box((0.2, 0.006, 0.085), (0, 0, 0), glass, 0.002)], turn("x", 19), shift(0, 0.228, 0.207))
    panes = [box((0.006, 0.085, 0.075), (s * 0.124, 0.135, 0.205), glass, 0.002) for s in (-1, 1)]
    lights = [disc(0.02, 0.012, (s * 0.085, 0.311, 0.145), painted("#fff3c4", 0.2), sides=14) for s in (-1, 1)]
    grille = [box((0.1, 0.008, 0.008), (0, 0.314, 0.118 + 0.014 * i), CHROME, 0.002) for i in range(4)]
    bumper = box((0.25, 0.02, 0.03), (0, 0.312, 0.075), DARK)
    bed: list[Mesh] = [box((0.26, 0.38, 0.02), (0, 0, 0), tray)]
    bed += [box((0.02, 0.38, 0.13), (s * 0.125, 0, 0.01), tray) for s in (-1, 1)]
    bed += [box((0.26, 0.02, 0.15), (0, 0.18, 0.01), tray), box((0.26, 0.02, 0.09), (0, -0.18, 0.01), tray)]
    heap = [ball((0.09, 0.13, 0.06), (0, 0.02, 0.06), painted("#a8875c", 0.95), 8)]
    tipped = all_transformed([*bed, *heap], turn("x", between(stream, 0, 6), (0, -0.18, 0)), shift(0, -0.125, 0.115))
    wheels = [wheel(0.06, 0.05, (s * 0.115, y, 0.06), RUBBER, tray) for s in (-1, 1) for y in (0.2, -0.1, -0.235)]
    return asset_from_parts(frame, cab, shield, panes, lights, grille, bumper, tipped, wheels)


@register_asset("rocking horse")
def rocking_horse(stream: Stream) -> Asset:
    """A wooden horse on two rockers: head and handles ahead, tail behind."""
    wood = timber(stream, *pick(stream, ("#a97f4f", "#d6b07c"), ("#8a5f38", "#b98a58"), ("#d8d0c2", "#efe9de")))
    runner = painted(pick(stream, "#b8352c", "#2c5fa8", "#2f8a57", "#7a4a2c"))
    hair = painted(pick(stream, "#3a2516", "#e8dcc0", "#1d1a18"), 0.95)
    saddle = cloth(stream, "#b8352c", "#2c5fa8", "#2f7c52")
    body = ball((0.095, 0.2, 0.1), (0, -0.03, 0.42), wood, 12)
    neck = tube([(0, 0.1, 0.45), (0, 0.18, 0.57), (0, 0.215, 0.66)], [0.085, 0.062, 0.05], wood, 12)
    head = [
        capsule((0, 0.2, 0.685), (0, 0.33, 0.6), 0.055, wood, 0.036),
        *(capsule((s * 0.03, 0.19, 0.72), (s * 0.035, 0.185, 0.77), 0.016, wood, 0.005) for s in (-1, 1)),
    ]
    eyes = [ball(0.012, (s * 0.05, 0.245, 0.685), BLACK, 6) for s in (-1, 1)] + [
        ball(0.008, (s * 0.022, 0.358, 0.595), BLACK, 6) for s in (-1, 1)
    ]
    mane = tube(
        [(0, 0.21, 0.76), (0, 0.13, 0.69), (0, 0.08, 0.58), (0, 0.06, 0.5)], [0.02, 0.036, 0.036, 0.015], hair, 8
    )
    tail = tube(
        [(0, -0.21, 0.46), (0, -0.3, 0.45), (0, -0.35, 0.34), (0, -0.35, 0.24)], [0.02, 0.035, 0.04, 0.01], hair, 8
    )
    legs = [
        capsule((s * 0.06, y, 0.38), (s * 0.12, y + reach, 0.1), 0.038, wood, 0.022)
        for s in (-1, 1)
        for y, reach in ((0.09, 0.12), (-0.15, -0.1))
    ]
    angles = (-1.2, -0.9, -0.6, -0.3, 0, 0.3, 0.6, 0.9, 1.2)
    arc = [(0.42 * math.sin(a), 0.62 - 0.6 * math.cos(a)) for a in angles]
    rockers = [tube([(s * 0.125, y, z) for y, z in arc], 0.02, runner, 8) for s in (-1, 1)]
    rails = [tube([(-0.125, y, z), (0.125, y, z)], 0.014, runner) for y, z in ((0.27, 0.14), (-0.27, 0.14))]
    seat = [
        pad((0.16, 0.18, 0.05), (0, -0.04, 0.495), saddle, 0.024),
        tube([(-0.13, 0.2, 0.6), (0.13, 0.2, 0.6)], 0.012, runner),
    ]
    return asset_from_parts(body, neck, head, eyes, mane, tail, legs, rockers, rails, seat)
