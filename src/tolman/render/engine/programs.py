"""Dr.Jit functions that trace rays: hits, guides for the denoiser, light, and the preview. Each is recorded once per
scene and picture size, then replayed.

What a view does not show (`ShapeTables.hidden_in`) is passed through by its rays, so the scene is never rebuilt, and
views with different hidden things are traced together.
"""

from collections.abc import Callable
from typing import Any

from tolman.core.errors import interrupt_behind_error
from tolman.render.engine.conversion import STEPS_PER_UNIT
from tolman.render.engine.paths import ShapeTables, first_surface, traced_light
from tolman.render.engine.rays import PIXEL_CENTRES, RaySamples, view_rays
from tolman.render.engine.values import NOTHING, RenderPreset, preview_shade
from tolman.render.engine.variant import drjit, mitsuba

GUIDE_SAMPLES = 16
"""Rays per pixel over which colours and normals of the first hit are averaged, as guides for the denoiser: with 4,
edges come out dashed."""
_PREVIEW_SAMPLES = 4
_NO_WARNING = 2**30
Program = Callable[..., Any]


def hits_program(views: int, pixels: int) -> Program:
    """First hits: the id of the shape, the distance in metres, and the normal."""

    del views, pixels  # a recording is for one size

    def hits(scene: Any, lens: tuple[Any, ...], poses: tuple[Any, ...], own: Any, ids: Any, hidden: Any) -> Any:
        mi, dr = mitsuba(), drjit()
        ray, view = view_rays(lens, poses, PIXEL_CENTRES, mi.UInt32(0))
        found = first_surface(scene, ray, ShapeTables(ids, hidden), dr.gather(mi.Int32, own, view))
        return _id_depth(found, ids), dr.ravel(dr.select(found.is_valid(), found.sh_frame.n, 0.0))

    return hits


def _id_depth(surface: Any, ids: Any) -> tuple[Any, Any]:
    mi, dr = mitsuba(), drjit()
    valid = surface.is_valid()
    number = dr.gather(mi.Int32, ids, dr.reinterpret_array(mi.UInt32, surface.shape), valid)
    return dr.select(valid, number, NOTHING), dr.select(valid, surface.t, dr.inf)


def guides_program(views: int, pixels: int) -> Program:
    """Colour and normal of the first hit, averaged over the rays of a pixel."""

    del views, pixels

    def guides(scene: Any, lens: tuple[Any, ...], poses: tuple[Any, ...], own: Any, ids: Any, hidden: Any) -> Any:
        mi, dr = mitsuba(), drjit()
        ray, view = view_rays(lens, poses, RaySamples(0, GUIDE_SAMPLES, GUIDE_SAMPLES), mi.UInt32(0))
        surface = first_surface(scene, ray, ShapeTables(ids, hidden), dr.gather(mi.Int32, own, view))
        valid = surface.is_valid()
        colour = dr.select(valid, surface.bsdf().eval_diffuse_reflectance(surface, valid), 0.0)
        normal = dr.select(valid, surface.sh_frame.n, 0.0)
        dr.eval(colour, normal)
        mean = 1 / GUIDE_SAMPLES
        colour, normal = _summed(colour, GUIDE_SAMPLES) * mean, _summed(normal, GUIDE_SAMPLES) * mean
        return dr.ravel(dr.clip(colour, 0, 1)), dr.ravel(normal)

    return guides


def preview_program(views: int, pixels: int) -> Program:
    """Colours of a simple shader as linear light, averaged over a few rays through each pixel."""

    del views, pixels

    def preview(scene: Any, lens: tuple[Any, ...], poses: tuple[Any, ...], own: Any, ids: Any, hidden: Any) -> Any:
        mi, dr = mitsuba(), drjit()
        ray, view = view_rays(lens, poses, RaySamples(0, _PREVIEW_SAMPLES, _PREVIEW_SAMPLES), mi.UInt32(0))
        surface = first_surface(scene, ray, ShapeTables(ids, hidden), dr.gather(mi.Int32, own, view))
        valid = surface.is_valid()
        colour = surface.bsdf().eval_diffuse_reflectance(surface, valid)
        normal = surface.sh_frame.n
        light = colour * preview_shade(normal.x, normal.z, dr.abs(dr.dot(normal, ray.d)))
        light = dr.select(valid, light, 0.0) + surface.emitter(scene).eval(surface)
        dr.eval(light)
        return dr.ravel(_summed(light, _PREVIEW_SAMPLES) / _PREVIEW_SAMPLES)

    return preview


def preview_rgb_program(views: int, pixels: int) -> Program:
    """The same as sRGB, four bytes a pixel: one transfer is all that leaves the device."""
    shade = preview_program(views, pixels)

    def preview(
        scene: Any, lens: tuple[Any, ...], poses: tuple[Any, ...], own: Any, ids: Any, hidden: Any, curve: Any
    ) -> Any:
        mi, dr = mitsuba(), drjit()
        light = dr.unravel(mi.Color3f, shade(scene, lens, poses, own, ids, hidden))
        steps = dr.clip(light * STEPS_PER_UNIT, 0, dr.width(curve) - 1)
        red, green, blue = (dr.gather(mi.UInt32, curve, mi.UInt32(channel)) for channel in steps)
        return red | (green << 8) | (blue << 16)

    return preview


def light_program(views: int, pixels: int, preset: RenderPreset, samples: RaySamples) -> Program:
    """The sum of light along `count` rays through each pixel, with red, green and blue interleaved."""
    mi, dr = mitsuba(), drjit()
    rays = pixels * samples.count

    def light(
        scene: Any,
        lens: tuple[Any, ...],
        poses: tuple[Any, ...],
        own: Any,
        hidden: Any,
        grid: tuple[Any, ...] | None,
        seed: Any,
    ) -> Any:
        ray, view = view_rays(lens, poses, samples, seed)
        within_view = dr.arange(mi.UInt32, views * rays) % rays  # so that a view does not depend on those beside it
        state, stream = mi.sample_tea_32(within_view, seed)
        random = mi.PCG32(initstate=mi.UInt64(state), initseq=mi.UInt64(stream))
        own_cell = dr.gather(mi.Int32, own, view)
        radiance = traced_light(scene, ray, random, ShapeTables(None, hidden), own_cell, preset, grid)
        dr.eval(radiance)
        return dr.ravel(_summed(radiance, samples.count))

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
