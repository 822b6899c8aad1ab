"""Scenery for outdoor environments: grass, ferns, shrubs, trees, stones and street furniture."""

import numpy as np

from tolman.render.assets.builtin.plants import foliage
from tolman.render.environments.terrain import Stream
from tolman.render.shapes.extrusion import curve
from tolman.render.shapes.mesh import Material, Mesh, shift, srgb
from tolman.render.shapes.solids import ball, box, cylinder
from tolman.render.shapes.sweep import Floats, joined, smooth_mesh, tube
from tolman.render.shapes.textures import mottled


def dull(code: str) -> Material:
    """A diffuse material."""
    return Material(srgb(code), roughness=0.95)


def tuft(stream: Stream, blades: int, height: float, width: float, material: Material, spread: float = 0.12) -> Mesh:
    """A tuft of grass blades that bend outwards, three triangles each."""
    angle = stream.uniform(0, 2 * np.pi, blades)
    lean = stream.uniform(0.15, 0.6, blades)
    heights = height * stream.uniform(0.6, 1.1, blades)
    root = spread * stream.uniform(0, 1, (blades, 1)) * np.stack([np.cos(angle), np.sin(angle)], 1)
    way = np.stack([np.cos(angle), np.sin(angle)], 1)
    side = np.stack([-np.sin(angle), np.cos(angle)], 1) * width / 2

    def level(share: float, out: float) -> Floats:
        flat = root + way * (out * lean * heights)[:, None]
        return np.column_stack([flat, share * heights])

    low, middle, tip = level(0.0, 0.0), level(0.6, 0.35), level(1.0, 1.0)
    wing = np.column_stack([side, np.zeros(blades)])
    points = np.stack([low - wing, low + wing, middle - 0.8 * wing, middle + 0.8 * wing, tip], 1).reshape(-1, 3)
    start = 5 * np.arange(blades)[:, None]
    triangles = np.concatenate([start + np.array(t) for t in ((0, 1, 3), (0, 3, 2), (2, 3, 4))]).astype(np.int32)
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1)) + 0.4 * np.repeat(np.column_stack([way, 0 * lean]), 5, axis=0)
    return smooth_mesh(points, triangles, normals, points[:, :2], material)


def shrub(stream: Stream, width: float, height: float, material: Material, leaves: int, size: float) -> Mesh:
    """A low shrub of leaves in five clumps."""
    spans = ((-0.3, 0.3, width), (-0.3, 0.3, width), (0.3, 0.6, height))
    radii = 0.3 * width, 0.3 * width, 0.42 * height
    clumps: list[Mesh] = []
    for _ in range(5):
        x, y, z = (float(stream.uniform(low, high)) * side for low, high, side in spans)
        clumps.append(foliage(stream, (x, y, z), radii, leaves // 5, size, material))
    return joined(clumps)


def crown(stream: Stream, middle: Floats, radii: Floats, number: int, size: float, material: Material) -> Mesh:
    """Leaves in a lobed ellipsoid, most of them near its surface, and shaded like it."""
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
    return smooth_mesh(points, triangles, shading, points[:, :2], material)


def tall_tree(
    stream: Stream, height: float, clear: float, leaves: int, size: float, bark: Material, leaf: Material
) -> tuple[Mesh, ...]:
    """A broad-leaved tree without branches up to `clear` metres, with `leaves` leaves of about `size` metres."""
    lean = stream.uniform(-0.5, 0.5, 2)
    levels = (0.0, 0.25, 0.5, 0.75, 0.95)
    path = curve([(float(lean[0] * s * s), float(lean[1] * s * s), height * s) for s in levels], 3)
    radii = np.linspace(0.017 * height + 0.04, 0.03, len(path))
    radii[0] *= 1.6
    wood, clumps = [tube(path, radii.tolist(), bark, 10)], list[Mesh]()
    number = 8
    for k in range(number):
        share = (k + 0.5) / number
        z, angle = clear + (height - clear) * share, 2.4 * k + float(stream.uniform(-0.4, 0.4))
        reach = 0.19 * height * (1 - 0.7 * share**1.5) * float(stream.uniform(0.7, 1.1))
        foot = path[min(len(path) - 1, int(len(path) * (z - 0.8) / height))]
        tip = foot + np.array([reach * np.cos(angle), reach * np.sin(angle), 0.9])
        knee = 0.5 * (foot + tip) - np.array([0, 0, 0.15])
        wood.append(tube(np.array([foot, knee, tip]), [0.07, 0.05, 0.02], bark, 5))
        r = 0.15 * height * float(stream.uniform(0.85, 1.2)) * (1 - 0.3 * share)
        clumps.append(crown(stream, tip, np.array([r, r, 0.7 * r]), leaves // number, size, leaf))
    return joined(wood), joined(clumps)


def conifer(stream: Stream, height: float, boughs: int, bark: Material, needle: Material) -> tuple[Mesh, ...]:
    """A spruce with drooping boughs that get shorter upwards."""
    trunk = tube([(0, 0, 0), (0, 0, 0.96 * height)], [0.016 * height + 0.05, 0.02], bark, 8)
    share = (np.arange(boughs) + stream.uniform(0, 1, boughs)) / boughs
    z = height * (0.12 + 0.86 * share)
    out = 0.23 * height * (1 - share) ** 0.8 + 0.08
    angle = 2.39996 * np.arange(boughs) + stream.uniform(-0.3, 0.3, boughs)
    way = np.stack([np.cos(angle), np.sin(angle)], 1)
    side = np.stack([-np.sin(angle), np.cos(angle)], 1)
    wide = 3.4 / np.sqrt(boughs) * out + 0.03
    base = np.column_stack([0 * way, z])
    knee = np.column_stack([way * (0.55 * out)[:, None], z + 0.004 * height])
    tip = np.column_stack([way * out[:, None], z - 0.22 * out])
    wing = np.column_stack([side * wide[:, None], -0.22 * wide])
    other = np.column_stack([-side * wide[:, None], -0.22 * wide])
    points = np.stack([base, knee + wing, tip, knee + other, knee], 1).reshape(-1, 3)
    start = 5 * np.arange(boughs)[:, None]
    corners = ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4))
    triangles = np.concatenate([start + np.array(t) for t in corners]).astype(np.int32)
    normals = np.repeat(np.column_stack([0.6 * way, np.full(boughs, 0.8)]), 5, axis=0)
    return trunk, smooth_mesh(points, triangles, normals, points[:, :2], needle)


def bark(stream: Stream, dark: str, light: str) -> Material:
    """Rough bark."""
    return Material(mottled(stream, dark, light, 12), roughness=0.95)


def stone(stream: Stream, material: Material, steps: int) -> Mesh:
    """A stone about 1.4 metres wide, with its underside at -0.3 metres; more `steps` give smaller faces."""
    sphere = ball(1.0, (0.0, 0.0, 0.0), material, steps)
    points = sphere.points.astype(np.float64)
    for _ in range(18):
        way = stream.normal(size=3)
        way /= np.linalg.norm(way)
        points -= np.maximum(points @ way - stream.uniform(0.55, 0.85), 0)[:, None] * way
    points *= np.array([0.85, stream.uniform(0.6, 0.8), stream.uniform(0.5, 0.75)])
    corners = points[sphere.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    valid = np.linalg.norm(normals, axis=1) > 1e-9
    flat = corners[valid].reshape(-1, 3)
    faces, smooth = np.repeat(normals[valid], 3, axis=0), flat / np.array([0.7, 0.5, 0.4])
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    shading = 0.75 * faces + 0.25 * smooth / np.linalg.norm(smooth, axis=1, keepdims=True)
    own = np.arange(len(flat), dtype=np.int32).reshape(-1, 3)
    return smooth_mesh(flat, own, shading, flat[:, [0, 2]] + flat[:, [1, 1]], material)


IRON = Material(srgb("#2e3235"), roughness=0.55)
GLASS = Material(srgb("#e8e4d2"), roughness=0.3)


def lamp(height: float = 4.6) -> tuple[Mesh, ...]:
    """A lamp post with a globe."""
    post = joined(
        [
            cylinder(0.13, 0.5, (0, 0, 0), IRON, top=0.09, sides=12),
            cylinder(0.05, height - 0.9, (0, 0, 0.5), IRON, top=0.04, sides=10),
            cylinder(0.16, 0.06, (0, 0, height - 0.42), IRON, sides=12),
            cylinder(0.17, 0.12, (0, 0, height - 0.02), IRON, top=0.03, sides=12),
        ]
    )
    return post, ball(0.17, (0, 0, height - 0.2), GLASS, 8)


def arm_lamp(height: float = 7.5, reach: float = 1.8) -> tuple[Mesh, ...]:
    """A street lamp with an arm towards +x."""
    path = [(0, 0, 0), (0, 0, height - 0.8), (0.25 * reach, 0, height - 0.15), (reach, 0, height)]
    post = joined([tube(path, [0.1, 0.06, 0.05, 0.04], IRON, 8), cylinder(0.16, 0.35, (0, 0, 0), IRON, sides=10)])
    return post, box((0.6, 0.2, 0.09), (reach, 0, height - 0.06), GLASS, 0.02)


def railing(x: float, first: float, last: float, z: float, material: Material) -> Mesh:
    """A railing along y at some x: posts, a hand rail and bars."""
    length, middle = last - first, (first + last) / 2
    parts = [box((0.07, length, 0.07), (x, middle, z + up), material, 0.01) for up in (0.12, 1.05)]
    posts = np.arange(first, last + 0.1, 2.0)
    parts += [box((0.09, 0.09, 1.12), (x, float(y), z), material, 0.01) for y in posts]
    bars = np.arange(first, last, 0.25)
    bar = box((0.022, 0.022, 0.95), (x, 0.0, z + 0.12), material, 0.002)
    parts += [bar.moved(shift(0, float(y), 0)) for y in bars]
    return joined(parts)


def fence(stream: Stream, length: float, material: Material) -> Mesh:
    """A garden fence along x about the origin: pales and two rails."""
    pales = [
        box((0.09, 0.02, 0.95 + float(stream.uniform(-0.04, 0.04))), (float(x), 0.0, 0.0), material, 0.004)
        for x in np.arange(-length / 2, length / 2, 0.16)
    ]
    rails = [box((length, 0.04, 0.07), (0, -0.03, up), material, 0.004) for up in (0.25, 0.7)]
    return joined([*pales, *rails])


def kerb(x: float, first: float, last: float, width: float, height: float, material: Material) -> Mesh:
    """A kerb along y at some x."""
    return box((width, last - first, height + 0.2), (x, (first + last) / 2, -0.2), material, 0.02)
