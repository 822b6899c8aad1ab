"""A desert: dunes and stony ground, boulders, dry shrubs, and distant mesas."""

import numpy as np

from tolman.core.seeds import one_of, rng
from tolman.render.environments.environment import BuiltEnvironment, Weather, with_obstacles
from tolman.render.environments.scenery import dull, shrub, stone, tuft
from tolman.render.environments.terrain import (
    Floats,
    Noise,
    coarse,
    dense_places,
    ground,
    ground_relief,
    mixed,
    ring_places,
    scatter_copies,
    smoothstep,
)
from tolman.render.environments.terrain import sand as sand_ripples
from tolman.render.shapes.mesh import Material
from tolman.render.shapes.textures import mottled

_WEATHER = Weather(height=(14, 72), cover=(0.0, 0.45), haze=(0.05, 0.6))
_TONES = (("#d9b884", "#c39a62", "#b0865a"), ("#e0bd8c", "#cc9c6a", "#a86f4a"), ("#d8c49c", "#bfa67a", "#9a8a72"))
"""Of sand, its shade, and stone."""


def desert(seed: int) -> BuiltEnvironment:
    """The desert of a seed."""
    stream = rng(seed, "desert")
    land, dune, grain = (Noise(seed, "desert", name) for name in ("land", "dune", "grain"))
    sand, shade, stone_tone = one_of(stream, _TONES)
    dull_stone = Material(mottled(stream, "#6e5138", stone_tone, 10), roughness=0.97)
    lean = float(stream.uniform(0, np.pi))

    def height(x: Floats, y: Floats) -> Floats:
        out = np.hypot(x, y)
        along, across = x * np.cos(lean) + y * np.sin(lean), y * np.cos(lean) - x * np.sin(lean)
        hills = 2.2 * (land.layered(x, y, 42.0, 3) - 0.5) + 0.10 * dune(x, y, 2.1)
        crests = 1 - np.sqrt((2 * dune(along * 0.25, across, 46.0) - 1) ** 2 + 0.004)
        dunes = 6 * crests**2 * smoothstep(30, 90, out)
        table = smoothstep(0.60, 0.66, land.layered(x + 900, y, 170.0, 4)) * smoothstep(130, 220, out)
        return (hills + dunes + 46 * table * (0.85 + 0.15 * grain(x, y, 18.0))).astype(np.float32)

    def colours(x: Floats, y: Floats) -> Floats:
        patches = smoothstep(0.35, 0.65, land.layered(x, y + 50, 9.0, 4))
        base = mixed(sand, shade, 0.75 * patches)
        pebbly = smoothstep(0.52, 0.68, land.layered(x - 70, y, 6.0, 4))
        base = mixed(base, stone_tone, 0.55 * pebbly)
        warp = 1.3 * land(x, y, 5.0) + 0.5 * grain(x, y, 1.3)
        ripple = 0.5 + 0.5 * np.sin(2 * np.pi * ((x * np.cos(lean) + y * np.sin(lean)) / 0.34 + 2.2 * warp))
        speck = smoothstep(0.72, 0.82, grain.layered(x, y, 0.22, 2))
        tone = 1 + (0.10 * (ripple - 0.5) * (1 - pebbly)) + 0.16 * (grain.layered(x, y, 0.5, 3) - 0.5)
        rise = coarse(height, x, y)
        rock, strata = smoothstep(11, 18, rise), 0.5 + 0.5 * np.sin(0.9 * rise)
        base = base * tone[..., None] * (1 - 0.45 * (speck * pebbly))[..., None]
        return mixed(base, mixed("#9c5a3a", "#c78a5c", strata), rock)

    boulders = [(stone(stream, dull_stone, 12),) for _ in range(3)]
    pebble = [(stone(stream, dull_stone, 3),) for _ in range(3)]
    dry, straw = dull("#8a7a4e"), dull("#b59f63")
    shrubs = [(shrub(stream, 0.9, 0.55, dry, 220, 0.05),), (tuft(stream, 26, 0.42, 0.02, straw, 0.2),)]
    near, far = ring_places(stream, 7, 9.0, 30.0, 5.0), ring_places(stream, 40, 34.0, 130.0, 4.0)
    plants, pebbles = ring_places(stream, 60, 4.0, 60.0, 1.5), dense_places(stream, 900, 45.0, 18.0)
    meshes = [
        ground(height, colours, relief=ground_relief(sand_ripples, seed)),
        *scatter_copies(boulders, near, height, stream, sizes=(0.3, 0.8), sunk=0.2),
        *scatter_copies(boulders, far, height, stream, sizes=(0.6, 2.6), sunk=0.3),
        *scatter_copies(shrubs, plants, height, stream, sizes=(0.7, 1.6)),
        *scatter_copies(pebble, pebbles, height, stream, sizes=(0.025, 0.11), sunk=0.1),
    ]
    return with_obstacles(BuiltEnvironment(tuple(meshes), height, _WEATHER, 900.0), [(near, 0.8), (plants, 0.5)])
