"""A scene built once in the engine and rendered from any number of cameras, denoised with Open Image Denoise."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import RenderError
from tolman.render.camera import Camera, Panorama
from tolman.render.engine.conversion import SKY, engine_floats, mitsuba_mesh, replace_sky, sky_emitter
from tolman.render.engine.tracers import ScalarTracer, VectorTracer
from tolman.render.engine.values import NOTHING, Floats, Hits, RenderPreset, ScenePart
from tolman.render.engine.variant import mitsuba, variant
from tolman.render.shapes.mesh import Matrix

FloatImage = NDArray[np.float32]


_WRAPPED = 32
"""Columns by which a panorama is continued on both sides for the denoiser, which does not know that it wraps."""


def denoise(colour: FloatImage, albedo: FloatImage, normals: FloatImage, *, wraps: bool = False) -> FloatImage:
    """The denoised picture. All arrays are height, width and three channels; linear light, albedo in [0, 1].
    `wraps` says that the last column is beside the first."""
    if wraps:
        width = colour.shape[1]
        edge = min(_WRAPPED, width)
        wide = denoise(
            *(
                np.concatenate([picture[:, -edge:], picture, picture[:, :edge]], axis=1)
                for picture in (colour, albedo, normals)
            )
        )
        return np.ascontiguousarray(wide[:, edge:-edge])
    try:
        oidn: Any = importlib.import_module("pyoidn")
    except (ImportError, OSError):
        raise RenderError("denoising needs Open Image Denoise: pip install 'tolman[render]'") from None
    on_gpu = gpu_denoiser(*colour.shape[:2]) if variant() == "cuda_ad_rgb" else None
    if on_gpu is not None:
        return on_gpu(colour, albedo, normals)
    return oidn.denoise(colour, albedo, normals, hdr=True, clean_aux=True, quality="balanced")


_CUDA = 3
_FLOAT3 = 3
_BALANCED = 5
_PICTURES = ("color", "albedo", "normal", "output")


class GpuDenoiser:
    """Denoises pictures of one size."""

    def __init__(self, device: Any, height: int, width: int) -> None:
        oidn: Any = importlib.import_module("pyoidn")
        self._shape, self._bytes = (height, width, 3), height * width * 12
        self._memory = {name: oidn.Buffer(device, self._bytes) for name in _PICTURES}
        self._filter = oidn.Filter(device, "RT")
        for name, buffer in self._memory.items():
            self._filter.set_image(name, buffer, _FLOAT3, width, height)
        self._filter.set_bool("hdr", True)
        self._filter.set_bool("cleanAux", True)
        self._filter.set_quality(_BALANCED)
        self._filter.commit()

    def __call__(self, colour: FloatImage, albedo: FloatImage, normals: FloatImage) -> FloatImage:
        """As `denoise`."""
        for name, values in zip(_PICTURES, (colour, albedo, normals), strict=False):
            self._memory[name].write(0, self._bytes, np.ascontiguousarray(values, np.float32).reshape(-1))
        self._filter.execute()
        clean = np.empty(self._shape, np.float32)
        self._memory["output"].read(0, self._bytes, clean.reshape(-1))
        return clean


@cache
def gpu_denoiser(height: int, width: int) -> GpuDenoiser | None:
    """A denoiser for pictures of one size; None without a suitable GPU."""
    device = _device()
    return None if device is None else GpuDenoiser(device, height, width)


@cache
def _device() -> Any:
    oidn: Any = importlib.import_module("pyoidn")
    if not oidn.Device.is_cuda_available():
        return None
    device = oidn.Device(_CUDA)
    device.commit()
    return device if device.get_error() is None else None


__all__ = ["NOTHING", "Hits", "TracedScene", "TracedView"]


@dataclass(frozen=True, eq=False)
class TracedView:
    """The view of a camera."""

    light: Floats
    """Red, green, blue; linear, not clipped."""
    hits: Hits


class TracedScene:
    """Parts in the engine, lit by those that emit light and by the sky: a constant, or an environment map (see
    `sky_emitter`)."""

    def __init__(self, parts: Sequence[ScenePart], sky: float | Floats = 0.0) -> None:
        description: dict[str, Any] = {"type": "scene"}
        if not isinstance(sky, float | int):
            description[SKY] = sky_emitter(sky)
        elif sky > 0:
            description[SKY] = {
                "type": "constant",
                "radiance": {"type": "rgb", "value": [sky, sky * 1.05, sky * 1.15]},
            }
        self._parts = {f"part{i:05}": part for i, part in enumerate(parts)}
        shapes = {name: mitsuba_mesh(part.mesh, name) for name, part in self._parts.items()}
        static = {name: shapes[name] for name, part in self._parts.items() if part.static}
        if static:
            description["static"] = {"type": "shapegroup", **static}
            description["set"] = {"type": "instance", "group": {"type": "ref", "id": "static"}}
        self._scene = mitsuba().load_dict(description | {name: shapes[name] for name in shapes if name not in static})
        self._tracer = (
            ScalarTracer(self._scene, self._parts)
            if variant() == "scalar_rgb"
            else VectorTracer(self._scene, shapes, self._parts, moving=bool(static))
        )
        self._hidden: tuple[int, int] | None = None

    def render(
        self, camera: Camera, preset: RenderPreset, cell: tuple[int, int] | None = None, seed: int = 0
    ) -> TracedView:
        """Light and hits of a camera's view. Parts of the camera's own `cell` are hidden. `seed` selects the rays."""
        return next(self.render_many([camera], preset, [cell], seed))

    def render_many(
        self, cameras: Sequence[Camera], preset: RenderPreset, cells: Sequence[tuple[int, int] | None], seed: int = 0
    ) -> Iterator[TracedView]:
        """The same for several cameras of one lens, traced together: faster on a GPU, each picture is the same."""
        if variant() == "scalar_rgb" and len(cameras) > 1:
            for camera, cell in zip(cameras, cells, strict=True):
                yield self.render(camera, preset, cell, seed)
            return
        self._hide(cells[0])
        if preset.name == "preview":
            yield from map(TracedView, self._tracer.preview(cameras, cells), self._tracer.hits(cameras, cells))
            return
        lights, found = self._tracer.light(cameras, cells, preset, seed), self._tracer.hits(cameras, cells)
        if not preset.denoised:
            yield from map(TracedView, lights, found)
            return
        for camera, light, hits, guides in zip(
            cameras, lights, found, self._tracer.guides(cameras, cells), strict=True
        ):
            yield TracedView(denoise(light, *guides, wraps=isinstance(camera, Panorama)), hits)

    def previews(self, cameras: Sequence[Camera], cells: Sequence[tuple[int, int] | None]) -> NDArray[np.uint8]:
        """sRGB pictures of several cameras of one lens with the `preview` preset, without hits: one array."""
        if variant() == "scalar_rgb":
            pictures: list[NDArray[np.uint8]] = []
            for camera, cell in zip(cameras, cells, strict=True):
                self._hide(cell)
                pictures.append(self._tracer.preview_rgb([camera], [cell])[0])
            return np.stack(pictures)
        return self._tracer.preview_rgb(cameras, cells)

    def hits(self, camera: Camera, cell: tuple[int, int] | None = None) -> Hits:
        """Hits of a camera's view only: exact, and hundreds of times faster than `render`."""
        self._hide(cell)
        return self._tracer.hits([camera], [cell])[0]

    def luminance(self, low: Sequence[float], high: Sequence[float]) -> float:
        """Mean luminance of the building's surfaces within a box in metres; 0 if it has none."""
        self._hide(None)
        return self._tracer.points().luminance(low, high)

    def arrange(self, poses: Mapping[int, Matrix | None], sky: Floats | None = None) -> None:
        """Move the parts with these ids from their original positions by 3 by 4 matrices; None hides them.

        A new sky must have the size of the first one.
        """
        values = mitsuba().traverse(self._scene)
        for name, part in self._parts.items():
            if part.id in poses:
                matrix = poses[part.id]
                mesh = part.mesh if matrix is None else part.mesh.moved(matrix)
                scale = np.float32(0 if matrix is None else 1)  # 0 shrinks it to a point, which no ray hits
                values[f"{name}.vertex_positions"] = engine_floats(scale * mesh.points)
                if mesh.normals is not None:
                    values[f"{name}.vertex_normals"] = engine_floats(mesh.normals)
        if sky is not None:
            replace_sky(values, sky)
        values.update()

    def _hide(self, cell: tuple[int, int] | None) -> None:
        """In the scalar engine, shrink the parts of a cell to points, which no ray hits, and restore those of the
        previous cell. Rays of the other engines pass through hidden parts.

        They stay within the scene, whose size the light of the sky depends on by rounding.
        """
        if cell == self._hidden or variant() != "scalar_rgb":
            return
        values = mitsuba().traverse(self._scene)
        for name, part in self._parts.items():
            if part.hidden_at is not None and part.hidden_at in (cell, self._hidden):
                points = part.mesh.points
                if part.hidden_at == cell:
                    points = np.broadcast_to(points[:1], points.shape)
                values[f"{name}.vertex_positions"] = engine_floats(points)
                if part.mesh.normals is not None:  # else Mitsuba computes them
                    values[f"{name}.vertex_normals"] = engine_floats(part.mesh.normals)
        values.update()
        self._hidden = cell
