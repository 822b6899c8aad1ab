"""Grass, ferns, dry shrubs and tall trees, light enough to stand in hundreds."""

import numpy as np

from tolman.render.assets.builtin.leaves import foliage
from tolman.render.outdoors.scatter import Stream
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.outline import curve
from tolman.render.shapes.surface import Floats, joined, skin
from tolman.render.shapes.sweep import tube
from tolman.render.shapes.textures import mottled


def dull(code: str) -> Material:
    """A surface without shine."""
    return Material(srgb(code), roughness=0.95)


def tuft(stream: Stream, blades: int, tall: float, wide: float, material: Material, spread: float = 0.12) -> Mesh:
    """Blades of grass from one root, bending outwards; two triangles and a tip each."""
    angle = stream.uniform(0, 2 * np.pi, blades)
    lean = stream.uniform(0.15, 0.6, blades)
    high = tall * stream.uniform(0.6, 1.1, blades)
    root = spread * stream.uniform(0, 1, (blades, 1)) * np.stack([np.cos(angle), np.sin(angle)], 1)
    way = np.stack([np.cos(angle), np.sin(angle)], 1)
    side = np.stack([-np.sin(angle), np.cos(angle)], 1) * wide / 2

    def level(share: float, out: float) -> Floats:
        flat = root + way * (out * lean * high)[:, None]
        return np.column_stack([flat, share * high])

    low, middle, tip = level(0.0, 0.0), level(0.6, 0.35), level(1.0, 1.0)
    wing = np.column_stack([side, np.zeros(blades)])
    points = np.stack([low - wing, low + wing, middle - 0.8 * wing, middle + 0.8 * wing, tip], 1).reshape(-1, 3)
    start = 5 * np.arange(blades)[:, None]
    triangles = np.concatenate([start + np.array(t) for t in ((0, 1, 3), (0, 3, 2), (2, 3, 4))]).astype(np.int32)
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1)) + 0.4 * np.repeat(np.column_stack([way, 0 * lean]), 5, axis=0)
    return skin(points, triangles, normals, points[:, :2], material)


def shrub(stream: Stream, wide: float, tall: float, material: Material, leaves: int, size: float) -> Mesh:
    """A low heap of leaves."""
    heaps = [
        foliage(
            stream,
            (
                float(stream.uniform(-0.3, 0.3)) * wide,
                float(stream.uniform(-0.3, 0.3)) * wide,
                float(stream.uniform(0.3, 0.6)) * tall,
            ),
            (0.3 * wide, 0.3 * wide, 0.42 * tall),
            leaves // 5,
            size,
            material,
        )
        for _ in range(5)
    ]
    return joined(heaps)


def crown(stream: Stream, middle: Floats, radii: Floats, number: int, size: float, material: Material) -> Mesh:
    """Leaves all through a cloud of uneven outline, most of them near its skin, shaded as the cloud is round."""
    outward = stream.normal(size=(number, 3))
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    lobes = stream.normal(size=(7, 3))
    lobes /= np.linalg.norm(lobes, axis=1, keepdims=True)
    reach = 0.55 + 0.5 * np.max(np.clip(outward @ lobes.T, 0, 1) ** 3, axis=1)
    depth = stream.uniform(0.25, 1.0, number) ** 0.45
    centres = middle + outward * radii * (reach * depth)[:, None]
    normal = 0.5 * outward + stream.normal(size=(number, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    first = np.cross(normal, stream.normal(size=(number, 3)))
    first *= (size * stream.uniform(0.6, 1.4, number) / np.linalg.norm(first, axis=1))[:, None]
    second = 0.6 * np.cross(normal, first)
    points = np.stack([centres + first, centres + second, centres - first, centres - second], 1).reshape(-1, 3)
    start = 4 * np.arange(number)[:, None]
    triangles = np.concatenate([start + np.array(t) for t in ((0, 1, 2), (0, 2, 3))]).astype(np.int32)
    shading = np.repeat(0.8 * outward + 0.3 * normal + np.array([0, 0, 0.25]), 4, axis=0)
    return skin(points, triangles, shading, points[:, :2], material)


def tall_tree(
    stream: Stream, high: float, clear: float, leaves: int, size: float, bark: Material, leaf: Material
) -> tuple[Mesh, ...]:
    """A forest tree: a long trunk, free of branches up to `clear` metres, and `leaves` of about `size` metres."""
    lean = stream.uniform(-0.5, 0.5, 2)
    way = curve([(float(lean[0] * s * s), float(lean[1] * s * s), high * s) for s in (0.0, 0.25, 0.5, 0.75, 0.95)], 3)
    thick = np.linspace(0.017 * high + 0.04, 0.03, len(way))
    thick[0] *= 1.6
    wood, clumps = [tube(way, thick.tolist(), bark, 10)], list[Mesh]()
    number = 8
    for k in range(number):
        share = (k + 0.5) / number
        z, angle = clear + (high - clear) * share, 2.4 * k + float(stream.uniform(-0.4, 0.4))
        reach = 0.19 * high * (1 - 0.7 * share**1.5) * float(stream.uniform(0.7, 1.1))
        foot = way[min(len(way) - 1, int(len(way) * (z - 0.8) / high))]
        spot = foot + np.array([reach * np.cos(angle), reach * np.sin(angle), 0.9])
        knee = 0.5 * (foot + spot) - np.array([0, 0, 0.15])
        wood.append(tube(np.array([foot, knee, spot]), [0.07, 0.05, 0.02], bark, 5))
        r = 0.15 * high * float(stream.uniform(0.85, 1.2)) * (1 - 0.3 * share)
        clumps.append(crown(stream, spot, np.array([r, r, 0.7 * r]), leaves // number, size, leaf))
    return joined(wood), joined(clumps)


def conifer(stream: Stream, high: float, boughs: int, bark: Material, needle: Material) -> tuple[Mesh, ...]:
    """A spruce: boughs that hang down a little, shorter upwards, each a few flat sprays."""
    trunk = tube([(0, 0, 0), (0, 0, 0.96 * high)], [0.016 * high + 0.05, 0.02], bark, 8)
    share = (np.arange(boughs) + stream.uniform(0, 1, boughs)) / boughs
    z = high * (0.12 + 0.86 * share)
    out = 0.23 * high * (1 - share) ** 0.8 + 0.08
    angle = 2.39996 * np.arange(boughs) + stream.uniform(-0.3, 0.3, boughs)
    way = np.stack([np.cos(angle), np.sin(angle)], 1)
    side = np.stack([-np.sin(angle), np.cos(angle)], 1)
    wide = 3.4 / np.sqrt(boughs) * out + 0.03
    base = np.column_stack([0 * way, z])
    knee = np.column_stack([way * (0.55 * out)[:, None], z + 0.004 * high])
    tip = np.column_stack([way * out[:, None], z - 0.22 * out])
    wing = np.column_stack([side * wide[:, None], -0.22 * wide])
    other = np.column_stack([-side * wide[:, None], -0.22 * wide])
    points = np.stack([base, knee + wing, tip, knee + other, knee], 1).reshape(-1, 3)
    start = 5 * np.arange(boughs)[:, None]
    corners = ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
    triangles = np.concatenate([start + np.array(t) for t in corners]).astype(np.int32)
    normals = np.repeat(np.column_stack([0.6 * way, np.full(boughs, 0.8)]), 5, axis=0)
    return trunk, skin(points, triangles, normals, points[:, :2], needle)


def bark(stream: Stream, dark: str, light: str) -> Material:
    """Rough bark."""
    return Material(mottled(stream, dark, light, 12), roughness=0.95)
