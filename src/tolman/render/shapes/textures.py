"""Procedural textures, drawn from a random stream. Each is a seamless square of half a metre.

The first texture coordinate runs along the grain. Colours are sRGB codes such as `#c8372d`.
"""

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.mesh import Texture

Floats = NDArray[np.float64]
SIZE = 256
"""Pixels along each side."""


def noise(stream: np.random.Generator, along: int, across: int, size: int = SIZE) -> Floats:
    """Smooth periodic noise in [0, 1], with `along` and `across` bumps along the axes."""
    values = stream.random((across, along))
    rows, columns = np.arange(size) * across / size, np.arange(size) * along / size
    low_row, low_column = rows.astype(int), columns.astype(int)
    blend_row, blend_column = ease(rows - low_row)[:, None], ease(columns - low_column)[None]
    next_row, next_column = (low_row + 1) % across, (low_column + 1) % along
    upper = values[low_row][:, low_column] * (1 - blend_column) + values[low_row][:, next_column] * blend_column
    lower = values[next_row][:, low_column] * (1 - blend_column) + values[next_row][:, next_column] * blend_column
    return upper * (1 - blend_row) + lower * blend_row


def wood(stream: np.random.Generator, dark: str, light: str) -> Texture:
    """Wood with its grain along u."""
    streaks = 0.5 * noise(stream, 2, 20) + 0.3 * noise(stream, 4, 60) + 0.2 * noise(stream, 6, 128)
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (5 * _ramp() + 1.2 * noise(stream, 2, 3)))
    return _mixed(dark, light, 0.65 * streaks + 0.35 * rings)


def weave(stream: np.random.Generator, colour: str, contrast: float = 0.3) -> Texture:
    """Woven cloth with threads of eight millimetres."""
    row, column = np.mgrid[0:SIZE, 0:SIZE]
    over = ((row // 4 + column // 4) % 2).astype(float)
    shade = 1 - contrast * (0.45 * over + 0.35 * noise(stream, 24, 24) + 0.2 * stream.random((SIZE, SIZE)))
    return _shaded(colour, shade)


def wicker(stream: np.random.Generator, colour: str) -> Texture:
    """Basketwork with rods of three centimetres."""
    row, column = np.mgrid[0:SIZE, 0:SIZE] / SIZE * 16
    over = np.sin(np.pi * column) * np.where(row.astype(int) % 2 == 0, 1, -1)
    bulge = np.sin(np.pi * (row % 1))
    shade = 0.4 + 0.35 * bulge + 0.25 * over * bulge
    return _shaded(colour, shade * (0.85 + 0.15 * noise(stream, 32, 16)))


def brick(stream: np.random.Generator, colour: str, mortar: str) -> Texture:
    """Bricks in running bond, in courses of eight centimetres."""
    row, column = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    course = (row * 6).astype(int)
    along = (column * 2 + 0.5 * (course % 2)) % 2
    joint = ((row * 6) % 1 < 0.12) | (along % 1 < 0.05)
    tone = stream.uniform(0.7, 1.05, (6, 2))[course, along.astype(int)] * (0.85 + 0.15 * noise(stream, 64, 64))
    picture = np.where(joint[..., None], rgb(mortar), rgb(colour) * tone[..., None])
    return _texture(picture)


def marble(stream: np.random.Generator, base: str, vein: str) -> Texture:
    """Polished stone with thin veins."""
    warp = 0.8 * noise(stream, 2, 2) + 0.3 * noise(stream, 5, 5) + 0.12 * noise(stream, 14, 14)
    line = np.abs(np.sin(2 * np.pi * (_ramp() + warp)))
    fine = 0.75 + 0.25 * noise(stream, 4, 4)
    return _mixed(vein, base, np.clip(0.25 + 4.5 * line, 0, 1) * fine)


def mottled(stream: np.random.Generator, dark: str, light: str, bumps: int = 24) -> Texture:
    """Fur, stone, bark or earth: blotches at several scales."""
    value = (
        0.5 * noise(stream, bumps, bumps)
        + 0.3 * noise(stream, 2 * bumps, 2 * bumps)
        + 0.2 * stream.random((SIZE, SIZE))
    )
    return _mixed(dark, light, np.clip(1.6 * value - 0.3, 0, 1))


def _ramp() -> Floats:
    return np.repeat((np.arange(SIZE) / SIZE)[:, None], SIZE, axis=1)


def ease(value: Floats) -> Floats:
    """A smooth curve from 0 to 1 over [0, 1], level at both ends."""
    return value * value * (3 - 2 * value)


def rgb(code: str) -> Floats:
    """Red, green and blue of a code, from 0 to 255."""
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)], np.float64)


def srgb_bytes(linear: Floats) -> NDArray[np.uint8]:
    """Linear light as sRGB with eight bits."""
    linear = np.clip(linear, 0, 1)
    code = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(code * 255).astype(np.uint8)


def linear_light(picture: NDArray[np.uint8]) -> Floats:
    """The inverse."""
    code = picture / 255.0
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def _mixed(dark: str, light: str, share: Floats) -> Texture:
    return _texture(rgb(dark) + (rgb(light) - rgb(dark)) * share[..., None])


def _shaded(colour: str, shade: Floats) -> Texture:
    return _texture(rgb(colour) * shade[..., None])


def _texture(picture: Floats) -> Texture:
    return Texture(np.clip(np.round(picture), 0, 255).astype(np.uint8))
