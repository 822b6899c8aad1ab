"""A stage: a world built once in the engine, to be looked at by any number of cameras."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tolman.render.camera import Camera
from tolman.render.engine.denoise import denoise
from tolman.render.engine.hits import NOTHING, Floats, Hits
from tolman.render.engine.light import SKY, change_dome, dome
from tolman.render.engine.many_rays import ManyRays
from tolman.render.engine.one_ray import OneRay
from tolman.render.engine.parts import Part
from tolman.render.engine.presets import Preset
from tolman.render.engine.surfaces import engine_floats, shape
from tolman.render.engine.variant import mitsuba, variant
from tolman.render.shapes.transforms import Matrix

__all__ = ["NOTHING", "Hits", "Stage", "View"]

_DEEP = 1000.0
"""Metres below the floor at which hidden parts lie."""


@dataclass(frozen=True, eq=False)
class View:
    """What a camera sees."""

    light: Floats
    """Red, green, blue; linear, not limited."""
    hits: Hits


class Stage:
    """Some parts in the engine. Light comes from those that glow and, where it can get in, from the sky.

    A sky is one brightness, or a picture of all directions (see `dome`).
    """

    def __init__(self, parts: Sequence[Part], sky: float | Floats = 0.0) -> None:
        description: dict[str, Any] = {"type": "scene"}
        if not isinstance(sky, float | int):
            description[SKY] = dome(sky)
        elif sky > 0:
            description[SKY] = {
                "type": "constant",
                "radiance": {"type": "rgb", "value": [sky, sky * 1.05, sky * 1.15]},
            }
        self._parts = {f"part{i:05}": part for i, part in enumerate(parts)}
        shapes = {name: shape(part.mesh, name) for name, part in self._parts.items()}
        still = {name: shapes[name] for name, part in self._parts.items() if part.still}
        if still:
            description["still"] = {"type": "shapegroup", **still}
            description["set"] = {"type": "instance", "group": {"type": "ref", "id": "still"}}
        self._scene = mitsuba().load_dict(description | {name: shapes[name] for name in shapes if name not in still})
        ids = {name: part.id for name, part in self._parts.items()}
        self._rays = (
            OneRay(self._scene, ids)
            if variant() == "scalar_rgb"
            else ManyRays(self._scene, shapes, ids, moving=bool(still))
        )
        self._hidden: tuple[int, int] | None = None

    def look(self, camera: Camera, preset: Preset, cell: tuple[int, int] | None = None, seed: int = 0) -> View:
        """What a camera sees. Parts that belong to its own cell are not drawn. The seed decides which rays are."""
        hits = self.hits(camera, cell)
        light = self._rays.light(camera, preset, seed)
        if preset.denoised:
            light = denoise(light, *self._rays.guides(camera))
        return View(light, hits)

    def hits(self, camera: Camera, cell: tuple[int, int] | None = None) -> Hits:
        """What a camera sees, without any light: exact, and hundreds of times cheaper."""
        self._hide(cell)
        return self._rays.hits(camera)

    def arrange(self, poses: Mapping[int, Matrix | None], sky: Floats | None = None) -> None:
        """Move all parts with these ids from where they were built, by 3 by 4 matrices; None takes them out of sight.

        A new sky is of the same size as the first one.
        """
        values = mitsuba().traverse(self._scene)
        for name, part in self._parts.items():
            if part.id in poses:
                matrix = poses[part.id]
                mesh = part.mesh if matrix is None else part.mesh.moved(matrix)
                shrunk = np.float32(0 if matrix is None else 1)  # to a point, which no ray can meet
                values[f"{name}.vertex_positions"] = engine_floats(shrunk * mesh.points)
                if mesh.normals is not None:
                    values[f"{name}.vertex_normals"] = engine_floats(mesh.normals)
        if sky is not None:
            change_dome(values, sky)
        values.update()

    def _hide(self, cell: tuple[int, int] | None) -> None:
        """Bury the parts of one cell, and unearth those of the one before."""
        if cell == self._hidden:
            return
        values = mitsuba().traverse(self._scene)
        for name, part in self._parts.items():
            if part.hidden_at is not None and part.hidden_at in (cell, self._hidden):
                buried = np.array([0, 0, _DEEP if part.hidden_at == cell else 0], np.float32)
                values[f"{name}.vertex_positions"] = engine_floats(part.mesh.points - buried)
                if part.mesh.normals is not None:  # else the engine works out its own
                    values[f"{name}.vertex_normals"] = engine_floats(part.mesh.normals)
        values.update()
        self._rays.scene_changed()
        self._hidden = cell
