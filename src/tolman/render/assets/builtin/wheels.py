"""Wheels that turn about the x axis."""

import math

from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.solids import disc
from tolman.render.shapes.surface import Vector
from tolman.render.shapes.sweep import ring, tube


def wheel(radius: float, width: float, at: Vector, tyre: Material, rim: Material) -> list[Mesh]:
    """A solid wheel with a bright disc on both sides; `at` is its middle."""
    x, y, z = at
    inner = disc(0.58 * radius, width * 1.08, (x - 0.54 * width, y, z), rim, "x", 20)
    return [disc(radius, width, (x - width / 2, y, z), tyre, "x", 28), inner]


def spoked(radius: float, at: Vector, tyre: Material, rim: Material, spokes: int = 16) -> list[Mesh]:
    """A bicycle's wheel."""
    x, y, z = at
    ends = [
        (y + 0.93 * radius * math.cos(a), z + 0.93 * radius * math.sin(a))
        for a in (2 * math.pi * i / spokes for i in range(spokes))
    ]
    wires = [tube([(x, y, z), (x, *end)], 0.0035, rim, sides=4) for end in ends]
    hub = disc(0.02, 0.07, (x - 0.035, y, z), rim, "x", 12)
    return [
        ring(0.955 * radius, 0.045 * radius + 0.006, at, tyre, "x"),
        ring(0.88 * radius, 0.009, at, rim, "x", 6),
        hub,
        *wires,
    ]
