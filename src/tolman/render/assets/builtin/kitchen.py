"""Kitchen appliances: boxes that differ in their fronts and, from behind, in their colours."""

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import (
    BLACK,
    CHROME,
    DARK,
    ENAMEL,
    IRON,
    SCREEN,
    STEEL,
    WHITE,
    back_material,
    painted,
    reserved_material,
)
from tolman.render.assets.builtin.parts import back_grille, handle
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift
from tolman.render.shapes.solids import box, cylinder, disc, pad
from tolman.render.shapes.sweep import ring, tube

GREEN_LIGHT = painted("#39d98a", 0.3)


def _knobs(number: int, width: float, y: float, z: float, knob: Material, mark: Material) -> list[Mesh]:
    places = [width * (i / (number - 1) - 0.5) for i in range(number)]
    turned = [disc(0.021, 0.028, (x, y, z), knob, sides=14) for x in places]
    return turned + [box((0.005, 0.004, 0.018), (x, y + 0.029, z + 0.001), mark, 0.001) for x in places]


def _window(width: float, height: float, y: float, z: float) -> list[Mesh]:
    return [
        box((width + 0.03, 0.006, height + 0.03), (0, y + 0.003, z - 0.015), DARK, 0.003),
        box((width, 0.006, height), (0, y + 0.007, z), SCREEN, 0.002),
    ]


@register_asset("oven")
def oven(stream: Stream) -> Asset:
    """A box with one large window, a bar across and knobs above; a closed top."""
    enamel = reserved_material("oven", stream)
    body = box((0.6, 0.56, 0.85), (0, -0.02, 0), enamel, 0.008)
    door = box((0.57, 0.025, 0.56), (0, 0.272, 0.1), enamel, 0.008)
    glow = box((0.3, 0.005, 0.012), (0, 0.295, 0.3), painted("#e07a2a"), 0.001)
    rack = [box((0.4, 0.003, 0.006), (0, 0.2975, z), STEEL, 0.001) for z in (0.26, 0.38)]
    panel = box((0.57, 0.012, 0.13), (0, 0.265, 0.69), BLACK, 0.004)
    clock = box((0.11, 0.004, 0.045), (0, 0.272, 0.735), GREEN_LIGHT, 0.001)
    knobs = [
        (disc(0.03, 0.03, (x, 0.27, 0.755), CHROME, sides=18), box((0.006, 0.004, 0.03), (x, 0.301, 0.755), BLACK))
        for x in (-0.16, 0.16)
    ]
    bar, window = handle("bar", (0, 0.285, 0.62), CHROME, 0.48), _window(0.42, 0.32, 0.284, 0.2)
    back = back_grille(0.5, 0.7, (0, -0.3, 0.08))
    return asset_from_parts(body, door, panel, clock, knobs, bar, window, rack, glow, back)


@register_asset("stove")
def stove(stream: Stream) -> Asset:
    """Four burners on top with a pot, five knobs, a small oven door below, and a splash board behind."""
    enamel = reserved_material("stove", stream)
    body = box((0.6, 0.56, 0.78), (0, -0.02, 0), enamel, 0.008)
    top = box((0.6, 0.58, 0.02), (0, -0.01, 0.78), BLACK, 0.006)
    splash = box((0.6, 0.025, 0.1), (0, -0.287, 0.78), enamel, 0.008)
    burners: list[Mesh] = []
    for x, y in ((-0.15, 0.12), (0.15, 0.12), (-0.15, -0.14), (0.15, -0.14)):
        burners.append(cylinder(0.05, 0.014, (x, y, 0.8), IRON, sides=16))
        burners.append(ring(0.085, 0.006, (x, y, 0.812), IRON, sides=6))
        burners += [box(size, (x, y, 0.808), IRON, 0.002) for size in ((0.2, 0.009, 0.01), (0.009, 0.2, 0.01))]
    knobs = _knobs(5, 0.44, 0.265, 0.72, BLACK, WHITE)
    door = [box((0.56, 0.022, 0.46), (0, 0.27, 0.16), enamel, 0.008), *handle("bar", (0, 0.28, 0.57), CHROME, 0.46)]
    drawer = box((0.56, 0.018, 0.1), (0, 0.268, 0.03), enamel, 0.006)
    window, back = _window(0.4, 0.22, 0.28, 0.25), back_grille(0.5, 0.6, (0, -0.3, 0.08), back_material("stove"))
    return asset_from_parts(body, top, splash, burners, knobs, door, drawer, window, _pot(stream), back)


def _pot(stream: Stream) -> list[Mesh]:
    coat = pick(stream, STEEL, painted("#b8352c", 0.25), painted("#2c5fa8", 0.25))
    x, y, z = -0.15, -0.14, 0.818
    ear = ((0.08, 0, 0.07), (0.115, 0, 0.075), (0.08, 0.03, 0.07))
    ears = [tube([(x + s * dx, y + dy, z + dz) for dx, dy, dz in ear], 0.007, BLACK, sides=6) for s in (-1, 1)]
    lid = [cylinder(0.088, 0.012, (x, y, z + 0.1), coat), cylinder(0.014, 0.02, (x, y, z + 0.112), BLACK, sides=10)]
    return [cylinder(0.085, 0.1, (x, y, z), coat), *lid, *ears]


@register_asset("dishwasher")
def dishwasher(stream: Stream) -> Asset:
    """A plain door with a dark strip of buttons above a recessed grip, and a kick plate."""
    enamel = reserved_material("dishwasher", stream)
    body = box((0.6, 0.55, 0.83), (0, -0.02, 0.02), enamel, 0.008)
    top = box((0.6, 0.57, 0.025), (0, -0.01, 0.825), painted("#d8d6d0"), 0.006)
    door = box((0.58, 0.028, 0.58), (0, 0.268, 0.12), enamel, 0.012)
    strip = box((0.58, 0.028, 0.1), (0, 0.268, 0.715), DARK, 0.006)
    kick = box((0.56, 0.01, 0.09), (0, 0.24, 0.02), BLACK)
    buttons = [disc(0.011, 0.008, (0.06 + 0.045 * i, 0.28, 0.765), WHITE, sides=10) for i in range(5)]
    display = box((0.1, 0.004, 0.035), (-0.06, 0.283, 0.748), GREEN_LIGHT, 0.001)
    grip = box((0.26, 0.012, 0.03), (-0.0, 0.277, 0.68), BLACK, 0.004)
    mark = [box((0.05, 0.004, 0.016), (-0.22, 0.283, 0.757), STEEL, 0.001)]
    back = back_grille(0.5, 0.66, (0, -0.295, 0.08), back_material("dishwasher"))
    return asset_from_parts(body, top, door, strip, kick, buttons, display, grip, mark, _sign(0.284), back)


def _sign(y: float) -> list[Mesh]:
    """The sign of a plate between a fork and a knife."""
    blue, z = painted("#2c6fb0", 0.4), 0.41
    plate = [ring(r, 0.006, (0, y, z), blue, axis="y", sides=6) for r in (0.075, 0.048)]
    knife = box((0.012, 0.005, 0.2), (-0.12, y, z - 0.1), blue, 0.002)
    blade = box((0.024, 0.005, 0.1), (-0.114, y, z), blue, 0.004)
    fork = box((0.012, 0.005, 0.14), (0.12, y, z - 0.1), blue, 0.002)
    root = box((0.05, 0.005, 0.012), (0.12, y, z + 0.03), blue, 0.002)
    tines = [box((0.009, 0.005, 0.07), (0.12 + dx, y, z + 0.03), blue, 0.002) for dx in (-0.02, 0, 0.02)]
    return [*plate, knife, blade, fork, root, *tines]


@register_asset("refrigerator")
def refrigerator(stream: Stream) -> Asset:
    """Tall, with a small door above (or below) a large one, and long handles on one side."""
    enamel = STEEL if stream.random() < 0.25 else reserved_material("refrigerator", stream)
    h, side = between(stream, 1.68, 1.8), pick(stream, -1, 1)
    split = h * pick(stream, 0.68, 0.36)
    body = pad((0.62, 0.55, h), (0, -0.04, 0), enamel, 0.015, steps=2)
    parts: list[Mesh] = [body, box((0.56, 0.02, 0.06), (0, 0.235, 0.0), BLACK)]
    for low, high in ((0.07, split), (split + 0.012, h - 0.005)):
        parts.append(pad((0.62, 0.065, high - low), (0, 0.27, low), enamel, 0.018, steps=2))
        length = min(0.4, (high - low) * 0.55)
        near = high - length / 2 - 0.06 if high < h - 0.1 else low + length / 2 + 0.06
        parts += handle("bar", (side * 0.26, 0.3, near), CHROME, length, upright=True)
    notes = [
        box((0.08, 0.003, 0.1), (x, 0.304, h * z), painted(code, 0.9), 0.001)
        for x, z, code in ((0.05, 0.78, "#f2d64a"), (-0.08, 0.82, "#f4f3ee"), (-0.02, 0.55, "#6fb0d8"))
    ]
    return asset_from_parts(parts, notes, back_grille(0.5, h * 0.8, (0, -0.315, 0.12)))


@register_asset("microwave")
def microwave(stream: Stream) -> Asset:
    """A low box with a window on one side and a keypad on the other."""
    case = pick(stream, ENAMEL, STEEL, painted("#a8322b", 0.3))
    body = pad((0.5, 0.34, 0.28), (0, -0.015, 0.015), case, 0.012, steps=2)
    feet = [box((0.04, 0.04, 0.02), (x, y, 0), BLACK) for x in (-0.2, 0.2) for y in (-0.12, 0.12)]
    window = all_transformed(_window(0.29, 0.18, 0.154, 0.065), shift(0.07))
    keys = box((0.11, 0.008, 0.24), (-0.18, 0.157, 0.035), DARK, 0.003)
    clock = box((0.085, 0.004, 0.03), (-0.18, 0.161, 0.225), GREEN_LIGHT, 0.001)
    buttons = [
        box((0.022, 0.005, 0.018), (-0.18 + 0.029 * (i % 3 - 1), 0.162, 0.19 - 0.026 * (i // 3)), WHITE, 0.002)
        for i in range(12)
    ]
    knob = disc(0.022, 0.016, (-0.18, 0.16, 0.072), CHROME)
    bar = handle("bar", (-0.105, 0.156, 0.155), CHROME, 0.2, upright=True)
    back = back_grille(0.4, 0.2, (0, -0.185, 0.05))
    return asset_from_parts(body, feet, window, keys, clock, buttons, knob, bar, back)
