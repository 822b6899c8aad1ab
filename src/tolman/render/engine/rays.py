"""Camera rays in the engine, and the Dr.Jit functions that trace them: recorded once per scene and picture size, then
replayed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import interrupt_behind_error
from tolman.core.seeds import rng
from tolman.render.camera import Camera
from tolman.render.engine.values import RenderPreset
from tolman.render.engine.variant import drjit, mitsuba

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class RaySamples:
    """A subset of the rays through each pixel: `count` of `total`, from number `first`. With `total` 0, its centre."""

    first: int
    count: int
    total: int
    seed: int


PIXEL_CENTRES = RaySamples(0, 1, 0, 0)
"""One ray through the centre of each pixel."""


def lens_rays(camera: Camera, samples: RaySamples) -> tuple[Any, Any]:
    """Origins and directions of the rays of `camera.lens`, those of a pixel next to each other."""
    return _lens_rays(camera.lens, samples)


def pose_numbers(camera: Camera) -> tuple[Any, ...]:
    """The pose of a camera for `posed_rays`: sine and cosine of its heading, or its three axes; then x, y, z.

    They are opaque, so that functions are not compiled again for other values.
    """
    place, angle = camera.place, math.radians(camera.place.heading)
    level = math.sin(angle), math.cos(angle)
    rotation = level if place.axes is None else tuple(part for axis in place.axes for part in axis)
    return tuple(drjit().opaque(mitsuba().Float, value) for value in (*rotation, place.x, place.y, place.z))


def posed_rays(rays: tuple[Any, Any], pose: tuple[Any, ...]) -> Any:
    """The rays of a lens, rotated and shifted to the camera's pose."""
    mi, (*rotation, east, north, up) = mitsuba(), pose

    def rotated(vector: Any) -> tuple[Any, ...]:
        if len(rotation) == 2:
            sin, cos = rotation
            return vector.x * cos + vector.y * sin, vector.y * cos - vector.x * sin, vector.z
        return tuple(vector.x * rotation[i] + vector.y * rotation[3 + i] + vector.z * rotation[6 + i] for i in range(3))

    x, y, z = rotated(rays[0])
    origin = mi.Point3f(x + east, y + north, z + up)
    return mi.RayDifferential3f(origin, mi.Vector3f(*rotated(rays[1])))


@lru_cache(maxsize=16)
def _lens_rays(lens: Camera, samples: RaySamples) -> tuple[Any, Any]:
    mi = mitsuba()
    origins, directions = origins_and_directions(lens, samples)
    return mi.Point3f(np.ascontiguousarray(origins.T)), mi.Vector3f(np.ascontiguousarray(directions.T))


def origins_and_directions(camera: Camera, samples: RaySamples) -> tuple[Floats, Floats]:
    """Origins and directions of rays, one per row: pixels row by row, and the rays of a pixel one after another."""
    height, width = camera.shape
    rows, columns = (np.repeat(side.ravel(), samples.count) for side in np.mgrid[0:height, 0:width].astype(np.float32))
    down, right = _offsets(height * width, samples)
    return camera.rays(rows + down, columns + right)


def _offsets(pixels: int, samples: RaySamples) -> tuple[Floats, Floats]:
    """Positions of the rays within their pixel, from 0 to 1: stratified along its height, random along its width."""
    if not samples.total:
        centre = np.full(pixels, 0.5, np.float32)
        return centre, centre
    stream = rng(samples.seed, "rays", samples.first)
    number = np.tile(np.arange(samples.first, samples.first + samples.count, dtype=np.float32), pixels)
    down = (number + stream.random(len(number), np.float32)) / np.float32(samples.total)
    return down, stream.random(len(number), np.float32)


GUIDE_SAMPLES = 4
"""Rays per pixel over which colours and normals of the first hit are averaged, as guides for the denoiser."""
Program = Callable[..., Any]
_NO_WARNING = 2**30


def hits_program(shape: tuple[int, int]) -> Program:
    """First hits: the id of the shape in `ids`, or `nothing`; the distance in metres; and the normal."""

    del shape  # a recording is for one size

    def hits(scene: Any, rays: tuple[Any, Any], pose: tuple[Any, ...], ids: Any, nothing: Any) -> tuple[Any, ...]:
        mi, dr = mitsuba(), drjit()
        hit = scene.ray_intersect(posed_rays(rays, pose))
        valid = hit.is_valid()
        found = dr.gather(mi.Int32, ids, dr.reinterpret_array(mi.UInt32, hit.shape), valid)
        depth, normal = dr.select(valid, hit.t, dr.inf), dr.select(valid, hit.sh_frame.n, 0.0)
        return dr.select(valid, found, nothing), depth, dr.ravel(normal)

    return hits


def guides_program(shape: tuple[int, int]) -> Program:
    """Colour and normal of the first hit, averaged over the rays of a pixel."""

    del shape

    def guides(scene: Any, rays: tuple[Any, Any], pose: tuple[Any, ...]) -> tuple[Any, Any]:
        dr = drjit()
        hit = scene.ray_intersect(posed_rays(rays, pose))
        valid = hit.is_valid()
        colour = dr.select(valid, hit.bsdf().eval_diffuse_reflectance(hit, valid), 0.0)
        normal = dr.select(valid, hit.sh_frame.n, 0.0)
        dr.eval(colour, normal)
        return dr.ravel(dr.clip(_summed(colour, GUIDE_SAMPLES) / GUIDE_SAMPLES, 0, 1)), dr.ravel(
            _summed(normal, GUIDE_SAMPLES) / GUIDE_SAMPLES
        )

    return guides


def light_program(preset: RenderPreset, pixels: int, count: int) -> Program:
    """The sum of light along `count` rays through each pixel, with red, green and blue interleaved."""
    mi, dr = mitsuba(), drjit()
    integrator = mi.load_dict({"type": "path", "max_depth": preset.depth, "rr_depth": preset.sure})

    def light(scene: Any, rays: tuple[Any, Any], pose: tuple[Any, ...], seed: Any) -> Any:
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(seed, wavefront_size=pixels * count)
        radiance, valid, _ = integrator.sample(scene, sampler, posed_rays(rays, pose))
        radiance = dr.select(valid & dr.all(dr.isfinite(radiance)), radiance, 0.0)
        dr.eval(radiance)
        return dr.ravel(_summed(radiance, count))

    return light


def recorded(program: Program) -> Program:
    """A function that is traced at its first call only and replayed after. Interrupts are unwrapped from errors."""
    frozen = drjit().freeze(program, warn_after=_NO_WARNING)

    def replayed(*arguments: Any) -> Any:
        try:
            return frozen(*arguments)
        except RuntimeError as error:
            if (interrupt := interrupt_behind_error(error)) is not None:
                raise interrupt from None
            raise

    return replayed


def _summed(values: Any, count: int) -> Any:
    """The sum over the samples of each pixel, which are next to each other."""
    return drjit().block_reduce(drjit().ReduceOp.Add, values, count)
