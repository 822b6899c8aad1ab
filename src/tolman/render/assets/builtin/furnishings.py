"""Large things of a living room and an office that are no furniture to sit on or to store in."""

from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.materials import (
    BLACK,
    GREY,
    WHITE,
    painted,
    stone,
    timber,
    wooden,
)
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.lathe import lathe
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.outline import curve
from tolman.render.shapes.solids import ball, box, disc
from tolman.render.shapes.sweep import capsule, ring, tube
from tolman.render.shapes.textures import brick
from tolman.render.shapes.transforms import shift, turn


@model("fireplace")
def fireplace(stream: Stream) -> Model:
    """A brick or stone surround with a mantel, and a fire in its opening."""
    bricks = Material(brick(stream, pick(stream, "#9c4a34", "#7d3b2c", "#a8663f"), "#c9c0b2"), roughness=0.9)
    body = pick(stream, bricks, bricks, stone(stream, "#e4e0d8", "#a59d92"))
    h, w, hole, lintel = 1.06, 0.9, between(stream, 0.48, 0.56), between(stream, 0.6, 0.66)
    side = (w - hole) / 2
    posts = [box((side, 0.3, lintel), (s * (hole + side) / 2, -0.03, 0.04), body, 0.004, level=True) for s in (-1, 1)]
    above = box((w, 0.3, h - lintel - 0.08), (0, -0.03, lintel + 0.04), body, 0.004, level=True)
    shelf = [box((0.98, 0.38, 0.05), (0, 0.0, h - 0.05), pick(stream, wooden(stream), WHITE), 0.01)]
    hearth = box((0.98, 0.4, 0.04), (0, 0, 0), painted("#5a5754", 0.8), 0.006)
    back = [
        box((hole + 0.02, 0.03, lintel), (0, -0.165, 0.04), painted("#171412", 0.9)),
        box((hole, 0.25, 0.01), (0, -0.03, 0.04), painted("#171412", 0.9)),
    ]
    return built(posts, above, shelf, hearth, back, _fire(stream))


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


@model("whiteboard")
def whiteboard(stream: Stream) -> Model:
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
        m
        for s in (-1, 1)
        for m in (
            box((0.03, 0.03, low + 0.2), (s * 0.42, -0.025, 0.05), frame),
            box((0.035, 0.34, 0.03), (s * 0.42, -0.005, 0.045), frame),
        )
    ]
    castors = [ball(0.022, (s * 0.42, y, 0.022), BLACK, 8) for s in (-1, 1) for y in (-0.15, 0.14)]
    tray = [
        box((0.6, 0.07, 0.012), (0, 0.045, low - 0.005), frame),
        *(
            capsule((x, 0.05, low + 0.014), (x + 0.09, 0.05, low + 0.014), 0.008, painted(code))
            for x, code in ((-0.2, "#c8372d"), (-0.04, "#2c5fa8"), (0.12, "#1c1d20"))
        ),
    ]
    return built(board, rims, stand, castors, tray, _writing(stream, low, h))


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
    axes = [
        tube(
            [(-0.08, y, low + h * 0.62), (-0.08, y, low + h * 0.15), (-0.42, y, low + h * 0.15)],
            0.004,
            inks[1],
            sides=4,
        )
    ]
    rise = [(-0.08 - 0.32 * k / 8, y, low + h * (0.18 + 0.4 * (k / 8) ** 2)) for k in range(9)]
    figure = [ring(0.07, 0.008, (0.25, y, low + h * 0.25), inks[3], "y", 4)]
    return [*lines, *axes, tube(rise, 0.008, inks[2], sides=4), *figure]
