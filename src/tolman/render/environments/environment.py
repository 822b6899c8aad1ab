"""Outdoor environments, and their skies: sun, clouds and haze as an environment map."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tolman.render.building.rooms import merged_by_material
from tolman.render.environments.terrain import Floats, Height, Noise, Places, smoothstep
from tolman.render.shapes.mesh import Mesh


def add_haze(light: Floats, depth: Floats, sky: Floats, visibility: float) -> Floats:
    """A picture's light with haze of the colour of the horizon; `sky` is the environment map, `visibility` in metres.

    Pixels of infinite depth show the sky and are not changed.
    """
    horizon = np.median(sky[sky.shape[0] // 2 - 8 : sky.shape[0] // 2].reshape(-1, 3), axis=0)
    share = np.where(np.isfinite(depth), 1 - np.exp(-np.nan_to_num(depth, posinf=0.0) / visibility), 0.0)[..., None]
    return (light * (1 - share) + horizon * share).astype(np.float32)


_ROWS = 192
"""Of the environment map."""
_LIGHT_FROM_BELOW = 0.35
"""Light from below the horizon, as a share of that at the horizon."""
_SUN_RADIUS = 1.7
"""Degrees."""
_SUN_COLOUR_LOW, _SUN_COLOUR_HIGH = np.array([1.0, 0.62, 0.33], np.float32), np.array([1.0, 0.94, 0.85], np.float32)
"""The sun's colour at the horizon and high up."""


@dataclass(frozen=True)
class Sky:
    """Sun, clouds and haze. Angles in degrees, the bearing clockwise from north."""

    bearing: float
    """Of the sun."""
    height: float
    """Elevation of the sun."""
    cover: float
    """Share of the sky that clouds cover; from 0.85 on the sun is hidden."""
    haze: float
    """From 0 (clear) to 1."""
    exposure: float = 1.0
    seed: int = 0
    """Of the clouds."""

    def picture(self) -> Floats:
        """The environment map: the first row is the zenith, the first column north, columns run clockwise."""
        directions = _directions()
        up = directions[..., 2]
        bearing, height = math.radians(self.bearing), math.radians(self.height)
        level = math.cos(height)
        sun = np.array([math.sin(bearing) * level, math.cos(bearing) * level, math.sin(height)], np.float32)
        cosine = directions @ sun
        light = self._with_clouds(self._clear(up, cosine), directions, cosine)
        below = np.broadcast_to(_LIGHT_FROM_BELOW * light[-1].mean(axis=0), light.shape)
        light = self._with_sun(light, cosine)
        irradiance = float((light.mean(axis=-1) * up * _solid_angle()).sum() / math.pi)
        return (np.concatenate([light, below]) * np.float32(self.exposure / irradiance)).astype(np.float32)

    @property
    def sunshine(self) -> float:
        """Share of the sun's light that passes the clouds."""
        return float(1 - smoothstep(0.45, 0.85, np.array(self.cover, np.float32)))

    def _clear(self, up: Floats, cosine: Floats) -> Floats:
        """A clear sky: paler towards the horizon, brighter and warmer around the sun.

        `cosine` is that of the angle between each direction and the sun.
        """
        low = 1 - float(smoothstep(0, 35, np.array(self.height, np.float32)))
        zenith = np.array([0.13, 0.27, 0.58], np.float32) * (1 - 0.35 * low)
        horizon = np.array([0.66, 0.78, 0.92], np.float32) * (1 - low) + np.array([0.85, 0.66, 0.50], np.float32) * low
        share = np.exp(-np.clip(up, 0, 1) / (0.26 + 0.25 * self.haze))[..., None]
        sky = zenith + (horizon - zenith) * share
        sky = sky * (1 - 0.35 * self.haze) + 0.35 * self.haze * np.array([0.75, 0.76, 0.76], np.float32)
        glow = np.exp((np.clip(cosine, -1, 1) - 1) * (24 - 16 * self.haze))
        return sky + (0.5 + self.haze) * glow[..., None] * self._sun_colour()

    def _with_clouds(self, sky: Floats, directions: Floats, cosine: Floats) -> Floats:
        up = np.maximum(directions[..., 2], 0.03)
        x, y = directions[..., 0] / (up + 0.12), directions[..., 1] / (up + 0.12)
        field = Noise(self.seed, "clouds").layered(x, y, 1.1, 6, 0.55)
        edge = 0.72 - 0.42 * self.cover
        thickness = smoothstep(edge - 0.07, edge + 0.13, field)
        lit = 0.95 - 0.55 * smoothstep(edge, edge + 0.35, field) * (0.4 + 0.6 * self.cover)
        near_sun = 1 + 0.7 * np.exp((np.clip(cosine, -1, 1) - 1) * 6) * self.sunshine
        grey = np.array([0.80, 0.84, 0.90], np.float32)
        cloud = (lit * near_sun)[..., None] * (grey + (1 - grey) * 0.6 * self.sunshine)
        share = (thickness * smoothstep(0.0, 0.10, directions[..., 2]) * min(1.0, 2.5 * self.cover))[..., None]
        overcast = float(smoothstep(0.7, 1.0, np.array(self.cover, np.float32)))
        uniform = (0.55 + 0.45 * np.clip(directions[..., 2], 0, 1))[..., None] * grey
        return (sky * (1 - share) + cloud * share) * (1 - 0.75 * overcast) + 0.75 * overcast * uniform

    def _with_sun(self, light: Floats, cosine: Floats) -> Floats:
        """The sun's disc with a soft edge, a few times as strong as the whole sky."""
        if self.sunshine <= 0 or self.height <= 0:
            return light
        ratio = (
            (4.5 - 2.6 * self.haze) * self.sunshine * float(smoothstep(0, 18, np.array(self.height + 4, np.float32)))
        )
        radius = np.degrees(np.arccos(np.clip(cosine, -1, 1))) / _SUN_RADIUS
        disc = np.clip(1 - radius * radius, 0, 1) ** 3
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
"""Whether positions, given by x and y, are allowed."""


@dataclass(frozen=True)
class Weather:
    """Ranges of the sky's parameters in an environment. Angles in degrees."""

    height: tuple[float, float]
    cover: tuple[float, float]
    haze: tuple[float, float]
    exposure: tuple[float, float] = (0.85, 1.15)

    def draw(self, stream: np.random.Generator) -> Sky:
        """A random sky."""
        height, cover, haze, exposure = (
            float(stream.uniform(*span)) for span in (self.height, self.cover, self.haze, self.exposure)
        )
        return Sky(float(stream.uniform(0, 360)), height, cover, haze, exposure, int(stream.integers(1 << 31)))


@dataclass(frozen=True, eq=False)
class BuiltEnvironment:
    """An environment. Metres from its centre: x east, y north, z up."""

    meshes: tuple[Mesh, ...]
    """The ground is the first."""
    height: Height
    """Of the ground."""
    weather: Weather
    visibility: float
    """Metres after which haze makes up 63 % of the light."""
    solids: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    """Discs that no actor may overlap: x, y and radius of trunks, boulders and posts."""
    actor_allowed: PlaceTest = lambda x, _: np.ones(np.shape(x), np.bool_)
    """Where an actor may stand."""
    camera_allowed: PlaceTest = lambda x, _: np.ones(np.shape(x), np.bool_)
    """Where a camera may be."""


def with_obstacles(environment: BuiltEnvironment, obstacles: Sequence[tuple[Places, float]]) -> BuiltEnvironment:
    """The environment with one mesh for each material, and discs of some radii around places as its solids."""
    solids = np.concatenate([np.column_stack([places, np.full(len(places), radius)]) for places, radius in obstacles])
    meshes = tuple(merged_by_material(environment.meshes))
    return replace(environment, meshes=meshes, solids=solids.astype(np.float32))
