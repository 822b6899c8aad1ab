"""A suspension bridge: a wide deck of asphalt with railings and cables, over water between wooded banks."""

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import one_of, rng
from tolman.render.environments.environment import BuiltEnvironment, Weather, with_obstacles
from tolman.render.environments.scenery import arm_lamp, bark, conifer, dull, kerb, railing, tall_tree
from tolman.render.environments.terrain import (
    Floats,
    Noise,
    Places,
    Stream,
    asphalt,
    ground,
    ground_relief,
    mixed,
    ring_places,
    scatter_copies,
    smoothstep,
)
from tolman.render.shapes.mesh import Material, Mesh, srgb
from tolman.render.shapes.solids import box
from tolman.render.shapes.sweep import joined, tube

_WEATHER = Weather(height=(12, 62), cover=(0.0, 0.95), haze=(0.1, 0.9), exposure=(0.95, 1.3))
_HALF = 13.0
"""Metres from the centre line of the deck to its railing."""
_LANES = 9.6
"""Metres from the centre line to the kerb."""
_WATER = -18.0
"""Height of the water in metres."""
_STEELS = ("#8f2f26", "#8a8f92", "#3f5a6a", "#b0a58c")


def bridge(seed: int) -> BuiltEnvironment:
    """The bridge of a seed."""
    stream = rng(seed, "bridge")
    road, bank = Noise(seed, "bridge", "road"), Noise(seed, "bridge", "bank")
    steel = Material(srgb(one_of(stream, _STEELS)), roughness=0.5)
    tarmac = one_of(stream, ("#4a4b4d", "#55534f", "#3f4247"))

    def height(x: Floats, y: Floats) -> Floats:
        camber = -0.0004 * x * x + 0.025 * (road.layered(x, y, 4.0, 3) - 0.5)
        return np.where(np.abs(x) > _LANES, 0.10, camber).astype(np.float32) + np.float32(0)

    def deck(x: Floats, y: Floats) -> Floats:
        grain = road.layered(x, y, 0.3, 3, 0.8)
        base = mixed(tarmac, "#77756f", 0.55 * grain)
        worn = np.exp(-(((np.abs(np.abs(x) % 4.8 - 2.4) - 0.85) / 0.45) ** 2))
        base = base * (1 + 0.16 * worn - 0.25 * smoothstep(0.55, 0.75, road.layered(x, y + 80, 5.0, 4)))[..., None]
        crack = np.abs(road.layered(x + 30, y, 3.0, 4, 0.7) - 0.5) < 0.004
        base = np.where(crack[..., None], 0.55 * base, base)
        chipped = 0.92 - 0.6 * smoothstep(0.55, 0.75, road.layered(x, y, 0.5, 3, 0.8))
        dashes = (np.abs(np.abs(x) - 4.8) < 0.07) & (y % 7.0 < 3.0)
        lines = dashes | (np.abs(np.abs(x) - 9.2) < 0.08) | (np.abs(np.abs(x) - 0.16) < 0.06)
        base = mixed(base, "#e6e2d4", np.where(lines, chipped, 0.0).astype(np.float32))
        paving = mixed("#8f8b84", "#b0aaa0", road.layered(x - 60, y, 0.8, 4, 0.8))
        joint = ((y % 1.2) < 0.03) | ((np.abs(x) % 1.2) < 0.03)
        return np.where(np.abs(x)[..., None] > _LANES, np.where(joint[..., None], 0.55 * paving, paving), base)

    def banks(x: Floats, y: Floats) -> Floats:
        out = np.hypot(x, y) + 60 * (bank.layered(x, y, 120.0, 3) - 0.5)
        hills = smoothstep(230, 400, out) * (18 + 60 * bank.layered(x + 50, y, 140.0, 4))
        waves = 0.10 * bank.layered(x, y, 3.0, 3, 0.7)
        return (_WATER + waves * (out < 235) + hills).astype(np.float32)

    def shore(x: Floats, y: Floats) -> Floats:
        out = np.hypot(x, y) + 60 * (bank.layered(x, y, 120.0, 3) - 0.5)
        water = mixed("#2c4a56", "#3f6470", bank.layered(x, y, 9.0, 4))
        land = mixed("#3d5a30", "#7d8a4f", bank.layered(x, y, 16.0, 5, 0.75))
        return mixed(water, land, smoothstep(232, 244, out))

    firs, lamps = ring_places(stream, 900, 255.0, 385.0), _lamp_places(stream)
    bark_skin = bark(stream, "#3d3128", "#6e5f50")
    woods = [
        conifer(stream, 16.0, 60, bark_skin, dull("#33502f")),
        tall_tree(stream, 16.0, 3.0, 160, 0.9, bark_skin, dull("#5f7f36")),
    ]
    water = ground(banks, shore, 1024, roughness=0.12)
    meshes = [
        ground(height, deck, 2048, half_width=_HALF, relief=ground_relief(asphalt, seed)),
        water,
        *scatter_copies(woods, firs, banks, stream, sizes=(0.8, 1.5)),
        *scatter_copies(
            [arm_lamp()], lamps, height, stream, sizes=(1, 1), turned=lambda _: np.where(lamps[:, 0] > 0, np.pi, 0.0)
        ),
        *_steelwork(steel),
    ]

    def actor_allowed(x: Floats, _: Floats) -> NDArray[np.bool_]:
        return (np.abs(x) < _LANES - 0.1) | ((np.abs(x) > _LANES + 0.35) & (np.abs(x) < _HALF - 0.3))

    span = BuiltEnvironment(tuple(meshes), height, _WEATHER, 1200.0, actor_allowed=actor_allowed)
    return with_obstacles(span, [(lamps, 0.35)])


def _lamp_places(stream: Stream) -> Places:
    first = float(stream.uniform(0, 18))
    along = np.arange(-200, 200, 18.0) + first
    return np.array([[side * (_HALF - 0.45), y] for y in along for side in (-1, 1)], np.float32)


def _steelwork(steel: Material) -> list[Mesh]:
    """Railings, kerbs, the girder below the deck, two towers, and cables with their hangers."""
    stone, girder = Material(srgb("#9a958c"), roughness=0.95), Material(srgb("#6a6c6e"), roughness=0.8)
    meshes = [railing(side * (_HALF - 0.1), -150, 150, 0.1, steel) for side in (-1, 1)]
    meshes += [kerb(side * (_LANES + 0.1), -400, 400, 0.24, 0.12, stone) for side in (-1, 1)]
    meshes += [box((0.5, 800, 2.2), (side * (_HALF + 0.2), 0, -2.15), steel, 0.02) for side in (-1, 1)]
    meshes.append(box((2 * _HALF, 800, 0.5), (0, 0, -1.0), girder, 0.02))
    parts: list[Mesh] = []
    top, far = 34.0, 70.0
    for tower in (-far, far):
        parts += [box((1.6, 2.4, top - _WATER), (s * (_HALF + 1.2), tower, _WATER), steel, 0.1) for s in (-1, 1)]
        parts += [box((2 * _HALF + 2, 1.6, 1.8), (0, tower, z), steel, 0.1) for z in (14.0, top - 2.0)]
    along = np.linspace(-far, far, 29)
    sag = 5.0 + (top - 6.0) * (along / far) ** 2
    for side in (-1, 1):
        x = side * (_HALF + 0.9)
        parts.append(tube(np.column_stack([np.full(29, x), along, sag]), 0.16, steel, 8))
        parts += [tube([(x, way * far, top - 1.0), (x, way * 190.0, 0.0)], 0.16, steel, 8) for way in (-1, 1)]
        parts += [
            tube([(x, float(y), 0.0), (x, float(y), float(z))], 0.04, steel, 5)
            for y, z in zip(along[1:-1], sag[1:-1], strict=True)
        ]
    return [*meshes, joined(parts)]
