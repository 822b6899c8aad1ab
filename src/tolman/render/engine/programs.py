"""What is worked out for a view. A program is recorded once for a stage and a size, and replayed for all cameras.

Following light through a scene is hundreds of lines of the engine's own code, which it reads anew at every call unless
the calls are recorded: for a small picture that takes longer than the picture.
"""

from collections.abc import Callable
from typing import Any

from tolman.errors import interrupt_behind
from tolman.render.engine.presets import Preset
from tolman.render.engine.rays import placed
from tolman.render.engine.variant import drjit, mitsuba

GUIDES = 4
"""Rays for each pixel from which colours and normals of the first hit are averaged."""
Program = Callable[..., Any]
_NEVER = 2**30


def hits_program(shape: tuple[int, int]) -> Program:
    """First hits: the id that `ids` has for its shape or else `nothing`, the distance in metres, and the normal."""

    del shape  # it goes into the recording

    def hits(scene: Any, rays: tuple[Any, Any], place: tuple[Any, ...], ids: Any, nothing: Any) -> tuple[Any, ...]:
        mi, dr = mitsuba(), drjit()
        hit = scene.ray_intersect(placed(rays, place))
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
        hit = scene.ray_intersect(placed(rays, place))
        valid = hit.is_valid()
        colour = dr.select(valid, hit.bsdf().eval_diffuse_reflectance(hit, valid), 0.0)
        normal = dr.select(valid, hit.sh_frame.n, 0.0)
        dr.eval(colour, normal)
        return dr.ravel(dr.clip(_summed(colour, GUIDES) / GUIDES, 0, 1)), dr.ravel(_summed(normal, GUIDES) / GUIDES)

    return guides


def light_program(preset: Preset, pixels: int, count: int) -> Program:
    """The sum of light along `count` rays through each pixel: red, green and blue of each in turn."""
    mi, dr = mitsuba(), drjit()
    integrator = mi.load_dict({"type": "path", "max_depth": preset.depth, "rr_depth": preset.sure})

    def light(scene: Any, rays: tuple[Any, Any], place: tuple[Any, ...], seed: Any) -> Any:
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(seed, wavefront_size=pixels * count)
        found, valid, _ = integrator.sample(scene, sampler, placed(rays, place))
        found = dr.select(valid & dr.all(dr.isfinite(found)), found, 0.0)
        dr.eval(found)
        return dr.ravel(_summed(found, count))

    return light


def recorded(program: Program) -> Program:
    """A program that is read at its first call only. An interrupt stays one, though the engine wraps it."""
    kept = drjit().freeze(program, warn_after=_NEVER)

    def replayed(*given: Any) -> Any:
        try:
            return kept(*given)
        except RuntimeError as error:
            if (interrupt := interrupt_behind(error)) is not None:
                raise interrupt from None
            raise

    return replayed


def _summed(values: Any, count: int) -> Any:
    """The sum over the samples of each pixel, which stand side by side."""
    return drjit().block_reduce(drjit().ReduceOp.Add, values, count)
