"""Own sides of an asset: how alike it looks from its front, right, back and left, at 1, 3 and 6 m.

A facing can be told from a picture only where the asset would look different if it faced another way.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tolman.core.geometry import Heading
from tolman.render.assets.appearance import FAR, FIELD, MIDWAY, NEAR, SIZE, PlainRoomView, lab, without_plinth
from tolman.render.assets.choose import FallbackSource
from tolman.render.assets.pack.source import PackSource
from tolman.render.assets.source import AssetSource
from tolman.render.building.things import AssetOf, placed_thing
from tolman.render.building.walls import EYE
from tolman.render.shapes.mesh import Asset, Mesh, Texture
from tolman.world import Thing
from tolman.world.vocabulary import ObjectKind

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Side = Literal["front", "right", "back", "left"]
OWN_SIDES: tuple[Side, ...] = ("front", "right", "back", "left")
"""In steps of 90 degrees clockwise seen from above, as the camera goes around the asset."""
DISTANCES = (NEAR, MIDWAY, FAR)
"""Metres."""
MOST_ALIKE = 0.80
"""Two sides may look the same in at most this share of their pixels. An asset with a larger share at any distance fails
the check; facings are not scored where a larger share was seen (`Rules.only_visible_facings`)."""
_SAME_COLOUR = 8.0
"""Distance in CIE Lab below which two colours count as the same."""
_TILE = 128
"""Samples of a side of each picture."""
_CROPS = {NEAR: 384, MIDWAY: 192, FAR: 128}
"""Side of the central square that is compared, in pixels of a view of 384, by distance."""
_SPACING, _SKIN, _NEAREST, _GLASS = 0.006, 0.02, 0.05, 0.5
"""Metres between points of a surface; metres behind the nearest point within which points are of one surface; least
distance from the camera; transparency from which a surface is glass."""
_GOLDEN = 0.6180339887498949
_BELOW, _UPWARD, _TOWARDS = 0.15, 0.75, 0.10
"""Shade of a surface that faces down, what facing up adds to it, and what facing the camera adds."""


@dataclass(frozen=True, eq=False)
class SidePicture:
    """An asset from one side: where it is, and its Lab colours under light from above."""

    mask: Mask
    colours: Floats


@dataclass(frozen=True, order=True)
class OwnLikeness:
    """Share of the pixels of two sides that look the same, at a distance in metres."""

    share: float
    sides: tuple[Side, Side]
    metres: float


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """Points all over the visible surfaces of an asset, with unit normals and linear colours."""

    points: Floats
    normals: Floats
    colours: Floats

    @classmethod
    def of(cls, meshes: Sequence[Mesh]) -> "SurfacePoints":
        """At most `_SPACING` apart; glass has none. The same meshes give the same points."""
        parts = [_mesh_points(mesh) for mesh in meshes if mesh.material.transparency < _GLASS]
        points, normals, colours = (np.concatenate(each) for each in zip(*parts, strict=True))
        return cls(points, normals, colours)

    def picture(self, metres: float, angle: float) -> SidePicture:
        """From a level camera at eye height, `angle` degrees off the front, clockwise seen from above."""
        sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        x, y, z = self.points.T
        ahead, right, up = metres + x * sin + y * cos, x * cos - y * sin, z - EYE
        scale = _TILE / 2 / (math.tan(math.radians(FIELD) / 2) * _CROPS[metres] / SIZE)
        depth = np.maximum(ahead, _NEAREST)
        column = np.floor(_TILE / 2 + scale * right / depth).astype(np.int64)
        row = np.floor(_TILE / 2 - scale * up / depth).astype(np.int64)
        seen = (ahead > _NEAREST) & (np.minimum(row, column) >= 0) & (np.maximum(row, column) < _TILE)
        return self._averaged(seen, row * _TILE + column, ahead, (sin, cos))

    def _averaged(self, seen: Mask, pixel: NDArray[np.int64], ahead: Floats, view: tuple[float, float]) -> SidePicture:
        """The mean colour of the nearest points of each pixel."""
        pixel, ahead = pixel[seen], ahead[seen]
        nearest = np.full(_TILE * _TILE, np.inf, np.float32)
        np.minimum.at(nearest, pixel, ahead)
        front = ahead < nearest[pixel] + _SKIN
        pixel, normals = pixel[front], self.normals[seen][front]
        towards = np.abs(normals[:, 0] * view[0] + normals[:, 1] * view[1])
        shade = _BELOW + _UPWARD * (1 + normals[:, 2]) / 2 + _TOWARDS * towards
        light = self.colours[seen][front] * shade[:, None]
        count = np.bincount(pixel, minlength=_TILE * _TILE)
        sums = [np.bincount(pixel, weights=light[:, i], minlength=_TILE * _TILE) for i in range(3)]
        mean = np.stack(sums, axis=-1) / np.maximum(count, 1)[:, None]
        shape = _TILE, _TILE
        return SidePicture((count > 0).reshape(shape), lab(mean.astype(np.float32)).reshape(*shape, 3))


def _mesh_points(mesh: Mesh) -> tuple[Floats, Floats, Floats]:
    corners = mesh.points[mesh.triangles]
    a, b, c = (corners[:, i] for i in range(3))
    flat = np.cross(b - a, c - a)
    areas = np.linalg.norm(flat, axis=1) / 2
    count = np.maximum(1, np.ceil(areas / _SPACING**2)).astype(int)
    triangle = np.repeat(np.arange(len(areas)), count)
    number = np.arange(len(triangle)) - np.repeat(np.cumsum(count) - count, count)
    u, v = (number + 0.5) / count[triangle], (number * _GOLDEN + 0.5) % 1.0  # low discrepancy in each triangle
    root = np.sqrt(u)
    weights = np.stack([1 - root, root * (1 - v), root * v], axis=-1).astype(np.float32)

    def mixed(values: Floats) -> Floats:
        return np.einsum("ij,ijk->ik", weights, values[mesh.triangles][triangle])

    normals = flat[triangle] if mesh.normals is None else mixed(mesh.normals)
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    return mixed(mesh.points), normals.astype(np.float32), _colours(mesh, mixed, len(triangle))


def _colours(mesh: Mesh, mixed: Callable[[Floats], Floats], count: int) -> Floats:
    colour = mesh.material.colour
    if not isinstance(colour, Texture):
        return np.broadcast_to(np.array(colour, np.float32), (count, 3))
    height, width = colour.image.shape[:2]
    if mesh.coordinates is None:
        return np.broadcast_to(((colour.image / 255.0) ** 2.2).mean(axis=(0, 1)).astype(np.float32), (count, 3))
    across, up = mixed(mesh.coordinates).T
    row, column = ((1 - up % 1) * height).astype(int) % height, (across % 1 * width).astype(int) % width
    return ((colour.image[row, column] / 255.0) ** 2.2).astype(np.float32)


def likeness(some: SidePicture, other: SidePicture) -> float:
    """Share of the pixels of two pictures that the other one repeats: a similar colour within one pixel."""
    count = int(some.mask.sum() + other.mask.sum())
    return float(_repeated(some, other) + _repeated(other, some)) / max(count, 1)


def _repeated(some: SidePicture, other: SidePicture) -> int:
    height, width = some.mask.shape
    mask, colours = np.pad(other.mask, 1), np.pad(other.colours, ((1, 1), (1, 1), (0, 0)))
    same = np.zeros_like(some.mask)
    for down in range(3):
        for right in range(3):
            part = np.s_[down : down + height, right : right + width]
            same |= mask[part] & (((colours[part] - some.colours) ** 2).sum(axis=-1) < _SAME_COLOUR**2)
    return int((same & some.mask).sum())


def assets_of(source: AssetSource, kind: str, looks: int) -> Iterator[Asset]:
    """All assets of a kind that a pack has, and `looks` of those that are generated or come from a folder."""
    if isinstance(source, FallbackSource):
        for owner in source.owners(kind):
            yield from assets_of(owner, kind, looks)
    elif isinstance(source, PackSource):
        yield from (source.named_asset(name, kind) for name in source.names(kind))
    else:
        yield from (source.asset(kind, seed) for seed in range(looks))


def own_likeness(kind: ObjectKind, asset: Asset) -> tuple[OwnLikeness, ...]:
    """All pairs of an asset's sides at all distances, the most alike first; with the size that it has in scenes."""

    def the_asset(kind: str, seed: int) -> Asset:
        del kind, seed
        return asset

    return meshes_likeness(PlainRoomView(kind, the_asset).meshes)


def meshes_likeness(meshes: Sequence[Mesh]) -> tuple[OwnLikeness, ...]:
    """The same for meshes whose front is to the south."""
    surface = SurfacePoints.of(meshes)
    found: list[OwnLikeness] = []
    for metres in DISTANCES:
        pictures = {side: surface.picture(metres, 90.0 * number) for number, side in enumerate(OWN_SIDES)}
        pairs = combinations(OWN_SIDES, 2)
        found += [OwnLikeness(likeness(pictures[a], pictures[b]), (a, b), metres) for a, b in pairs]
    return tuple(sorted(found, reverse=True))


def alike_views(thing: Thing, asset_of: AssetOf, seed: int, version: int = 1) -> list[tuple[int, int, int]]:
    """Views of a thing that look the same: metres, and two angles off its front, a multiple of 90 degrees apart.

    `seed` is that of the scene's appearance.
    """
    at = replace(thing, cell=(0, 0), front=Heading.SOUTH)
    surface = SurfacePoints.of(without_plinth(list(placed_thing(at, asset_of, seed, version))))
    found: list[tuple[int, int, int]] = []
    for metres in DISTANCES:
        for first in (0, 45):
            pictures = {angle: surface.picture(metres, angle) for angle in range(first, 360, 90)}
            found += [
                (round(metres), a, b)
                for a, b in combinations(pictures, 2)
                if likeness(pictures[a], pictures[b]) > MOST_ALIKE
            ]
    return found
