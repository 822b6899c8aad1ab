"""Many copies of a mesh, each turned, sized and set down on the ground; and places for them."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tolman.render.outdoors.ground import Height
from tolman.render.outdoors.noise import Floats
from tolman.render.shapes.model import Mesh

Stream = np.random.Generator
Places = NDArray[np.float32]
"""Rows of x and y."""


def ring_places(stream: Stream, number: int, inner: float, outer: float, apart: float = 0.0) -> Places:
    """So many places between two circles about the middle, as even as chance has it, none nearer to another than
    `apart` metres; fewer where there is no room."""
    found = np.zeros((0, 2), np.float32)
    for _ in range(40 * number):
        if len(found) == number:
            break
        out, angle = np.sqrt(stream.uniform(inner**2, outer**2)), stream.uniform(0, 2 * np.pi)
        place = np.array([[out * np.cos(angle), out * np.sin(angle)]], np.float32)
        if not apart or not len(found) or ((found - place) ** 2).sum(axis=1).min() >= apart**2:
            found = np.concatenate([found, place])
    return found


def dense_places(stream: Stream, number: int, reach: float, fading: float) -> Places:
    """So many places, densest in the middle and thinning out over `fading` metres, none beyond `reach`."""
    out = np.minimum(np.abs(stream.normal(0, fading, number)) + stream.uniform(0, fading, number), reach)
    angle = stream.uniform(0, 2 * np.pi, number)
    return np.stack([out * np.cos(angle), out * np.sin(angle)], 1).astype(np.float32)


def copies(
    mesh: Mesh,
    places: Places,
    height: Height,
    stream: Stream,
    sizes: tuple[float, float] = (0.8, 1.25),
    sunk: float = 0.02,
    turned: Callable[[int], Floats] | None = None,
) -> Mesh:
    """One mesh with a copy at every place, turned anyhow unless `turned` gives radians, and a little in the ground."""
    number = len(places)
    angle = stream.uniform(0, 2 * np.pi, number) if turned is None else turned(number)
    size = stream.uniform(*sizes, number)
    cos, sin = (size * np.cos(angle))[:, None], (size * np.sin(angle))[:, None]
    x, y, z = mesh.points.T
    points = np.stack([x * cos - y * sin, x * sin + y * cos, z * size[:, None]], -1)
    at = np.column_stack([places, height(places[:, 0], places[:, 1]) - sunk * size])
    points = (points + at[:, None]).astype(np.float32).reshape(-1, 3)
    normals = None
    if mesh.normals is not None:
        cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
        nx, ny, nz = mesh.normals.T
        normals = np.stack([nx * cos - ny * sin, nx * sin + ny * cos, nz + 0 * cos], -1)
        normals = normals.astype(np.float32).reshape(-1, 3)
    triangles = mesh.triangles[None] + (len(mesh.points) * np.arange(number))[:, None, None]
    coordinates = None if mesh.coordinates is None else np.tile(mesh.coordinates, (number, 1))
    return Mesh(points, triangles.reshape(-1, 3).astype(np.int32), mesh.material, normals, coordinates)


def spread_out(
    models: Sequence[tuple[Mesh, ...]],
    places: Places,
    height: Height,
    stream: Stream,
    *,
    sizes: tuple[float, float] = (0.8, 1.25),
    sunk: float = 0.02,
    turned: Callable[[int], Floats] | None = None,
) -> list[Mesh]:
    """Copies of several models, each at its share of the places."""
    found: list[Mesh] = []
    for i, meshes in enumerate(models):
        mine = places[i :: len(models)]
        if not len(mine):
            continue
        state = stream.bit_generator.state
        for mesh in meshes:
            stream.bit_generator.state = state  # all meshes of a model stand alike
            found.append(copies(mesh, mine, height, stream, sizes, sunk, turned))
    return found
