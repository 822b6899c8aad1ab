"""Rays followed all at once, on a GPU or on all cores, by programs that are recorded once."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Camera
from tolman.render.engine.hits import NOTHING, Floats, Hits
from tolman.render.engine.presets import Preset
from tolman.render.engine.programs import GUIDES, Program, guides_program, hits_program, light_program, recorded
from tolman.render.engine.rays import MIDDLE, Samples, lens_rays, place_numbers
from tolman.render.engine.variant import drjit, mitsuba, variant

_AT_ONCE = 16
"""Samples for each pixel that are traced together."""


class ManyRays:
    """What cameras see of a scene of the engine; `ids` are those of its shapes by name.

    Where shapes are `moving` to ever new places, recordings are not to be trusted on CPUs: they may read memory that
    was given to something else since. There programs are read anew each time, which takes little of a picture's time.
    """

    def __init__(self, scene: Any, shapes: dict[str, Any], ids: dict[str, int], *, moving: bool = False) -> None:
        self._scene, self._ids = scene, _by_pointer(shapes, ids)
        self._records = not moving or variant() == "cuda_ad_rgb"
        self._recorded: dict[tuple[Callable[..., Program], tuple[object, ...]], Program] = {}

    def _program(self, make: Callable[..., Program], *about: object) -> Program:
        """The program for pictures of one size, recorded when it is first needed."""
        if (make, about) not in self._recorded:
            self._recorded[make, about] = recorded(make(*about)) if self._records else make(*about)
        return self._recorded[make, about]

    def scene_changed(self) -> None:
        """Shapes were moved. On CPUs recordings point into what the scene was, and must not be used again."""
        if variant() == "llvm_ad_rgb":
            self._recorded.clear()

    def hits(self, camera: Camera) -> Hits:
        """What the ray through the middle of each pixel meets."""
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

    def light(self, camera: Camera, preset: Preset, seed: int) -> Floats:
        """Mean light through each pixel."""
        mi = mitsuba()
        pixels, place = camera.shape[0] * camera.shape[1], place_numbers(camera)
        total: Any = 0.0
        for done in range(0, preset.samples, _AT_ONCE):
            count = min(_AT_ONCE, preset.samples - done)
            program = self._program(light_program, preset, pixels, count)
            rays = lens_rays(camera, Samples(done, count, preset.samples, seed))
            total = total + program(self._scene, rays, place, drjit().opaque(mi.UInt32, seed * 7919 + done))
        return np.array(total / preset.samples).reshape(*camera.shape, 3)

    def guides(self, camera: Camera) -> tuple[Floats, Floats]:
        """Colour and normal of the first hit, averaged over a few rays for each pixel."""
        rays = lens_rays(camera, Samples(0, GUIDES, GUIDES, 0))
        colour, normal = self._program(guides_program, camera.shape)(self._scene, rays, place_numbers(camera))
        return np.array(colour).reshape(*camera.shape, 3), np.array(normal).reshape(*camera.shape, 3)


def _by_pointer(shapes: dict[str, Any], ids: dict[str, int]) -> Any:
    """Ids by the number under which the engine knows a shape."""
    mi, dr = mitsuba(), drjit()
    numbers = {name: int(dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))[0]) for name, shape in shapes.items()}
    table: NDArray[np.int32] = np.zeros(max(numbers.values()) + 1, np.int32)
    for name, number in numbers.items():
        table[number] = ids[name]
    return mi.Int32(table)
