"""Ray tracers: vectorised on a GPU or with LLVM, and scalar as the fallback."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Camera
from tolman.render.engine.rays import (
    GUIDE_SAMPLES,
    PIXEL_CENTRES,
    Program,
    RaySamples,
    guides_program,
    hits_program,
    lens_rays,
    light_program,
    origins_and_directions,
    pose_numbers,
    recorded,
)
from tolman.render.engine.values import NOTHING, Floats, Hits, RenderPreset
from tolman.render.engine.variant import drjit, mitsuba, variant

_SAMPLES_AT_ONCE = 16
"""Samples per pixel that are traced together."""


class VectorTracer:
    """Traces a Mitsuba scene; `ids` are those of its shapes by name.

    If shapes are `moving`, recordings are not used on CPUs, where they may read memory that has been reused since;
    tracing the functions again each time costs little.
    """

    def __init__(self, scene: Any, shapes: dict[str, Any], ids: dict[str, int], *, moving: bool = False) -> None:
        self._scene, self._ids = scene, _ids_by_shape(shapes, ids)
        self._records = not moving or variant() == "cuda_ad_rgb"
        self._programs: dict[tuple[Callable[..., Program], tuple[object, ...]], Program] = {}

    def _program(self, make: Callable[..., Program], *arguments: object) -> Program:
        """The function for pictures of one size, recorded on first use."""
        if (make, arguments) not in self._programs:
            program = make(*arguments)
            self._programs[make, arguments] = recorded(program) if self._records else program
        return self._programs[make, arguments]

    def scene_changed(self) -> None:
        """To be called after shapes were moved: on CPUs recordings refer to the memory of the old scene."""
        if variant() == "llvm_ad_rgb":
            self._programs.clear()

    def hits(self, camera: Camera) -> Hits:
        """First hit of the ray through the centre of each pixel."""
        nothing = drjit().opaque(mitsuba().Int32, NOTHING)
        ids, depth, normals = self._program(hits_program, camera.shape)(
            self._scene, lens_rays(camera, PIXEL_CENTRES), pose_numbers(camera), self._ids, nothing
        )
        shape = camera.shape
        return Hits(
            depth=np.array(depth).reshape(shape),
            ids=np.array(ids).reshape(shape),
            normals=np.array(normals).reshape(*shape, 3),
        )

    def light(self, camera: Camera, preset: RenderPreset, seed: int) -> Floats:
        """Mean light through each pixel."""
        mi = mitsuba()
        pixels, pose = camera.shape[0] * camera.shape[1], pose_numbers(camera)
        total: Any = 0.0
        for done in range(0, preset.samples, _SAMPLES_AT_ONCE):
            count = min(_SAMPLES_AT_ONCE, preset.samples - done)
            program = self._program(light_program, preset, pixels, count)
            rays = lens_rays(camera, RaySamples(done, count, preset.samples, seed))
            total = total + program(self._scene, rays, pose, drjit().opaque(mi.UInt32, seed * 7919 + done))
        return np.array(total / preset.samples).reshape(*camera.shape, 3)

    def guides(self, camera: Camera) -> tuple[Floats, Floats]:
        """Colour and normal of the first hit, averaged over a few rays per pixel."""
        rays = lens_rays(camera, RaySamples(0, GUIDE_SAMPLES, GUIDE_SAMPLES, 0))
        colour, normal = self._program(guides_program, camera.shape)(self._scene, rays, pose_numbers(camera))
        return np.array(colour).reshape(*camera.shape, 3), np.array(normal).reshape(*camera.shape, 3)


def _ids_by_shape(shapes: dict[str, Any], ids: dict[str, int]) -> Any:
    """Ids as an array indexed by Mitsuba's number of a shape."""
    mi, dr = mitsuba(), drjit()
    numbers = {name: int(dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))[0]) for name, shape in shapes.items()}
    table: NDArray[np.int32] = np.zeros(max(numbers.values()) + 1, np.int32)
    for name, number in numbers.items():
        table[number] = ids[name]
    return mi.Int32(table)


class ScalarTracer:
    """Traces a Mitsuba scene ray by ray; `ids` are those of its shapes by name."""

    def __init__(self, scene: Any, ids: dict[str, int]) -> None:
        self._scene, self._ids = scene, ids

    def scene_changed(self) -> None:
        """Does nothing, as nothing is recorded."""

    def hits(self, camera: Camera) -> Hits:
        """First hit of the ray through the centre of each pixel."""
        rows, columns = camera.shape
        depth = np.full(rows * columns, np.inf, np.float32)
        ids, normals = np.full(rows * columns, NOTHING, np.int32), np.zeros((rows * columns, 3), np.float32)
        for i, ray in enumerate(_scalar_rays(camera, PIXEL_CENTRES)):
            hit = self._scene.ray_intersect(ray)
            if hit.is_valid():
                depth[i], ids[i], normals[i] = hit.t, self._ids[hit.shape.id()], np.array(hit.sh_frame.n)
        return Hits(depth.reshape(camera.shape), ids.reshape(camera.shape), normals.reshape(rows, columns, 3))

    def light(self, camera: Camera, preset: RenderPreset, seed: int) -> Floats:
        """Mean light through each pixel."""
        mi = mitsuba()
        integrator = mi.load_dict({"type": "path", "max_depth": preset.depth, "rr_depth": preset.sure})
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(seed)
        rays = _scalar_rays(camera, RaySamples(0, preset.samples, preset.samples, seed))
        light = np.array([np.array(integrator.sample(self._scene, sampler, ray)[0]) for ray in rays], np.float32)
        return _pixel_mean(np.nan_to_num(light, posinf=0.0), camera)

    def guides(self, camera: Camera) -> tuple[Floats, Floats]:
        """Colour and normal of the first hit, averaged over a few rays per pixel."""
        colours: list[NDArray[np.float64]] = []
        normals: list[NDArray[np.float64]] = []
        for ray in _scalar_rays(camera, RaySamples(0, GUIDE_SAMPLES, GUIDE_SAMPLES, 0)):
            hit = self._scene.ray_intersect(ray)
            valid = hit.is_valid()
            colours.append(np.array(hit.bsdf().eval_diffuse_reflectance(hit)) if valid else np.zeros(3))
            normals.append(np.array(hit.sh_frame.n) if valid else np.zeros(3))
        return np.clip(_pixel_mean(np.array(colours), camera), 0, 1), _pixel_mean(np.array(normals), camera)


def _scalar_rays(camera: Camera, samples: RaySamples) -> Any:
    mi = mitsuba()
    origins, directions = origins_and_directions(camera, samples)
    for origin, direction in zip(origins.tolist(), directions.tolist(), strict=True):
        yield mi.RayDifferential3f(mi.Ray3f(mi.Point3f(*origin), mi.Vector3f(*direction)))


def _pixel_mean(values: Any, camera: Camera) -> Floats:
    """The mean over the rays of each pixel, which are next to each other."""
    rows, columns = camera.shape
    return values.reshape(rows, columns, -1, 3).mean(axis=2).astype(np.float32)
