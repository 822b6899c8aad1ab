"""A stage: a world built once in the engine, to be looked at by any number of cameras."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Camera
from tolman.render.engine.denoise import denoise
from tolman.render.engine.parts import Part
from tolman.render.engine.presets import Preset
from tolman.render.engine.programs import GUIDES, Program, guides_program, hits_program, light_program
from tolman.render.engine.rays import MIDDLE, Samples, lens_rays, place_numbers
from tolman.render.engine.surfaces import engine_floats, shape
from tolman.render.engine.variant import drjit, mitsuba

Floats = NDArray[np.float32]
Ids = NDArray[np.int32]

NOTHING = -1
"""Id of pixels in which there is nothing at all."""
_DEEP = 1000.0
"""Metres below the floor at which hidden parts lie."""
_AT_ONCE = 16
"""Samples for each pixel that are traced together."""


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
        self._recorded: dict[tuple[Callable[..., Program], tuple[object, ...]], Program] = {}

    def _by_pointer(self, parts: Sequence[Part]) -> Any:
        """Ids by the number under which the engine knows a shape."""
        mi = mitsuba()
        dr = drjit()
        numbers = {
            shape.id(): int(dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))[0]) for shape in self._scene.shapes()
        }
        table = np.zeros(max(numbers.values()) + 1, np.int32)
        for i, part in enumerate(parts):
            table[numbers[f"part{i:05}"]] = part.id
        return mi.Int32(table)

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
                values[f"part{i:05}.vertex_positions"] = engine_floats(part.mesh.points - buried)
                if part.mesh.normals is not None:  # else the engine works out its own
                    values[f"part{i:05}.vertex_normals"] = engine_floats(part.mesh.normals)
        values.update()
        self._hidden = cell

    def _program(self, make: Callable[..., Program], *about: object) -> Program:
        """The program for pictures of one size, recorded when it is first needed."""
        if (make, about) not in self._recorded:
            self._recorded[make, about] = make(*about)
        return self._recorded[make, about]

    def _hits(self, camera: Camera) -> Hits:
        nothing = drjit().opaque(mitsuba().Int32, NOTHING)
        ids, depth, normals = self._program(hits_program, camera.shape)(
            self._scene, lens_rays(camera, MIDDLE), place_numbers(camera), self._ids, nothing
        )
        shape = camera.shape
        return Hits(
            depth=np.array(depth).reshape(shape),
            ids=np.array(ids).reshape(shape),
            normals=np.array(normals).reshape(*shape, 3),
        )

    def _light(self, camera: Camera, preset: Preset, seed: int) -> Floats:
        """Mean light through each pixel."""
        mi = mitsuba()
        pixels, place = camera.shape[0] * camera.shape[1], place_numbers(camera)
        total: Any = 0.0
        for done in range(0, preset.samples, _AT_ONCE):
            count = min(_AT_ONCE, preset.samples - done)
            program = self._program(light_program, preset, pixels, count)
            rays = lens_rays(camera, Samples(done, count, preset.samples, seed))
            total = total + program(self._scene, rays, place, drjit().opaque(mi.UInt32, seed * 7919 + done))
        return np.asarray(total / preset.samples).reshape(*camera.shape, 3)

    def _guides(self, camera: Camera) -> tuple[Floats, Floats]:
        """Colour and normal of the first hit, averaged over a few rays for each pixel."""
        rays = lens_rays(camera, Samples(0, GUIDES, GUIDES, 0))
        colour, normal = self._program(guides_program, camera.shape)(self._scene, rays, place_numbers(camera))
        return np.asarray(colour).reshape(*camera.shape, 3), np.asarray(normal).reshape(*camera.shape, 3)
