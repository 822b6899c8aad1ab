"""Light gathered once per scene: what falls on surfaces on average, by cells of a grid and by their direction.

Paths of a view read it at their second surface instead of going on for ten bounces. Shadows, reflections and what is
visible are traced for every view as before, so cells of a quarter metre are fine enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import rng
from tolman.render.engine.conversion import GLASS_FROM, engine_floats
from tolman.render.engine.values import ScenePart
from tolman.render.engine.variant import drjit, mitsuba

Floats = NDArray[np.float32]
CELL = 0.25
"""Metres of a cell's side. Walls stand on multiples of it, so no cell is in two rooms."""
_POINTS_PER_AREA = 160.0
"""Sampled points per square metre of surface."""
_MOST_POINTS = 400_000
_MOST_CELLS = 4_000_000
_LIFT = 0.03
"""Metres from a surface to the place whose cell it belongs to."""
_ABOVE = 1e-3
"""Metres above a surface from which it is looked at."""
_DARKEST, _BRIGHTEST = 0.1, 20.0
"""Colours below the first count as that, so that a gloss on black does not brighten what is beside it; light above the
second is an outlier."""
_DEPTH, _SURE = 40, 6
_SPREAD = 2
"""Cells by which means are continued into cells without surfaces, where jittered places may lie."""
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


@dataclass(frozen=True, eq=False)
class LitPoints:
    """Points on surfaces, with the light that falls on them."""

    places: Floats
    normals: Floats
    building: NDArray[np.bool_]
    """Whether a point is on the building, not on a thing."""
    light: Floats
    """Light that leaves them upright, divided by their colour: for matt surfaces irradiance over pi."""
    colours: Floats

    def where(self, chosen: NDArray[np.bool_]) -> "LitPoints":
        """Some of the points."""
        places, normals, building = self.places[chosen], self.normals[chosen], self.building[chosen]
        return LitPoints(places, normals, building, self.light[chosen], self.colours[chosen])

    def luminance(self, low: Sequence[float], high: Sequence[float]) -> float:
        """Mean luminance of the building's surfaces in a box; 0 if there are none."""
        inside = self.building & np.all((self.places > np.array(low)) & (self.places < np.array(high)), axis=1)
        return float((self.light[inside] * self.colours[inside] @ _LUMINANCE).mean()) if inside.any() else 0.0


def sample_surfaces(parts: Sequence[ScenePart]) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Places, normals, and whether they belong to the building: points spread evenly over all surfaces that neither
    shine nor are glass."""
    corners, building = [np.zeros((0, 3, 3))], [np.zeros(0, bool)]
    for part in parts:
        if part.mesh.material.emission == 0 and part.mesh.material.transparency < GLASS_FROM:
            corners.append(part.mesh.points[part.mesh.triangles].astype(np.float64))
            building.append(np.full(len(part.mesh.triangles), part.id == 0))
    triangles, owners = np.concatenate(corners), np.concatenate(building)
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(crossed, axis=1) / 2
    total = float(areas.sum())
    if total <= 0:
        return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros(0, bool)
    count = min(_MOST_POINTS, round(total * _POINTS_PER_AREA))
    stream = rng(0, "light grid")
    steps = (np.arange(count) + stream.random(count)) * (total / count)
    chosen = np.minimum(np.searchsorted(np.cumsum(areas), steps), len(areas) - 1)
    root, other = np.sqrt(stream.random(count)), stream.random(count)
    weights = np.stack([1 - root, root * (1 - other), root * other], axis=1)
    places = (triangles[chosen] * weights[..., None]).sum(axis=1)
    normals = crossed[chosen] / (2 * areas[chosen, None])
    return places.astype(np.float32), normals.astype(np.float32), owners[chosen]


def surface_light(scene: Any, places: Floats, normals: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Light from each point by one path, divided by its colour; the colour; and whether the point is open: those inside
    solids, or with something right in front of them as a lamp on its mount, would spoil the mean of their cell."""
    mi, dr = mitsuba(), drjit()
    integrator = mi.load_dict({"type": "path", "max_depth": _DEPTH, "rr_depth": _SURE})
    sampler = mi.load_dict({"type": "independent"})
    sampler.seed(0, wavefront_size=len(places))
    normal = mi.Vector3f(np.ascontiguousarray(normals.T))
    above = mi.Point3f(np.ascontiguousarray(places.T)) + normal * _ABOVE
    down = mi.RayDifferential3f(above, -normal)
    surface = scene.ray_intersect(mi.Ray3f(above, -normal))
    light, _, _ = integrator.sample(scene, sampler, down)
    light = dr.select(dr.all(dr.isfinite(light)), dr.minimum(light, _BRIGHTEST), 0.0)
    colour = dr.select(surface.is_valid(), surface.bsdf().eval_diffuse_reflectance(surface), 0.0)
    facing = scene.ray_intersect(mi.Ray3f(above, normal))
    is_open = ~facing.is_valid() | ((facing.t > _LIFT) & (dr.dot(facing.n, normal) < 0))
    light, colour = dr.ravel(light / dr.maximum(colour, _DARKEST)), dr.ravel(colour)
    dr.eval(light, colour, is_open)
    return np.array(light).reshape(-1, 3), np.array(colour).reshape(-1, 3), np.array(is_open)


class LightGrid:
    """Irradiance over pi by cell and direction, for use in programs."""

    def __init__(self, points: LitPoints) -> None:
        places = points.places + np.float32(_LIFT) * points.normals
        low, high = np.floor(places.min(axis=0) / CELL) - 1, np.ceil(places.max(axis=0) / CELL) + 1
        self.size = (high - low).astype(int)
        self.low = low * CELL
        self.fits = bool(self.size.prod() * 6 <= _MOST_CELLS)
        if self.fits:
            cells = np.floor(places / CELL - low).astype(int)
            flat = (cells[:, 0] * self.size[1] + cells[:, 1]) * self.size[2] + cells[:, 2]
            self.values = engine_floats(self._filled(flat * 6 + _side(points.normals), points.light))

    def _filled(self, keys: NDArray[np.int_], light: Floats) -> Floats:
        """Means of all cells; where nothing was sampled or all is dark, as outdoors, those of neighbours with the same
        direction, or of the whole grid."""
        shape = *self.size.tolist(), 6
        total = int(np.prod(shape))
        counts = np.bincount(keys, minlength=total).astype(np.float64)
        sums = np.stack([np.bincount(keys, light[:, i], minlength=total) for i in range(3)], axis=-1)
        lit = (sums.sum(axis=-1) > 0).reshape(shape)
        means = np.where(lit[..., None], (sums / np.maximum(counts, 1)[:, None]).reshape(*shape, 3), 0.0)
        whole = means[lit].mean(axis=0) if lit.any() else np.zeros(3)
        for _ in range(_SPREAD):
            near, number = _neighbours(means), _neighbours(lit[..., None].astype(np.float64))
            filled = ~lit & (number[..., 0] > 0)
            means = np.where(filled[..., None], near / np.maximum(number, 1), means)
            lit = lit | filled
        return np.where(lit[..., None], means, whole).astype(np.float32).ravel()

    @property
    def numbers(self) -> tuple[Any, ...]:
        """The grid as arguments of `grid_light`."""
        mi, dr = mitsuba(), drjit()
        low = (dr.opaque(mi.Float, float(value)) for value in self.low)
        return self.values, *low, *(dr.opaque(mi.Int32, int(value)) for value in self.size)


def _neighbours(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum over the six neighbours of each cell; cells at the border of the grid are empty."""
    return sum((np.roll(values, step, axis) for axis in range(3) for step in (-1, 1)), np.zeros(1))


def grid_light(numbers: tuple[Any, ...], place: Any, normal: Any, jitter: Any) -> Any:
    """Irradiance over pi at a place, from a cell near it; `jitter` in [0, 1] per axis blurs the borders of cells."""
    mi, dr = mitsuba(), drjit()
    values, *rest = numbers
    low, size = rest[:3], rest[3:]
    x, y, z = (dr.abs(part) for part in (normal.x, normal.y, normal.z))
    along_x, along_y = (x >= y) & (x >= z), (y > x) & (y >= z)
    side = dr.select(
        along_x,
        dr.select(normal.x > 0, 0, 1),
        dr.select(along_y, dr.select(normal.y > 0, 2, 3), dr.select(normal.z > 0, 4, 5)),
    )
    spread = (~along_x, ~along_y, along_x | along_y)
    cell: list[Any] = []
    for i in range(3):
        shift = dr.select(spread[i], (jitter[i] - 0.5) * CELL, 0.0)
        index = mi.Int32(dr.floor((place[i] + normal[i] * _LIFT + shift - low[i]) / CELL))
        cell.append(dr.clip(index, 0, size[i] - 1))
    key = ((cell[0] * size[1] + cell[1]) * size[2] + cell[2]) * 6 + mi.Int32(side)
    return dr.gather(mi.Color3f, values, mi.UInt32(key))


def _side(normals: Floats) -> NDArray[np.int_]:
    """The axis nearest to a normal and its sign: +x, -x, +y, -y, +z, -z."""
    size = np.abs(normals)
    x, y, z = size.T
    axis = np.where((x >= y) & (x >= z), 0, np.where((y > x) & (y >= z), 1, 2))
    return axis * 2 + (np.take_along_axis(normals, axis[:, None], axis=1)[:, 0] <= 0)
