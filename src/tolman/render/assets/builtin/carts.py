"""Shopping carts."""

from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.materials import CHROME, DARK, RUBBER, painted
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.assets.builtin.wheels import wheel
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.solids import box
from tolman.render.shapes.surface import Vector
from tolman.render.shapes.sweep import capsule, tube

Quad = tuple[Vector, Vector, Vector, Vector]


@model("shopping cart")
def shopping_cart(stream: Stream) -> Model:
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
    wires = [mesh for face in faces for mesh in _grid(face, 8, 4, wire)]
    rim = tube([a, b, c, d], 0.013, wire, loop=True)
    frame = [
        tube(
            [(s * 0.24, top_back, z_back), (s * 0.22, -0.3, 0.5), (s * 0.22, -0.28, 0.14), (s * 0.17, 0.38, 0.14)],
            0.014,
            wire,
        )
        for s in (-1, 1)
    ]
    shelf = [tube([(-0.2, y, 0.145), (0.2, y, 0.145)], 0.008, wire, sides=6) for y in (-0.25, -0.1, 0.05, 0.2, 0.35)]
    stays = [tube([(s * 0.17, 0.36, 0.14), (s * 0.18, 0.2, 0.47)], 0.012, wire) for s in (-1, 1)]
    arms = [tube([(s * 0.25, top_back, z_back), (s * 0.26, -0.43, 0.98)], 0.013, wire) for s in (-1, 1)]
    grip = capsule((-0.26, -0.43, 0.98), (0.26, -0.43, 0.98), 0.022, colour)
    sign = box((0.22, 0.012, 0.13), (0, 0.432, 0.58), colour, 0.004)
    wheels = [
        m
        for s, y in ((-0.2, -0.27), (0.2, -0.27), (-0.16, 0.36), (0.16, 0.36))
        for m in (*wheel(0.055, 0.03, (s, y, 0.055), RUBBER, colour), box((0.04, 0.03, 0.06), (s, y, 0.08), DARK))
    ]
    return built(wires, rim, frame, shelf, stays, arms, grip, sign, wheels)


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
