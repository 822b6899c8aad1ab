"""Personal belongings: bags, shoes, pillows, books."""

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset, whole_number
from tolman.render.assets.builtin.materials import BLACK, CHROME, DARK, PAINTS, RUBBER, WHITE, cloth, painted
from tolman.render.assets.builtin.parts import wheel
from tolman.render.shapes.extrusion import curve, extrusion
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, mirrored, shift, turn
from tolman.render.shapes.solids import ball, box, pad
from tolman.render.shapes.sweep import Floats, grid_mesh, loft, points_of, tube


@register_asset("backpack")
def backpack(stream: Stream) -> Asset:
    """Pockets and zips at its front, straps behind."""
    fabric = cloth(stream, "#2f4f8a", "#b8352c", "#3d6b4a", "#d9862b", "#5d4a7a", "#2f7c82")
    trim = cloth(stream, "#2a2c30", "#4a3a2c", "#d8c7a3")
    h = between(stream, 0.44, 0.47)
    body = pad((0.32, 0.14, h), (0, -0.02, 0), fabric, 0.065, steps=4)
    pocket = pad((0.25, 0.09, h * 0.42), (0, 0.06, 0.02), trim, 0.04)
    small = pad((0.2, 0.05, h * 0.2), (0, 0.055, h * 0.52), fabric, 0.022)
    zips = [
        tube(curve([(-0.1, 0.104, h * 0.36), (0, 0.108, h * 0.39), (0.1, 0.104, h * 0.36)], 3), 0.005, WHITE, sides=6),
        tube([(-0.085, 0.08, h * 0.66), (0.085, 0.08, h * 0.66)], 0.005, WHITE, sides=6),
    ]
    pulls = [
        box((0.012, 0.008, 0.035), (0.1, 0.106, h * 0.3), CHROME),
        box((0.012, 0.008, 0.03), (-0.085, 0.082, h * 0.6), CHROME),
    ]
    bow = ((-0.04, h - 0.015), (-0.025, h + 0.03), (0.025, h + 0.03), (0.04, h - 0.015))
    loop = tube(curve([(x, -0.04, z) for x, z in bow], 3), 0.009, trim)
    strap = ((0.06, -0.07, h - 0.04), (0.09, -0.125, h * 0.75), (0.11, -0.12, h * 0.35), (0.12, -0.08, 0.06))
    straps = [tube(curve([(s * x, y, z) for x, y, z in strap], 4), 0.018, trim) for s in (-1, 1)]
    sides = [pad((0.04, 0.1, h * 0.32), (s * 0.155, -0.01, 0.02), trim, 0.018, steps=2) for s in (-1, 1)]
    return asset_from_parts(body, pocket, small, zips, pulls, loop, straps, sides)


@register_asset("suitcase")
def suitcase(stream: Stream) -> Asset:
    """Upright on wheels, ribs and a pocket at its front, the long handle behind."""
    coat = painted(pick(stream, "#b8352c", "#2c5fa8", "#3d6b4a", "#e0a82e", "#2c2e33", "#7a4a2c", "#c77b8e"), 0.3)
    w, d, h = 0.4, 0.21, between(stream, 0.5, 0.53)
    shell = pad((w, d, h), (0, 0, 0.05), coat, 0.04, steps=4)
    ribs = [box((0.025, 0.012, h - 0.1), (x, d / 2 + 0.003, 0.1), coat, 0.005) for x in np.linspace(-0.14, 0.14, 5)]
    belt = box((w + 0.006, 0.012, h - 0.06), (0, -0.02, 0.08), DARK, 0.004)
    badge = box((0.09, 0.01, 0.035), (0, d / 2 + 0.01, h * 0.82), CHROME, 0.004)
    paper = painted(pick(stream, "#f0c23a", "#f2efe6", "#35b6b0"))
    sticker = box((0.085, 0.008, 0.06), (0.08, d / 2 + 0.009, h * 0.32), paper, 0.003)
    bow = ((-0.08, h + 0.045), (-0.07, h + 0.075), (0.07, h + 0.075), (0.08, h + 0.045))
    grip = tube(curve([(x, 0.03, z) for x, z in bow], 3), 0.011, BLACK)
    rods = [tube([(s * 0.09, -0.07, h), (s * 0.09, -0.07, 0.63)], 0.008, CHROME) for s in (-1, 1)]
    bar = box((0.23, 0.028, 0.025), (0, -0.07, 0.625), BLACK, 0.008)
    wheels = [wheel(0.028, 0.022, (s * 0.15, y, 0.028), RUBBER, CHROME) for s in (-1, 1) for y in (-0.07, 0.07)]
    behind = box((w - 0.1, 0.01, h - 0.12), (0, -d / 2, 0.11), DARK, 0.004)
    return asset_from_parts(shell, ribs, belt, badge, sticker, grip, rods, bar, wheels, behind)


@register_asset("shoes")
def shoes(stream: Stream) -> Asset:
    """A pair of trainers, toes ahead."""
    coat, trim = cloth(stream, "#c8372d", "#2c5fa8", "#2a2c30", "#3d8a57", "#e07f2a"), painted("#f2f0ea", 0.6)
    shoe = _shoe(coat, trim)
    right = all_transformed(shoe, turn("z", between(stream, -4, 0)), shift(0.065))
    left = all_transformed(
        [mirrored(mesh) for mesh in shoe], turn("z", between(stream, 0, 5)), shift(-0.065, between(stream, -0.01, 0.01))
    )
    return asset_from_parts(right, left)


def _shoe(coat: Material, trim: Material) -> list[Mesh]:
    outline = points_of(
        "0.0,-0.145 0.035,-0.125 0.036,-0.04 0.048,0.06 0.03,0.13 -0.008,0.146 -0.044,0.11 -0.05,0.04 "
        "-0.036,-0.05 -0.034,-0.125"
    )
    sole = extrusion(curve(outline, 3, loop=True), (0.0, 0.026), trim, "z", 0.006)
    stations = points_of(
        "-0.138,0.026,0.085 -0.1,0.034,0.095 -0.04,0.035,0.092 0.02,0.042,0.07 0.08,0.045,0.05 "
        "0.125,0.034,0.04 0.14,0.014,0.03"
    )
    upper = loft([_arch(y, half, top) for y, half, top in stations], coat)
    angle = np.arange(16) * np.pi / 8
    oval = np.stack([0.026 * np.cos(angle), -0.075 + 0.055 * np.sin(angle), 0.096 - 0.008 * np.sin(angle)], 1)
    collar = tube(oval, 0.008, trim, sides=6, loop=True)
    inside = ball((0.024, 0.052, 0.006), (0, -0.075, 0.097), BLACK, 8)
    laces = [
        tube([(-0.022, y, z), (0.022, y + 0.006, z)], 0.0045, trim, sides=6)
        for y, z in ((-0.01, 0.09), (0.015, 0.08), (0.04, 0.07))
    ]
    cap = ball((0.036, 0.026, 0.018), (-0.004, 0.118, 0.028), trim, 8)
    return [sole, upper, collar, inside, *laces, cap]


def _arch(y: float, half: float, top: float) -> Floats:
    angle = np.linspace(0, np.pi, 9)
    over = np.stack([half * np.cos(angle), np.full(9, y), 0.022 + (top - 0.022) * np.sin(angle) ** 0.7], 1)
    return np.concatenate([over, [[0.0, y, 0.02]]])


@register_asset("pillow")
def pillow(stream: Stream) -> Asset:
    """A square cushion lying on the floor, thick in its middle, with pointed corners and a piped edge."""
    fabric, size, thick = cloth(stream), between(stream, 0.46, 0.5), between(stream, 0.16, 0.2)
    piping = cloth(stream)
    steps = np.linspace(-1, 1, 15)
    u, v = np.meshgrid(steps, steps)
    x, y = u * (1 - 0.1 * (1 - v**2)), v * (1 - 0.1 * (1 - u**2))
    swell = np.sqrt(np.clip((1 - u**2) * (1 - v**2), 0, 1)) ** 0.8
    halves = [_sheet(np.stack([x * size / 2, y * size / 2, s * thick / 2 * swell], -1), fabric, s) for s in (1, -1)]
    flat = np.stack([x * size / 2, y * size / 2, 0 * x], -1)
    edge = np.concatenate([flat[0, :-1], flat[:-1, -1], flat[-1, :0:-1], flat[:0:-1, 0]])
    seam = tube(edge, 0.008, piping, sides=6, loop=True)
    button = ball((0.022, 0.022, 0.008), (0, 0, thick / 2), piping, 6)
    return asset_from_parts(halves, seam, button)


def _sheet(grid: Floats, material: Material, side: int) -> Mesh:
    """One half of a pillow, seen from above or from below."""
    normals = np.cross(np.gradient(grid, axis=1), np.gradient(grid, axis=0)) * side
    return grid_mesh(grid, normals, material, inverted=side < 0)


@register_asset("books")
def books(stream: Stream) -> Asset:
    """A pile of books, their spines to any side."""
    paper, z = painted("#efe8d6", 0.9), 0.0
    parts: list[Mesh] = []
    for _ in range(whole_number(stream, 5, 7)):
        thick = between(stream, 0.03, 0.05)
        book = _book(thick, painted(pick(stream, *PAINTS, "#4a3424", "#1f2f45"), 0.5), paper)
        parts += all_transformed(book, turn("z", 90 * whole_number(stream, 0, 3) + between(stream, -9, 9)), shift(z=z))
        z += thick
    return asset_from_parts(parts)


def _book(thick: float, cover: Material, paper: Material) -> list[Mesh]:
    w, d = 0.21, 0.19
    boards = [box((w, d, 0.005), (0, 0, z), cover, 0.001) for z in (0.0, thick - 0.005)]
    spine = box((0.006, d, thick), (-w / 2, 0, 0), cover, 0.002)
    title = [box((0.003, d * 0.5, thick * 0.3), (-w / 2 - 0.003, 0, thick * 0.35), painted("#e6d9a8"), 0.0005)]
    return [*boards, spine, *title, box((w - 0.014, d - 0.012, thick - 0.01), (0, 0, 0.005), paper, 0.001)]
