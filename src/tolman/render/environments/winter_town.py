"""A town in winter: trodden snow, painted houses around a square, lamps, fences and firs."""

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import one_of, rng
from tolman.render.environments.environment import BuiltEnvironment, Weather, with_obstacles
from tolman.render.environments.facades import FacadeStyle, house, with_texture_atlas
from tolman.render.environments.scenery import bark, conifer, dull, fence, lamp
from tolman.render.environments.terrain import (
    Floats,
    Noise,
    Places,
    Stream,
    ground,
    ground_relief,
    mixed,
    ring_places,
    scatter_copies,
    smoothstep,
)
from tolman.render.environments.terrain import snow as snow_crust
from tolman.render.shapes.mesh import Material, Mesh, srgb
from tolman.render.shapes.solids import ball

_WEATHER = Weather(height=(8, 26), cover=(0.3, 1.0), haze=(0.2, 0.8), exposure=(0.72, 0.95))
_WALLS = ("#8c3a30", "#3f5a78", "#c9a25a", "#6f7f6a", "#b5aea0", "#7d4f3a", "#4f6f6a", "#a86a4a")
_SNOW = Material(srgb("#e6ecf2"), roughness=0.95)


def winter_town(seed: int) -> BuiltEnvironment:
    """The town of a seed."""
    stream = rng(seed, "winter town")
    land, snow = Noise(seed, "winter", "land"), Noise(seed, "winter", "snow")
    lane = float(stream.uniform(0, np.pi))

    def height(x: Floats, y: Floats) -> Floats:
        out = np.hypot(x, y)
        drifts = 0.9 * (land.layered(x, y, 24.0, 3) - 0.5) + 0.10 * snow(x, y, 2.6) + 0.05 * snow(x, y, 0.9)
        return (drifts + 45 * smoothstep(110, 330, out) * land.layered(x, y + 300, 110.0, 4)).astype(np.float32)

    def colours(x: Floats, y: Floats) -> Floats:
        across = y * np.cos(lane) - x * np.sin(lane) + 3.0 * (land(x, y, 14.0) - 0.5)
        trodden = smoothstep(0.45, 0.62, land.layered(x, y - 60, 5.0, 5, 0.65)) * smoothstep(24, 16, np.hypot(x, y))
        ruts = np.exp(-(((np.abs(across) - 0.85) / 0.28) ** 2)) + 0.5 * np.exp(-((across / 1.7) ** 4))
        prints = smoothstep(0.62, 0.72, snow.layered(x, y, 0.45, 2, 0.8))
        base = mixed("#e4eaf0", "#cfd8e2", snow.layered(x, y, 1.4, 5, 0.75))
        base = mixed(base, "#a9adb0", 0.5 * trodden * (0.5 + prints))
        base = mixed(base, "#8d867c", 0.75 * np.clip(ruts, 0, 1) * (0.35 + 0.65 * snow.layered(x + 30, y, 0.8, 3)))
        woods = smoothstep(95, 150, np.hypot(x, y)) * smoothstep(0.45, 0.6, land.layered(x, y, 40.0, 4))
        return mixed(base, mixed("#3c4a48", "#8f9ca4", snow.layered(x, y, 6.0, 3)), 0.8 * woods)

    lamps, firs = _ring(stream, 9, 15.0, 25.0), ring_places(stream, 16, 17.0, 31.0, 4.5)
    fences = ring_places(stream, 9, 25.0, 28.0, 5.0)
    piles = ring_places(stream, 12, 12.0, 26.0, 4.0)
    facing = np.arctan2(fences[:, 1], fences[:, 0]) + np.pi / 2
    wood = dull("#6a5a4a")
    meshes = [
        ground(height, colours, relief=ground_relief(snow_crust, seed)),
        *with_texture_atlas(_houses(stream)),
        *scatter_copies([lamp()], lamps, height, stream, sizes=(0.95, 1.05)),
        *scatter_copies(_firs(stream), firs, height, stream, sizes=(0.5, 1.2)),
        *scatter_copies(_firs(stream), ring_places(stream, 130, 62.0, 150.0), height, stream, sizes=(0.9, 1.7)),
        *scatter_copies(
            [(fence(stream, 5.0, wood),)], fences, height, stream, sizes=(1.0, 1.0), turned=lambda _: facing
        ),
        *scatter_copies([(_pile(stream),) for _ in range(3)], piles, height, stream, sizes=(0.6, 1.5), sunk=0.1),
    ]
    obstacles = [(lamps, 0.3), (firs, 1.6), (fences, 2.6), (piles, 1.2)]

    def camera_allowed(x: Floats, y: Floats) -> NDArray[np.bool_]:
        return np.hypot(x, y) < 30.0

    town = BuiltEnvironment(tuple(meshes), height, _WEATHER, 330.0, camera_allowed=camera_allowed)
    return with_obstacles(town, obstacles)


def _ring(stream: Stream, number: int, inner: float, outer: float) -> Places:
    angle = (np.arange(number) + stream.uniform(-0.2, 0.2, number)) * 2 * np.pi / number
    out = stream.uniform(inner, outer, number)
    return np.stack([out * np.cos(angle), out * np.sin(angle)], 1).astype(np.float32)


def _houses(stream: Stream) -> list[Mesh]:
    """Two rings of houses facing the square."""
    meshes: list[Mesh] = []
    roofs = [dull("#4a3a34"), dull("#3d4347")]
    for number, out in ((15, 37.0), (19, 54.0)):
        for k in range(number):
            angle = (k + float(stream.uniform(-0.12, 0.12))) * 2 * np.pi / number
            far = out + float(stream.uniform(-1.5, 2.5))
            wall, storey = one_of(stream, _WALLS), float(stream.uniform(2.8, 3.2))
            style = FacadeStyle(wall, "#e9e6de", storey, float(stream.uniform(2.2, 3.0)), (1.0, 1.35))
            size = float(stream.uniform(9, 13)), float(stream.uniform(7, 9)), 3.1 * int(stream.integers(2, 4))
            turned = float(np.degrees(np.arctan2(-np.cos(angle), -np.sin(angle))))
            spot = float(far * np.cos(angle)), float(far * np.sin(angle)), turned
            meshes += house(stream, style, spot, size, -0.6, roofs[k % 2], _SNOW)
    return meshes


def _firs(stream: Stream) -> list[tuple[Mesh, ...]]:
    """Firs with snow on their boughs."""
    skin, green = bark(stream, "#3d3128", "#5e5145"), dull("#2f4638")
    firs = [conifer(stream, 6.5, 260, skin, green) for _ in range(2)]
    white = Material(srgb("#e2e9ef"), roughness=0.95)
    return [(trunk, boughs, _snowed(boughs, white)) for trunk, boughs in firs]


def _snowed(boughs: Mesh, white: Material) -> Mesh:
    some = boughs.triangles[np.arange(len(boughs.triangles)) % 4 != 2]
    return Mesh(boughs.points + np.array([0, 0, 0.035], np.float32), some, white, boughs.normals, None)


def _pile(stream: Stream) -> Mesh:
    """A pile of shovelled snow."""
    width, height = float(stream.uniform(0.8, 1.3)), float(stream.uniform(0.25, 0.5))
    return ball((width, 0.7 * width, height), (0.0, 0.0, 0.0), _SNOW, 10)
