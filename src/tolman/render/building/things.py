"""Things in a scene: their assets, enlarged or put on a plinth if too small to recognise, and tinted if their name has
a colour.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tolman.core.geometry import Heading
from tolman.core.seeds import rng
from tolman.render.building.walls import slab
from tolman.render.shapes.mesh import Asset, Colour, Material, Mesh, Texture, srgb
from tolman.world import Thing
from tolman.world.vocabulary import COLOURS, kind_in

Floats = NDArray[np.float64]

_LEAST_TINTED_SHARE = 0.1
"""Share of an asset's surface from which on a mesh is tinted; smaller ones are trim."""
_DARKEST_SHADE = 0.45
"""Least factor by which a texture may darken the colour; its inverse is the most by which it may lighten it."""


def tinted(asset: Asset, colour: Colour) -> Asset:
    """The asset with all large surfaces in a linear colour. Textures remain as shades of it; glass and emitters are not
    changed."""
    least = _LEAST_TINTED_SHARE * sum(mesh.area for mesh in asset.meshes)
    return Asset(tuple(_recoloured(mesh, colour) if mesh.area >= least else mesh for mesh in asset.meshes))


def _recoloured(mesh: Mesh, colour: Colour) -> Mesh:
    material = mesh.material
    if material.transparency > 0 or material.emission > 0:
        return mesh
    if not isinstance(material.colour, Texture):
        return replace(mesh, material=replace(material, colour=colour, metallic=0.0))
    linear: Floats = (material.colour.image / 255.0) ** 2.2
    light = linear.mean(axis=-1, keepdims=True)
    shade = np.clip(light / max(float(light.mean()), 1e-3), _DARKEST_SHADE, 1 / _DARKEST_SHADE)
    encoded: Floats = np.clip(np.array(colour) * shade, 0, 1) ** (1 / 2.2)
    texture = Texture(np.round(encoded * 255).astype(np.uint8))
    return replace(mesh, material=replace(material, colour=texture))


def tinted_as_named(asset: Asset, name: str, category: str) -> Asset:
    """The asset in the colour that the thing's name starts with; unchanged without one.

    Generated scenes add colours to names once every kind is used, so that names are unique.
    """
    word = name.removesuffix(category).strip()
    return tinted(asset, srgb(COLOURS[word])) if word in COLOURS and name.endswith(category) else asset


SILHOUETTE_STEP = 0.005
"""Side of the squares in which silhouettes are measured, in metres."""


def silhouette_area(asset: Asset, along: int) -> float:
    """Square metres of the silhouette on a plane along x (0: seen from the front) or y (1: from the side)."""
    low, high = (end / SILHOUETTE_STEP for end in asset.bounds)
    corners = np.concatenate([mesh.points[mesh.triangles] for mesh in asset.meshes]).astype(np.float64)
    corners /= SILHOUETTE_STEP
    x, z = corners[..., along] - low[along], corners[..., 2] - low[2]
    rows, columns = (int(np.ceil(high[axis] - low[axis])) + 1 for axis in (2, along))
    first, end = (np.ceil(edge - 0.5).astype(int) for edge in (z.min(axis=1), z.max(axis=1)))
    count = end - first
    triangle = np.repeat(np.arange(len(x)), count)
    row = np.arange(len(triangle)) - np.repeat(np.cumsum(count) - end, count)
    starts, ends = _span(x[triangle], z[triangle], (row + 0.5).astype(np.float64))
    steps = np.bincount(row * columns + starts, minlength=rows * columns)
    steps -= np.bincount(row * columns + ends, minlength=rows * columns)
    return float((np.cumsum(steps.reshape(rows, columns), axis=1) > 0).sum()) * SILHOUETTE_STEP**2


def _span(x: Floats, z: Floats, height: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first square of each triangle in its row, and the first one after it."""
    low, high = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        crosses = (z[:, a] <= height) != (z[:, b] <= height)
        at = x[:, a] + (height - z[:, a]) * (x[:, b] - x[:, a]) / np.where(crosses, z[:, b] - z[:, a], 1.0)
        low, high = np.where(crosses, np.minimum(low, at), low), np.where(crosses, np.maximum(high, at), high)
    return np.ceil(low - 0.5).astype(np.int64), np.ceil(high - 0.5).astype(np.int64)


LEAST_SIDE = 0.40
"""Metres of the larger of width and height below which a thing is enlarged."""
MOST_ENLARGED = 2.0
LEAST_SILHOUETTE = 0.05
"""Square metres: 50 pixels of a picture of 384 by 384 at six metres."""
PLINTH_BELOW_HEIGHT = 0.50
PLINTH_BELOW_DEPTH = 0.75
"""A deeper thing would overhang its plinth."""
PLINTH_HEIGHT, PLINTH_SIDE = 0.40, 0.55
LARGEST_SIDE = 0.98
"""Largest width and depth of a thing in metres."""
_PLINTH = Material(srgb("#e4e2dc"), roughness=0.7)

AssetOf = Callable[..., Asset]
"""The asset of a kind and a seed; a third argument is the world version, where it is not the first."""


def placed_thing(thing: Thing, asset_of: AssetOf, seed: int, version: int = 1) -> Iterator[Mesh]:
    """The meshes of a thing in the world and of its plinth; `seed` is that of the scene's appearance."""
    stream = rng(seed, "thing", thing.name)
    number = int(stream.integers(2**31))
    asset = asset_of(thing.category, number) if version == 1 else asset_of(thing.category, number, version)
    asset = _sized(tinted_as_named(asset, thing.name, thing.category), thing.category, version)
    low, high = asset.bounds
    lift = PLINTH_HEIGHT if high[2] < PLINTH_BELOW_HEIGHT and high[1] - low[1] < PLINTH_BELOW_DEPTH else 0.0
    front = Heading(int(stream.integers(4))) if thing.front is None else thing.front
    x, y = thing.cell
    yield from asset.moved(pose_matrix(front.degrees, (x, y, lift))).meshes
    if lift:
        half = PLINTH_SIDE / 2
        yield slab((x - half, y - half, 0.0), (x + half, y + half, lift), _PLINTH)


def _sized(asset: Asset, category: str, version: int) -> Asset:
    """An asset at its kind's size, in version 1 enlarged if too small to recognise."""
    kind = kind_in(category, version)
    if kind is None:
        return asset.fitted(LARGEST_SIDE, LARGEST_SIDE, 1.9)
    if version != 1:
        return asset.fitted(kind.width, kind.depth, kind.height)
    factor = min(MOST_ENLARGED, max(1.0, LEAST_SIDE / max(kind.width, kind.height)))
    width, depth = min(LARGEST_SIDE, kind.width * factor), min(LARGEST_SIDE, kind.depth * factor)
    return _wide_enough(asset.fitted(width, depth, kind.height * factor))


def _wide_enough(asset: Asset) -> Asset:
    """An asset stretched along x and y until its silhouettes have at least `LEAST_SILHOUETTE`."""
    low, high = asset.bounds
    size, stretch = np.maximum(high - low, 1e-6), np.ones(3)
    for axis in (0, 1):
        if size[axis] * size[2] < 10 * LEAST_SILHOUETTE:
            needed = LEAST_SILHOUETTE / max(silhouette_area(asset, axis), 1e-6)
            stretch[axis] = max(1.0, min(needed, MOST_ENLARGED, LARGEST_SIDE / size[axis]))
    return asset if stretch.max() == 1 else asset.moved(np.column_stack([np.diag(stretch), np.zeros(3)]))


def pose_matrix(facing: int, shift: tuple[float, float, float]) -> Floats:
    """A 3 by 4 matrix that turns an asset's front to `facing`, in clockwise degrees from north, and shifts it."""
    angle = math.radians(facing)
    sin, cos = round(math.sin(angle)), round(math.cos(angle))
    return np.array([[cos, sin, 0, shift[0]], [-sin, cos, 0, shift[1]], [0, 0, 1, shift[2]]], np.float64)
