"""Cars, bicycles, scooters and shopping carts; their front is ahead."""

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import BLACK, CHROME, DARK, RUBBER, WHITE, painted
from tolman.render.assets.builtin.parts import spoked, wheel
from tolman.render.shapes.extrusion import curve, extrusion
from tolman.render.shapes.mesh import Asset, Material, Mesh
from tolman.render.shapes.solids import ball, box, disc, pad
from tolman.render.shapes.sweep import Floats, Vector, capsule, loft, points_of, ring, tube

CAR_PAINTS = ("#a8201c", "#1f3f7a", "#d8dadc", "#1c1d20", "#6b7278", "#2f6b45", "#d9a21f", "#f0efe9")


@register_asset("car")
def car(stream: Stream) -> Asset:
    """A family car of four metres."""
    coat, glass = painted(pick(stream, *CAR_PAINTS), 0.15), painted("#10161b", 0.06)
    roof = between(stream, 1.4, 1.48)
    rear = between(stream, -1.95, -1.55)
    line = curve(points_of("-2.05,0.35 -2.08,0.6 -2.0,0.92 -1.5,0.98 0.7,0.95 1.6,0.84 2.0,0.7 2.06,0.5 2.0,0.32"), 3)
    side = np.concatenate([line, [(1.9, 0.24), (-1.9, 0.24)]])
    lower = extrusion(side, (-0.88, 0.88), coat, "x", 0.09)
    cabin = loft(
        [_plan(0.8, rear, 0.95, 0.93), _plan(0.76, rear + 0.1, 0.62, 1.1), _plan(0.66, rear + 0.38, 0.18, roof - 0.06)],
        glass,
    )
    levels = ((0.67, 0.36, 0.2, 0.075), (0.66, 0.4, 0.16, 0.03), (0.58, 0.5, 0.05, 0.0))
    top = loft([_plan(half, rear + back, front, roof - down) for half, back, front, down in levels], coat)
    pillars = [_pillars(s, rear, roof, coat) for s in (-1, 1)]
    wheels = [
        (
            *wheel(0.33, 0.22, (s * 0.78, y, 0.33), RUBBER, CHROME),
            disc(0.39, 0.02, (s * 0.885 - 0.01, y, 0.35), BLACK, "x", 28),
        )
        for s in (-1, 1)
        for y in (1.3, -1.28)
    ]
    return asset_from_parts(lower, cabin, top, pillars, wheels, _lights(), _details(coat))


def _plan(half: float, back: float, front: float, z: float) -> Floats:
    """A rounded rectangle seen from above."""
    angle = np.arange(24) * 2 * np.pi / 24
    x = half * np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** 0.35
    y = (front + back) / 2 + (front - back) / 2 * np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** 0.35
    return np.stack([x, y, np.full(24, z)], 1)


def _pillars(side: int, rear: float, roof: float, coat: Material) -> list[Mesh]:
    low, high = 0.93, roof - 0.05
    feet = ((rear + 0.06, rear + 0.4), (rear + 1.35, rear + 1.2), (0.9, 0.18))
    return [tube([(side * 0.79, a, low), (side * 0.66, b, high)], 0.035, coat, sides=6) for a, b in feet]


def _lights() -> list[Mesh]:
    white, red, amber = painted("#f4f4ee", 0.05), painted("#a8120f", 0.1), painted("#f0912e", 0.15)
    lights: list[Mesh] = []
    for s in (-1, 1):
        lights += [
            ball((0.17, 0.08, 0.075), (s * 0.62, 1.985, 0.66), white, 8),
            ball((0.05, 0.05, 0.05), (s * 0.8, 1.93, 0.66), amber, 6),
        ]
        lights += [box((0.28, 0.06, 0.14), (s * 0.62, -2.05, 0.68), red, 0.02)]
    return lights


def _details(coat: Material) -> list[Mesh]:
    grille = [
        box((0.8, 0.03, 0.13), (0, 2.035, 0.5), BLACK, 0.01),
        *(box((0.78, 0.012, 0.012), (0, 2.052, 0.52 + 0.03 * i), CHROME, 0.003) for i in range(4)),
    ]
    bumpers = [box((1.6, 0.08, 0.12), (0, y, 0.32), DARK, 0.03) for y in (2.03, -2.05)]
    plates = [
        box((0.46, 0.012, 0.11), (0, 2.078, 0.33), WHITE, 0.004),
        box((0.46, 0.012, 0.11), (0, -2.1, 0.46), painted("#f0d060"), 0.004),
    ]
    handles = [box((0.03, 0.16, 0.03), (s * 0.885, y, 0.82), CHROME, 0.008) for s in (-1, 1) for y in (0.15, -0.75)]
    seams = [box((0.012, 0.012, 0.55), (s * 0.878, y, 0.36), DARK, 0.002) for s in (-1, 1) for y in (0.75, -0.28, -1.1)]
    mirrors = [ball((0.09, 0.06, 0.065), (s * 0.92, 0.72, 1.0), coat, 8) for s in (-1, 1)]
    return [*grille, *bumpers, *plates, *handles, *seams, *mirrors]


Quad = tuple[Vector, Vector, Vector, Vector]


@register_asset("shopping cart")
def shopping_cart(stream: Stream) -> Asset:
    """A wire basket, narrower ahead, pushed by the coloured handle behind."""
    colour = painted(pick(stream, "#c8372d", "#2c5fa8", "#2f8a57", "#e07f2a"), 0.3)
    wire = CHROME
    back, front, low_back, low_front = 0.26, 0.2, 0.2, 0.16
    top_back, top_front, z_back, z_front = -0.33, 0.44, 0.88, between(stream, 0.72, 0.78)
    a, b = (-back, top_back, z_back), (back, top_back, z_back)
    c, d = (front, top_front, z_front), (-front, top_front, z_front)
    e, f = (-low_back, -0.24, 0.44), (low_back, -0.24, 0.44)
    g, h = (low_front, 0.38, 0.5), (-low_front, 0.38, 0.5)
    faces: list[Quad] = [(e, f, b, a), (f, g, c, b), (g, h, d, c), (h, e, a, d), (e, f, g, h)]
    wires = [_grid(face, 8, 4, wire) for face in faces]
    rim = tube([a, b, c, d], 0.013, wire, loop=True)
    path = (0.24, top_back, z_back), (0.22, -0.3, 0.5), (0.22, -0.28, 0.14), (0.17, 0.38, 0.14)
    frame = [tube([(s * x, y, z) for x, y, z in path], 0.014, wire) for s in (-1, 1)]
    shelf = [tube([(-0.2, y, 0.145), (0.2, y, 0.145)], 0.008, wire, sides=6) for y in (-0.25, -0.1, 0.05, 0.2, 0.35)]
    stays = [tube([(s * 0.17, 0.36, 0.14), (s * 0.18, 0.2, 0.47)], 0.012, wire) for s in (-1, 1)]
    arms = [tube([(s * 0.25, top_back, z_back), (s * 0.26, -0.43, 0.98)], 0.013, wire) for s in (-1, 1)]
    grip = capsule((-0.26, -0.43, 0.98), (0.26, -0.43, 0.98), 0.022, colour)
    sign = box((0.22, 0.012, 0.13), (0, 0.432, 0.58), colour, 0.004)
    wheels = [
        (*wheel(0.055, 0.03, (s, y, 0.055), RUBBER, colour), box((0.04, 0.03, 0.06), (s, y, 0.08), DARK))
        for s, y in ((-0.2, -0.27), (0.2, -0.27), (-0.16, 0.36), (0.16, 0.36))
    ]
    return asset_from_parts(wires, rim, frame, shelf, stays, arms, grip, sign, wheels)


def _grid(face: Quad, columns: int, rows: int, wire: Material) -> list[Mesh]:
    """Wires across a face in both directions."""
    a, b, c, d = face
    upright = [
        tube([_mid(a, b, i / columns), _mid(d, c, i / columns)], 0.005, wire, sides=4) for i in range(columns + 1)
    ]
    level = [tube([_mid(a, d, i / rows), _mid(b, c, i / rows)], 0.005, wire, sides=4) for i in range(rows + 1)]
    return upright + level


def _mid(a: Vector, b: Vector, share: float) -> Vector:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)


CYCLE_PAINTS = ("#c8372d", "#2c5fa8", "#2f8a57", "#e0a82e", "#26262b", "#7fb8b0", "#d9692b")


@register_asset("bicycle")
def bicycle(stream: Stream) -> Asset:
    """A city bicycle with a basket, a quarter higher for its length than a real one, to be better visible."""
    coat, saddle = painted(pick(stream, *CYCLE_PAINTS), 0.2), pick(stream, BLACK, painted("#7a4a2c", 0.6))
    r, front, rear = 0.33, (0.0, 0.54, 0.33), (0.0, -0.52, 0.33)
    crank, seat, head = (0.0, -0.1, 0.31), (0.0, -0.24, 0.86), (0.0, 0.36, 0.92)
    low_head, post, bars = (0.0, 0.4, 0.76), (0.0, -0.27, 0.97), (0.0, 0.31, 1.1)
    frame = [_rod(a, b, 0.021, coat) for a, b in ((crank, seat), (crank, low_head), (seat, head), (head, low_head))]
    forks = [
        (
            _rod((s * 0.045, 0.54, 0.33), (s * 0.03, 0.4, 0.76), 0.013, coat),
            _rod((s * 0.05, *rear[1:]), (s * 0.02, *seat[1:]), 0.011, coat),
            _rod((s * 0.05, *rear[1:]), (s * 0.03, *crank[1:]), 0.012, coat),
        )
        for s in (-1, 1)
    ]
    grips = [
        tube(curve([bars, (s * 0.12, 0.35, 1.12), (s * 0.26, 0.28, 1.12), (s * 0.28, 0.16, 1.1)], 3), 0.013, CHROME)
        for s in (-1, 1)
    ]
    rubber = [capsule((s * 0.28, 0.2, 1.105), (s * 0.28, 0.1, 1.09), 0.02, BLACK) for s in (-1, 1)]
    stem = [_rod(head, bars, 0.016, CHROME), _rod(seat, post, 0.014, CHROME)]
    top = [
        pad((0.16, 0.14, 0.06), (0, -0.31, 0.97), saddle, 0.03),
        capsule((0, -0.3, 1.0), (0, -0.1, 1.0), 0.045, saddle, 0.022),
    ]
    guard = [
        tube([(0, y + 0.36 * dy, 0.33 + 0.36 * dz) for dy, dz in arc], 0.02, coat, 6)
        for y, arc in ((0.54, _ARC[2:]), (-0.52, [(-a, b) for a, b in _ARC[:]]))
    ]
    lamp = [
        ball((0.04, 0.045, 0.04), (0, 0.44, 0.9), CHROME, 8),
        disc(0.034, 0.012, (0, 0.475, 0.9), painted("#fff3c4", 0.2)),
    ]
    wheels = [spoked(r, hub, RUBBER, CHROME) for hub in (front, rear)]
    basket = _basket(painted(pick(stream, "#8a6b3f", "#3a3a3e", "#c9b58a"), 0.8))
    return asset_from_parts(wheels, frame, forks, grips, rubber, stem, top, _pedals(crank), guard, lamp, basket)


def _basket(wicker: Material) -> list[Mesh]:
    """Four bands around a floor, between the handlebars and the lamp; wider above."""
    bands = [box((0.3 + 0.06 * i, 0.2 + 0.04 * i, 0.045), (0, 0.56, 0.86 + 0.055 * i), wicker, 0.01) for i in range(4)]
    return [*bands, box((0.28, 0.18, 0.2), (0, 0.56, 0.87), wicker)]


def _pedals(crank: Vector) -> list[Mesh]:
    drive = [ring(0.09, 0.008, (0.04, *crank[1:]), DARK, "x", 6), disc(0.03, 0.1, (-0.05, *crank[1:]), CHROME, "x")]
    drive += [
        _rod((s * 0.06, *crank[1:]), (s * 0.06, -0.1 + s * 0.06, 0.31 - s * 0.15), 0.011, CHROME) for s in (-1, 1)
    ]
    drive += [box((0.09, 0.08, 0.022), (s * 0.11, -0.1 + s * 0.06, 0.3 - s * 0.15), BLACK) for s in (-1, 1)]
    return drive


_ARC = [(0.77, 0.64), (0.5, 0.87), (0.17, 0.98), (-0.17, 0.98), (-0.5, 0.87), (-0.77, 0.64), (-0.94, 0.34)]


def _rod(a: Vector, b: Vector, radius: float, material: Material) -> Mesh:
    return tube([a, b], radius, material, sides=8)


@register_asset("motor scooter")
def motor_scooter(stream: Stream) -> Asset:
    """A leg shield with a lamp and handlebars ahead, a floor board, a seat over a rounded tail."""
    coat = painted(pick(stream, "#c8372d", "#7fb8b0", "#e6dcc0", "#2c5fa8", "#e0a82e", "#3d6b4a"), 0.15)
    seat = pick(stream, BLACK, painted("#6b4228", 0.6))
    wheels = [*wheel(0.2, 0.1, (0, 0.58, 0.2), RUBBER, CHROME), *wheel(0.2, 0.1, (0, -0.5, 0.2), RUBBER, CHROME)]
    guard = [ball((0.085, 0.24, 0.15), (0, 0.58, 0.3), coat, 9)]
    outline = points_of("0.22,0.2 0.36,0.24 0.46,0.5 0.5,0.92 0.44,0.94 0.4,0.55 0.3,0.3 0.22,0.28")
    shield = extrusion(outline, (-0.2, 0.2), coat, "x", 0.025)
    floor = box((0.38, 0.56, 0.05), (0, 0.0, 0.21), DARK, 0.015)
    tail = [ball((0.17, 0.36, 0.2), (0, -0.45, 0.45), coat, 10), ball((0.13, 0.26, 0.14), (0, -0.3, 0.5), coat, 9)]
    cheeks = [ball((0.07, 0.22, 0.15), (s * 0.15, -0.47, 0.38), coat, 8) for s in (-1, 1)]
    saddle = [pad((0.25, 0.62, 0.12), (0, -0.38, 0.61), seat, 0.055)]
    column = [tube([(0, 0.58, 0.25), (0, 0.42, 1.0)], 0.03, CHROME), ball((0.12, 0.09, 0.09), (0, 0.43, 1.0), coat, 10)]
    lamp = [
        disc(0.065, 0.03, (0, 0.49, 1.01), CHROME, sides=20),
        ball((0.055, 0.02, 0.055), (0, 0.52, 1.01), painted("#fff3c4", 0.1), 8),
    ]
    bars = [tube([(0, 0.42, 1.03), (s * 0.2, 0.4, 1.06), (s * 0.34, 0.34, 1.05)], 0.017, CHROME) for s in (-1, 1)]
    grips = [capsule((s * 0.26, 0.38, 1.06), (s * 0.36, 0.33, 1.05), 0.025, BLACK) for s in (-1, 1)]
    mirrors = [
        (
            tube([(s * 0.2, 0.4, 1.06), (s * 0.27, 0.4, 1.2)], 0.007, CHROME),
            disc(0.055, 0.012, (s * 0.28, 0.39, 1.22), BLACK),
        )
        for s in (-1, 1)
    ]
    rear = [
        box((0.1, 0.03, 0.05), (0, -0.815, 0.45), painted("#b3201c", 0.2), 0.01),
        box((0.15, 0.01, 0.1), (0, -0.8, 0.3), WHITE),
    ]
    turn_lights = [ball((0.03, 0.025, 0.03), (s * 0.16, 0.5, 0.8), painted("#f0912e", 0.2), 8) for s in (-1, 1)]
    return asset_from_parts(
        wheels, guard, shield, floor, tail, cheeks, saddle, column, lamp, bars, grips, mirrors, rear, turn_lights
    )
