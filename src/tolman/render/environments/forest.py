"""A forest: trees, ferns and grass, and fallen logs."""

import numpy as np

from tolman.core.seeds import one_of, rng
from tolman.render.environments.environment import BuiltEnvironment, Weather, with_obstacles
from tolman.render.environments.scenery import bark, conifer, dull, shrub, stone, tall_tree, tuft
from tolman.render.environments.terrain import (
    Floats,
    Height,
    Noise,
    Places,
    Stream,
    dense_places,
    ground,
    ground_relief,
    leaf_litter,
    mixed,
    ring_places,
    scatter_copies,
    smoothstep,
)
from tolman.render.shapes.mesh import Material, Mesh
from tolman.render.shapes.sweep import tube
from tolman.render.shapes.textures import mottled

_WEATHER = Weather(height=(24, 68), cover=(0.0, 0.75), haze=(0.1, 0.6), exposure=(1.35, 1.9))
_GREENS = (
    ("#6f8f3a", "#557a30", "#86a048", "#4a6b34"),
    ("#7d9440", "#8ba24e", "#5f7f36", "#50713a"),
    ("#a88a34", "#8f8f3c", "#b8702c", "#6f8040"),
)


def forest(seed: int) -> BuiltEnvironment:
    """The forest of a seed."""
    stream = rng(seed, "forest")
    land, litter = Noise(seed, "forest", "land"), Noise(seed, "forest", "litter")
    greens = one_of(stream, _GREENS)

    def height(x: Floats, y: Floats) -> Floats:
        out = np.hypot(x, y)
        bumps = 1.9 * (land.layered(x, y, 30.0, 3) - 0.5) + 0.12 * litter(x, y, 1.7)
        return (bumps + 26 * smoothstep(90, 300, out) * land.layered(x, y + 500, 120.0, 3)).astype(np.float32)

    def colours(x: Floats, y: Floats) -> Floats:
        moss = smoothstep(0.38, 0.62, land.layered(x, y - 30, 6.0, 6, 0.7))
        brown = mixed("#574229", "#8a6f48", litter.layered(x, y, 0.9, 5, 0.85))
        green = mixed("#46592a", "#7f8f48", litter.layered(x + 9, y, 0.9, 5, 0.85))
        base = mixed(brown, green, 0.8 * moss)
        fallen = smoothstep(0.58, 0.70, litter.layered(x - 40, y + 40, 0.16, 2, 0.9))
        base = mixed(base, "#b58d50", 0.5 * fallen * (1 - 0.6 * moss))
        twigs = smoothstep(0.60, 0.70, litter.layered(x + 80, y - 10, 0.17, 2, 0.9))
        return mixed(base * (0.75 + 0.5 * land.layered(x, y, 2.2, 5, 0.8))[..., None], "#2e241a", 0.45 * twigs)

    trunks = np.concatenate([ring_places(stream, 16, 7.0, 22.0, 4.2), ring_places(stream, 70, 22.0, 60.0, 3.6)])
    ferns, stones = ring_places(stream, 130, 4.0, 36.0, 1.4), ring_places(stream, 9, 6.0, 30.0, 4.0)
    logs = ring_places(stream, 4, 9.0, 26.0, 8.0)
    rocks = [
        (stone(stream, Material(mottled(stream, "#4f5240", "#86836f", 14), roughness=0.97), 10),) for _ in range(2)
    ]
    meshes = [
        ground(height, colours, relief=ground_relief(leaf_litter, seed)),
        *_trees(stream, greens, trunks, height),
        *_undergrowth(stream, greens, ferns, height),
        *scatter_copies(rocks, stones, height, stream, sizes=(0.2, 0.6), sunk=0.2),
        *scatter_copies([(_log(stream),)], logs, height, stream, sizes=(0.8, 1.2), sunk=-0.05),
    ]
    obstacles = [(trunks, 0.55), (ferns, 0.35), (stones, 0.5), (logs, 1.9)]
    return with_obstacles(BuiltEnvironment(tuple(meshes), height, _WEATHER, 800.0), obstacles)


def _trees(stream: Stream, greens: tuple[str, ...], places: Places, height: Height) -> list[Mesh]:
    """Detailed trees at the given places, and simpler ones behind them up to the hills."""
    skins = [bark(stream, "#3d3128", "#6e5f50"), bark(stream, "#5a5047", "#9a8d7c")]
    leaf = [dull(code) for code in greens]
    near = [tall_tree(stream, 15.0, 6.0, 2800, 0.12, skins[i % 2], leaf[i % 3]) for i in range(4)]
    near += [conifer(stream, 14.0, 1200, skins[0], dull("#3d5a34")) for _ in range(2)]
    far = [tall_tree(stream, 15.0, 4.0, 420, 0.5, skins[i % 2], leaf[i % 4]) for i in range(3)]
    far += [conifer(stream, 14.0, 150, skins[0], dull("#35522f"))]
    behind = ring_places(stream, 280, 58.0, 150.0)
    return [
        *scatter_copies(near, places, height, stream, sizes=(0.75, 1.3)),
        *scatter_copies(far, behind, height, stream, sizes=(0.8, 1.4)),
    ]


def _undergrowth(stream: Stream, greens: tuple[str, ...], ferns: Places, height: Height) -> list[Mesh]:
    grass = [tuft(stream, 10, 0.26, 0.03, dull(code), 0.16) for code in ("#6f8a3c", "#86994a", "#a39a58", greens[3])]
    low = [tuft(stream, 16, 0.6, 0.09, dull("#6b8a3a"), 0.06), shrub(stream, 0.8, 0.5, dull(greens[3]), 240, 0.06)]
    return [
        *scatter_copies(
            [(mesh,) for mesh in grass], dense_places(stream, 12000, 50.0, 14.0), height, stream, sizes=(0.5, 1.3)
        ),
        *scatter_copies([(mesh,) for mesh in low], ferns, height, stream, sizes=(0.7, 1.3)),
    ]


def _log(stream: Stream) -> Mesh:
    """A trunk lying on the ground."""
    bend = float(stream.uniform(-0.15, 0.15))
    path = [(-1.7, 0.0, 0.14), (0.0, bend, 0.12), (1.7, 0.0, 0.1)]
    return tube(path, [0.2, 0.18, 0.15], bark(stream, "#3d3128", "#75634d"), 12)
