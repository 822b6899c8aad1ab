"""Rays of cameras in the engine: those of a lens once, and their rotation and shift to the poses of views."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import rng
from tolman.render.camera import Camera
from tolman.render.engine.conversion import engine_floats
from tolman.render.engine.variant import drjit, mitsuba

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class RaySamples:
    """A subset of the rays through each pixel: `count` of `total`, from number `first`. With `total` 0, its centre."""

    first: int
    count: int
    total: int
    seed: int = 0


PIXEL_CENTRES = RaySamples(0, 1, 0)
"""One ray through the centre of each pixel."""
_GOLDEN = 0.6180339887498949
_NEAR = 0.25
"""Distance in pixels from the centre at which slopes are measured."""


@lru_cache(maxsize=8)
def _lens_slopes(lens: Camera) -> tuple[Any, ...]:
    """For each pixel the direction through its centre and its slopes across and down, per pixel; for lenses whose rays
    start at different points also the origin and its slopes."""
    mi = mitsuba()
    height, width = lens.shape
    rows, columns = (side.ravel() + np.float32(0.5) for side in np.mgrid[0:height, 0:width].astype(np.float32))
    centre, right, left, below, above = (
        lens.rays(rows + down, columns + across)
        for across, down in ((0, 0), (_NEAR, 0), (-_NEAR, 0), (0, _NEAR), (0, -_NEAR))
    )
    kinds = (1,) if not np.any(centre[0]) else (1, 0)
    tables = [
        table
        for kind in kinds
        for table in (
            centre[kind],
            (right[kind] - left[kind]) / np.float32(2 * _NEAR),
            (below[kind] - above[kind]) / np.float32(2 * _NEAR),
        )
    ]
    return tuple(mi.Vector3f(np.ascontiguousarray(table.T)) for table in tables)


def lens_slopes(camera: Camera) -> tuple[Any, ...]:
    """What `view_rays` needs to know of a camera's lens."""
    return _lens_slopes(camera.lens)


def pose_numbers(cameras: Sequence[Camera]) -> tuple[Any, ...]:
    """The poses of cameras with the same lens for `view_rays`, one array for each number: sine and cosine of the
    heading, or the three axes; then x, y, z."""
    rows = np.array([_pose_row(camera) for camera in cameras], np.float32)
    return tuple(engine_floats(np.ascontiguousarray(column)) for column in rows.T)


def _pose_row(camera: Camera) -> tuple[float, ...]:
    place, angle = camera.place, math.radians(camera.place.heading)
    level = math.sin(angle), math.cos(angle)
    rotation = level if place.axes is None else tuple(part for axis in place.axes for part in axis)
    return *rotation, place.x, place.y, place.z


def view_rays(lens: tuple[Any, ...], poses: tuple[Any, ...], samples: RaySamples, seed: Any) -> tuple[Any, Any]:
    """Rays of all views, one view after another, pixels row by row, the rays of a pixel next to each other; and the
    number of each ray's view."""
    mi, dr = mitsuba(), drjit()
    pixels, views = dr.width(lens[0]), dr.width(poses[0])
    number = dr.arange(mi.UInt32, pixels * samples.count * views)
    pixel_of_all = number // samples.count
    view, pixel = pixel_of_all // pixels, pixel_of_all % pixels
    if samples.total:
        offsets = _offsets(pixel, number % samples.count + samples.first, samples.total, seed)
        vectors = [_sloped(lens[i : i + 3], pixel, *offsets) for i in range(0, len(lens), 3)]
        vectors[0] = dr.normalize(vectors[0])
    else:
        vectors = [dr.gather(mi.Vector3f, lens[i], pixel) for i in range(0, len(lens), 3)]
    direction, *origins = (_rotated(vector, poses, view) for vector in vectors)
    position = mi.Point3f(*(dr.gather(mi.Float, values, view) for values in poses[-3:]))
    return mi.Ray3f(position + origins[0] if origins else position, direction), view


def _offsets(pixel: Any, sample: Any, total: int, seed: Any) -> tuple[Any, Any]:
    """Position of a ray from its pixel's centre: stratified along the height, a golden-ratio sequence along the width,
    shifted at random in each pixel."""
    mi, dr = mitsuba(), drjit()
    jitter = mi.sample_tea_float32(pixel * total + sample, seed)
    start = mi.sample_tea_float32(pixel, seed + 1)
    across = start + mi.Float(sample) * _GOLDEN
    return across - dr.floor(across) - 0.5, (mi.Float(sample) + jitter) / total - 0.5


def _sloped(table: tuple[Any, ...], pixel: Any, across: Any, down: Any) -> Any:
    centre, right, below = (drjit().gather(type(part), part, pixel) for part in table)
    return centre + right * across + below * down


def _rotated(vector: Any, poses: tuple[Any, ...], view: Any) -> Any:
    mi, dr = mitsuba(), drjit()
    rotation = [dr.gather(mi.Float, values, view) for values in poses[:-3]]
    if len(rotation) == 2:
        sin, cos = rotation
        return mi.Vector3f(vector.x * cos + vector.y * sin, vector.y * cos - vector.x * sin, vector.z)
    x, y, z = (vector.x * rotation[i] + vector.y * rotation[3 + i] + vector.z * rotation[6 + i] for i in range(3))
    return mi.Vector3f(x, y, z)


def origins_and_directions(camera: Camera, samples: RaySamples) -> tuple[Floats, Floats]:
    """The same rays for the scalar engine, one per row, with other random numbers."""
    height, width = camera.shape
    rows, columns = (np.repeat(side.ravel(), samples.count) for side in np.mgrid[0:height, 0:width].astype(np.float32))
    if not samples.total:
        return camera.rays(rows + np.float32(0.5), columns + np.float32(0.5))
    stream = rng(samples.seed, "rays", samples.first)
    number = np.tile(np.arange(samples.first, samples.first + samples.count, dtype=np.float32), height * width)
    down = (number + stream.random(len(number), np.float32)) / np.float32(samples.total)
    start = np.repeat(stream.random(height * width, np.float32), samples.count)
    right = np.modf(start + number * np.float32(_GOLDEN))[0].astype(np.float32)
    return camera.rays(rows + down, columns + right)
