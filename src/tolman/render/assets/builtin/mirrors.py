"""Mirrors to stand on the floor."""

import numpy as np

from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.materials import (
    BRASS,
    HARDBOARD,
    IRON,
    metal,
    painted,
    wooden,
)
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.model import Model
from tolman.render.shapes.outline import extrusion, rounded
from tolman.render.shapes.solids import box
from tolman.render.shapes.sweep import tube
from tolman.render.shapes.transforms import shift


@model("mirror")
def mirror(stream: Stream) -> Model:
    """A tall mirror in a frame on two feet; its back is a plain board."""
    frame, style = pick(stream, wooden(stream), BRASS, IRON, painted("#e9e6de")), pick(stream, "square", "arch", "oval")
    glass = metal("#dfe6ea", 0.03)
    height = between(stream, 1.5, 1.58)
    line = _mirror_line(style, 0.56, height - 0.06)
    middle = height / 2 + 0.03
    inner = [(x * 0.89, z * 0.955) for x, z in line]
    board = extrusion(line, (-0.02, 0.01), frame, "y", 0.006).moved(shift(z=middle))
    pane = extrusion(inner, (0.01, 0.014), glass, "y").moved(shift(z=middle))
    rim = tube([(x * 0.945, 0.015, z * 0.978 + middle) for x, z in line], 0.016, frame, loop=True)
    feet = [box((0.05, 0.1, 0.035), (s * 0.2, 0, 0), frame, 0.01) for s in (-1, 1)]
    posts = [box((0.03, 0.02, 0.25), (s * 0.2, -0.02, 0.02), frame) for s in (-1, 1)]
    paper = extrusion(inner, (-0.024, -0.02), HARDBOARD, "y").moved(shift(z=middle))
    return built(board, pane, paper, rim, feet, posts)


def _mirror_line(style: str, width: float, height: float) -> list[tuple[float, float]]:
    x, z = width / 2, height / 2
    if style == "oval":
        angles = np.arange(40) * 2 * np.pi / 40
        power = 0.8
        return [
            (
                float(x * np.sign(np.cos(a)) * abs(np.cos(a)) ** power),
                float(z * np.sign(np.sin(a)) * abs(np.sin(a)) ** power),
            )
            for a in angles
        ]
    if style == "arch":
        arch = [(float(x * np.cos(a)), float(z - x + x * np.sin(a))) for a in np.linspace(0, np.pi, 17)]
        return [(-x, -z), (x, -z), *arch]
    return rounded(width, height, 0.03)
