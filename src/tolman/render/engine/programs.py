"""Dr.Jit functions that trace rays: hits, guides for the denoiser, light, and the preview. Each is recorded once per
scene and picture size, then replayed.

What a view does not show (`ShapeTables.hidden_in`) is passed through by its rays, so the scene is never rebuilt, and
views with different hidden things are traced together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tolman.core.errors import interrupt_behind_error
from tolman.render.engine.conversion import STEPS_PER_UNIT
from tolman.render.engine.light_grid import grid_light
from tolman.render.engine.rays import PIXEL_CENTRES, RaySamples, view_rays
from tolman.render.engine.values import NOTHING, RenderPreset, preview_shade
from tolman.render.engine.variant import drjit, mitsuba

_STEP = 1e-4
"""Metres by which a ray continues behind a hidden surface."""
_MOST_HIDDEN = 64
"""Hidden surfaces that a ray may pass."""
_MOST_BOUNCES = 8
"""Of a path that ends in the light grid: two, and those at glass."""


@dataclass
class ShapeTables:
    """Numbers of Mitsuba's shapes, by its own index of a shape."""

    ids: Any
    """Of the thing or door."""
    hidden_in: Any
    """Of the cell from which it is not drawn, counted from 0; -1 for none. None where nothing is ever hidden."""


def first_hit(scene: Any, ray: Any, shapes: ShapeTables, own_cell: Any, active: Any = True) -> tuple[Any, Any, Any]:
    """The first hit that is not hidden (Mitsuba's preliminary one), the ray that reaches it, and how many metres after
    the given ray it starts."""
    mi, dr = mitsuba(), drjit()

    def is_hidden(hit: Any) -> Any:
        index = dr.reinterpret_array(mi.UInt32, hit.shape)
        return hit.is_valid() & (dr.gather(mi.Int32, shapes.hidden_in, index, hit.is_valid()) == own_cell)

    hit, none = scene.ray_intersect_preliminary(ray, active=active), dr.zeros(mi.Float, dr.width(ray))
    if shapes.hidden_in is None:
        return hit, ray, none

    def behind(ray: Any, hit: Any, passed: Any, blocked: Any) -> tuple[Any, ...]:
        ahead = hit.t + _STEP
        ray.o = dr.fma(ray.d, ahead, ray.o)
        ray.maxt -= ahead
        hit = scene.ray_intersect_preliminary(ray, active=blocked)
        return ray, hit, passed + ahead, is_hidden(hit)

    state = mi.Ray3f(ray), hit, none, is_hidden(hit) & active

    def goes_on(ray: Any, hit: Any, passed: Any, blocked: Any) -> Any:
        del ray, hit, passed
        return blocked

    ray, hit, passed, _ = dr.while_loop(state, goes_on, behind, max_iterations=_MOST_HIDDEN)
    return hit, ray, passed


def first_surface(scene: Any, ray: Any, shapes: ShapeTables, own_cell: Any, active: Any = True) -> Any:
    """The first surface that is not hidden."""
    hit, ray, passed = first_hit(scene, ray, shapes, own_cell, active)
    surface = hit.compute_surface_interaction(ray, active=active)
    surface.t += passed
    return surface


@dataclass
class _Path:
    """State of paths between bounces."""

    ray: Any
    weight: Any
    light: Any
    surfaces: Any
    """Bounces; with a light grid, those at glass do not count."""
    before: Any
    """The last surface."""
    pdf: Any
    """Density with which the ray's direction was drawn there."""
    exact: Any
    """Whether that direction was the only one, as at a mirror."""
    step: Any
    active: Any


def traced_light(
    scene: Any, ray: Any, random: Any, shapes: ShapeTables, own_cell: Any, preset: RenderPreset, grid: Any
) -> Any:
    """Light along rays by path tracing with emitter sampling. With a grid, paths end at their second surface, whose
    light is read from it; else after `preset.depth` bounces, and at random after `preset.sure`."""
    mi, dr = mitsuba(), drjit()
    context, count = mi.BSDFContext(), dr.width(ray)

    def bounce(path: Any, random: Any) -> tuple[Any, Any]:
        surface = first_surface(scene, path.ray, shapes, own_cell, path.active)
        path.light += path.weight * _shown_emission(scene, surface, path)
        path.active &= surface.is_valid()
        bsdf = surface.bsdf(mi.RayDifferential3f(path.ray.o, path.ray.d))
        smooth = path.active & mi.has_flag(bsdf.flags(), mi.BSDFFlags.Smooth)
        if grid is not None:
            ends = smooth & (path.surfaces > 0)
            normal = dr.select(dr.dot(surface.n, path.ray.d) > 0, -surface.n, surface.n)
            jitter = (
                random.next_float32(path.active),
                random.next_float32(path.active),
                random.next_float32(path.active),
            )
            stored = bsdf.eval_diffuse_reflectance(surface, ends) * grid_light(grid, surface.p, normal, jitter)
            path.light = dr.select(ends, path.light + path.weight * stored, path.light)
            path.active, smooth = path.active & ~ends, smooth & ~ends
        lamp, light = scene.sample_emitter_direction(surface, _point(random, path.active), False, smooth)
        lit = smooth & (lamp.pdf > 0)
        lit &= ~_is_blocked(scene, surface.spawn_ray_to(lamp.p), shapes, own_cell, lit)
        towards, choice, place = surface.to_local(lamp.d), random.next_float32(path.active), _point(random, path.active)
        value, pdf, turn, factor = bsdf.eval_pdf_sample(context, surface, towards, choice, place, path.active)
        share = dr.select(lamp.delta, 1.0, lamp.pdf / dr.maximum(lamp.pdf + pdf, 1e-20))
        path.light = dr.select(lit, path.light + path.weight * value * light * share, path.light)
        path.ray = surface.spawn_ray(surface.to_world(turn.wo))
        path.exact, path.pdf = mi.has_flag(turn.sampled_type, mi.BSDFFlags.Delta), turn.pdf
        path.weight *= factor
        path.before = mi.Interaction3f(surface.t, surface.time, surface.wavelengths, surface.p, surface.n)
        path.active &= dr.any(path.weight > 0)
        path.step += 1
        if grid is not None:
            path.surfaces += dr.select(path.exact, mi.UInt32(0), mi.UInt32(1))
        else:
            chance = dr.select(path.step >= preset.sure, dr.minimum(dr.max(path.weight), 0.95), 1.0)
            path.active &= random.next_float32(path.active) < chance
            path.weight /= dr.maximum(chance, 1e-6)
        return path, random

    start = _Path(
        ray,
        dr.ones(mi.Color3f, count),
        dr.zeros(mi.Color3f, count),
        dr.zeros(mi.UInt32, count),
        dr.zeros(mi.Interaction3f, count),
        dr.ones(mi.Float, count),
        dr.full(mi.Bool, True, count),
        dr.zeros(mi.UInt32, count),
        dr.full(mi.Bool, True, count),
    )
    most = _MOST_BOUNCES if grid is not None else preset.depth

    def goes_on(path: Any, random: Any) -> Any:
        del random
        return path.active & (path.step < most)

    end, _ = dr.while_loop((start, random), goes_on, bounce)
    return dr.select(dr.all(dr.isfinite(end.light)), end.light, 0.0)


def _point(random: Any, active: Any) -> Any:
    return mitsuba().Point2f(random.next_float32(active), random.next_float32(active))


def _shown_emission(scene: Any, surface: Any, path: _Path) -> Any:
    """Light of a lamp that the path has hit, weighted against having sampled it."""
    mi, dr = mitsuba(), drjit()
    lamp = mi.DirectionSample3f(scene, surface, path.before)
    other = scene.pdf_emitter_direction(path.before, lamp, path.active & ~path.exact)
    share = dr.select(path.exact, 1.0, path.pdf / dr.maximum(path.pdf + other, 1e-20))
    return surface.emitter(scene, path.active).eval(surface, path.active) * share


def _is_blocked(scene: Any, ray: Any, shapes: ShapeTables, own_cell: Any, active: Any) -> Any:
    """Whether anything that is not hidden is on a ray."""
    blocked = scene.ray_test(ray, active)
    if shapes.hidden_in is None:
        return blocked
    unsure = blocked & (own_cell >= 0)
    hit, _, _ = first_hit(scene, ray, shapes, own_cell, unsure)
    return drjit().select(unsure, hit.is_valid(), blocked)


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
