"""Outdoor assets that the pack may lack: a cactus, a tent, a truck, a snowman, a taxi, a snowy tree."""

import math
from dataclasses import replace

import numpy as np

from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick
from tolman.render.assets.builtin.library import builtin_asset
from tolman.render.assets.builtin.materials import BLACK, CHROME, DARK, RUBBER, painted
from tolman.render.assets.builtin.parts import wheel
from tolman.render.shapes.extrusion import curve
from tolman.render.shapes.mesh import Asset, Material, Mesh, Texture, srgb
from tolman.render.shapes.solids import ball, box, cylinder
from tolman.render.shapes.sweep import Floats, grid_mesh, outward, tube
from tolman.render.shapes.textures import weave

_YELLOW = srgb("#f2b705")


def cactus(stream: Stream) -> Asset:
    """A saguaro: a ribbed column with arms that turn upwards."""
    green = painted(pick(stream, "#5a6e48", "#667a52", "#4f6448"), 0.8)
    tall = between(stream, 2.6, 3.3)
    stem = [(0, 0, 0), (0, 0, 0.25), (0, 0, 0.5 * tall), (0, 0, 0.93 * tall), (0, 0, tall)]
    parts = [_ribbed(curve(stem, 6), 0.22, green)]
    for k in range(pick(stream, 2, 3, 3)):
        side, z, reach = (math.pi * k + between(stream, -0.5, 0.5)), between(stream, 0.35, 0.55) * tall, 0.62
        x, y = math.cos(side), math.sin(side)
        top = z + between(stream, 0.7, 1.2)
        way = [(0.05, z), (0.45, z), (reach, z + 0.22), (reach, 0.5 * (z + top)), (reach, top - 0.1), (reach, top)]
        parts.append(_ribbed(curve([(r * x, r * y, up) for r, up in way], 5), 0.13, green))
    return asset_from_parts(parts)


def _ribbed(way: Floats, radius: float, material: Material) -> Mesh:
    """A ribbed column along a path, with a round end."""
    left = np.linalg.norm(np.diff(way, axis=0), axis=1)[::-1].cumsum()[::-1]
    left = np.append(left, 0.0)
    thick = radius * np.sqrt(np.clip(1 - (1 - np.clip(left / radius, 0, 1)) ** 2, 0.004, 1))
    ahead = np.gradient(way, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    first = np.cross(ahead, [0.3, 0.9, 0.1])
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(ahead, first)
    angle = np.linspace(0, 2 * np.pi, 61)
    pleat = 1 + 0.09 * np.cos(12 * angle)
    around = first[:, None] * np.cos(angle)[:, None] + second[:, None] * np.sin(angle)[:, None]
    points = way[:, None] + around * (thick[:, None] * pleat)[..., None]
    tilt = -1.08 * np.sin(12 * angle)
    along = -first[:, None] * np.sin(angle)[:, None] + second[:, None] * np.cos(angle)[:, None]
    normals = around - 0.9 * tilt[:, None] * 0.5 * -along + ahead[:, None] * (1 - thick / radius)[:, None, None]
    return outward(grid_mesh(points, normals, material))


def tent(stream: Stream) -> Asset:
    """A dome tent, open to the front."""
    cloth = Material(weave(stream, pick(stream, "#2f6b3a", "#c8681e", "#2c5fa8"), 0.15), roughness=0.9)
    dark, pole = painted("#1d211d", 0.95), painted("#d8d5cc", 0.5)
    angle, rise = np.linspace(-0.5 * np.pi + 0.42, 1.5 * np.pi - 0.42, 49) + np.pi, np.linspace(0, 0.5 * np.pi, 15)
    level = np.cos(rise)[:, None] ** 0.8
    square = 1 / np.maximum(np.abs(np.cos(angle)), np.abs(np.sin(angle))) ** 0.55
    out, up = 1.1 * level, 1.35 * np.sin(rise)[:, None] + 0 * angle
    grid = np.stack([out * np.cos(angle) * square, out * np.sin(angle) * square, up], -1)
    shell = grid_mesh(grid, grid * [1, 1, 1.2], cloth, grid[..., [0, 2]] + grid[..., [1, 1]])
    inner = cylinder(0.98, 0.02, (0, 0, 0.01), dark, sides=40)
    rims = [tube(grid[:, i], 0.025, pole, 6) for i in (0, -1)]
    return asset_from_parts(shell, inner, rims)


def truck(stream: Stream) -> Asset:
    """A lorry with a box, its cab ahead."""
    cab, walls = painted(pick(stream, "#b3231d", "#1f4a8a", "#2f6b45"), 0.2), painted("#d9d7d0", 0.5)
    glass = painted("#10161b", 0.06)
    body = [
        box((2.4, 4.3, 2.35), (0, -0.95, 1.0), walls, 0.04),
        box((2.0, 6.0, 0.22), (0, -0.1, 0.72), DARK, 0.02),
        box((2.35, 1.55, 1.15), (0, 2.2, 0.62), cab, 0.08),
        box((2.25, 1.35, 0.95), (0, 2.1, 1.72), cab, 0.12),
        box((1.95, 0.04, 0.62), (0, 2.785, 1.88), glass, 0.02),
        *(box((0.04, 0.8, 0.55), (s * 1.13, 2.2, 1.9), glass, 0.02) for s in (-1, 1)),
        box((1.5, 0.05, 0.4), (0, 2.98, 0.95), BLACK, 0.02),
        box((2.4, 0.14, 0.24), (0, 3.0, 0.5), DARK, 0.03),
        *(box((0.32, 0.05, 0.2), (s * 0.92, 2.99, 0.98), painted("#f6f2e0", 0.1), 0.03) for s in (-1, 1)),
        *(box((0.22, 0.05, 0.14), (s * 0.95, -3.1, 0.85), painted("#a81c1c", 0.2), 0.02) for s in (-1, 1)),
        *(box((0.06, 0.14, 0.34), (s * 1.3, 2.75, 1.85), BLACK, 0.02) for s in (-1, 1)),
    ]
    wheels = [wheel(0.5, 0.3, (s * 1.0, y, 0.5), RUBBER, CHROME) for s in (-1, 1) for y in (2.15, -1.2, -2.25)]
    return asset_from_parts(body, wheels)


def snowman(stream: Stream) -> Asset:
    """Three balls of snow, a hat, a carrot, coals and two twigs."""
    snow, coal, twig = painted("#f0f3f7", 0.95), painted("#17181a", 0.8), painted("#4a3626", 0.95)
    scarf = painted(pick(stream, "#b8261f", "#2c5fa8", "#2f8a57"), 0.95)
    balls = [ball(r, (0, 0, z), snow, 16) for r, z in ((0.45, 0.4), (0.33, 0.98), (0.23, 1.42))]
    face = [ball(0.026, (s * 0.08, 0.2, 1.48), coal, 8) for s in (-1, 1)]
    buttons = [ball(0.032, (0, 0.32 - 0.03 * k, 0.9 + 0.13 * k), coal, 8) for k in range(3)]
    nose = tube([(0, 0.2, 1.42), (0, 0.46, 1.41)], [0.04, 0.006], painted("#e8731c", 0.7), 10)
    arms = [
        tube([(s * 0.28, 0, 1.02), (s * 0.55, 0.06, 1.16), (s * 0.78, 0.1, 1.3)], [0.025, 0.018, 0.01], twig, 7)
        for s in (-1, 1)
    ]
    hat = [
        cylinder(0.27, 0.03, (0, 0, 1.6), coal),
        cylinder(0.17, 0.26, (0, 0, 1.62), coal),
        cylinder(0.175, 0.06, (0, 0, 1.64), scarf),
    ]
    return asset_from_parts(balls, face, buttons, nose, arms, hat, cylinder(0.25, 0.09, (0, 0, 1.2), scarf))


def taxi(car: Asset) -> Asset:
    """A car painted yellow, with a sign on its roof and a chequered band along its sides."""
    low, high = car.bounds
    width, height = float(high[0] - low[0]), float(high[2])
    sign = box(
        (0.34 * width, 0.2, 0.17), (0, -0.05 * float(high[1] - low[1]), height - 0.02), painted("#fff4c4", 0.4), 0.03
    )
    band = box((0.36 * width, 0.21, 0.04), (0, -0.05 * float(high[1] - low[1]), height + 0.03), BLACK, 0.01)
    areas = [mesh.area if _is_paint(mesh.material) else 0.0 for mesh in car.meshes]
    body = areas.index(max(areas))
    coat = replace(car.meshes[body].material, colour=_YELLOW, metallic=0.0)
    painted_over = [replace(mesh, material=coat) if i == body else mesh for i, mesh in enumerate(car.meshes)]
    return asset_from_parts(painted_over, sign, band)


def _is_paint(material: Material) -> bool:
    """Whether it has the roughness of car paint: rougher than glass and chrome, smoother than seats."""
    plain = isinstance(material.colour, tuple) and material.transparency == 0 and material.metallic == 0
    return plain and 0.1 < material.roughness < 0.4


def snowy_tree(stream: Stream) -> Asset:
    """A conifer with snow on its boughs."""
    pine = builtin_asset("pine", int(stream.integers(1 << 30)))
    snow = painted("#e9eef4", 0.95)
    boughs = [mesh for mesh in pine.meshes if not isinstance(mesh.material.colour, Texture)]
    capped = [
        replace(mesh, points=mesh.points + np.array([0, 0, 0.06], np.float32), material=snow) for mesh in boughs[::2]
    ]
    return asset_from_parts(pine.meshes, capped)
