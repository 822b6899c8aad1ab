"""Parts that built-in assets share: legs, doors, drawers, handles, backs and wheels."""

import math
from itertools import product
from typing import Literal

from tolman.render.assets.builtin.builder import Stream, pick
from tolman.render.assets.builtin.materials import BLACK, GREY, HARDBOARD
from tolman.render.shapes.mesh import Material, Mesh
from tolman.render.shapes.solids import ball, box, cylinder, disc
from tolman.render.shapes.sweep import Vector, ring, tube

LegStyle = Literal["square", "round", "splayed", "tapered"]


def leg_style(stream: Stream) -> LegStyle:
    """A random leg style."""
    return pick(stream, "square", "round", "splayed", "tapered")


def four_legs(
    span: tuple[float, float], height: float, thickness: float, material: Material, style: LegStyle = "square"
) -> list[Mesh]:
    """Legs in the corners of a rectangle of `span` metres along x and y, centred on the origin."""
    x, y = span[0] / 2 - thickness / 2, span[1] / 2 - thickness / 2
    return [_leg(sx * x, sy * y, (sx, sy), height, thickness, material, style) for sx, sy in product((-1, 1), repeat=2)]


def _leg(
    x: float, y: float, sides: tuple[int, int], height: float, thickness: float, material: Material, style: LegStyle
) -> Mesh:
    if style == "square":
        return box((thickness, thickness, height), (x, y, 0), material)
    if style == "round":
        return cylinder(thickness / 2, height, (x, y, 0), material, sides=12)
    if style == "tapered":
        return cylinder(0.3 * thickness, height, (x, y, 0), material, top=thickness / 2, sides=12)
    inward = 0.12 * height
    top = (x - sides[0] * inward, y - sides[1] * inward, height)
    return tube([(x, y, 0), top], [0.32 * thickness, 0.55 * thickness], material, sides=10)


HandleStyle = Literal["knob", "bar", "bow"]


def handle_style(stream: Stream) -> HandleStyle:
    """A random handle style."""
    return pick(stream, "knob", "bar", "bow")


def handle(
    style: HandleStyle, at: Vector, material: Material, length: float = 0.12, *, upright: bool = False
) -> list[Mesh]:
    """A handle centred at `at` on a face normal to y."""
    x, y, z = at
    if style == "knob":
        return [disc(0.008, 0.014, at, material, sides=8), ball(0.018, (x, y + 0.022, z), material, steps=6)]
    reach = 0.028
    dx, dz = (0.0, length / 2) if upright else (length / 2, 0.0)
    low, high = (x - dx, y, z - dz), (x + dx, y, z + dz)
    out_low, out_high = (low[0], y + reach, low[2]), (high[0], y + reach, high[2])
    if style == "bow":
        return [tube([low, out_low, out_high, high], 0.007, material, sides=6)]
    size = (0.016, 0.012, length) if upright else (length, 0.012, 0.016)
    bar = box(size, (x, y + reach - 0.006, z - size[2] / 2), material, 0.003)
    return [bar, *(disc(0.006, reach, end, material, sides=6) for end in (low, high))]


def leaf(width: float, height: float, at: Vector, material: Material, *, panelled: bool = False) -> list[Mesh]:
    """A cupboard door or drawer front of 18 mm, with a raised frame if `panelled`; `at` is the middle of its lower
    edge."""
    x, y, z = at
    plate = box((width, 0.018, height), (x, y + 0.009, z), material, 0.004)
    if not panelled or min(width, height) < 0.15:
        return [plate]
    rim = min(0.07, 0.18 * min(width, height))
    sides = [box((rim, 0.012, height), (x + s * (width - rim) / 2, y + 0.022, z), material, 0.004) for s in (-1, 1)]
    rails = [
        box((width - 2 * rim, 0.012, rim), (x, y + 0.022, bottom), material, 0.004) for bottom in (z, z + height - rim)
    ]
    return [plate, *sides, *rails]


def back_board(width: float, height: float, at: Vector, board: Material = HARDBOARD) -> Mesh:
    """The back panel of a cupboard; `at` is the middle of its lower edge."""
    x, y, z = at
    return box((width, 0.006, height), (x, y - 0.003, z), board, 0.001)


def back_grille(width: float, height: float, at: Vector, metal: Material = BLACK) -> list[Mesh]:
    """The ribbed back plate of an appliance."""
    x, y, z = at
    plate = box((width, 0.008, height), (x, y - 0.004, z), metal, 0.002)
    number, rib = max(3, round(height / 0.09)), GREY if metal is BLACK else BLACK
    levels = [z + (i + 0.5) * height / number for i in range(number)]
    return [plate, *(box((0.8 * width, 0.008, 0.012), (x, y - 0.01, level), rib) for level in levels)]


def wheel(radius: float, width: float, at: Vector, tyre: Material, rim: Material) -> list[Mesh]:
    """A solid wheel with a bright disc on both sides, centred at `at`."""
    x, y, z = at
    inner = disc(0.58 * radius, width * 1.08, (x - 0.54 * width, y, z), rim, "x", 20)
    return [disc(radius, width, (x - width / 2, y, z), tyre, "x", 28), inner]


def spoked(radius: float, at: Vector, tyre: Material, rim: Material, spokes: int = 16) -> list[Mesh]:
    """A spoked wheel."""
    x, y, z = at
    angles = [2 * math.pi * i / spokes for i in range(spokes)]
    ends = [(y + 0.93 * radius * math.cos(a), z + 0.93 * radius * math.sin(a)) for a in angles]
    wires = [tube([(x, y, z), (x, *end)], 0.0035, rim, sides=4) for end in ends]
    hub = disc(0.02, 0.07, (x - 0.035, y, z), rim, "x", 12)
    outer = ring(0.955 * radius, 0.045 * radius + 0.006, at, tyre, "x")
    return [outer, ring(0.88 * radius, 0.009, at, rim, "x", 6), hub, *wires]
