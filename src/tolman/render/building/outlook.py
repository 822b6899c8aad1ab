"""What is outside the windows: a sky with its sun, and hills, trees or houses along the horizon."""

import math

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import one_of, rng
from tolman.render.building.finishes import SurfacePack
from tolman.render.environments.environment import Sky
from tolman.render.shapes.mesh import srgb
from tolman.render.shapes.textures import ease

Light = NDArray[np.float32]
"""An environment map as of `Sky.picture`: linear red, green and blue, zenith first, north in the first column."""
_ROWS = 192
DAYLIGHT = 3.0
"""Radiance of a white field in the open, where lamps alone give a white floor about 0.5."""
_PALER = 0.35
"""Share by which fetched skies lose their colour: cameras adapt to daylight, and it should not dye walls."""
_SUN = 20.0
"""Times the median light from which on a fetched sky is its sun, which small pictures often store violet."""
_GROUNDS = ("#6f7d4a", "#84875a", "#8a8f86", "#7a7263")
_GREENS = ("#4f6a35", "#6b7f45", "#3f5a38", "#7d7a42")
_WALLS = ("#c9b79c", "#b08a72", "#d8d2c6", "#a8aeb0", "#c2a58a")


def outlook(seed: int, pack: SurfacePack | None = None) -> Light:
    """The surroundings of a house, one of the pack's where it has any; `seed` is that of the house's appearance."""
    stream = rng(seed, "outlook")
    skies = pack.skies() if pack is not None else ()
    if skies:
        return _scaled(one_of(stream, skies), float(stream.random()))
    sky = Sky(
        bearing=float(stream.uniform(0, 360)),
        height=float(stream.uniform(18, 48)),
        cover=float(stream.uniform(0.0, 0.7)),
        haze=float(stream.uniform(0.1, 0.6)),
        exposure=DAYLIGHT,
        seed=int(stream.integers(1 << 31)),
    )
    light = sky.picture()
    light[_ROWS // 2 :] = DAYLIGHT * _field(stream)
    far, near = float(stream.uniform(2, 6)), float(stream.uniform(4, 11))
    haze = np.median(light[_ROWS // 2 - 4 : _ROWS // 2].reshape(-1, 3), axis=0)
    _paint(light, _ridge(stream, far, 5), (0.35 * DAYLIGHT * np.array(srgb("#7f8f8a")) + 0.65 * haze)[None, None])
    if stream.random() < 0.5:
        _paint_houses(light, stream, near)
    else:
        leaves = _tone(stream, _GREENS) * (0.75 + 0.5 * stream.random((_ROWS, 2 * _ROWS, 1)))
        _paint(light, _ridge(stream, near, 40), (0.8 * DAYLIGHT * leaves + 0.12 * haze).astype(np.float32))
    return np.ascontiguousarray(light, np.float32)


def _scaled(sky: Light, turn: float) -> Light:
    """A sky turned by a share of a circle, with the irradiance on the ground of `DAYLIGHT`."""
    rows, columns = int(sky.shape[0]), int(sky.shape[1])
    half = rows // 2
    down = np.linspace(0.5, half - 0.5, half) / rows * np.pi
    weight = np.sin(down) * np.cos(down) * (math.pi / rows) * (2 * math.pi / columns) / math.pi
    irradiance = float((sky[: rows // 2].mean(axis=-1) * weight[:, None]).sum())
    turned = np.roll(sky, round(turn * columns), axis=1)
    grey = turned.mean(axis=-1, keepdims=True)
    turned = turned + np.where(grey > _SUN * np.median(grey), 0.9, _PALER) * (grey - turned)
    return np.ascontiguousarray(turned * np.float32(DAYLIGHT / irradiance), np.float32)


def _tone(stream: np.random.Generator, codes: tuple[str, ...]) -> NDArray[np.float64]:
    return np.array(srgb(one_of(stream, codes)))


def _field(stream: np.random.Generator) -> NDArray[np.float64]:
    """The ground from the horizon down."""
    blotches = np.kron(stream.random((_ROWS // 8, _ROWS // 4)), np.ones((4, 8)))
    return _tone(stream, _GROUNDS) * (0.85 + 0.3 * blotches)[..., None]


def _ridge(stream: np.random.Generator, degrees: float, bumps: int) -> NDArray[np.float64]:
    """Degrees above the horizon of a skyline in every column, which closes around the horizon."""
    around: NDArray[np.float64] = np.zeros(2 * _ROWS)
    for layer in range(4):
        count = bumps << layer
        place = np.arange(2 * _ROWS) * count / (2 * _ROWS)
        low = place.astype(int)
        around += _between(stream.uniform(0.0, 1.0, count), low, ease(place - low)) / (1 << layer)
    return degrees * (0.35 + 0.65 * around / 1.875)


def _between(values: NDArray[np.float64], low: NDArray[np.int64], part: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values between neighbours on a circle."""
    return values[low] * (1 - part) + values[(low + 1) % len(values)] * part


def _paint(light: Light, skyline: NDArray[np.float64], colour: NDArray[np.floating]) -> None:
    """Cover the sky below a skyline."""
    elevation = 90 - (np.arange(_ROWS) + 0.5) / _ROWS * 180
    below = (elevation[:, None] < skyline[None]) & (elevation[:, None] > 0)
    light[below] = np.broadcast_to(colour, light.shape)[below]


def _paint_houses(light: Light, stream: np.random.Generator, degrees: float) -> None:
    """A row of houses with windows, between trees."""
    elevation = 90 - (np.arange(_ROWS) + 0.5) / _ROWS * 180
    column, most = 0, 2 * _ROWS
    while column < most:
        wide, tall = int(stream.integers(8, 24)), degrees * float(stream.uniform(0.6, 1.3))
        wall = DAYLIGHT * float(stream.uniform(0.35, 0.8)) * _tone(stream, _WALLS)
        house = stream.random() < 0.75
        for i in range(column, min(column + wide, most)):
            share = (i - column + 0.5) / wide
            top = tall if house else 0.6 * tall * math.sin(math.pi * share) ** 0.5
            rows = (elevation < top) & (elevation > 0)
            light[rows, i] = wall if house else 0.5 * DAYLIGHT * np.array(srgb(_GREENS[i % 2]))
            if house and 0.3 < (share * wide / 4) % 1 < 0.72:
                panes = rows & (elevation % 2.4 > 0.8) & (elevation % 2.4 < 1.9) & (elevation < top - 0.6)
                light[panes, i] = 0.3 * wall + 0.05
        column += wide + int(stream.integers(0, 2))
