"""Sewing machines."""

from tolman.render.assets.builtin.draws import pick
from tolman.render.assets.builtin.materials import BRASS, CHROME, WHITE, painted, wooden
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.outline import extrusion
from tolman.render.shapes.solids import box, cylinder, disc, pad
from tolman.render.shapes.sweep import capsule, ring


@model("sewing machine")
def sewing_machine(stream: Stream) -> Model:
    """A bed, a pillar and an arm like a bridge, with a needle; the wheel is at the sewer's right."""
    coat, trim = pick(
        stream,
        (painted("#1b1c1f", 0.15), BRASS),
        (WHITE, painted("#3f8f8a")),
        (painted("#7fb3a8", 0.25), CHROME),
        (painted("#a8322b", 0.2), BRASS),
    )
    base = [
        box((0.4, 0.17, 0.035), (0, 0, 0), wooden(stream), 0.006),
        pad((0.37, 0.14, 0.025), (0, 0, 0.035), coat, 0.01, steps=2),
    ]
    arch = [
        (-0.17, 0.05),
        (-0.17, 0.27),
        (-0.15, 0.29),
        (0.15, 0.29),
        (0.17, 0.27),
        (0.17, 0.14),
        (0.105, 0.14),
        (0.1, 0.19),
        (0.06, 0.205),
        (-0.04, 0.205),
        (-0.07, 0.19),
        (-0.08, 0.05),
    ]
    arm = extrusion(arch, (-0.045, 0.045), coat, "y", 0.012)
    wheel = [
        disc(0.055, 0.022, (-0.195, 0, 0.24), coat, "x", 24),
        ring(0.05, 0.008, (-0.198, 0, 0.24), trim, "x"),
        disc(0.012, 0.03, (-0.2, 0, 0.24), trim, "x"),
    ]
    needle = [
        capsule((0.137, 0, 0.15), (0.137, 0, 0.1), 0.006, CHROME, sides=8),
        capsule((0.137, 0, 0.1), (0.137, 0, 0.062), 0.003, CHROME, sides=6),
        box((0.025, 0.05, 0.006), (0.137, 0.01, 0.062), CHROME),
    ]
    dials = [
        disc(0.026, 0.014, (-0.125, 0.044, 0.24), trim, sides=20),
        disc(0.014, 0.012, (-0.125, 0.044, 0.17), trim, sides=16),
        disc(0.012, 0.014, (0.14, 0.044, 0.22), trim, sides=16),
    ]
    label = [box((0.13, 0.003, 0.028), (0.02, 0.046, 0.238), trim, 0.001)]
    spool = [
        cylinder(0.004, 0.032, (-0.06, 0, 0.288), CHROME, sides=6),
        cylinder(0.017, 0.026, (-0.06, 0, 0.29), painted(pick(stream, "#c8372d", "#2c5fa8", "#e0a82e")), sides=14),
    ]
    return built(base, arm, wheel, needle, dials, label, spool, _fabric(stream))


def _fabric(stream: Stream) -> list[Mesh]:
    tone = srgb(pick(stream, "#d88aa0", "#7fa8d0", "#e0c070"))
    return [box((0.12, 0.15, 0.004), (0.125, 0.015, 0.061), Material(tone, 0.95), 0.001)]
