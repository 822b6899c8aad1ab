"""Objects as the scene places them: enlarged or put on a plinth where too small to recognise, and tinted where the
name says a colour.
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
from tolman.world.vocabulary import COLOURS, KIND_BY_NAME

Floats = NDArray[np.float64]

_LEAST_TINTED_SHARE = 0.1
"""Share of a model's surface from which on a material counts as its colour; less is trim and stays."""
_DARKEST_SHADE = 0.45
"""How far grain may darken the colour, and its inverse how far it may lighten it."""


def tinted(model: Asset, colour: Colour) -> Asset:
    """The same model with all large surfaces in that colour, given as linear light. Grain and weave stay, as shades;
    glass and what glows stay as they are."""
    areas = [_surface_area(mesh) for mesh in model.meshes]
    total = sum(areas)
    return Asset(
        tuple(
            replace(mesh, material=_recoloured(mesh.material, colour)) if area >= _LEAST_TINTED_SHARE * total else mesh
            for mesh, area in zip(model.meshes, areas, strict=True)
        )
    )


def _surface_area(mesh: Mesh) -> float:
    a, b, c = (mesh.points[mesh.triangles[:, i]].astype(np.float64) for i in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def _recoloured(material: Material, colour: Colour) -> Material:
    if material.clear > 0 or material.glow > 0:
        return material
    if not isinstance(material.colour, Texture):
        return replace(material, colour=colour, metallic=0.0)
    linear: Floats = (material.colour.image / 255.0) ** 2.2
    light = linear.mean(axis=-1, keepdims=True)
    shade = np.clip(light / max(float(light.mean()), 1e-3), _DARKEST_SHADE, 1 / _DARKEST_SHADE)
    encoded: Floats = np.clip(np.array(colour) * shade, 0, 1) ** (1 / 2.2)
    return replace(material, colour=Texture(np.round(encoded * 255).astype(np.uint8)))


def tinted_as_named(model: Asset, name: str, category: str) -> Asset:
    """The model in the colour that its name begins with; as it is where the name is that of its kind.

    Generated worlds use colours once every kind is taken, so that no two things of a world share a name.
    """
    colour = _named_colour(name, category)
    return model if colour is None else tinted(model, colour)


def _named_colour(name: str, category: str) -> Colour | None:
    word = name.removesuffix(category).strip()
    return srgb(COLOURS[word]) if word in COLOURS and name.endswith(category) else None


SILHOUETTE_STEP = 0.005
"""Side of the squares in which the shadow is counted, in metres."""


def silhouette_area(model: Asset, along: int) -> float:
    """Square metres on a wall that runs along x (0: the model is lit from its front) or y (1: from its side)."""
    low, high = (end / SILHOUETTE_STEP for end in model.bounds)
    corners = (
        np.concatenate([mesh.points[mesh.triangles] for mesh in model.meshes]).astype(np.float64) / SILHOUETTE_STEP
    )
    x, z = corners[..., along] - low[along], corners[..., 2] - low[2]
    rows, columns = (int(np.ceil(high[axis] - low[axis])) + 1 for axis in (2, along))
    first, end = (np.ceil(edge - 0.5).astype(int) for edge in (z.min(axis=1), z.max(axis=1)))
    count = end - first
    which = np.repeat(np.arange(len(x)), count)
    row = np.arange(len(which)) - np.repeat(np.cumsum(count) - end, count)
    starts, ends = _span(x[which], z[which], (row + 0.5).astype(np.float64))
    steps = np.bincount(row * columns + starts, minlength=rows * columns)
    steps -= np.bincount(row * columns + ends, minlength=rows * columns)
    return float((np.cumsum(steps.reshape(rows, columns), axis=1) > 0).sum()) * SILHOUETTE_STEP**2


def _span(x: Floats, z: Floats, height: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first square of each triangle in its row, and the first after it."""
    low, high = np.full(len(x), np.inf), np.full(len(x), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        crosses = (z[:, a] <= height) != (z[:, b] <= height)
        at = x[:, a] + (height - z[:, a]) * (x[:, b] - x[:, a]) / np.where(crosses, z[:, b] - z[:, a], 1.0)
        low, high = np.where(crosses, np.minimum(low, at), low), np.where(crosses, np.maximum(high, at), high)
    return np.ceil(low - 0.5).astype(np.int64), np.ceil(high - 0.5).astype(np.int64)


LEAST_SIDE = 0.40
MOST_ENLARGED = 2.0
LEAST_SILHOUETTE = 0.05
"""Square metres: 50 pixels of a picture of 384 by 384 at six metres."""
PLINTH_BELOW_HEIGHT = 0.50
PLINTH_BELOW_DEPTH = 0.75
"""What is as deep as this would hang over its plinth on all sides."""
PLINTH_HEIGHT, PLINTH_SIDE = 0.40, 0.55
LARGEST_SIDE = 0.98
"""Side of the square within which a thing stays."""
_PLINTH = Material(srgb("#e4e2dc"), roughness=0.7)

AssetOf = Callable[[str, int], Asset]
"""The model of a kind, by seed."""


def placed_thing(thing: Thing, model_of: AssetOf, look: int) -> Iterator[Mesh]:
    """The meshes of a thing in the world, and of what it stands on; `look` is the seed of its model."""
    stream = rng(look, "thing", thing.name)
    model = tinted_as_named(model_of(thing.category, int(stream.integers(2**31))), thing.name, thing.category)
    model = _sized(model, thing.category)
    low, high = model.bounds
    lift = PLINTH_HEIGHT if high[2] < PLINTH_BELOW_HEIGHT and high[1] - low[1] < PLINTH_BELOW_DEPTH else 0.0
    front = Heading(int(stream.integers(4))) if thing.front is None else thing.front
    x, y = thing.cell
    yield from model.moved(_turned(front, (x, y, lift))).meshes
    if lift:
        half = PLINTH_SIDE / 2
        yield slab((x - half, y - half, 0.0), (x + half, y + half, lift), _PLINTH)


def _sized(model: Asset, category: str) -> Asset:
    """A model at its kind's real size, but not too small to be told."""
    kind = KIND_BY_NAME.get(category)
    if kind is None:
        return model.fitted(LARGEST_SIDE, LARGEST_SIDE, 1.9)
    larger = min(MOST_ENLARGED, max(1.0, LEAST_SIDE / max(kind.width, kind.height)))
    width, depth = min(LARGEST_SIDE, kind.width * larger), min(LARGEST_SIDE, kind.depth * larger)
    return _wide_enough(model.fitted(width, depth, kind.height * larger))


def _wide_enough(model: Asset) -> Asset:
    """A model that is not so thin that from one side there is hardly anything to see of it."""
    low, high = model.bounds
    size, stretch = np.maximum(high - low, 1e-6), np.ones(3)
    for axis in (0, 1):
        if size[axis] * size[2] < 10 * LEAST_SILHOUETTE:
            wanted = LEAST_SILHOUETTE / max(silhouette_area(model, axis), 1e-6)
            stretch[axis] = max(1.0, min(wanted, MOST_ENLARGED, LARGEST_SIDE / size[axis]))
    return model if stretch.max() == 1 else model.moved(np.column_stack([np.diag(stretch), np.zeros(3)]))


def _turned(front: Heading, shift: tuple[float, float, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Turned clockwise from north, and moved."""
    angle = math.radians(front.degrees)
    sin, cos = round(math.sin(angle)), round(math.cos(angle))
    return np.array([[cos, sin, 0, shift[0]], [-sin, cos, 0, shift[1]], [0, 0, 1, shift[2]]], np.float64)
