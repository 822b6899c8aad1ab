"""Bicycles and scooters: handlebars are ahead."""

from tolman.render.assets.builtin.draws import pick
from tolman.render.assets.builtin.materials import BLACK, CHROME, DARK, RUBBER, WHITE, painted
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.assets.builtin.wheels import spoked, wheel
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.outline import curve, extrusion
from tolman.render.shapes.solids import ball, box, disc, pad
from tolman.render.shapes.surface import Vector
from tolman.render.shapes.sweep import capsule, ring, tube

PAINT = ("#c8372d", "#2c5fa8", "#2f8a57", "#e0a82e", "#26262b", "#7fb8b0", "#d9692b")


@model("bicycle")
def bicycle(stream: Stream) -> Model:
    """A city bicycle with a basket, a quarter higher for its length than a real one, so that it is seen well."""
    coat, saddle = painted(pick(stream, *PAINT), 0.2), pick(stream, BLACK, painted("#7a4a2c", 0.6))
    r, front, rear = 0.33, (0.0, 0.54, 0.33), (0.0, -0.52, 0.33)
    crank, seat, head = (0.0, -0.1, 0.31), (0.0, -0.24, 0.86), (0.0, 0.36, 0.92)
    low_head, post, bars = (0.0, 0.4, 0.76), (0.0, -0.27, 0.97), (0.0, 0.31, 1.1)
    frame = [_rod(a, b, 0.021, coat) for a, b in ((crank, seat), (crank, low_head), (seat, head), (head, low_head))]
    forks = [
        m
        for s in (-1, 1)
        for m in (
            _rod((s * 0.045, 0.54, 0.33), (s * 0.03, 0.4, 0.76), 0.013, coat),
            _rod((s * 0.05, *rear[1:]), (s * 0.02, *seat[1:]), 0.011, coat),
            _rod((s * 0.05, *rear[1:]), (s * 0.03, *crank[1:]), 0.012, coat),
        )
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
    return built(
        spoked(r, front, RUBBER, CHROME),
        spoked(r, rear, RUBBER, CHROME),
        frame,
        forks,
        grips,
        rubber,
        stem,
        top,
        _pedals(crank),
        guard,
        lamp,
        _basket(painted(pick(stream, "#8a6b3f", "#3a3a3e", "#c9b58a"), 0.8)),
    )


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


@model("motor scooter")
def motor_scooter(stream: Stream) -> Model:
    """A leg shield with a lamp and handlebars ahead, a floor board, a seat over a rounded tail."""
    coat, seat = (
        painted(pick(stream, "#c8372d", "#7fb8b0", "#e6dcc0", "#2c5fa8", "#e0a82e", "#3d6b4a"), 0.15),
        pick(stream, BLACK, painted("#6b4228", 0.6)),
    )
    wheels = [*wheel(0.2, 0.1, (0, 0.58, 0.2), RUBBER, CHROME), *wheel(0.2, 0.1, (0, -0.5, 0.2), RUBBER, CHROME)]
    guard = [ball((0.085, 0.24, 0.15), (0, 0.58, 0.3), coat, 9)]
    shield = extrusion(
        [(0.22, 0.2), (0.36, 0.24), (0.46, 0.5), (0.5, 0.92), (0.44, 0.94), (0.4, 0.55), (0.3, 0.3), (0.22, 0.28)],
        (-0.2, 0.2),
        coat,
        "x",
        0.025,
    )
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
        m
        for s in (-1, 1)
        for m in (
            tube([(s * 0.2, 0.4, 1.06), (s * 0.27, 0.4, 1.2)], 0.007, CHROME),
            disc(0.055, 0.012, (s * 0.28, 0.39, 1.22), BLACK),
        )
    ]
    rear = [
        box((0.1, 0.03, 0.05), (0, -0.815, 0.45), painted("#b3201c", 0.2), 0.01),
        box((0.15, 0.01, 0.1), (0, -0.8, 0.3), WHITE),
    ]
    turn_lights = [ball((0.03, 0.025, 0.03), (s * 0.16, 0.5, 0.8), painted("#f0912e", 0.2), 8) for s in (-1, 1)]
    return built(
        wheels, guard, shield, floor, tail, cheeks, saddle, column, lamp, bars, grips, mirrors, rear, turn_lights
    )
