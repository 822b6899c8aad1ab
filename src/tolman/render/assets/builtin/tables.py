"""Tables and desks."""

from tolman.render.assets.builtin.coats import coat
from tolman.render.assets.builtin.draws import between, pick, whole
from tolman.render.assets.builtin.fronts import handle, handle_style, leaf
from tolman.render.assets.builtin.legs import four_legs, leg_style
from tolman.render.assets.builtin.materials import IRON, STEEL, cloth, finish, painted, stone, wooden
from tolman.render.assets.builtin.registry import Stream, built, model
from tolman.render.shapes.lathe import lathe
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh, Model
from tolman.render.shapes.solids import box, cylinder
from tolman.render.shapes.transforms import shift


@model("table")
def table(stream: Stream) -> Model:
    """A dining table, round or square, at the height of the elbows."""
    wood, height = finish(stream), between(stream, 0.71, 0.74)
    if stream.random() < 0.5:
        return built(cylinder(0.47, 0.04, (0, 0, height - 0.04), wood, sides=48), _column(height - 0.04, wood))
    legs = four_legs((0.86, 0.86), height - 0.04, 0.07, wood, leg_style(stream))
    apron = [
        box(size, (x, y, height - 0.13), wood)
        for size, x, y in (
            ((0.76, 0.025, 0.09), 0, 0.37),
            ((0.76, 0.025, 0.09), 0, -0.37),
            ((0.025, 0.76, 0.09), 0.37, 0),
            ((0.025, 0.76, 0.09), -0.37, 0),
        )
    ]
    return built(box((0.94, 0.94, 0.04), (0, 0, height - 0.04), wood, 0.01), legs, apron)


def _column(height: float, wood: Material) -> list[Mesh]:
    profile = [(0.0, 0.0), (0.3, 0.0), (0.3, 0.025), (0.1, 0.07), (0.06, 0.2), (0.05, 0.4), (0.09, height - 0.02)]
    return [lathe([*profile, (0.12, height), (0.0, height)], wood, 28)]


@model("coffee table")
def coffee_table(stream: Stream) -> Model:
    """A low table with a shelf below its top, round or square."""
    wood, height = wooden(stream), between(stream, 0.38, 0.42)
    top = pick(stream, wood, stone(stream, "#e6e2da", "#9a948a"), Material(srgb("#cfe0dc"), 0.05, clear=0.85))
    if stream.random() < 0.5:
        return built(
            cylinder(0.4, 0.03, (0, 0, height - 0.03), top, sides=40),
            cylinder(0.32, 0.02, (0, 0, 0.12), wood, sides=40),
            four_legs((0.6, 0.6), height - 0.03, 0.04, pick(stream, wood, IRON), "round"),
        )
    return built(
        box((0.8, 0.8, 0.035), (0, 0, height - 0.035), top, 0.008),
        box((0.7, 0.7, 0.02), (0, 0, 0.12), wood),
        four_legs((0.76, 0.76), height - 0.035, 0.055, wood),
    )


@model("desk")
def desk(stream: Stream) -> Model:
    """A desk: drawers and room for the knees are at its front, a board closes its back."""
    wood, style, metal = coat("desk", stream), handle_style(stream), pick(stream, STEEL, IRON)
    height, side = between(stream, 0.72, 0.75), pick(stream, -1, 1)
    top = box((0.98, 0.58, 0.035), (0, 0, height - 0.035), wood, 0.006)
    board = box((0.92, 0.02, 0.42), (0, -0.25, height - 0.455), wood)
    stack, number = height - 0.035, whole(stream, 2, 4)
    case = box((0.36, 0.52, stack - 0.04), (side * 0.29, -0.01, 0.04), wood)
    each = (stack - 0.08) / number
    fronts: list[Mesh] = []
    for i in range(number):
        z = 0.06 + i * each
        fronts += leaf(0.33, each - 0.02, (side * 0.29, 0.25, z), wood)
        fronts += handle(style, (side * 0.29, 0.268, z + each / 2), metal)
    far = -side * 0.455
    legs = four_legs((0.04, 0.5), stack, 0.04, wood)[:2]
    legs = [leg.moved(shift(far)) for leg in legs]
    things = [
        box((0.21, 0.297, 0.004), (-side * 0.1, 0.05, height), painted("#f4f3ee", 0.9), 0.001),
        box((0.2, 0.14, 0.03), (side * 0.3, -0.12, height), cloth(stream), 0.004),
    ]
    return built(top, board, case, fronts, legs, things)
