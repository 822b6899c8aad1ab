"""Four-legged animals as seamless meshes: a bear, a fox, a husky, a camel and a deer. Lengths in metres."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tolman.core.files import packaged_table
from tolman.render.assets.builtin.builder import Stream, asset_from_parts, between, pick
from tolman.render.assets.builtin.materials import fur, painted
from tolman.render.building.relief import clouds, grained, relief
from tolman.render.shapes.extrusion import curve
from tolman.render.shapes.mesh import (
    Asset,
    Material,
    Matrix,
    Mesh,
    Triangles,
    all_transformed,
    pair,
    shift,
    stretch,
    turn,
)
from tolman.render.shapes.solids import ball, cylinder
from tolman.render.shapes.sweep import Floats, Vector, smooth_mesh, tube

_CELLS = 72
"""Cells of the sampling grid along the longest side."""


@dataclass(frozen=True, eq=False)
class Limb:
    """A rod from a to b with a radius at each end, and its material."""

    a: Vector
    b: Vector
    radius: float
    end: float
    coat: Material

    def distance(self, points: Floats) -> Floats:
        """Signed distance in metres from its surface, negative inside; approximate if the radii differ."""
        first, way = np.array(self.a), np.subtract(self.b, self.a)
        share = np.clip((points - first) @ way / max(float(way @ way), 1e-12), 0, 1)
        gap = points - first - share[..., None] * way
        return np.sqrt((gap * gap).sum(axis=-1)) - (self.radius + (self.end - self.radius) * share)


@dataclass(frozen=True, eq=False)
class Patch:
    """An ellipsoid; the surface within it has another material."""

    at: Vector
    radii: Vector
    coat: Material


def limb(a: Vector, b: Vector, radius: float, coat: Material, end: float | None = None) -> Limb:
    """A rod from a to b; `end` is its radius at b if that differs."""
    return Limb(a, b, radius, radius if end is None else end, coat)


def smooth_body(limbs: Sequence[Limb], patches: Sequence[Patch] = (), blend: float = 0.05) -> list[Mesh]:
    """The surface over all limbs, one mesh for each material. Joints are rounded over about `blend` metres."""
    ends = np.array([[*one.a, max(one.radius, one.end)] for one in limbs] + [[*one.b, one.end] for one in limbs])
    low, high = (ends[:, :3] - ends[:, 3:]).min(axis=0) - blend, (ends[:, :3] + ends[:, 3:]).max(axis=0) + blend
    step = float((high - low).max()) / _CELLS
    sides = [np.arange(a, b + step, step) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*sides, indexing="ij"), -1)
    points, triangles = _cut(_field(grid, limbs, blend), low, step)
    by = 0.1 * blend
    normals = np.stack(
        [_field(points + by * axis, limbs, blend) - _field(points - by * axis, limbs, blend) for axis in np.eye(3)], -1
    )
    coats = {id(one.coat): one.coat for one in (*limbs, *patches)}
    number = {key: i for i, key in enumerate(coats)}
    worn = np.array([number[id(one.coat)] for one in limbs])[
        np.stack([one.distance(points) for one in limbs]).argmin(axis=0)
    ]
    for patch in patches:
        worn[(((points - patch.at) / patch.radii) ** 2).sum(axis=1) < 1] = number[id(patch.coat)]
    of_triangle = worn[triangles[:, 0]]
    return [
        _part(points, normals, triangles[of_triangle == i], coat)
        for i, coat in enumerate(coats.values())
        if (of_triangle == i).any()
    ]


def _field(points: Floats, limbs: Sequence[Limb], blend: float) -> Floats:
    """The smooth minimum of all distances."""
    sharp = 4.0 / blend
    total = np.zeros(points.shape[:-1])
    for one in limbs:
        total += np.exp(-sharp * np.clip(one.distance(points), -0.5, 1.0))
    return -np.log(total + 1e-300) / sharp


def _cut(field: Floats, low: Floats, step: float) -> tuple[Floats, Triangles]:
    """The zero level set of a field by naive surface nets: one vertex in each cell that it passes through."""
    inside = field < 0
    shape = tuple(n - 1 for n in field.shape)
    total, count = np.zeros((*shape, 3)), np.zeros(shape)
    for axis in range(3):
        a, b = np.moveaxis(field, axis, 0)[:-1], np.moveaxis(field, axis, 0)[1:]
        crossed = np.moveaxis((a < 0) != (b < 0), 0, axis)
        share = np.moveaxis(a / np.where(np.abs(a - b) < 1e-12, 1.0, a - b), 0, axis)
        first, second = (other for other in range(3) if other != axis)
        for i in (0, 1):
            for j in (0, 1):
                window = [slice(None)] * 3
                window[first], window[second] = slice(i, i + shape[first]), slice(j, j + shape[second])
                hit = crossed[tuple(window)]
                at = np.zeros((*shape, 3))
                at[..., axis], at[..., first], at[..., second] = share[tuple(window)], i, j
                total += np.where(hit[..., None], at, 0.0)
                count += hit
    full = count > 0
    number = np.full(shape, -1)
    number[full] = np.arange(int(full.sum()))
    points = low + step * (np.argwhere(full) + total[full] / count[full][:, None])
    return points, _quads(inside, number)


def _quads(inside: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]", number: Floats) -> Triangles:
    """Two outward-facing triangles for each edge of the grid that crosses the surface."""
    found: list[Floats] = []
    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        a, b = np.moveaxis(inside, axis, 0)[:-1], np.moveaxis(inside, axis, 0)[1:]
        at = np.argwhere(np.moveaxis(a != b, 0, axis))
        at = at[(at[:, first] > 0) & (at[:, second] > 0)]
        at = at[(at[:, first] < number.shape[first]) & (at[:, second] < number.shape[second])]
        steps = np.eye(3, dtype=int)
        ring = [at, at - steps[first], at - steps[first] - steps[second], at - steps[second]]
        corners = np.stack([number[tuple(one.T)] for one in ring], 1)
        outward = inside[tuple(at.T)]
        corners[~outward] = corners[~outward][:, ::-1]
        found += [corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]
    return np.concatenate(found).astype(np.int32)


def _part(points: Floats, normals: Floats, triangles: Triangles, coat: Material) -> Mesh:
    used, renamed = np.unique(triangles, return_inverse=True)
    at = points[used]
    coordinates = np.stack([at[:, 1] + 0.31 * at[:, 0], at[:, 2] + 0.47 * at[:, 0]], 1)
    return smooth_mesh(at, renamed.reshape(-1, 3).astype(np.int32), normals[used], coordinates, coat)


_BODIES = packaged_table("tolman.render.assets.outdoor", "animals.toml")
_NOSE = painted("#14110f", 0.25)
_HAIR_METRES = 0.5
"""Metres after which the relief of a coat repeats."""


@dataclass(frozen=True)
class AnimalPose:
    """How an animal stands: its head and neck turned about the base of the neck, and its legs swung."""

    yaw: float
    """Degrees to the left."""
    pitch: float
    """Degrees up."""
    stride: float
    """Metres by which feet are before or behind their place, alternately; as a share of the height of the belly."""

    def head(self, pivot: Vector) -> Matrix:
        """The turn of the head as a 3 by 4 matrix."""
        up, aside = turn("x", self.pitch, pivot), turn("z", self.yaw, pivot)
        return np.column_stack([aside[:, :3] @ up[:, :3], aside[:, :3] @ up[:, 3] + aside[:, 3]])


def random_pose(stream: Stream) -> AnimalPose:
    """Standing, walking, looking aside, or with the head low or high."""
    yaw, pitch = between(stream, -28, 28), between(stream, -14, 8)
    return AnimalPose(yaw, pitch, between(stream, 0.06, 0.2) if stream.random() < 0.65 else 0.0)


def _coat(stream: Stream, dark: str, light: str) -> Material:
    """Fur with a relief of strands."""
    height = 0.0022 * grained(stream, 14, 70) + 0.003 * clouds(stream, 9, 2)
    repeats = 1 / _HAIR_METRES
    return replace(fur(stream, dark, light), relief=relief(height, _HAIR_METRES), relief_repeats=(repeats, repeats))


def _ear(at: Vector, size: tuple[float, float], lean: float, coat: Material, inner: Material) -> list[Mesh]:
    """A pointed ear and its inner side, leaning outwards by `lean` degrees."""
    cone = cylinder(size[0], size[1], (0, 0, 0), coat, top=0.0, sides=14)
    hollow = cylinder(0.62 * size[0], 0.8 * size[1], (0, 0.4 * size[0], 0), inner, top=0.0, sides=12)
    return pair(*all_transformed([cone, hollow], stretch(1, 0.5, 1), turn("y", lean), shift(*at)))


def _face(eyes: Vector, nose: Vector, size: float) -> list[Mesh]:
    return [*pair(ball(size, eyes, _NOSE, 8)), ball((1.7 * size, 1.1 * size, 1.2 * size), nose, _NOSE, 8)]


def _posed_animal(animal: str, pose: AnimalPose, head: Sequence[Mesh], **coats: Material) -> Asset:
    """The body in `animals.toml` with these materials, and what belongs to its head, in a pose."""
    table = _BODIES[animal]
    pivot: Vector = tuple(table["neck"])
    belly, matrix = float(table["limbs"][0][1][2]), pose.head(pivot)

    def posed(point: Vector, side: int = 0) -> Vector:
        x, y, z = point
        if y > pivot[1] and z > 0.75 * belly:
            x, y, z = (float(part) for part in matrix[:, :3] @ np.array(point) + matrix[:, 3])
        elif side and z < belly:
            forward = side if y > 0 else -side
            y += forward * pose.stride * (belly - z)
        return x, y, z

    def limbs(rows: Sequence[tuple[str, Vector, Vector, float]], side: int = 0) -> list[Limb]:
        mirror = -1 if side < 0 else 1
        return [
            limb(posed((mirror * a[0], *a[1:]), side), posed((mirror * b[0], *b[1:]), side), radius, coats[coat], *end)
            for coat, a, b, radius, *end in rows
        ]

    patches = [Patch(posed(at), radii, coats[coat]) for coat, at, radii in table["patches"]]
    body = smooth_body(
        [*limbs(table["limbs"]), *limbs(table["pairs"], 1), *limbs(table["pairs"], -1)], patches, table["blend"]
    )
    return asset_from_parts(body, all_transformed(head, matrix))


def bear(stream: Stream) -> Asset:
    """A brown bear: heavy, with a hump over its shoulders and a pale snout."""
    dark, light, pale = pick(
        stream, ("#3b2416", "#5e3d26", "#8a6a4a"), ("#4a2f1c", "#75502f", "#a98558"), ("#231b17", "#3b302a", "#8a6f55")
    )
    coat, head = _coat(stream, dark, light), _face((0.085, 1.15, 1.02), (0, 1.345, 0.89), 0.022)
    return _posed_animal("bear", random_pose(stream), head, coat=coat, snout=painted(pale, 0.95))


def fox(stream: Stream) -> Asset:
    """A red fox: pointed ears, dark legs, white throat, and a brush with a white tip."""
    coat = _coat(stream, *pick(stream, ("#b0521c", "#d8742c"), ("#a2481a", "#c8662a"), ("#bf6226", "#e0883c")))
    white, sock = painted("#f0ebe2", 0.95), painted("#2a1d17", 0.95)
    ears = _ear((0.045, 0.325, 0.575), (0.036, 0.11), 14, sock, white)
    head = [*ears, *_face((0.036, 0.405, 0.54), (0, 0.505, 0.487), 0.011)]
    return _posed_animal("fox", random_pose(stream), head, coat=coat, white=white, sock=sock)


def husky(stream: Stream) -> Asset:
    """A husky: dark back, white mask and legs, upright ears, and its tail curled over its back."""
    coat = _coat(stream, *pick(stream, ("#26282c", "#4b4f56"), ("#4d4a48", "#7d7873"), ("#5e3d2a", "#8a6145")))
    white, sky = painted("#f1efea", 0.95), painted("#7fb6e0", 0.2)
    ears = _ear((0.06, 0.35, 0.77), (0.045, 0.12), 8, coat, white)
    eyes = pair(ball(0.015, (0.042, 0.468, 0.715), sky, 8), ball(0.008, (0.043, 0.48, 0.716), _NOSE, 6))
    head = [*ears, *eyes, ball((0.024, 0.018, 0.018), (0, 0.562, 0.655), _NOSE, 8)]
    return _posed_animal("husky", random_pose(stream), head, coat=coat, white=white)


def camel(stream: Stream) -> Asset:
    """A dromedary: one hump, long legs, a bent neck, and heavy eyelids."""
    coat = _coat(stream, *pick(stream, ("#9a7443", "#c39a62"), ("#86623a", "#b08750"), ("#b08f63", "#d6b98a")))
    wool, foot = _coat(stream, "#6f5030", "#94703f"), painted("#5a4430", 0.9)
    head = _face((0.095, 1.44, 1.99), (0, 1.735, 1.88), 0.02)
    return _posed_animal("camel", random_pose(stream), head, coat=coat, wool=wool, foot=foot)


def deer(stream: Stream) -> Asset:
    """A stag: slender, white behind, with antlers."""
    coat = _coat(stream, *pick(stream, ("#7a4f2c", "#a3744a"), ("#6b4630", "#8f6748"), ("#8a5a30", "#b5824c")))
    horn = painted("#c9b08a", 0.7)
    path = curve([(0.05, 0.7, 1.5), (0.16, 0.6, 1.7), (0.3, 0.6, 1.9), (0.28, 0.72, 2.08)], 4)
    beam = tube(path, [0.024] * 5 + [0.02] * 4 + [0.016, 0.013, 0.01, 0.006], horn, 8)
    tines = [
        tube([(0.1, 0.66, 1.6), (0.14, 0.84, 1.7)], [0.017, 0.006], horn, 7),
        tube([(0.22, 0.6, 1.79), (0.26, 0.79, 1.87)], [0.015, 0.006], horn, 7),
        tube([(0.3, 0.61, 1.9), (0.4, 0.56, 2.02)], [0.014, 0.006], horn, 7),
    ]
    head = [*pair(beam, *tines), *_face((0.07, 0.82, 1.46), (0, 1.02, 1.37), 0.016)]
    white, hoof = painted("#ece3d3", 0.95), painted("#231c18", 0.6)
    return _posed_animal("deer", random_pose(stream), head, coat=coat, white=white, hoof=hoof)
