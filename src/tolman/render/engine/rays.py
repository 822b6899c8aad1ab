"""Camera rays in the engine, and the Dr.Jit programs that trace them: recorded once for a scene and a size, then
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
    """Some of the rays through each pixel: `count` of all `of`, from number `first`. None of any: its middle."""

    first: int
    count: int
    of: int
    seed: int


PIXEL_CENTRES = RaySamples(0, 1, 0, 0)
"""One ray through the middle of each pixel."""


def lens_rays(camera: Camera, samples: RaySamples) -> tuple[Any, Any]:
    """Origins and directions of a camera's rays at the origin, facing north: those of one pixel side by side."""
    return _lens_rays(camera.lens, samples)


def place_numbers(camera: Camera) -> tuple[Any, ...]:
    """Where a camera is, for `placed_rays`: sine and cosine of its heading, or its three axes; then east, north, up."""
    place, angle = camera.place, math.radians(camera.place.heading)
    level = math.sin(angle), math.cos(angle)
    turn = level if place.axes is None else tuple(part for axis in place.axes for part in axis)
    return tuple(_opaque_number(value) for value in (*turn, place.x, place.y, place.z))


def placed_rays(rays: tuple[Any, Any], numbers: tuple[Any, ...]) -> Any:
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


def _opaque_number(value: float) -> Any:
    """A number that programs are not compiled anew for."""
    return drjit().opaque(mitsuba().Float, value)


@lru_cache(maxsize=16)
def _lens_rays(lens: Camera, samples: RaySamples) -> tuple[Any, Any]:
    mi = mitsuba()
    origins, directions = origins_and_directions(lens, samples)
    return mi.Point3f(np.ascontiguousarray(origins.T)), mi.Vector3f(np.ascontiguousarray(directions.T))


def origins_and_directions(camera: Camera, samples: RaySamples) -> tuple[Floats, Floats]:
    """Origins and directions of rays, one a row; those of one pixel one after another, pixels row by row."""
    height, width = camera.shape
    rows, columns = (np.repeat(side.ravel(), samples.count) for side in np.mgrid[0:height, 0:width].astype(np.float32))
    down, right = _offsets(height * width, samples)
    return camera.rays(rows + down, columns + right)


def _offsets(pixels: int, samples: RaySamples) -> tuple[Floats, Floats]:
    """Where in each pixel its rays go through: spread over its height, and at random over its width."""
    if not samples.of:
        middle = np.full(pixels, 0.5, np.float32)
        return middle, middle
    stream = rng(samples.seed, "rays", samples.first)
    number = np.tile(np.arange(samples.first, samples.first + samples.count, dtype=np.float32), pixels)
    down = (number + stream.random(len(number), np.float32)) / np.float32(samples.of)
    return down, stream.random(len(number), np.float32)


GUIDE_SAMPLES = 4
"""Rays for each pixel from which colours and normals of the first hit are averaged."""
Program = Callable[..., Any]
_NO_WARNING = 2**30


def hits_program(shape: tuple[int, int]) -> Program:
    """First hits: the id that `ids` has for its shape or else `nothing`, the distance in metres, and the normal."""

    del shape  # it goes into the recording

    def hits(scene: Any, rays: tuple[Any, Any], place: tuple[Any, ...], ids: Any, nothing: Any) -> tuple[Any, ...]:
        mi, dr = mitsuba(), drjit()
        hit = scene.ray_intersect(placed_rays(rays, place))
        valid = hit.is_valid()
        known = dr.gather(mi.Int32, ids, dr.reinterpret_array(mi.UInt32, hit.shape), valid)
        depth, normal = dr.select(valid, hit.t, dr.inf), dr.select(valid, hit.sh_frame.n, 0.0)
        return dr.select(valid, known, nothing), depth, dr.ravel(normal)

    return hits


def guides_program(shape: tuple[int, int]) -> Program:
    """Colour and normal of the first hit, averaged over the rays of a pixel."""

    del shape

    def guides(scene: Any, rays: tuple[Any, Any], place: tuple[Any, ...]) -> tuple[Any, Any]:
        dr = drjit()
        hit = scene.ray_intersect(placed_rays(rays, place))
        valid = hit.is_valid()
        colour = dr.select(valid, hit.bsdf().eval_diffuse_reflectance(hit, valid), 0.0)
        normal = dr.select(valid, hit.sh_frame.n, 0.0)
        dr.eval(colour, normal)
        return dr.ravel(dr.clip(_summed(colour, GUIDE_SAMPLES) / GUIDE_SAMPLES, 0, 1)), dr.ravel(
            _summed(normal, GUIDE_SAMPLES) / GUIDE_SAMPLES
        )

    return guides


def light_program(preset: RenderPreset, pixels: int, count: int) -> Program:
    """The sum of light along `count` rays through each pixel: red, green and blue of each in turn."""
    mi, dr = mitsuba(), drjit()
    integrator = mi.load_dict({"type": "path", "max_depth": preset.depth, "rr_depth": preset.sure})

    def light(scene: Any, rays: tuple[Any, Any], place: tuple[Any, ...], seed: Any) -> Any:
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(seed, wavefront_size=pixels * count)
        found, valid, _ = integrator.sample(scene, sampler, placed_rays(rays, place))
        found = dr.select(valid & dr.all(dr.isfinite(found)), found, 0.0)
        dr.eval(found)
        return dr.ravel(_summed(found, count))

    return light


def recorded(program: Program) -> Program:
    """A program that is read at its first call only. An interrupt stays one, though the engine wraps it."""
    kept = drjit().freeze(program, warn_after=_NO_WARNING)

    def replayed(*given: Any) -> Any:
        try:
            return kept(*given)
        except RuntimeError as error:
            if (interrupt := interrupt_behind_error(error)) is not None:
                raise interrupt from None
            raise

    return replayed


def _summed(values: Any, count: int) -> Any:
    """The sum over the samples of each pixel, which stand side by side."""
    return drjit().block_reduce(drjit().ReduceOp.Add, values, count)
