"""Rays of cameras in the engine. Those of one lens are worked out once, and turned and moved to wherever it is."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Camera
from tolman.render.engine.variant import drjit, mitsuba
from tolman.seeds import rng

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Samples:
    """Some of the rays through each pixel: `count` of all `of`, from number `first`. None of any: its middle."""

    first: int
    count: int
    of: int
    seed: int


MIDDLE = Samples(0, 1, 0, 0)
"""One ray through the middle of each pixel."""


def lens_rays(camera: Camera, samples: Samples) -> tuple[Any, Any]:
    """Origins and directions of a camera's rays at the origin, facing north: those of one pixel side by side."""
    return _of_lens(camera.lens, samples)


def place_numbers(camera: Camera) -> tuple[Any, ...]:
    """Where a camera is, for `placed`: sine and cosine of its heading, or else its three axes; then east, north, up."""
    place, angle = camera.place, math.radians(camera.place.heading)
    level = math.sin(angle), math.cos(angle)
    turn = level if place.axes is None else tuple(part for axis in place.axes for part in axis)
    return tuple(_number(value) for value in (*turn, place.x, place.y, place.z))


def placed(rays: tuple[Any, Any], numbers: tuple[Any, ...]) -> Any:
    """The rays of a lens, turned and moved to where the camera is."""
    mi, (*turn, east, north, up) = mitsuba(), numbers

    def turned(vector: Any) -> tuple[Any, ...]:
        if len(turn) == 2:
            sin, cos = turn
            return vector.x * cos + vector.y * sin, vector.y * cos - vector.x * sin, vector.z
        return tuple(vector.x * turn[i] + vector.y * turn[3 + i] + vector.z * turn[6 + i] for i in range(3))

    x, y, z = turned(rays[0])
    origin = mi.Point3f(x + east, y + north, z + up)
    return mi.RayDifferential3f(origin, mi.Vector3f(*turned(rays[1])))


def _number(value: float) -> Any:
    """A number that programs are not compiled anew for."""
    return drjit().opaque(mitsuba().Float, value)


@lru_cache(maxsize=16)
def _of_lens(lens: Camera, samples: Samples) -> tuple[Any, Any]:
    mi = mitsuba()
    origins, directions = points_of(lens, samples)
    return mi.Point3f(np.ascontiguousarray(origins.T)), mi.Vector3f(np.ascontiguousarray(directions.T))


def points_of(camera: Camera, samples: Samples) -> tuple[Floats, Floats]:
    """Origins and directions of rays, one a row; those of one pixel one after another, pixels row by row."""
    height, width = camera.shape
    rows, columns = (np.repeat(side.ravel(), samples.count) for side in np.mgrid[0:height, 0:width].astype(np.float32))
    down, right = _offsets(height * width, samples)
    return camera.rays(rows + down, columns + right)


def _offsets(pixels: int, samples: Samples) -> tuple[Floats, Floats]:
    """Where in each pixel its rays go through: spread over its height, and at random over its width."""
    if not samples.of:
        middle = np.full(pixels, 0.5, np.float32)
        return middle, middle
    stream = rng(samples.seed, "rays", samples.first)
    number = np.tile(np.arange(samples.first, samples.first + samples.count, dtype=np.float32), pixels)
    down = (number + stream.random(len(number), np.float32)) / np.float32(samples.of)
    return down, stream.random(len(number), np.float32)
