"""Doors, drawers and handles, which face +y, and plain backs: what tells the front of a cupboard."""

from typing import Literal

from tolman.render.assets.builtin.draws import pick
from tolman.render.assets.builtin.materials import BLACK, GREY, HARDBOARD
from tolman.render.assets.builtin.registry import Stream
from tolman.render.shapes.material import Material
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.solids import ball, box, disc
from tolman.render.shapes.surface import Vector
from tolman.render.shapes.sweep import tube

HandleStyle = Literal["knob", "bar", "bow"]


def handle_style(stream: Stream) -> HandleStyle:
    """One of the ways to shape handles."""
    return pick(stream, "knob", "bar", "bow")


def handle(
    style: HandleStyle, at: Vector, material: Material, length: float = 0.12, *, upright: bool = False
) -> list[Mesh]:
    """A handle on a face at y = `at`[1], about the point `at`."""
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
    """A door or a drawer's front: the middle of its lower edge is at `at`; it stands out 18 mm, with a raised frame."""
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
    """The raw board that closes the back of a cupboard: the middle of its lower edge is at `at`, on its face."""
    x, y, z = at
    return box((width, 0.006, height), (x, y - 0.003, z), board, 0.001)


def back_grille(width: float, height: float, at: Vector, metal: Material = BLACK) -> list[Mesh]:
    """The plate with ribs and a cable that appliances have behind."""
    x, y, z = at
    plate = box((width, 0.008, height), (x, y - 0.004, z), metal, 0.002)
    number = max(3, round(height / 0.09))
    ribs = [
        box(
            (0.8 * width, 0.008, 0.012),
            (x, y - 0.01, z + (i + 0.5) * height / number),
            GREY if metal is BLACK else BLACK,
        )
        for i in range(number)
    ]
    return [plate, *ribs]
