"""Uneven ground as one mesh, with one picture that never repeats: fine near the middle, coarse far away."""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tolman.render.outdoors.noise import Floats
from tolman.render.shapes.material import Material, Texture, srgb
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.surface import grid_triangles

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
