"""Smooth noise over the plane, uneven ground made from it, and copies of meshes scattered on the ground."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import rng
from tolman.render.shapes.mesh import Material, Mesh, Texture, srgb
from tolman.render.shapes.sweep import grid_triangles

Floats = NDArray[np.floating[Any]]
_SIDE = 256
"""Cells after which the values repeat: far more than is ever seen of one scale."""


class Noise:
    """Values in [0, 1]. Seeds and names that differ give fields that share nothing."""

    def __init__(self, seed: int, *names: str | int) -> None:
        self._table = rng(seed, "noise", *names).random((_SIDE, _SIDE), np.float32)

    def __call__(self, x: Floats, y: Floats, size: float) -> Floats:
        """One value for each point; bumps are about `size` metres wide. A row of x with a column of y makes a grid."""
        if is_grid(x, y):
            return self._on_grid(x[0] / np.float32(size), y[:, 0] / np.float32(size))
        column, row = np.asarray(x, np.float32) / np.float32(size), np.asarray(y, np.float32) / np.float32(size)
        left, low = np.floor(column), np.floor(row)
        across, up = _ease(column - left), _ease(row - low)
        i, j = left.astype(np.int32) % _SIDE, low.astype(np.int32) % _SIDE
        right, high = (i + 1) % _SIDE, (j + 1) % _SIDE
        table = self._table
        lower = table[j, i] + (table[j, right] - table[j, i]) * across
        upper = table[high, i] + (table[high, right] - table[high, i]) * across
        return lower + (upper - lower) * up

    def _on_grid(self, column: Floats, row: Floats) -> Floats:
        """The same in a tenth of the time: first along all rows of the table, then across."""
        left, low = np.floor(column), np.floor(row)
        across, up = _ease(column - left), _ease(row - low)[:, None]
        i, j = left.astype(np.int32) % _SIDE, low.astype(np.int32) % _SIDE
        lines = self._table[j] + (self._table[(j + 1) % _SIDE] - self._table[j]) * up
        first = lines[:, i]
        return first + (lines[:, (i + 1) % _SIDE] - first) * across

    def layered(self, x: Floats, y: Floats, size: float, layers: int = 4, fading: float = 0.5) -> Floats:
        """Several scales together, each half as large and `fading` times as strong as the one before; in [0, 1]."""
        total, weight, strength = np.zeros(np.broadcast(x, y).shape, np.float32), 0.0, 1.0
        for layer in range(layers):
            turned = 0.0 if is_grid(x, y) else 0.6 * layer  # so that the lattices do not line up
            cos, sin, shifted = np.float32(np.cos(turned)), np.float32(np.sin(turned)), np.float32(37.7 * layer)
            a, b = (x * cos - y * sin, x * sin + y * cos) if turned else (x, y)
            total += strength * self(a + shifted, b - shifted, size / 2**layer)
            weight += strength
            strength *= fading
        return total / np.float32(weight)


def is_grid(x: Floats, y: Floats) -> bool:
    """Whether points are given as a row of x and a column of y."""
    return np.ndim(x) == 2 and x.shape[0] == 1 and y.shape[1] == 1 and x.shape[1] > 1 and y.shape[0] > 1


def _ease(share: Floats) -> Floats:
    return share * share * (3 - 2 * share)


def smoothstep(low: float, high: float, value: Floats) -> Floats:
    """0 up to `low`, 1 from `high` on, and a smooth way between."""
    return _ease(np.clip((value - low) / (high - low), 0, 1))


Height = Callable[[Floats, Floats], Floats]
"""Metres above zero at points given by metres east and north of the middle."""
Colours = Callable[[Floats, Floats], Floats]
"""Linear red, green and blue on a grid, given as a row of x and a column of y."""
_NEAR, _SHARE = 38.0, 0.8
"""Metres to each side that lie on this share of the picture, all of them alike; beyond, it stretches."""
_FAR = 420.0
_LINES = 241
"""Of the mesh along each axis."""


def ground(
    height: Height, colours: Colours, pixels: int = 2048, roughness: float = 0.97, wide: float | None = None
) -> Mesh:
    """The ground out to 420 metres. `pixels` along a side of its picture: 2048 gives 5 cm each near the middle.

    With `wide`, it is a strip along y that ends so many metres east and west.
    """
    share_x = np.linspace(-1, 1, _LINES if wide is None else 61)
    share_y = np.linspace(-1, 1, _LINES)
    x, y = (side.astype(np.float32) for side in np.meshgrid(_across(share_x, wide), _metres(share_y)))
    z = height(x, y)
    step = np.float32(0.05)
    slope_x = (height(x + step, y) - height(x - step, y)) / (2 * step)
    slope_y = (height(x, y + step) - height(x, y - step)) / (2 * step)
    normals = np.stack([-slope_x, -slope_y, np.ones_like(z)], -1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    across, up = np.meshgrid((share_x + 1) / 2, (share_y + 1) / 2)
    columns = pixels if wide is None else round(2 * wide * 0.5 * pixels * _SHARE / _NEAR)
    return Mesh(
        points=np.stack([x, y, z], -1).reshape(-1, 3).astype(np.float32),
        triangles=grid_triangles(len(share_y), len(share_x)),
        material=Material(Texture(_picture(colours, pixels, columns, wide)), roughness=roughness),
        normals=normals.astype(np.float32),
        coordinates=np.stack([across, up], -1).reshape(-1, 2).astype(np.float32),
    )


def _across(share: NDArray[np.float64], wide: float | None) -> NDArray[np.float64]:
    return _metres(share) if wide is None else share * wide


def _metres(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where on an axis a line lies that has this share, from -1 to 1, of all lines."""
    beyond = np.maximum(np.abs(share) - _SHARE, 0) / (1 - _SHARE)
    return np.sign(share) * (_NEAR * np.abs(share) / _SHARE + (_FAR - _NEAR / _SHARE) * beyond**3)


def _picture(colours: Colours, rows: int, columns: int, wide: float | None) -> NDArray[np.uint8]:
    """What lies where, north up; worked out in bands, as it is large."""
    east = _across((np.arange(columns) + 0.5) / columns * 2 - 1, wide).astype(np.float32)
    north = _metres((np.arange(rows) + 0.5) / rows * 2 - 1).astype(np.float32)[::-1]
    picture = np.empty((rows, columns, 3), np.uint8)
    for first in range(0, rows, 256):
        picture[first : first + 256] = encoded(colours(east[None], north[first : first + 256, None]))
    return picture


def coarse(value: Height, x: Floats, y: Floats, step: int = 8) -> Floats:
    """A value on a grid, worked out at every eighth point along both axes."""
    some_x, some_y = np.broadcast_arrays(x[:, ::step], y[::step])
    found = value(some_x, some_y).repeat(step, axis=0).repeat(step, axis=1)
    return found[: y.shape[0], : x.shape[1]]


def encoded(linear: Floats) -> NDArray[np.uint8]:
    """Linear light as eight bits, sRGB."""
    return _steps()[np.clip(linear * 4095 + 0.5, 0, 4095).astype(np.uint16)]


@cache
def _steps() -> NDArray[np.uint8]:
    linear = np.linspace(0, 1, 4096)
    code = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(255 * code).astype(np.uint8)


def mixed(first: Floats | str, second: Floats | str, share: Floats) -> Floats:
    """Colours between two, each given as a code or for every point."""
    a, b = (np.array(srgb(c), np.float32) if isinstance(c, str) else c for c in (first, second))
    return a + (b - a) * share[..., None]


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


def scatter_copies(
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
