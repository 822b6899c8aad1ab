"""Rays that pass through what a view does not show, and paths of light along them."""

from dataclasses import dataclass
from typing import Any

from tolman.render.engine.light_grid import grid_light
from tolman.render.engine.values import RenderPreset
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
