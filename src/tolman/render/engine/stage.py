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
from tolman.render.engine.surfaces import shape
from tolman.render.engine.variant import drjit, mitsuba
from tolman.seeds import rng

Floats = NDArray[np.float32]
Ids = NDArray[np.int32]

NOTHING = -1
"""Id of pixels in which there is nothing at all."""
Offsets = tuple[Floats, Floats]
_MIDDLE = (np.array(0.5, np.float32), np.array(0.5, np.float32))
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

    def _rays(self, camera: Camera, offsets: Sequence[Offsets]) -> Any:
        """One ray for each pixel and each offset, in pixels from its upper left corner."""
        mi = mitsuba()
        height, width = camera.shape
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32).reshape(2, -1)
        found = [camera.rays(rows + down, columns + right) for down, right in offsets]
        origins, directions = (np.concatenate(side).T for side in zip(*found, strict=True))
        return mi.RayDifferential3f(
            mi.Point3f(np.ascontiguousarray(origins)), mi.Vector3f(np.ascontiguousarray(directions))
        )

    def _hits(self, camera: Camera) -> Hits:
        mi = mitsuba()
        hit = self._scene.ray_intersect(self._rays(camera, [_MIDDLE]))
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
        total = np.zeros((pixels, 3), np.float64)
        done = 0
        while done < preset.samples:
            count = min(_AT_ONCE, preset.samples - done)
            rays = self._rays(camera, [_offsets(pixels, done + i, preset.samples, seed) for i in range(count)])
            sampler = mi.load_dict({"type": "independent"})
            sampler.seed(seed * 7919 + done, wavefront_size=pixels * count)
            light, valid, _ = integrator.sample(self._scene, sampler, rays)
            drjit().eval(light, valid)
            arrived = np.asarray(light).T * np.asarray(valid)[:, None]
            total += np.nan_to_num(arrived).reshape(count, pixels, 3).sum(axis=0)
            done += count
        return (total / preset.samples).astype(np.float32).reshape(*camera.shape, 3)

    def _guides(self, camera: Camera) -> tuple[Floats, Floats]:
        """Colour and normal of the first hit, averaged over a few rays for each pixel."""
        pixels = camera.shape[0] * camera.shape[1]
        hit = self._scene.ray_intersect(self._rays(camera, [_offsets(pixels, i, _GUIDES, 0) for i in range(_GUIDES)]))
        valid = hit.is_valid()
        colour = hit.bsdf().eval_diffuse_reflectance(hit, valid)
        drjit().eval(valid, colour, hit.sh_frame.n)
        found = np.asarray(valid).astype(np.float32)
        albedo, normals = np.asarray(colour) * found, np.asarray(hit.sh_frame.n) * found

        def averaged(values: Floats) -> Floats:
            mean = np.nan_to_num(values.T.reshape(_GUIDES, pixels, 3)).mean(axis=0)
            return mean.astype(np.float32).reshape(*camera.shape, 3)

        return averaged(albedo), averaged(normals)


def _offsets(pixels: int, sample: int, samples: int, seed: int) -> tuple[Floats, Floats]:
    """Where in each pixel one of its samples looks: spread over the rows, and at random over the columns."""
    stream = rng(seed, "rays", sample)
    down = ((sample + stream.random(pixels, np.float32)) / samples).astype(np.float32)
    return down, stream.random(pixels, np.float32)
