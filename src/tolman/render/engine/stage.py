"""A stage: a world built once in the engine, to be looked at by any number of cameras."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Camera
from tolman.render.engine.denoise import denoise
from tolman.render.engine.parts import Part
from tolman.render.engine.presets import Preset
from tolman.render.engine.rays import MIDDLE, Samples, rays_of
from tolman.render.engine.surfaces import shape
from tolman.render.engine.variant import drjit, mitsuba

Floats = NDArray[np.float32]
Ids = NDArray[np.int32]

NOTHING = -1
"""Id of pixels in which there is nothing at all."""
_DEEP = 1000.0
"""Metres below the floor at which hidden parts lie."""
_AT_ONCE = 16
"""Samples for each pixel that are traced together."""
_GUIDES = 4
"""Rays for each pixel from which colours and normals of the first hit are averaged."""


@dataclass(frozen=True, eq=False)
class Hits:
    """What the ray through the middle of each pixel meets first. All of one height and width."""

    depth: Floats
    """Metres along the ray through the middle of the pixel; infinite where there is nothing."""
    ids: Ids
    """Number of the thing or door in the middle of the pixel, 0 for the building."""
    normals: Floats
    """East, north, up, of length 1; zero where there is nothing."""


@dataclass(frozen=True, eq=False)
class View:
    """What a camera sees."""

    light: Floats
    """Red, green, blue; linear, not limited."""
    hits: Hits


class Stage:
    """Some parts in the engine. Light comes from those that glow and, where it can get in, from the sky."""

    def __init__(self, parts: Sequence[Part], sky: float = 0.0) -> None:
        mi = mitsuba()
        description: dict[str, Any] = {"type": "scene"}
        if sky > 0:
            description["sky"] = {
                "type": "constant",
                "radiance": {"type": "rgb", "value": [sky, sky * 1.05, sky * 1.15]},
            }
        for i, part in enumerate(parts):
            description[f"part{i:05}"] = shape(part.mesh, f"part{i:05}")
        self._scene = mi.load_dict(description)
        self._ids = self._by_pointer(parts)
        self._parts = tuple(parts)
        self._hidden: tuple[int, int] | None = None

    def _by_pointer(self, parts: Sequence[Part]) -> NDArray[np.int32]:
        """Ids by the number under which the engine knows a shape."""
        mi = mitsuba()
        dr = drjit()
        numbers = {
            shape.id(): int(dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))[0]) for shape in self._scene.shapes()
        }
        table = np.zeros(max(numbers.values()) + 1, np.int32)
        for i, part in enumerate(parts):
            table[numbers[f"part{i:05}"]] = part.id
        return table

    def look(self, camera: Camera, preset: Preset, cell: tuple[int, int] | None = None, seed: int = 0) -> View:
        """What a camera sees. Parts that belong to its own cell are not drawn. The seed decides which rays are."""
        hits = self.hits(camera, cell)
        light = self._light(camera, preset, seed)
        if preset.denoised:
            light = denoise(light, *self._guides(camera))
        return View(light, hits)

    def hits(self, camera: Camera, cell: tuple[int, int] | None = None) -> Hits:
        """What a camera sees, without any light: exact, and hundreds of times cheaper."""
        self._hide(cell)
        return self._hits(camera)

    def _hide(self, cell: tuple[int, int] | None) -> None:
        """Bury the parts of one cell, and unearth those of the one before."""
        if cell == self._hidden:
            return
        values = mitsuba().traverse(self._scene)
        for i, part in enumerate(self._parts):
            if part.hidden_at is not None and part.hidden_at in (cell, self._hidden):
                buried = np.array([0, 0, _DEEP if part.hidden_at == cell else 0], np.float32)
                values[f"part{i:05}.vertex_positions"] = (part.mesh.points - buried).ravel()
        values.update()
        self._hidden = cell

    def _hits(self, camera: Camera) -> Hits:
        mi = mitsuba()
        hit = self._scene.ray_intersect(rays_of(camera, MIDDLE))
        valid, pointer = hit.is_valid(), drjit().reinterpret_array(mi.UInt32, hit.shape)
        drjit().eval(valid, pointer, hit.sh_frame.n, hit.t)
        found, pointers = np.asarray(valid).astype(bool), np.asarray(pointer)
        ids = np.where(found, self._ids[np.minimum(pointers, len(self._ids) - 1)], NOTHING)
        normals = np.where(found, np.asarray(hit.sh_frame.n), 0).T
        shape = camera.shape
        return Hits(
            depth=np.where(found, np.asarray(hit.t), np.inf).astype(np.float32).reshape(shape),
            ids=ids.astype(np.int32).reshape(shape),
            normals=normals.astype(np.float32).reshape(*shape, 3),
        )

    def _light(self, camera: Camera, preset: Preset, seed: int) -> Floats:
        """Mean light through each pixel."""
        mi = mitsuba()
        integrator = mi.load_dict({"type": "path", "max_depth": preset.depth, "rr_depth": preset.sure})
        pixels = camera.shape[0] * camera.shape[1]
        total = mi.Color3f(0.0)
        for done in range(0, preset.samples, _AT_ONCE):
            count = min(_AT_ONCE, preset.samples - done)
            sampler = mi.load_dict({"type": "independent"})
            sampler.seed(seed * 7919 + done, wavefront_size=pixels * count)
            rays = rays_of(camera, Samples(done, count, preset.samples, seed))
            light, valid, _ = integrator.sample(self._scene, sampler, rays)
            total += _summed(drjit().select(valid & drjit().all(drjit().isfinite(light)), light, 0.0), count)
        return np.asarray(total / preset.samples).T.reshape(*camera.shape, 3).astype(np.float32)

    def _guides(self, camera: Camera) -> tuple[Floats, Floats]:
        """Colour and normal of the first hit, averaged over a few rays for each pixel."""
        hit = self._scene.ray_intersect(rays_of(camera, Samples(0, _GUIDES, _GUIDES, 0)))
        valid = hit.is_valid()
        colour = drjit().select(valid, hit.bsdf().eval_diffuse_reflectance(hit, valid), 0.0)
        normal = drjit().select(valid, hit.sh_frame.n, 0.0)
        drjit().eval(colour, normal)
        sums = _summed(colour, _GUIDES), _summed(normal, _GUIDES)
        albedo, normals = (np.asarray(found).T.reshape(*camera.shape, 3) / np.float32(_GUIDES) for found in sums)
        return np.nan_to_num(albedo).astype(np.float32), np.nan_to_num(normals).astype(np.float32)


def _summed(values: Any, count: int) -> Any:
    """The sum over the samples of each pixel, which stand side by side; else each channel would be traced anew."""
    drjit().eval(values)
    return drjit().block_reduce(drjit().ReduceOp.Add, values, count)
