"""Barrels, baskets, bins and crates: the same from all sides."""

import math

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset, whole_number
from tolman.render.assets.builtin.materials import DARK, IRON, STEEL, painted, timber
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift, turn
from tolman.render.shapes.solids import ball, box, cylinder
from tolman.render.shapes.sweep import capsule, lathe, polar, ring, tube
from tolman.render.shapes.textures import wicker


@register_asset("barrel")
def barrel(stream: Stream) -> Asset:
    """Bulging staves within iron hoops."""
    wood = timber(stream, *pick(stream, ("#6b4526", "#9a6d40"), ("#523420", "#7d5634")))
    h, r, bulge = between(stream, 0.82, 0.88), 0.235, between(stream, 0.045, 0.055)
    line = [(r + bulge * math.sin(math.pi * i / 12), h * i / 12) for i in range(13)]
    body = lathe([(0.0, 0.0), *line, (r - 0.025, h), (r - 0.025, h - 0.04), (0.0, h - 0.04)], wood, 32)
    hoops = [_hoop(line[i], line[i + 1]) for i in (0, 2, 9, 11)]
    return asset_from_parts(body, hoops)


def _hoop(low: tuple[float, float], high: tuple[float, float]) -> Mesh:
    (r, z), (end, top) = low, high
    return lathe([(r, z), (r + 0.007, z), (end + 0.007, top), (end, top)], IRON, 32)


@register_asset("basket")
def basket(stream: Stream) -> Asset:
    """Woven, open above, with a thick rim."""
    straw = Material(wicker(stream, pick(stream, "#c99a5b", "#a87442", "#8a5a34", "#d9bb86")), roughness=0.8)
    h, low = between(stream, 0.32, 0.4), between(stream, 0.15, 0.19)
    bowl = [(0.0, 0.0), (low, 0.0), (0.2, h - 0.01), (0.185, h - 0.01), (low - 0.02, 0.02), (0.0, 0.02)]
    rim = ring(0.195, 0.016, (0, 0, h - 0.016), straw)
    foot = ring(low, 0.012, (0, 0, 0.012), straw)
    return asset_from_parts(lathe(bowl, straw, 32), rim, foot)


@register_asset("bin")
def bin_(stream: Stream) -> Asset:
    """A round waste bin with a domed lid and a dark slot all around it."""
    coat = pick(stream, STEEL, painted("#3d7a4a"), painted("#b23a30"), painted("#33363b"), painted("#3467a3"))
    h, low = between(stream, 0.46, 0.5), between(stream, 0.115, 0.135)
    can = lathe([(0.0, 0.0), (low, 0.0), (0.15, 0.72 * h), (0.0, 0.72 * h)], coat, 32)
    slot = cylinder(0.143, 0.05, (0, 0, 0.71 * h), DARK, sides=32)
    dome = ((0.0, 0.8), (0.158, 0.8), (0.152, 0.85), (0.11, 0.94), (0.05, 0.985), (0.0, 0.99))
    lid = lathe([(r, share * h) for r, share in dome], coat, 32)
    return asset_from_parts(can, slot, lid, ball(0.018, (0, 0, h), DARK, 6), ring(0.15, 0.008, (0, 0, 0.72 * h), coat))


@register_asset("crate")
def crate(stream: Stream) -> Asset:
    """A box of slats with posts in its corners and a brace on each side."""
    wood = timber(stream, *pick(stream, ("#a9824f", "#d8b884"), ("#8c683c", "#bf9a63"), ("#6e5034", "#9a7850")))
    size, h, number = 0.5, between(stream, 0.46, 0.5), whole_number(stream, 3, 4)
    each = h / number
    side = [
        box((size, 0.014, each - 0.014), (0, size / 2 - 0.007, i * each + 0.007), wood, 0.003) for i in range(number)
    ]
    side += [box((0.06, 0.012, h), (s * (size / 2 - 0.03), size / 2 + 0.006, 0), wood, 0.003) for s in (-1, 1)]
    if stream.random() < 0.6:
        length = math.hypot(size - 0.12, h)
        brace = box((length - 0.05, 0.011, 0.055), (0, size / 2 + 0.006, -0.0275), wood, 0.003)
        side += all_transformed([brace], turn("y", -math.degrees(math.atan2(h - 0.08, size - 0.12))), shift(z=h / 2))
    sides = [all_transformed(side, turn("z", 90 * k)) for k in range(4)]
    lid = [
        box((size, size / number - 0.01, 0.014), (0, size * ((i + 0.5) / number - 0.5), h - 0.014), wood, 0.003)
        for i in range(number)
    ]
    return asset_from_parts(sides, lid, box((size - 0.03, size - 0.03, 0.012), (0, 0, 0), wood))


@register_asset("umbrella stand")
def umbrella_stand(stream: Stream) -> Asset:
    """A round stand from which umbrellas lean out on all sides."""
    iron = pick(stream, IRON, STEEL, painted("#7a4a2c"))
    angles = [2 * math.pi * i / 16 for i in range(16)]
    rods = [tube([polar(0.1, a, 0.0), polar(0.115, a, 0.4)], 0.006, iron, sides=6) for a in angles]
    foot = cylinder(0.115, 0.03, (0, 0, 0), iron)
    hoops = [ring(r, 0.009, (0, 0, z), iron) for r, z in ((0.107, 0.2), (0.115, 0.4))]
    return asset_from_parts(rods, foot, hoops, *(_umbrella(stream, 90 * k + 45) for k in range(4)))


def _umbrella(stream: Stream, degrees: float) -> list[Mesh]:
    cover = painted(pick(stream, "#222428", "#8c2430", "#24406e", "#2f6b45", "#c8912c", "#6b3f7f"), 0.7)
    grip = timber(stream, "#6b4526", "#8f6238")
    folds = lathe([(0.0, 0.03), (0.008, 0.04), (0.03, 0.3), (0.034, 0.42), (0.012, 0.47), (0.0, 0.47)], cover, 10)
    rod = capsule((0, 0, 0.45), (0, 0, 0.56), 0.007, STEEL, sides=6)
    angles = (-1.0, -0.3, 0.4, 1.1, 1.8, 2.5, 3.2, 3.8)
    bend = [(0.018 - 0.018 * math.cos(a), 0.0, 0.55 + 0.022 * math.sin(a)) for a in angles]
    hook = tube(bend, 0.009, grip, sides=6)
    return all_transformed([folds, rod, hook], turn("y", 7), shift(0.03), turn("z", degrees))
