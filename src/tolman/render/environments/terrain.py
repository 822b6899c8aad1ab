"""Smooth noise, terrain and its fine relief, and copies of meshes scattered on the terrain."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import rng
from tolman.render.building.relief import Floats as Relief
from tolman.render.building.relief import Stream, clouds, grid, relief
from tolman.render.shapes.mesh import Material, Mesh, Texture, srgb
from tolman.render.shapes.sweep import grid_triangles
from tolman.render.shapes.textures import srgb_bytes

Floats = NDArray[np.floating[Any]]
_SIDE = 256
"""Cells after which the noise repeats."""


class Noise:
    """Value noise in [0, 1]; different seeds or names give independent fields."""

    def __init__(self, seed: int, *names: str | int) -> None:
        self._table = rng(seed, "noise", *names).random((_SIDE, _SIDE), np.float32)

    def __call__(self, x: Floats, y: Floats, size: float) -> Floats:
        """One value for each point, with bumps about `size` metres wide. A row of x and a column of y give a grid."""
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
        """The same for a grid, ten times faster."""
        left, low = np.floor(column), np.floor(row)
        across, up = _ease(column - left), _ease(row - low)[:, None]
        i, j = left.astype(np.int32) % _SIDE, low.astype(np.int32) % _SIDE
        lines = self._table[j] + (self._table[(j + 1) % _SIDE] - self._table[j]) * up
        first = lines[:, i]
        return first + (lines[:, (i + 1) % _SIDE] - first) * across

    def layered(self, x: Floats, y: Floats, size: float, layers: int = 4, fading: float = 0.5) -> Floats:
        """The sum of several scales, each half as large and `fading` times as strong as the one before; in [0, 1]."""
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
    """0 up to `low`, 1 from `high` on, and smooth between them."""
    return _ease(np.clip((value - low) / (high - low), 0, 1))


Height = Callable[[Floats, Floats], Floats]
"""Height in metres at points given by metres east and north of the centre."""
Colours = Callable[[Floats, Floats], Floats]
"""Linear red, green and blue on a grid, given as a row of x and a column of y."""
_NEAR, _SHARE = 38.0, 0.8
"""Metres to each side that take up this share of the texture at constant scale; beyond, the texture is stretched."""
_FAR = 420.0
"""Metres to the edge of the ground."""
_LINES = 241
"""Of the mesh along each axis."""


def ground(
    height: Height,
    colours: Colours,
    pixels: int = 2048,
    roughness: float = 0.97,
    half_width: float | None = None,
    relief: Texture | None = None,
) -> Mesh:
    """The ground up to 420 metres, with a texture of `pixels` a side: 2048 gives 5 cm per pixel near the centre.

    With `half_width`, it is a strip along y that extends so many metres east and west. A relief repeats every
    `RELIEF_METRES` near the centre.
    """
    share_x = np.linspace(-1, 1, _LINES if half_width is None else 61)
    share_y = np.linspace(-1, 1, _LINES)
    x, y = (side.astype(np.float32) for side in np.meshgrid(_across(share_x, half_width), _metres(share_y)))
    z = height(x, y)
    step = np.float32(0.05)
    slope_x = (height(x + step, y) - height(x - step, y)) / (2 * step)
    slope_y = (height(x, y + step) - height(x, y - step)) / (2 * step)
    normals = np.stack([-slope_x, -slope_y, np.ones_like(z)], -1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    across, up = np.meshgrid((share_x + 1) / 2, (share_y + 1) / 2)
    whole = 2 * _NEAR / _SHARE
    columns = pixels if half_width is None else round(2 * half_width * 0.5 * pixels * _SHARE / _NEAR)
    return Mesh(
        points=np.stack([x, y, z], -1).reshape(-1, 3).astype(np.float32),
        triangles=grid_triangles(len(share_y), len(share_x)),
        material=Material(
            Texture(_texture(colours, pixels, columns, half_width)),
            roughness=roughness,
            relief=relief,
            relief_repeats=((whole if half_width is None else 2 * half_width) / RELIEF_METRES, whole / RELIEF_METRES),
        ),
        normals=normals.astype(np.float32),
        coordinates=np.stack([across, up], -1).reshape(-1, 2).astype(np.float32),
    )


def _across(share: NDArray[np.float64], half_width: float | None) -> NDArray[np.float64]:
    return _metres(share) if half_width is None else share * half_width


def _metres(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Position along an axis of a line of the mesh, given as a share from -1 to 1."""
    beyond = np.maximum(np.abs(share) - _SHARE, 0) / (1 - _SHARE)
    return np.sign(share) * (_NEAR * np.abs(share) / _SHARE + (_FAR - _NEAR / _SHARE) * beyond**3)


def _texture(colours: Colours, rows: int, columns: int, half_width: float | None) -> NDArray[np.uint8]:
    """The ground's texture, north up, computed in bands to save memory."""
    east = _across((np.arange(columns) + 0.5) / columns * 2 - 1, half_width).astype(np.float32)
    north = _metres((np.arange(rows) + 0.5) / rows * 2 - 1).astype(np.float32)[::-1]
    picture = np.empty((rows, columns, 3), np.uint8)
    for first in range(0, rows, 256):
        picture[first : first + 256] = encoded(colours(east[None], north[first : first + 256, None]))
    return picture


def coarse(value: Height, x: Floats, y: Floats, step: int = 8) -> Floats:
    """Values on a grid, computed at every `step`-th point along both axes."""
    coarse_x, coarse_y = np.broadcast_arrays(x[:, ::step], y[::step])
    values = value(coarse_x, coarse_y).repeat(step, axis=0).repeat(step, axis=1)
    return values[: y.shape[0], : x.shape[1]]


def encoded(linear: Floats) -> NDArray[np.uint8]:
    """Linear light as sRGB with eight bits."""
    return _steps()[np.clip(linear * 4095 + 0.5, 0, 4095).astype(np.uint16)]


@cache
def _steps() -> NDArray[np.uint8]:
    return srgb_bytes(np.linspace(0, 1, 4096))


def mixed(first: Floats | str, second: Floats | str, share: Floats) -> Floats:
    """Linear blend of two colours, each given as a code or for every point."""
    a, b = (np.array(srgb(c), np.float32) if isinstance(c, str) else c for c in (first, second))
    return a + (b - a) * share[..., None]


Places = NDArray[np.float32]
"""Rows of x and y."""


def ring_places(stream: Stream, number: int, inner: float, outer: float, apart: float = 0.0) -> Places:
    """Random places, uniform between two circles about the centre and at least `apart` metres from each other; fewer
    than `number` if they do not fit."""
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
    """Random places, densest in the centre and sparser over `fading` metres, none beyond `reach`."""
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
    """One mesh with a copy at every place, `sunk` into the ground, turned by random angles or those of `turned`, in
    radians."""
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
    variants: Sequence[tuple[Mesh, ...]],
    places: Places,
    height: Height,
    stream: Stream,
    *,
    sizes: tuple[float, float] = (0.8, 1.25),
    sunk: float = 0.02,
    turned: Callable[[int], Floats] | None = None,
) -> list[Mesh]:
    """Copies of several variants of an object, each of which may consist of several meshes, at alternating places."""
    scattered: list[Mesh] = []
    for i, meshes in enumerate(variants):
        chosen = places[i :: len(variants)]
        if not len(chosen):
            continue
        state = stream.bit_generator.state
        for mesh in meshes:
            stream.bit_generator.state = state  # the same pose for all meshes of a variant
            scattered.append(copies(mesh, chosen, height, stream, sizes, sunk, turned))
    return scattered


RELIEF_METRES = 3.0
"""Metres after which it repeats."""


def leaf_litter(stream: Stream) -> Relief:
    """Fallen leaves, twigs and moss; metres."""
    return 0.011 * clouds(stream, 30, 3) + 0.014 * clouds(stream, 8, 2)


def sand(stream: Stream) -> Relief:
    """Ripples of the wind, 13 cm from crest to crest, and grains."""
    down, across = grid()
    along, aside = ((22, 8), (9, 21), (-20, 11))[int(stream.integers(3))]
    wave = np.sin(2 * np.pi * (along * across + aside * down) + 3.2 * clouds(stream, 3, 2))
    return 0.006 * wave * (0.7 + 0.3 * clouds(stream, 4, 2)) + 0.002 * clouds(stream, 90, 1)


def snow(stream: Stream) -> Relief:
    """Soft heaps and a crust."""
    return 0.016 * clouds(stream, 9, 3) + 0.003 * clouds(stream, 70, 1)


def asphalt(stream: Stream) -> Relief:
    """Chippings, and the wear of wheels."""
    return 0.0035 * clouds(stream, 110, 1) + 0.003 * clouds(stream, 10, 2)


def ground_relief(kind: Callable[[Stream], Relief], seed: int) -> Texture:
    """The relief of an environment's ground."""
    return relief(kind(rng(seed, "ground relief", kind.__name__)), RELIEF_METRES)
