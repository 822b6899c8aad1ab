"""Conversion of a catalogue entry to an asset: one mesh per material, with normals, decimated, z up, front towards +y,
in metres.
"""

import io
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures

from tolman.core.errors import SettingsError
from tolman.render.assets.pack.catalogue import Catalogue, CatalogueEntry
from tolman.render.assets.pack.wavefront import MISSING, MtlMaterial, ObjFile, linear_colour, read_mtl, read_obj
from tolman.render.shapes.mesh import Asset, Material, Mesh, Texture

SHARP = 50.0
"""Degrees between two faces from which on their edge is not smoothed."""


def corner_normals(
    points: NDArray[np.float64], triangles: NDArray[np.int64], smooth: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """A normal for each corner of each triangle: the mean, weighted by angle, of the faces around it up to `SHARP`.

    Corners of faces that are not smooth, or have no area, get the normal of their face.
    """
    corners = points[triangles]
    faces = _unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    normals = np.repeat(faces[:, None, :], 3, axis=1)
    rounded = np.flatnonzero(smooth)
    if len(rounded):
        normals[rounded] = _smoothed(triangles[rounded], _angles(corners[rounded]), faces[rounded])
    return normals


def _smoothed(
    triangles: NDArray[np.int64], angles: NDArray[np.float64], faces: NDArray[np.float64]
) -> NDArray[np.float64]:
    vertex = triangles.reshape(-1)
    owner = np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(vertex, kind="stable")
    _, start, size = np.unique(vertex[order], return_index=True, return_counts=True)
    totals = np.zeros((len(vertex), 3))
    for length in np.unique(size):
        group = order[start[size == length][:, None] + np.arange(length)]
        owners = owner[group]
        near = np.einsum("gik,gjk->gij", faces[owners], faces[owners]) >= np.cos(np.radians(SHARP))
        weighted = angles.reshape(-1)[group][:, :, None] * faces[owners]
        totals[group] = np.einsum("gij,gjk->gik", near.astype(np.float64), weighted)
    normals = _unit(totals)
    flat = (totals == 0).all(axis=1)
    normals[flat] = faces[owner[flat]]
    return normals.reshape(-1, 3, 3)


def _angles(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Radians at each corner of each triangle."""
    ahead = _unit(np.roll(corners, -1, axis=1) - corners)
    back = _unit(np.roll(corners, 1, axis=1) - corners)
    return np.arccos(np.clip((ahead * back).sum(axis=2), -1.0, 1.0))


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-30)


NORMAL_STEPS = 8192
"""Steps per unit to which normals are rounded; corners with the same rounded normal share a vertex."""
LARGEST_COORDINATE = 1000.0
"""Texture coordinates beyond it are errors of the program that wrote the file."""


def meshes_of(shape: ObjFile, material: Callable[[str], Material]) -> tuple[Mesh, ...]:
    """The meshes of an OBJ file, in its own axes and units, without triangles that have no area."""
    normals = _corner_normals(shape)
    corners = shape.points[shape.corners[:, :, 0]]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    solid = np.linalg.norm(faces, axis=1) > 0
    inverted = (faces * normals.sum(axis=1)).sum(axis=1) < 0
    meshes: list[Mesh] = []
    for number in np.unique(shape.material):
        chosen = np.flatnonzero((shape.material == number) & solid)
        if len(chosen):
            mesh = _mesh(shape, chosen, normals[chosen], material(shape.materials[int(number)]))
            triangles = np.where(inverted[chosen, None], mesh.triangles[:, ::-1], mesh.triangles)
            meshes.append(replace(mesh, triangles=np.asarray(triangles, dtype=np.int32)))
    return tuple(meshes)


def _corner_normals(shape: ObjFile) -> NDArray[np.float64]:
    """The file's own normals where a triangle has all three, else computed ones."""
    rows = shape.corners[:, :, 2]
    given = (rows != MISSING).all(axis=1)
    if given.all() and len(given):
        return shape.normals[rows]
    normals = corner_normals(shape.points, shape.corners[:, :, 0], shape.smooth)
    normals[given] = shape.normals[rows[given]]
    return normals


def _mesh(shape: ObjFile, chosen: NDArray[np.int64], normals: NDArray[np.float64], material: Material) -> Mesh:
    flat = shape.corners[chosen].reshape(-1, 3)
    steps = np.rint(normals.reshape(-1, 3) * NORMAL_STEPS).astype(np.int64)
    if not isinstance(material.colour, Texture):
        flat[:, 1] = MISSING
    keys = np.column_stack([flat[:, :2], steps])
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    coordinates = None
    if isinstance(material.colour, Texture):
        table = np.vstack([shape.coordinates, np.zeros((1, 2))])
        coordinates = np.where(np.abs(table) < LARGEST_COORDINATE, table, 0.0)[flat[first, 1]].astype(np.float32)
    length = np.maximum(np.linalg.norm(steps[first], axis=1, keepdims=True), 1)
    return Mesh(
        points=shape.points[flat[first, 0]].astype(np.float32),
        triangles=back.reshape(-1, 3).astype(np.int32),
        material=material,
        normals=(steps[first] / length).astype(np.float32),
        coordinates=coordinates,
    )


FROM_PACK = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
"""From x right, y up, front +z to front +y, z up."""
LARGEST_TEXTURE = 512
MOST_TRIANGLES = 60_000
FLAT = 1e-4
"""Thickness, in a file's own units, below which an asset is not scaled."""


class MissingPartWarning(UserWarning):
    """A file that an asset refers to is missing; the asset is used without it."""


def convert_entry(catalogue: Catalogue, entry: CatalogueEntry, turned: float = 0.0) -> Asset:
    """Read an asset, scale it to the size in the catalogue, and turn it by `turned` degrees, anticlockwise seen from
    above."""
    shape = _read_obj_file(catalogue, entry)
    materials: dict[str, MtlMaterial] = {}
    for library in shape.libraries:
        materials |= _read_materials(catalogue, entry, library)

    @cache
    def read_texture(name: str) -> Texture | None:
        return _read_texture(catalogue, entry, name)

    def material(name: str) -> Material:
        source = materials.get(name, MtlMaterial())
        texture = read_texture(source.picture) if source.picture else None
        colour = texture or linear_colour(source.colour)
        return Material(colour, source.roughness, source.metallic, source.transparency)

    asset = Asset(meshes_of(shape, material))
    if not asset.meshes:
        raise SettingsError(f"the asset {entry.folder} of {catalogue.name} has no surface")
    return _scaled_and_turned(asset, entry, turned)


def _read_obj_file(catalogue: Catalogue, entry: CatalogueEntry) -> ObjFile:
    try:
        return read_obj(catalogue.read(entry.file))
    except KeyError:
        raise SettingsError(f"{catalogue.name} has no file {entry.file!r}") from None


def _read_materials(catalogue: Catalogue, entry: CatalogueEntry, name: str) -> dict[str, MtlMaterial]:
    """The materials of the MTL file of that name, or of the only one in the asset's folder."""
    members = [member for member in catalogue.members if member.startswith(f"{entry.folder}/")]
    found = [member for member in members if member.lower() == f"{entry.folder}/{name}".lower()]
    found = found or [member for member in members if member.lower().endswith(".mtl")]
    if len(found) == 1:
        return read_mtl(catalogue.read(found[0]))
    warnings.warn(f"{entry.folder} has no materials {name!r}: it becomes grey", MissingPartWarning, stacklevel=2)
    return {}


def _read_texture(catalogue: Catalogue, entry: CatalogueEntry, name: str) -> Texture | None:
    """A texture scaled down to 512 pixels a side; transparent parts get its mean colour."""
    try:
        with Pictures.open(io.BytesIO(catalogue.read(f"{entry.folder}/{name}"))) as opened:
            picture = opened.convert("RGBA")
    except (KeyError, OSError, ValueError, Pictures.DecompressionBombError):
        warnings.warn(
            f"{entry.folder} has no texture {name!r}: a plain colour is used", MissingPartWarning, stacklevel=2
        )
        return None
    picture.thumbnail((LARGEST_TEXTURE, LARGEST_TEXTURE), Pictures.Resampling.LANCZOS)
    pixels = np.asarray(picture, dtype=np.float64)
    alpha = pixels[:, :, 3:] / 255
    mean = (pixels[:, :, :3] * alpha).sum(axis=(0, 1)) / max(float(alpha.sum()), 1e-6)
    return Texture(np.rint(pixels[:, :, :3] * alpha + mean * (1 - alpha)).astype(np.uint8))


def _scaled_and_turned(asset: Asset, entry: CatalogueEntry, turned: float) -> Asset:
    upright = asset.moved(np.column_stack([FROM_PACK @ entry.rotation, np.zeros(3)]))
    low, high = upright.bounds
    width, depth, height = entry.size
    factors = np.array([width, depth, height]) / np.maximum(high - low, FLAT)
    centre = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    sized = upright.moved(np.column_stack([np.diag(factors), -centre * factors]))
    angle = np.radians(turned)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return sized.moved(np.column_stack([turn, np.zeros(3)]))


def decimated(asset: Asset, most: int) -> Asset:
    """The asset with at most `most` triangles: itself, or its vertices merged on the finest grid that suffices."""
    low, high = asset.bounds
    cells, reduced = 2048.0, asset
    while sum(len(mesh.triangles) for mesh in reduced.meshes) > most:
        cells /= 1.25
        side = float((high - low).max()) / cells
        meshes = (_merged_on_grid(mesh, low, side) for mesh in asset.meshes)
        reduced = Asset(tuple(mesh for mesh in meshes if len(mesh.triangles)))
    return reduced


def _merged_on_grid(mesh: Mesh, low: NDArray[np.float64], side: float) -> Mesh:
    """Merge vertices that are in one cell of a grid and have similar normals."""
    cell = np.floor((mesh.points - low) / side).astype(np.int64)
    normal = np.zeros_like(cell) if mesh.normals is None else np.rint(mesh.normals).astype(np.int64)
    _, first, back = np.unique(np.column_stack([cell, normal]), axis=0, return_index=True, return_inverse=True)
    triangles = back[mesh.triangles].reshape(-1, 3)
    a, b, c = triangles.T
    triangles = np.unique(triangles[(a != b) & (b != c) & (c != a)], axis=0)
    return Mesh(
        points=mesh.points[first],
        triangles=triangles.astype(np.int32),
        material=mesh.material,
        normals=None if mesh.normals is None else mesh.normals[first],
        coordinates=None if mesh.coordinates is None else mesh.coordinates[first],
    )
