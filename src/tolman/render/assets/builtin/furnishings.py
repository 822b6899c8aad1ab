"""Fireplaces, whiteboards, clocks and mirrors."""

import math

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import (
    BLACK,
    BRASS,
    CHROME,
    GREY,
    HARDBOARD,
    IRON,
    WHITE,
    metal,
    painted,
    stone,
    timber,
    wooden,
)
from tolman.render.assets.builtin.parts import back_board
from tolman.render.shapes.extrusion import curve, extrusion, rounded
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift, turn
from tolman.render.shapes.solids import ball, box, disc
from tolman.render.shapes.sweep import capsule, lathe, ring, tube
from tolman.render.shapes.textures import brick


@register_asset("fireplace")
def fireplace(stream: Stream) -> Asset:
    """A brick or stone surround with a mantel, and a fire in its opening; its back is a plain wall without one."""
    bricks = Material(brick(stream, pick(stream, "#9c4a34", "#7d3b2c", "#a8663f"), "#c9c0b2"), roughness=0.9)
    body = pick(stream, bricks, bricks, stone(stream, "#e4e0d8", "#a59d92"))
    h, w, hole, lintel = 1.06, 0.9, between(stream, 0.48, 0.56), between(stream, 0.6, 0.66)
    side = (w - hole) / 2
    posts = [box((side, 0.16, lintel), (s * (hole + side) / 2, 0.04, 0.04), body, 0.004, level=True) for s in (-1, 1)]
    above = box((w, 0.16, h - lintel - 0.08), (0, 0.04, lintel + 0.04), body, 0.004, level=True)
    shelf = [box((0.98, 0.38, 0.05), (0, 0.0, h - 0.05), pick(stream, wooden(stream), WHITE), 0.01)]
    hearth = box((0.98, 0.4, 0.04), (0, 0, 0), painted("#5a5754", 0.8), 0.006)
    back = [
        box((hole + 0.02, 0.03, lintel), (0, -0.165, 0.04), painted("#171412", 0.9)),
        box((hole, 0.25, 0.01), (0, -0.03, 0.04), painted("#171412", 0.9)),
    ]
    plaster = painted(pick(stream, "#86a58c", "#7f9f94", "#94a878"), 0.95)
    wall = [
        *(box((side, 0.15, lintel), (s * (hole + side) / 2, -0.115, 0.04), plaster, 0.004) for s in (-1, 1)),
        box((w, 0.15, h - lintel - 0.08), (0, -0.115, lintel + 0.04), plaster, 0.004),
        box((w, 0.02, h - 0.08), (0, -0.19, 0.04), plaster),
    ]
    return asset_from_parts(posts, above, shelf, hearth, back, wall, _fire(stream))


def _fire(stream: Stream) -> list[Mesh]:
    bark = timber(stream, "#3a2516", "#6b4a2c", 0.9)
    logs = [
        disc(0.035, 0.34, (-0.17, y, z), bark, "x", 12).moved(turn("z", angle))
        for y, z, angle in ((-0.03, 0.09, 6), (0.05, 0.09, -7), (0.0, 0.15, 3))
    ]
    flames: list[Mesh] = []
    for code, size, number in (("#e2571e", 1.0, 5), ("#f7a325", 0.7, 5), ("#ffe07a", 0.42, 3)):
        for i in range(number):
            x, tall = 0.24 * ((i + 0.5) / number - 0.5), size * between(stream, 0.24, 0.34)
            flame = lathe(
                curve([(0.0, 0.0), (0.045, 0.06), (0.03, 0.55 * tall), (0.0, tall)], 3), painted(code, 0.9), 8
            )
            flames.append(flame.moved(shift(x, 0.02 * (1 - size) + 0.01 * (i % 2), 0.13)))
    return logs + flames


@register_asset("whiteboard")
def whiteboard(stream: Stream) -> Asset:
    """A board with writing on its front, on a stand with castors; its back is grey."""
    frame = pick(stream, painted("#5f656c"), painted("#2c2e33"), painted("#3467a3"))
    low, high = between(stream, 0.8, 0.9), 1.74
    h = high - low
    board = [
        box((0.96, 0.02, h), (0, -0.005, low), GREY),
        box((0.93, 0.006, h - 0.03), (0, 0.007, low + 0.015), painted("#fafaf8", 0.15)),
    ]
    rims = [box((0.98, 0.035, 0.025), (0, 0, z), frame) for z in (low - 0.005, high - 0.02)]
    rims += [box((0.025, 0.035, h), (s * 0.478, 0, low), frame) for s in (-1, 1)]
    stand = [
        (
            box((0.03, 0.03, low + 0.2), (s * 0.42, -0.025, 0.05), frame),
            box((0.035, 0.34, 0.03), (s * 0.42, -0.145, 0.045), frame),
            tube([(s * 0.42, -0.3, 0.06), (s * 0.42, -0.03, low + 0.5 * h)], 0.018, frame, sides=8),
        )
        for s in (-1, 1)
    ]
    castors = [ball(0.022, (s * 0.42, y, 0.022), BLACK, 8) for s in (-1, 1) for y in (-0.29, 0.0)]
    tray = box((0.6, 0.07, 0.012), (0, 0.045, low - 0.005), frame)
    pens = [
        capsule((x, 0.05, low + 0.014), (x + 0.09, 0.05, low + 0.014), 0.008, painted(code))
        for x, code in ((-0.2, "#c8372d"), (-0.04, "#2c5fa8"), (0.12, "#1c1d20"))
    ]
    return asset_from_parts(board, rims, stand, castors, tray, pens, _writing(stream, low, h))


def _writing(stream: Stream, low: float, h: float) -> list[Mesh]:
    y = 0.0125
    inks = [painted(code, 0.7) for code in ("#2c5fa8", "#1c1d20", "#c8372d", "#2f8a57")]
    lines: list[Mesh] = []
    for i in range(3):
        z = low + h * (0.84 - 0.12 * i)
        x = 0.4
        while x > between(stream, -0.05, 0.1):
            word = between(stream, 0.05, 0.12)
            wave = [(x - word * k / 6, y, z + 0.018 * (-1) ** k * (0.5 + stream.random())) for k in range(7)]
            lines.append(tube(wave, 0.0065, inks[i % 2], sides=4))
            x -= word + 0.03
    axes = [(-0.08, y, low + h * 0.62), (-0.08, y, low + h * 0.15), (-0.42, y, low + h * 0.15)]
    rise = [(-0.08 - 0.32 * k / 8, y, low + h * (0.18 + 0.4 * (k / 8) ** 2)) for k in range(9)]
    figure = ring(0.07, 0.008, (0.25, y, low + h * 0.25), inks[3], "y", 4)
    return [*lines, tube(axes, 0.004, inks[1], sides=4), tube(rise, 0.008, inks[2], sides=4), figure]


@register_asset("alarm clock")
def alarm_clock(stream: Stream) -> Asset:
    """Two bells and a hammer above a round face."""
    red, green, yellow, blue = (painted(code, 0.25) for code in ("#c8372d", "#2f8a7a", "#e0a82e", "#2c5fa8"))
    coat = pick(stream, red, green, yellow, CHROME, blue)
    z, r = 0.1, 0.085
    case = disc(r, 0.06, (0, -0.03, z), coat, sides=36)
    face = [
        disc(r * 0.86, 0.004, (0, 0.029, z), painted("#fbf8ee", 0.6), sides=36),
        ring(r * 0.92, 0.008, (0, 0.03, z), coat, "y"),
    ]
    tick = box((0.005, 0.003, 0.014), (0, 0.034, 0.052), BLACK, 0.001).moved(shift())
    sizes = ((0.007, 0.038, 0.036), (0.005, 0.055, 0.039))
    hands = [box((wide, 0.003, length), (0, out, 0), BLACK, 0.001) for wide, length, out in sizes]
    bell = [ball((0.04, 0.032, 0.028), (0, 0, 0), CHROME, 8), capsule((0, 0, -0.03), (0, 0, 0.0), 0.006, CHROME)]
    bells = [all_transformed(bell, turn("y", s * 32), shift(s * 0.052, 0, z + 0.085)) for s in (-1, 1)]
    hammer = [
        capsule((0, 0, z + 0.08), (0, 0, z + 0.105), 0.004, BLACK, sides=6),
        box((0.035, 0.012, 0.012), (0, 0, z + 0.1), BLACK),
    ]
    feet = [capsule((s * 0.05, 0, z - 0.06), (s * 0.07, 0, 0.008), 0.009, CHROME) for s in (-1, 1)]
    pin = extrusion(rounded(0.01, 0.01, 0.004), (0.035, 0.044), BLACK, "y").moved(shift(z=z))
    return asset_from_parts(case, face, _marks_and_hands(stream, tick, hands, z), bells, hammer, feet, pin)


def _marks_and_hands(stream: Stream, mark: Mesh, hands: list[Mesh], z: float) -> list[list[Mesh]]:
    """A mark at every hour, and hands at random times, on a clock face with its middle at height z."""
    marks = [all_transformed([mark], turn("y", 30 * hour), shift(z=z)) for hour in range(12)]
    return [*marks, *(all_transformed([hand], turn("y", between(stream, 0, 360)), shift(z=z)) for hand in hands)]


@register_asset("grandfather clock")
def grandfather_clock(stream: Stream) -> Asset:
    """A tall case: a dial above, a pendulum behind glass below it."""
    wood = timber(stream, *pick(stream, ("#4a2a18", "#774a2c"), ("#5e3318", "#8d5730"), ("#2f1c12", "#54341f")))
    arch = [(0.2 * math.cos(a), 0.02 + 0.13 * math.sin(a)) for a in (math.pi * i / 12 for i in range(13))]
    parts: list[Mesh] = [
        box((0.46, 0.27, 0.4), (0, 0, 0.04), wood, 0.008),
        box((0.5, 0.3, 0.06), (0, 0, 0), wood, 0.015),
        box((0.5, 0.3, 0.03), (0, 0, 0.44), wood, 0.01),
        box((0.32, 0.2, 0.86), (0, -0.02, 0.46), wood, 0.006),
        box((0.46, 0.28, 0.03), (0, 0, 1.3), wood, 0.01),
        box((0.42, 0.25, 0.42), (0, -0.005, 1.33), wood, 0.008),
        box((0.5, 0.3, 0.035), (0, 0, 1.75), wood, 0.01),
        extrusion([(0.23, 0.0), *arch, (-0.23, 0.0)], (-0.12, 0.13), wood, "y", 0.008).moved(shift(z=1.785)),
        box((0.24, 0.006, 0.7), (0, 0.082, 0.54), painted("#120d0a", 0.25), 0.002),
        back_board(0.28, 1.66, (0, -0.125, 0.08)),
    ]
    parts += [ball(0.025, (x, 0.1, 1.95 - 0.04), BRASS, 8) for x in (-0.2, 0.2)]
    swing = between(stream, -6, 6)
    bob = [box((0.012, 0.006, 0.48), (0, 0.09, -0.48), BRASS), disc(0.062, 0.012, (0, 0.088, -0.5), BRASS, sides=28)]
    parts += all_transformed(bob, turn("y", swing), shift(z=1.2))
    parts += [disc(0.022, 0.16, (x, 0.09, z), BRASS, "z", 12) for x, z in ((-0.08, 0.86), (0.08, 0.94))]
    return asset_from_parts(parts, _dial(stream))


def _dial(stream: Stream) -> list[Mesh | list[Mesh]]:
    z, y = 1.54, 0.121
    rim = disc(0.165, 0.006, (0, y, z), BRASS, sides=40)
    face = disc(0.15, 0.008, (0, y, z), painted("#f7f2e2", 0.5), sides=40)
    mark = box((0.011, 0.003, 0.032), (0, y + 0.009, 0.105), BLACK, 0.001)
    sizes = ((0.014, 0.08, 0.011), (0.009, 0.115, 0.014))
    hands = [box((wide, 0.003, length), (0, y + out, -0.01), BLACK, 0.001) for wide, length, out in sizes]
    return [rim, face, *_marks_and_hands(stream, mark, hands, z)]


@register_asset("mirror")
def mirror(stream: Stream) -> Asset:
    """A tall mirror in a frame that leans on a leg behind it; its back is a plain board."""
    frame, style = pick(stream, wooden(stream), BRASS, IRON, painted("#e9e6de")), pick(stream, "square", "arch", "oval")
    glass = metal("#dfe6ea", 0.03)
    height = between(stream, 1.5, 1.58)
    line = _mirror_line(style, 0.56, height - 0.06)
    middle = height / 2 + 0.03
    inner = [(x * 0.89, z * 0.955) for x, z in line]
    board = extrusion(line, (-0.02, 0.01), frame, "y", 0.006).moved(shift(z=middle))
    pane = extrusion(inner, (0.01, 0.014), glass, "y").moved(shift(z=middle))
    rim = tube([(x * 0.945, 0.015, z * 0.978 + middle) for x, z in line], 0.016, frame, loop=True)
    feet = [box((0.05, 0.06, 0.06), (s * 0.2, 0, 0), frame, 0.01) for s in (-1, 1)]
    paper = extrusion(inner, (-0.024, -0.02), HARDBOARD, "y").moved(shift(z=middle))
    leaning = all_transformed([board, pane, paper, rim, *feet], turn("x", 5))
    leg = tube([(0, -0.13, 0.82 * height), (0, -0.4, 0.02)], 0.028, frame, sides=10)
    stay = tube([(0, -0.06, 0.3 * height), (0, -0.32, 0.3 * height)], 0.012, frame, sides=8)
    return asset_from_parts(leaning, leg, stay)


def _mirror_line(style: str, width: float, height: float) -> list[tuple[float, float]]:
    x, z = width / 2, height / 2
    if style == "oval":
        angles = [(np.cos(a), np.sin(a)) for a in np.arange(40) * 2 * np.pi / 40]
        return [(float(x * np.sign(c) * abs(c) ** 0.8), float(z * np.sign(s) * abs(s) ** 0.8)) for c, s in angles]
    if style == "arch":
        arch = [(float(x * np.cos(a)), float(z - x + x * np.sin(a))) for a in np.linspace(0, np.pi, 17)]
        return [(-x, -z), (x, -z), *arch]
    return rounded(width, height, 0.03)
