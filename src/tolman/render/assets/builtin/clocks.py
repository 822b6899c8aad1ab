"""Clocks: their dial is at the front."""

import math

from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.fronts import back_board
from tolman.render.assets.builtin.materials import (
    BLACK,
    BRASS,
    CHROME,
    painted,
    timber,
)
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.outline import extrusion, rounded
from tolman.render.shapes.solids import ball, box, disc
from tolman.render.shapes.sweep import capsule, ring
from tolman.render.shapes.transforms import all_moved, shift, turn


@model("alarm clock")
def alarm_clock(stream: Stream) -> Model:
    """Two bells and a hammer above a round face."""
    coat = pick(
        stream,
        painted("#c8372d", 0.25),
        painted("#2f8a7a", 0.25),
        painted("#e0a82e", 0.25),
        CHROME,
        painted("#2c5fa8", 0.25),
    )
    z, r = 0.1, 0.085
    case = disc(r, 0.06, (0, -0.03, z), coat, sides=36)
    face = [
        disc(r * 0.86, 0.004, (0, 0.029, z), painted("#fbf8ee", 0.6), sides=36),
        ring(r * 0.92, 0.008, (0, 0.03, z), coat, "y"),
    ]
    ticks = all_moved([box((0.005, 0.003, 0.014), (0, 0.034, 0.052), BLACK, 0.001)], shift())
    marks = [tick for k in range(12) for tick in all_moved(ticks, turn("y", 30 * k), shift(z=z))]
    hands = all_moved([box((0.007, 0.003, 0.038), (0, 0.036, 0), BLACK, 0.001)], turn("y", between(stream, 0, 360)))
    hands += all_moved([box((0.005, 0.003, 0.055), (0, 0.039, 0), BLACK, 0.001)], turn("y", between(stream, 0, 360)))
    bells = [
        m
        for s in (-1, 1)
        for m in all_moved(
            [ball((0.04, 0.032, 0.028), (0, 0, 0), CHROME, 8), capsule((0, 0, -0.03), (0, 0, 0.0), 0.006, CHROME)],
            turn("y", s * 32),
            shift(s * 0.052, 0, z + 0.085),
        )
    ]
    hammer = [
        capsule((0, 0, z + 0.08), (0, 0, z + 0.105), 0.004, BLACK, sides=6),
        box((0.035, 0.012, 0.012), (0, 0, z + 0.1), BLACK),
    ]
    feet = [capsule((s * 0.05, 0, z - 0.06), (s * 0.07, 0, 0.008), 0.009, CHROME) for s in (-1, 1)]
    return built(
        case,
        face,
        marks,
        all_moved(hands, shift(z=z)),
        bells,
        hammer,
        feet,
        extrusion(rounded(0.01, 0.01, 0.004), (0.035, 0.044), BLACK, "y").moved(shift(z=z)),
    )


@model("grandfather clock")
def grandfather_clock(stream: Stream) -> Model:
    """A tall case: a dial above, a pendulum behind glass below it."""
    wood = timber(stream, *pick(stream, ("#4a2a18", "#774a2c"), ("#5e3318", "#8d5730"), ("#2f1c12", "#54341f")))
    parts: list[Mesh] = [
        box((0.46, 0.27, 0.4), (0, 0, 0.04), wood, 0.008),
        box((0.5, 0.3, 0.06), (0, 0, 0), wood, 0.015),
        box((0.5, 0.3, 0.03), (0, 0, 0.44), wood, 0.01),
        box((0.32, 0.2, 0.86), (0, -0.02, 0.46), wood, 0.006),
        box((0.46, 0.28, 0.03), (0, 0, 1.3), wood, 0.01),
        box((0.42, 0.25, 0.42), (0, -0.005, 1.33), wood, 0.008),
        box((0.5, 0.3, 0.035), (0, 0, 1.75), wood, 0.01),
        extrusion(_crown(), (-0.12, 0.13), wood, "y", 0.008).moved(shift(z=1.785)),
        box((0.24, 0.006, 0.7), (0, 0.082, 0.54), painted("#120d0a", 0.25), 0.002),
        back_board(0.28, 1.66, (0, -0.125, 0.08)),
    ]
    parts += [ball(0.025, (x, 0.1, 1.95 - 0.04), BRASS, 8) for x in (-0.2, 0.2)]
    swing = between(stream, -6, 6)
    bob = [box((0.012, 0.006, 0.48), (0, 0.09, -0.48), BRASS), disc(0.062, 0.012, (0, 0.088, -0.5), BRASS, sides=28)]
    parts += all_moved(bob, turn("y", swing), shift(z=1.2))
    parts += [disc(0.022, 0.16, (x, 0.09, z), BRASS, "z", 12) for x, z in ((-0.08, 0.86), (0.08, 0.94))]
    return built(parts, _dial(stream))


def _crown() -> list[tuple[float, float]]:
    arch = [(0.2 * math.cos(a), 0.02 + 0.13 * math.sin(a)) for a in (math.pi * i / 12 for i in range(13))]
    return [(0.23, 0.0), *arch, (-0.23, 0.0)]


def _dial(stream: Stream) -> list[Mesh]:
    z, y = 1.54, 0.121
    face = [
        disc(0.165, 0.006, (0, y, z), BRASS, sides=40),
        disc(0.15, 0.008, (0, y, z), painted("#f7f2e2", 0.5), sides=40),
    ]
    marks = [
        m
        for k in range(12)
        for m in all_moved(
            [box((0.011, 0.003, 0.032), (0, y + 0.009, 0.105), BLACK, 0.001)], turn("y", 30 * k), shift(z=z)
        )
    ]
    hands = [
        m
        for length, wide, out in ((0.08, 0.014, 0.011), (0.115, 0.009, 0.014))
        for m in all_moved(
            [box((wide, 0.003, length), (0, y + out, -0.01), BLACK, 0.001)],
            turn("y", between(stream, 0, 360)),
            shift(z=z),
        )
    ]
    return [*face, *marks, *hands]
