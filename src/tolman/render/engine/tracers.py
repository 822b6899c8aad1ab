"""Ray tracers: vectorised on a GPU or with LLVM, and scalar as the fallback."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.camera import Camera
from tolman.render.engine.conversion import to_srgb, tone_curve
from tolman.render.engine.light_grid import LightGrid, LitPoints, sample_surfaces, surface_light
from tolman.render.engine.programs import (
    GUIDE_SAMPLES,
    Program,
    guides_program,
    hits_program,
    light_program,
    preview_program,
    preview_rgb_program,
    recorded,
)
from tolman.render.engine.rays import PIXEL_CENTRES, RaySamples, lens_slopes, origins_and_directions, pose_numbers
from tolman.render.engine.values import NOTHING, Floats, Hits, RenderPreset, ScenePart, preview_shade
from tolman.render.engine.variant import drjit, mitsuba, variant

_SAMPLES_AT_ONCE = 16
"""Samples per pixel that are traced together."""
Cell = tuple[int, int]


class VectorTracer:
    """Traces a Mitsuba scene; `parts` are those of its shapes by name. Methods take cameras of one lens, whose views
    are traced together, and the cell of each, whose parts it does not show.

    If shapes are `moving`, recordings are not used on CPUs, where they may read memory that has been reused since;
    tracing the functions again each time costs little.
    """

    def __init__(
        self, scene: Any, shapes: Mapping[str, Any], parts: Mapping[str, ScenePart], *, moving: bool = False
    ) -> None:
        self._scene, self._parts = scene, list(parts.values())
        self._cells = {cell: i for i, cell in enumerate(sorted({p.hidden_at for p in self._parts if p.hidden_at}))}
        self._ids = _by_shape(shapes, {name: part.id for name, part in parts.items()}, 0)
        hidden = {name: -1 if part.hidden_at is None else self._cells[part.hidden_at] for name, part in parts.items()}
        self._hidden = _by_shape(shapes, hidden, -1) if self._cells else None
        self._records = not moving or variant() == "cuda_ad_rgb"
        self._programs: dict[tuple[Callable[..., Program], tuple[object, ...]], Program] = {}
        self._points: LitPoints | None = None
        self._grid: LightGrid | None = None
        self._curve: Any = None

    def _program(self, make: Callable[..., Program], *arguments: object) -> Program:
        """The function for pictures of one size, recorded on first use."""
        if (make, arguments) not in self._programs:
            program = make(*arguments)
            self._programs[make, arguments] = recorded(program) if self._records else program
        return self._programs[make, arguments]

    def _own(self, cells: Sequence[Cell | None]) -> Any:
        """Numbers of the cameras' cells."""
        numbers = [-2 if cell is None else self._cells.get(cell, -2) for cell in cells]
        return mitsuba().Int32(np.array(numbers, np.int32))

    def hits(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> list[Hits]:
        """First hit of the ray through the centre of each pixel."""
        (ids, depth), normals = self._program(hits_program, *_size(cameras))(
            self._scene, lens_slopes(cameras[0]), pose_numbers(cameras), self._own(cells), self._ids, self._hidden
        )
        return _hits(cameras, ids, depth, normals)

    def guides(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> list[tuple[Floats, Floats]]:
        """Colour and normal of the first hit, averaged over a few rays per pixel."""
        colour, normal = self._program(guides_program, *_size(cameras))(
            self._scene, lens_slopes(cameras[0]), pose_numbers(cameras), self._own(cells), self._ids, self._hidden
        )
        return list(zip(_pictures(cameras, colour), _pictures(cameras, normal), strict=True))

    def preview(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> list[Floats]:
        """Shaded colours as light."""
        light = self._program(preview_program, *_size(cameras))(
            self._scene, lens_slopes(cameras[0]), pose_numbers(cameras), self._own(cells), self._ids, self._hidden
        )
        return _pictures(cameras, light)

    def preview_rgb(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> NDArray[np.uint8]:
        """The same as sRGB."""
        if self._curve is None:
            self._curve = mitsuba().UInt32(tone_curve().astype(np.uint32))
        view = self._scene, lens_slopes(cameras[0]), pose_numbers(cameras), self._own(cells), self._ids, self._hidden
        packed = np.array(self._program(preview_rgb_program, *_size(cameras))(*view, self._curve))
        return packed.view(np.uint8).reshape(len(cameras), *cameras[0].shape, 4)[..., :3]

    def light(
        self, cameras: Sequence[Camera], cells: Sequence[Cell | None], preset: RenderPreset, seed: int
    ) -> list[Floats]:
        """Mean light through each pixel."""
        total: Any = 0.0
        grid = self._light_grid().numbers if preset.gathered and self._light_grid().fits else None
        view = self._scene, lens_slopes(cameras[0]), pose_numbers(cameras), self._own(cells), self._hidden, grid
        for done in range(0, preset.samples, _SAMPLES_AT_ONCE):
            samples = RaySamples(done, min(_SAMPLES_AT_ONCE, preset.samples - done), preset.samples)
            program = self._program(light_program, *_size(cameras), preset, samples)
            total = total + program(*view, drjit().opaque(mitsuba().UInt32, seed * 7919 + done))
        return _pictures(cameras, total / preset.samples)

    def points(self) -> LitPoints:
        """Points on surfaces, and the light that falls on them; with nothing hidden."""
        if self._points is None:
            places, normals, building = sample_surfaces(self._parts)
            light, colours, is_open = surface_light(self._scene, places, normals)
            self._points = LitPoints(places, normals, building, light, colours).where(is_open)
        return self._points

    def _light_grid(self) -> LightGrid:
        if self._grid is None:
            self._grid = LightGrid(self.points())
        return self._grid


def _size(cameras: Sequence[Camera]) -> tuple[int, int]:
    """Views, and pixels of a view."""
    rows, columns = cameras[0].shape
    return len(cameras), rows * columns


def _pictures(cameras: Sequence[Camera], values: Any) -> list[Floats]:
    return list(np.array(values).reshape(len(cameras), *cameras[0].shape, 3))


def _hits(cameras: Sequence[Camera], ids: Any, depth: Any, normals: Any) -> list[Hits]:
    shape = len(cameras), *cameras[0].shape
    arrays = np.array(depth).reshape(shape), np.array(ids).reshape(shape), np.array(normals).reshape(*shape, 3)
    return [Hits(*one) for one in zip(*arrays, strict=True)]


def _by_shape(shapes: Mapping[str, Any], values: Mapping[str, int], default: int) -> Any:
    """Values as an array indexed by Mitsuba's number of a shape."""
    mi, dr = mitsuba(), drjit()
    numbers = {name: int(dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))[0]) for name, shape in shapes.items()}
    table: NDArray[np.int32] = np.full(max(numbers.values()) + 1, default, np.int32)
    for name, number in numbers.items():
        table[number] = values[name]
    return mi.Int32(table)


class ScalarTracer:
    """Traces a Mitsuba scene ray by ray, as `VectorTracer`. It hides nothing: parts are moved away by the caller."""

    def __init__(self, scene: Any, parts: Mapping[str, ScenePart]) -> None:
        self._scene, self._parts = scene, dict(parts)
        self._points: LitPoints | None = None

    def hits(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> list[Hits]:
        """First hit of the ray through the centre of each pixel."""
        del cells
        return [self._hits(camera) for camera in cameras]

    def _hits(self, camera: Camera) -> Hits:
        rows, columns = camera.shape
        depth = np.full(rows * columns, np.inf, np.float32)
        ids, normals = np.full(rows * columns, NOTHING, np.int32), np.zeros((rows * columns, 3), np.float32)
        for i, ray in enumerate(_scalar_rays(camera, PIXEL_CENTRES)):
            hit = self._scene.ray_intersect(ray)
            if hit.is_valid():
                depth[i], ids[i] = hit.t, self._parts[hit.shape.id()].id
                normals[i] = np.array(hit.sh_frame.n)
        return Hits(depth.reshape(camera.shape), ids.reshape(camera.shape), normals.reshape(rows, columns, 3))

    def light(
        self, cameras: Sequence[Camera], cells: Sequence[Cell | None], preset: RenderPreset, seed: int
    ) -> list[Floats]:
        """Mean light through each pixel; all bounces are traced."""
        del cells
        mi = mitsuba()
        integrator = mi.load_dict({"type": "path", "max_depth": preset.depth, "rr_depth": preset.sure})
        pictures: list[Floats] = []
        for camera in cameras:
            sampler = mi.load_dict({"type": "independent"})
            sampler.seed(seed)
            rays = _scalar_rays(camera, RaySamples(0, preset.samples, preset.samples, seed))
            light = np.array([np.array(integrator.sample(self._scene, sampler, ray)[0]) for ray in rays], np.float32)
            pictures.append(_pixel_mean(np.nan_to_num(light, posinf=0.0), camera))
        return pictures

    def guides(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> list[tuple[Floats, Floats]]:
        """Colour and normal of the first hit, averaged over a few rays per pixel."""
        del cells
        return [self._guides(camera, GUIDE_SAMPLES)[:2] for camera in cameras]

    def preview(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> list[Floats]:
        """Shaded colours as light."""
        del cells
        return [self._guides(camera, 1)[2] for camera in cameras]

    def preview_rgb(self, cameras: Sequence[Camera], cells: Sequence[Cell | None]) -> NDArray[np.uint8]:
        """The same as sRGB."""
        return np.stack([to_srgb(light) for light in self.preview(cameras, cells)])

    def _guides(self, camera: Camera, count: int) -> tuple[Floats, Floats, Floats]:
        """Colour, normal and shaded colour of the first hit."""
        found = np.zeros((camera.shape[0] * camera.shape[1] * count, 3, 3))
        for i, ray in enumerate(_scalar_rays(camera, RaySamples(0, count, count if count > 1 else 0))):
            hit = self._scene.ray_intersect(ray)
            if hit.is_valid():
                colour = np.clip(np.array(hit.bsdf().eval_diffuse_reflectance(hit)), 0, 1)
                normal = np.array(hit.sh_frame.n)
                shade = preview_shade(normal[0], normal[2], abs(float(normal @ np.array(ray.d))))
                lamp = hit.shape.emitter()
                found[i] = colour, normal, colour * shade + (np.array(lamp.eval(hit)) if lamp is not None else 0.0)
        colours, normals, shaded = (_pixel_mean(found[:, k], camera) for k in range(3))
        return colours, normals, shaded

    def points(self) -> LitPoints:
        """A few points on the building, and the light that falls on them."""
        if self._points is None:
            building = [part for part in self._parts.values() if part.id == 0]
            places, normals, owners = sample_surfaces(building)
            places, normals, owners = places[::_SCALAR_STEP], normals[::_SCALAR_STEP], owners[::_SCALAR_STEP]
            light, colours = self._surface_light(places, normals)
            self._points = LitPoints(places, normals, owners, light, colours)
        return self._points

    def _surface_light(self, places: Floats, normals: Floats) -> tuple[Floats, Floats]:
        mi = mitsuba()
        integrator, sampler = mi.load_dict({"type": "path", "max_depth": 12}), mi.load_dict({"type": "independent"})
        sampler.seed(0)
        light, colours = np.zeros_like(places), np.zeros_like(places)
        for i, (place, normal) in enumerate(zip(places.astype(float), normals.astype(float), strict=True)):
            ray = mi.RayDifferential3f(mi.Ray3f(mi.Point3f(*(place + normal * 1e-2)), mi.Vector3f(*-normal)))
            hit = self._scene.ray_intersect(ray)
            colours[i] = np.array(hit.bsdf().eval_diffuse_reflectance(hit)) if hit.is_valid() else 0.5
            seen = np.array(integrator.sample(self._scene, sampler, ray)[0])
            light[i] = np.nan_to_num(seen, posinf=0.0) / np.maximum(colours[i], 0.02)
        return light, colours


_SCALAR_STEP = 100
"""Of the sampled points on surfaces the scalar engine uses one in so many."""


def _scalar_rays(camera: Camera, samples: RaySamples) -> Any:
    mi = mitsuba()
    origins, directions = origins_and_directions(camera, samples)
    for origin, direction in zip(origins.tolist(), directions.tolist(), strict=True):
        yield mi.RayDifferential3f(mi.Ray3f(mi.Point3f(*origin), mi.Vector3f(*direction)))


def _pixel_mean(values: Any, camera: Camera) -> Floats:
    """The mean over the rays of each pixel, which are next to each other."""
    rows, columns = camera.shape
    return values.reshape(rows, columns, -1, 3).mean(axis=2).astype(np.float32)
