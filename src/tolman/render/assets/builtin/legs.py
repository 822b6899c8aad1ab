"""Legs that tables, chairs and cupboards stand on."""

from itertools import product
from typing import Literal

from tolman.render.assets.builtin.draws import pick
from tolman.render.assets.builtin.registry import Stream
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.solids import box, cylinder
from tolman.render.shapes.sweep import tube

LegStyle = Literal["square", "round", "splayed", "tapered"]


def leg_style(stream: Stream) -> LegStyle:
    """One of the ways to shape legs."""
    return pick(stream, "square", "round", "splayed", "tapered")


def four_legs(
    span: tuple[float, float], height: float, thickness: float, material: Material, style: LegStyle = "square"
) -> list[Mesh]:
    """Legs within a rectangle of so many metres along x and y, about the origin."""
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
