"""A city street: lanes and pavements between rows of houses, with trees, lamps, benches and parked cars."""

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import one_of, rng
from tolman.render.assets.builtin.library import builtin_asset
from tolman.render.assets.outdoor.source import outdoor_source
from tolman.render.environments.environment import BuiltEnvironment, Weather, with_obstacles
from tolman.render.environments.facades import FacadeStyle, block, with_texture_atlas
from tolman.render.environments.scenery import bark, dull, kerb, lamp, tall_tree
from tolman.render.environments.terrain import (
    Floats,
    Noise,
    Places,
    Stream,
    asphalt,
    ground,
    ground_relief,
    mixed,
    scatter_copies,
    smoothstep,
)
from tolman.render.shapes.mesh import Colour, Material, Mesh, Texture, srgb

_WEATHER = Weather(height=(18, 66), cover=(0.0, 0.95), haze=(0.15, 0.8), exposure=(1.15, 1.55))
_HALF = 19.0
"""Metres from the centre line of the street to the houses."""
_LANES = 10.5
"""Metres from the centre line to the kerb."""
_WALLS = (
    ("#b8a78c", False), ("#8a4f3c", True), ("#c9c2b4", False), ("#9a6a4f", True), ("#7f8a8c", False), ("#b58f6a", True),
    ("#d0bfa0", False), ("#6f5a50", True), ("#a8a59c", False), ("#c4a184", False),
)  # fmt: skip


def city(seed: int) -> BuiltEnvironment:
    """The street of a seed."""
    stream = rng(seed, "city")
    road = Noise(seed, "city", "road")
    tarmac = one_of(stream, ("#47484a", "#514f4c", "#3d4044"))
    crossing = float(stream.uniform(-12, 12))

    def height(x: Floats, y: Floats) -> Floats:
        lanes = -0.0006 * x * x + 0.03 * (road.layered(x, y, 5.0, 3) - 0.5)
        return np.where(np.abs(x) > _LANES, 0.12, lanes).astype(np.float32) + np.float32(0) * y.astype(np.float32)

    def colours(x: Floats, y: Floats) -> Floats:
        base = mixed(tarmac, "#77756f", 0.5 * road.layered(x, y, 0.3, 3, 0.8))
        base = base * (1 - 0.28 * smoothstep(0.52, 0.72, road.layered(x, y + 80, 5.0, 4)))[..., None]
        patch = (road(x + 11, y, 7.0) > 0.72)[..., None]
        base = np.where(patch, 0.72 * base, base)
        crack = np.abs(road.layered(x + 30, y, 3.0, 4, 0.7) - 0.5) < 0.004
        base = np.where(crack[..., None], 0.55 * base, base)
        zebra = (np.abs(y - crossing) < 1.8) & (np.abs(x) % 1.2 < 0.6) & (np.abs(x) < _LANES - 0.5)
        dashes = (np.abs(np.abs(x) - 5.2) < 0.07) & (y % 6.0 < 2.5) & (np.abs(y - crossing) > 4)
        middle = (np.abs(np.abs(x) - 0.16) < 0.06) & (np.abs(y - crossing) > 3)
        chipped = 0.9 - 0.65 * smoothstep(0.5, 0.75, road.layered(x, y, 0.5, 3, 0.8))
        base = mixed(base, "#e6e2d4", np.where(zebra | dashes | middle, chipped, 0.0).astype(np.float32))
        paving = mixed("#87837c", "#b2aca2", road.layered(x - 60, y, 0.9, 4, 0.85))
        joint = ((y % 0.8) < 0.03) | ((np.abs(x) % 0.8) < 0.03)
        return np.where(np.abs(x)[..., None] > _LANES, np.where(joint[..., None], 0.55 * paving, paving), base)

    lamps, trees, benches = (
        _rows(stream, 24.0, _LANES + 1.0), _rows(stream, 11.0, _LANES + 2.2, 12.0), _rows(stream, 30.0, _LANES + 4.5)
    )  # fmt: skip
    cars = _rows(stream, 6.4, _LANES - 1.25, 10.0)
    cars = cars[
        (np.abs(cars[:, 1] - crossing) > 6) & (stream.random(len(cars)) < np.where(np.abs(cars[:, 1]) < 22, 0.25, 0.75))
    ]
    stone, bench = Material(srgb("#a09a90"), roughness=0.95), outdoor_source("built-in").asset("bench", 3).meshes
    towards_street = np.where(benches[:, 0] > 0, np.pi / 2, -np.pi / 2)
    meshes = [
        ground(height, colours, 2048, half_width=_HALF + 1, relief=ground_relief(asphalt, seed)),
        *with_texture_atlas(_houses(stream)),
        *scatter_copies([lamp(5.2)], lamps, height, stream, sizes=(1, 1)),
        *scatter_copies(_trees(stream), trees, height, stream, sizes=(0.5, 0.75)),
        *scatter_copies([bench], benches, height, stream, sizes=(1, 1), turned=lambda _: towards_street),
        *scatter_copies(_cars(), cars, height, stream, sizes=(1, 1), turned=lambda n: np.pi * (np.arange(n) % 2)),
        *(kerb(side * (_LANES + 0.05), -200, 200, 0.26, 0.13, stone) for side in (-1, 1)),
    ]
    obstacles = [(lamps, 0.35), (trees, 0.5), (benches, 0.9), (cars, 2.4)]

    def actor_allowed(x: Floats, _: Floats) -> NDArray[np.bool_]:
        return (np.abs(x) < _LANES - 0.15) | ((np.abs(x) > _LANES + 0.3) & (np.abs(x) < _HALF - 0.4))

    def camera_allowed(x: Floats, _: Floats) -> NDArray[np.bool_]:
        return np.abs(x) < _HALF - 0.8

    street = BuiltEnvironment(
        tuple(meshes), height, _WEATHER, 500.0, actor_allowed=actor_allowed, camera_allowed=camera_allowed
    )
    return with_obstacles(street, obstacles)


def _rows(stream: Stream, step: float, out: float, clear: float = 0.0) -> Places:
    """Places in two rows along the street, about every `step` metres, few within `clear` metres of the middle."""
    along = np.arange(-130, 130, step)
    rows = [
        [side * out, y + float(stream.uniform(-0.1, 0.1)) * step]
        for side in (-1, 1)
        for y in along + float(stream.uniform(0, step))
        if abs(y) >= clear or stream.random() < 0.3
    ]
    return np.array(rows, np.float32)


def _houses(stream: Stream) -> list[Mesh]:
    roof, plain = dull("#5a5652"), dull("#8f8a82")
    meshes: list[Mesh] = []
    for side in (-1, 1):
        y = -150.0
        while y < 150:
            wide = float(stream.uniform(12, 22))
            wall, bricks = one_of(stream, _WALLS)
            style = FacadeStyle(
                wall, one_of(stream, ("#e4ded0", "#3a3f44", "#c8bfae")), float(stream.uniform(3.1, 3.8)),
                float(stream.uniform(2.3, 3.6)), (float(stream.uniform(1.0, 1.9)), float(stream.uniform(1.5, 2.1))),
                bricks, bool(stream.random() < 0.6),
            )  # fmt: skip
            high = style.storey * int(stream.integers(3, 8))
            spot = side * (_HALF + 7 + float(stream.uniform(-0.3, 0.5))), y + wide / 2, -90.0 * side
            meshes += block(stream, style, spot, (wide, 14.0, high), 0.0, roof, plain)
            y += wide + 0.05
    for end in (-1, 1):
        for k in range(3):
            wall, bricks = one_of(stream, _WALLS)
            style = FacadeStyle(wall, "#d8d2c4", 3.4, 2.8, (1.4, 1.9), bricks)
            size = 16.0, 12.0, 3.4 * int(stream.integers(5, 11))
            meshes += block(stream, style, (16.1 * (k - 1), end * 162.0, 90.0 + 90.0 * end), size, 0.0, roof, plain)
    return meshes


def _cars() -> list[tuple[Mesh, ...]]:
    """Parked cars that are not yellow as taxis are."""
    cars = [builtin_asset("car", seed).meshes for seed in range(8)]
    bodies = [max(meshes, key=lambda mesh: float(np.ptp(mesh.points, axis=0).prod())) for meshes in cars]
    return [meshes for meshes, body in zip(cars, bodies, strict=True) if not _is_yellow(body.material.colour)][:5]


def _is_yellow(colour: Colour | Texture) -> bool:
    return isinstance(colour, tuple) and colour[0] > 0.5 and 0.2 < colour[1] < 0.6 and colour[2] < 0.1


def _trees(stream: Stream) -> list[tuple[Mesh, ...]]:
    skin = bark(stream, "#4a4038", "#8a7d6c")
    return [tall_tree(stream, 12.0, 4.5, 2600, 0.14, skin, dull(code)) for code in ("#6b8a3a", "#7d9440", "#557a30")]
