"""Rays followed one by one, where there is neither a GPU nor LLVM: the last resort, and slow."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Camera
from tolman.render.engine.hits import NOTHING, Floats, Hits
from tolman.render.engine.presets import Preset
from tolman.render.engine.programs import GUIDES
from tolman.render.engine.rays import MIDDLE, Samples, points_of
from tolman.render.engine.variant import mitsuba


class OneRay:
    """What cameras see of a scene of the engine; `ids` are those of its shapes by name."""

    def __init__(self, scene: Any, ids: dict[str, int]) -> None:
        self._scene, self._ids = scene, ids

    def scene_changed(self) -> None:
        """Shapes were moved: nothing is kept from one ray to the next."""

    def hits(self, camera: Camera) -> Hits:
        """What the ray through the middle of each pixel meets."""
        rows, columns = camera.shape
        depth = np.full(rows * columns, np.inf, np.float32)
        ids, normals = np.full(rows * columns, NOTHING, np.int32), np.zeros((rows * columns, 3), np.float32)
        for i, ray in enumerate(_rays(camera, MIDDLE)):
            hit = self._scene.ray_intersect(ray)
            if hit.is_valid():
                depth[i], ids[i], normals[i] = hit.t, self._ids[hit.shape.id()], np.array(hit.sh_frame.n)
        return Hits(depth.reshape(camera.shape), ids.reshape(camera.shape), normals.reshape(rows, columns, 3))

    def light(self, camera: Camera, preset: Preset, seed: int) -> Floats:
        """Mean light through each pixel."""
        mi = mitsuba()
        integrator = mi.load_dict({"type": "path", "max_depth": preset.depth, "rr_depth": preset.sure})
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(seed)
        rays = _rays(camera, Samples(0, preset.samples, preset.samples, seed))
        found = np.array([np.array(integrator.sample(self._scene, sampler, ray)[0]) for ray in rays], np.float32)
        return _mean(np.nan_to_num(found, posinf=0.0), camera)

    def guides(self, camera: Camera) -> tuple[Floats, Floats]:
        """Colour and normal of the first hit, averaged over a few rays for each pixel."""
        colours: list[NDArray[np.float64]] = []
        normals: list[NDArray[np.float64]] = []
        for ray in _rays(camera, Samples(0, GUIDES, GUIDES, 0)):
            hit = self._scene.ray_intersect(ray)
            seen = hit.is_valid()
            colours.append(np.array(hit.bsdf().eval_diffuse_reflectance(hit)) if seen else np.zeros(3))
            normals.append(np.array(hit.sh_frame.n) if seen else np.zeros(3))
        return np.clip(_mean(np.array(colours), camera), 0, 1), _mean(np.array(normals), camera)


def _rays(camera: Camera, samples: Samples) -> Any:
    mi = mitsuba()
    origins, directions = points_of(camera, samples)
    for origin, direction in zip(origins.tolist(), directions.tolist(), strict=True):
        yield mi.RayDifferential3f(mi.Ray3f(mi.Point3f(*origin), mi.Vector3f(*direction)))


def _mean(values: Any, camera: Camera) -> Floats:
    """The mean over the rays of each pixel, which come one after another."""
    rows, columns = camera.shape
    return values.reshape(rows, columns, -1, 3).mean(axis=2).astype(np.float32)
