"""Leaves and foliage, plants in pots, and vases of flowers."""

import math

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick, register_asset
from tolman.render.assets.builtin.materials import painted, stone
from tolman.render.shapes.extrusion import curve
from tolman.render.shapes.mesh import Asset, Material, Mesh, all_transformed, shift, turn
from tolman.render.shapes.solids import ball, cylinder
from tolman.render.shapes.sweep import Floats, Vector, grid_mesh, lathe, smooth_mesh, tube


def blade(length: float, width: float, material: Material, bend: float = 0.6, tip: float = 1.0) -> Mesh:
    """A leaf from the origin up, bending over towards +x by about `bend` radians; `tip` 0 keeps it wide."""
    share = np.linspace(0, 1, 7)
    wide = width / 2 * np.sin(np.pi * np.clip(share, 0.02, 1) ** 0.8) ** (0.4 + 0.6 * tip)
    wide[0] = 0.12 * width
    angle = np.pi / 2 - bend * share * 1.6
    along = np.concatenate([[0.0], np.cumsum(np.cos(angle)[1:] * length / 6)])
    up = np.concatenate([[0.0], np.cumsum(np.sin(angle)[1:] * length / 6)])
    side = np.array([-1.0, 0.0, 1.0])
    fold, sin, cos = 0.25 * wide[:, None] * np.abs(side), np.sin(angle)[:, None], np.cos(angle)[:, None]
    points = np.stack([along[:, None] - fold * sin, wide[:, None] * side, up[:, None] + fold * cos], -1)
    normals = np.stack([-sin + 0 * side, -0.3 * side + 0 * angle[:, None], cos + 0 * side], -1)
    return grid_mesh(points, normals, material, inverted=True)


def foliage(stream: Stream, middle: Vector, radii: Vector, number: int, size: float, material: Material) -> Mesh:
    """Small leaves scattered near the surface of an ellipsoid, facing roughly outwards."""
    outward = stream.normal(size=(number, 3))
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    depth = stream.uniform(0.72, 1.0, (number, 1))
    centres = np.array(middle) + outward * np.array(radii) * depth
    facing = outward + 0.5 * stream.normal(size=(number, 3))
    return _diamonds(stream, centres, facing, size * stream.uniform(0.7, 1.3, (number, 1)), material, outward)


def _diamonds(stream: Stream, centres: Floats, facing: Floats, size: Floats, material: Material, light: Floats) -> Mesh:
    """Flat leaves of two triangles each; `light` are their shading normals."""
    normal = facing / np.linalg.norm(facing, axis=1, keepdims=True)
    random: Floats = stream.normal(size=(len(normal), 3))
    first = np.cross(normal, random)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(normal, first)
    along, across = first * size, 0.55 * second * size
    points = np.stack([centres + along, centres + across, centres - along, centres - across], 1).reshape(-1, 3)
    start = 4 * np.arange(len(centres))[:, None]
    triangles = np.concatenate([start + np.array(corner) for corner in ((0, 1, 2), (0, 2, 3))]).astype(np.int32)
    shading = np.repeat(0.6 * light + 0.4 * normal, 4, axis=0)
    coordinates = np.tile(np.array([[0.0, 0.0], [0.1, 0.0], [0.1, 0.1], [0.0, 0.1]]), (len(centres), 1))
    return smooth_mesh(points, triangles, shading, coordinates, material)


GREENS = ("#2f6b34", "#3f7f3a", "#4c8a3f", "#276040")


@register_asset("plant")
def plant(stream: Stream) -> Asset:
    """A tall pot plant: broad leaves, swords or fronds."""
    coat = painted(pick(stream, "#b5603a", "#e6e2da", "#3d4a52", "#7b8f86", "#c89b4a"), 0.6)
    h = between(stream, 0.26, 0.32)
    base = h - 0.03
    wall = [(0.115, 0.0), (0.155, base), (0.17, base), (0.17, h), (0.145, h), (0.14, base)]
    pot = lathe([(0.0, 0.0), *wall, (0.0, base)], coat, 28)
    earth = cylinder(0.142, 0.01, (0, 0, h - 0.035), painted("#3a281c", 0.95))
    leaves = pick(stream, _broad, _swords, _fronds)(stream, base)
    return asset_from_parts(pot, earth, leaves)


def _around(stream: Stream, number: int) -> list[float]:
    """Roughly even directions around a circle, in degrees."""
    return [360 * i / number + between(stream, -6, 6) for i in range(number)]


def _greens(stream: Stream) -> list[Material]:
    return [painted(code, 0.5) for code in GREENS[: 2 + int(stream.integers(3))]]


def _broad(stream: Stream, base: float) -> list[Mesh]:
    greens = _greens(stream)
    leaves: list[Mesh] = []
    stem = painted("#4f7040", 0.7)
    for level, number, tilt, reach in ((0.3, 8, 50, 0.24), (0.58, 8, 36, 0.25), (0.86, 8, 24, 0.22), (1.0, 4, 8, 0.22)):
        for degrees in _around(stream, number):
            leaf = blade(reach, 0.15, pick(stream, *greens), bend=between(stream, 0.7, 1.0))
            lean = tilt + between(stream, -6, 6)
            high, out = (level + between(stream, -0.09, 0.06)) * 0.68, 0.06 * math.sin(math.radians(lean))
            stalk = tube([(0, 0, 0), (out * 0.4, 0, high * 0.6), (out, 0, high)], 0.007, stem, sides=5)
            upright = [stalk, *all_transformed([leaf], turn("y", lean), shift(out, 0, high))]
            leaves += all_transformed(upright, turn("z", degrees), shift(z=base))
    return leaves


def _swords(stream: Stream, base: float) -> list[Mesh]:
    greens = _greens(stream)
    leaves: list[Mesh] = []
    for number, tilt, tall, out in ((12, 14, 0.6, 0.075), (8, 7, 0.78, 0.05), (4, 3, 0.86, 0.02)):
        for degrees in _around(stream, number):
            length, green = tall * between(stream, 0.88, 1.0), pick(stream, *greens)
            leaf = blade(length, 0.075, green, bend=between(stream, 0.0, 0.14), tip=0.4)
            lean = turn("y", tilt + between(stream, -3, 3))
            leaves += all_transformed([leaf], lean, shift(out), turn("z", degrees), shift(z=base))
    return leaves


def _fronds(stream: Stream, base: float) -> list[Mesh]:
    greens, bark = _greens(stream), painted("#7a5d40", 0.9)
    trunk = tube([(0, 0, base), (0, 0, base + 0.5)], [0.03, 0.022], bark, sides=10)
    leaves: list[Mesh] = [trunk]
    for number, tilt, length in ((12, 30, 0.36), (12, 12, 0.42), (4, 3, 0.4)):
        for degrees in _around(stream, number):
            reach, green = length * between(stream, 0.9, 1.0), pick(stream, *greens)
            leaf = blade(reach, 0.06, green, bend=between(stream, 0.8, 1.0))
            leaves += all_transformed([leaf], turn("y", tilt), turn("z", degrees), shift(z=base + 0.49))
    return leaves


@register_asset("vase")
def vase(stream: Stream) -> Asset:
    """A round vase with flowers."""
    glazes = [painted(code, 0.15) for code in ("#e9e4d8", "#2f7c72", "#8a3b52")]
    coat = pick(stream, painted("#2c5fa8", 0.12), *glazes, stone(stream, "#ece8e0", "#8a8f98"))
    h = between(stream, 0.28, 0.32)
    radii = (0.05, 0.1, 0.085, 0.035, 0.05), (0.045, 0.07, 0.095, 0.04, 0.055), (0.06, 0.075, 0.06, 0.045, 0.065)
    shape = pick(stream, *radii)
    wall = curve([(r, h * i / 4) for i, r in enumerate(shape)], 4)
    inside = [(float(r) - 0.008, float(z)) for r, z in wall[::-1] if z > 0.6 * h]
    body = lathe([(0.0, 0.0), *((float(r), float(z)) for r, z in wall), *inside, (0.0, 0.6 * h)], coat, 28)
    petals = painted(pick(stream, "#d8344a", "#f0c23a", "#e98fb0", "#f4efe6", "#8a5fc0"), 0.8)
    flowers = [_flower(stream, petals, h, degrees, 26 if i % 2 else 9) for i, degrees in enumerate(_around(stream, 8))]
    return asset_from_parts(body, flowers)


def _flower(stream: Stream, petals: Material, base: float, degrees: float, lean: float) -> list[Mesh]:
    length, green = between(stream, 0.17, 0.2), painted("#3f7f3a", 0.6)
    stem = tube([(0, 0, -0.08), (0, 0, length)], 0.004, green, sides=5)
    heart = ball((0.02, 0.02, 0.014), (0, 0, length + 0.008), painted("#e0a82e"), 6)
    petal = ball((0.026, 0.018, 0.009), (0.034, 0, length + 0.004), petals, 4)
    around = [petal.moved(turn("z", 60 * k)) for k in range(6)]
    leaf = all_transformed([blade(0.12, 0.03, green, bend=0.8)], turn("z", 40), shift(z=0.02))
    return all_transformed(
        [stem, heart, *around, *leaf], turn("y", lean), shift(0.012), turn("z", degrees), shift(z=base)
    )
