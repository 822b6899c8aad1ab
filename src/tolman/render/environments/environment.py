"""What an outdoor environment is once it is built, and its sky: sun, clouds and haze as an environment map."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tolman.render.environments.terrain import Floats, Height, Noise, smoothstep
from tolman.render.shapes.mesh import Mesh


def add_haze(light: Floats, depth: Floats, sky: Floats, sight: float) -> Floats:
    """A picture's light with the air of `sight` metres in it; `sky` is the picture of all directions.

    Pixels without a depth are the sky itself and stay as they are.
    """
    rim = np.median(sky[sky.shape[0] // 2 - 8 : sky.shape[0] // 2].reshape(-1, 3), axis=0)
    share = np.where(np.isfinite(depth), 1 - np.exp(-np.nan_to_num(depth, posinf=0.0) / sight), 0.0)[..., None]
    return (light * (1 - share) + rim * share).astype(np.float32)


_ROWS = 192
_LIGHT_FROM_BELOW = 0.35
"""Light from below the horizon, beside that of the sky's rim."""
_SUN_RADIUS = 1.7
"""Degrees from the middle of the sun to where its disc ends."""
_SUN_COLOUR_LOW, _SUN_COLOUR_HIGH = np.array([1.0, 0.62, 0.33], np.float32), np.array([1.0, 0.94, 0.85], np.float32)
"""The sun's colour at the horizon, and high up."""


@dataclass(frozen=True)
class Sky:
    """One moment's light. Angles in degrees, the bearing clockwise from north."""

    bearing: float
    """Of the sun."""
    height: float
    """Of the sun above the horizon."""
    cover: float
    """Share of the sky that is under clouds; from 0.85 on there is no sun to be seen."""
    haze: float
    """0 for the clearest air, 1 for a milky sky."""
    exposure: float = 1.0
    seed: int = 0
    """Of the clouds."""

    def picture(self) -> Floats:
        """Light from all directions: the first row is straight up, the first column due north, columns clockwise."""
        way = _directions()
        up = way[..., 2]
        sun = np.array(
            [
                math.sin(math.radians(self.bearing)) * math.cos(math.radians(self.height)),
                math.cos(math.radians(self.bearing)) * math.cos(math.radians(self.height)),
                math.sin(math.radians(self.height)),
            ],
            np.float32,
        )
        towards = way @ sun
        light = self._under_clouds(self._clear(up, towards), way, towards)
        below = np.broadcast_to(_LIGHT_FROM_BELOW * light[-1].mean(axis=0), light.shape)
        light = self._with_sun(light, towards)
        white = float((light.mean(axis=-1) * up * _solid_angle()).sum() / math.pi)
        return (np.concatenate([light, below]) * np.float32(self.exposure / white)).astype(np.float32)

    @property
    def sunshine(self) -> float:
        """Share of the sun's light that gets through the clouds."""
        return float(1 - smoothstep(0.45, 0.85, np.array(self.cover, np.float32)))

    def _clear(self, up: Floats, towards: Floats) -> Floats:
        """The blue of a clear sky: paler towards the horizon, brighter and warmer around the sun."""
        low = 1 - float(smoothstep(0, 35, np.array(self.height, np.float32)))
        zenith = np.array([0.13, 0.27, 0.58], np.float32) * (1 - 0.35 * low)
        rim = np.array([0.66, 0.78, 0.92], np.float32) * (1 - low) + np.array([0.85, 0.66, 0.50], np.float32) * low
        depth = np.exp(-np.clip(up, 0, 1) / (0.26 + 0.25 * self.haze))[..., None]
        sky = zenith + (rim - zenith) * depth
        sky = sky * (1 - 0.35 * self.haze) + 0.35 * self.haze * np.array([0.75, 0.76, 0.76], np.float32)
        glow = np.exp((np.clip(towards, -1, 1) - 1) * (24 - 16 * self.haze))
        return sky + (0.5 + self.haze) * glow[..., None] * self._sun_colour()

    def _under_clouds(self, sky: Floats, way: Floats, towards: Floats) -> Floats:
        up = np.maximum(way[..., 2], 0.03)
        x, y = way[..., 0] / (up + 0.12), way[..., 1] / (up + 0.12)
        field = Noise(self.seed, "clouds").layered(x, y, 1.1, 6, 0.55)
        edge = 0.72 - 0.42 * self.cover
        thick = smoothstep(edge - 0.07, edge + 0.13, field)
        lit = 0.95 - 0.55 * smoothstep(edge, edge + 0.35, field) * (0.4 + 0.6 * self.cover)
        silver = 1 + 0.7 * np.exp((np.clip(towards, -1, 1) - 1) * 6) * self.sunshine
        grey = np.array([0.80, 0.84, 0.90], np.float32)
        cloud = (lit * silver)[..., None] * (grey + (1 - grey) * 0.6 * self.sunshine)
        share = (thick * smoothstep(0.0, 0.10, way[..., 2]) * min(1.0, 2.5 * self.cover))[..., None]
        veil = float(smoothstep(0.7, 1.0, np.array(self.cover, np.float32)))
        even = (0.55 + 0.45 * np.clip(way[..., 2], 0, 1))[..., None] * grey
        return (sky * (1 - share) + cloud * share) * (1 - 0.75 * veil) + 0.75 * veil * even

    def _with_sun(self, light: Floats, towards: Floats) -> Floats:
        """The sun's disc, a little soft, and some times as strong as all the sky."""
        if self.sunshine <= 0 or self.height <= 0:
            return light
        ratio = (
            (4.5 - 2.6 * self.haze) * self.sunshine * float(smoothstep(0, 18, np.array(self.height + 4, np.float32)))
        )
        off = np.degrees(np.arccos(np.clip(towards, -1, 1))) / _SUN_RADIUS
        disc = np.clip(1 - off * off, 0, 1) ** 3
        strength = ratio * math.pi * 0.55 / float((disc * _solid_angle()).sum())
        return light + (disc * strength)[..., None] * self._sun_colour()

    def _sun_colour(self) -> Floats:
        share = smoothstep(2, 34, np.array(self.height, np.float32))
        return (_SUN_COLOUR_LOW + (_SUN_COLOUR_HIGH - _SUN_COLOUR_LOW) * share).astype(np.float32)


@cache
def _directions() -> Floats:
    """East, north, up for every pixel above the horizon."""
    down = (np.arange(_ROWS // 2) + 0.5)[:, None] / _ROWS * np.pi
    around = (np.arange(2 * _ROWS) + 0.5)[None] / (2 * _ROWS) * 2 * np.pi
    level = np.sin(down)
    return np.stack([level * np.sin(around), level * np.cos(around), np.cos(down) + 0 * around], -1).astype(np.float32)


@cache
def _solid_angle() -> Floats:
    """Steradians of every pixel above the horizon."""
    down = (np.arange(_ROWS // 2) + 0.5)[:, None] / _ROWS * np.pi
    return np.repeat(np.sin(down) * (np.pi / _ROWS) ** 2, 2 * _ROWS, axis=1).astype(np.float32)


PlaceTest = Callable[[Floats, Floats], NDArray[np.bool_]]


@dataclass(frozen=True)
class Weather:
    """Between what the light of an environment varies. Angles in degrees."""

    height: tuple[float, float]
    cover: tuple[float, float]
    haze: tuple[float, float]
    exposure: tuple[float, float] = (0.85, 1.15)

    def draw(self, stream: np.random.Generator) -> Sky:
        """One moment's light."""
        height, cover, haze, exposure = (
            float(stream.uniform(*span)) for span in (self.height, self.cover, self.haze, self.exposure)
        )
        return Sky(float(stream.uniform(0, 360)), height, cover, haze, exposure, int(stream.integers(1 << 31)))


@dataclass(frozen=True, eq=False)
class BuiltEnvironment:
    """An environment, built. Metres from its middle: x east, y north, z up."""

    meshes: tuple[Mesh, ...]
    """The ground comes first."""
    height: Height
    weather: Weather
    sight: float
    """Metres after which two thirds of the light that comes is the haze's own."""
    solids: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    """Discs that no actor may overlap: x, y and radius of trunks, boulders and posts."""
    stands: PlaceTest = lambda x, _: np.ones(np.shape(x), np.bool_)
    """Where an actor may stand."""
    airy: PlaceTest = lambda x, _: np.ones(np.shape(x), np.bool_)
    """Where a camera may be."""
