"""One catalogue entry as an asset: meshes of one material each, with normals, decimated, z up, front towards +y, in
metres.
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
"""Degrees between two faces from which their edge stays an edge."""


def corner_normals(
    points: NDArray[np.float64], triangles: NDArray[np.int64], smooth: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """A normal for each corner of each triangle: the mean, by angle, of the faces around it that bend away little.

    Faces that are not smooth, and those without area, keep their own.
    """
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    faces = _unit(across)
    normals = np.repeat(faces[:, None, :], 3, axis=1)
    soft = np.flatnonzero(smooth)
    if len(soft):
        normals[soft] = _rounded(triangles[soft], _angles(corners[soft]), faces[soft])
    return normals


def _rounded(
    triangles: NDArray[np.int64], angles: NDArray[np.float64], faces: NDArray[np.float64]
) -> NDArray[np.float64]:
    vertex = triangles.reshape(-1)
    owner = np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(vertex, kind="stable")
    _, start, size = np.unique(vertex[order], return_index=True, return_counts=True)
    totals = np.zeros((len(vertex), 3))
    for length in np.unique(size):
        group = order[start[size == length][:, None] + np.arange(length)]
        of = owner[group]
        near = np.einsum("gik,gjk->gij", faces[of], faces[of]) >= np.cos(np.radians(SHARP))
        shares = angles.reshape(-1)[group][:, :, None] * faces[of]
        totals[group] = np.einsum("gij,gjk->gik", near.astype(np.float64), shares)
    rounded = _unit(totals)
    flat = (totals == 0).all(axis=1)
    rounded[flat] = faces[owner[flat]]
    return rounded.reshape(-1, 3, 3)


def _angles(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Radians at each corner of each triangle."""
    ahead = _unit(np.roll(corners, -1, axis=1) - corners)
    back = _unit(np.roll(corners, 1, axis=1) - corners)
    return np.arccos(np.clip((ahead * back).sum(axis=2), -1.0, 1.0))


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-30)


STEPS = 8192
"""Steps of a normal's parts: two corners whose normals differ by less share a vertex."""
FARTHEST = 1000.0
"""Texture coordinates beyond it are mistakes of the program that wrote the file."""


def meshes_of(shape: ObjFile, material: Callable[[str], Material]) -> tuple[Mesh, ...]:
    """The shape as meshes, in its own axes and units. Triangles without area are dropped."""
    normals = _corner_normals(shape)
    corners = shape.points[shape.corners[:, :, 0]]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    solid = np.linalg.norm(across, axis=1) > 0
    backwards = (across * normals.sum(axis=1)).sum(axis=1) < 0
    found: list[Mesh] = []
    for number in np.unique(shape.material):
        chosen = np.flatnonzero((shape.material == number) & solid)
        if len(chosen):
            mesh = _mesh(shape, chosen, normals[chosen], material(shape.materials[int(number)]))
            turned = np.where(backwards[chosen, None], mesh.triangles[:, ::-1], mesh.triangles)
            found.append(replace(mesh, triangles=np.asarray(turned, dtype=np.int32)))
    return tuple(found)


def _corner_normals(shape: ObjFile) -> NDArray[np.float64]:
    """The file's own normals where a triangle has all three, else made ones."""
    places = shape.corners[:, :, 2]
    named = (places != MISSING).all(axis=1)
    if named.all() and len(named):
        return shape.normals[places]
    made = corner_normals(shape.points, shape.corners[:, :, 0], shape.smooth)
    made[named] = shape.normals[places[named]]
    return made


def _mesh(shape: ObjFile, chosen: NDArray[np.int64], normals: NDArray[np.float64], material: Material) -> Mesh:
    flat = shape.corners[chosen].reshape(-1, 3)
    steps = np.rint(normals.reshape(-1, 3) * STEPS).astype(np.int64)
    if not isinstance(material.colour, Texture):
        flat[:, 1] = MISSING
    keys = np.column_stack([flat[:, :2], steps])
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    coordinates = None
    if isinstance(material.colour, Texture):
        table = np.vstack([shape.coordinates, np.zeros((1, 2))])
        coordinates = np.where(np.abs(table) < FARTHEST, table, 0.0)[flat[first, 1]].astype(np.float32)
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
"""In a file's own units: what is thinner is not made thicker."""


class MissingPartWarning(UserWarning):
    """Something that a model names is not there; the model is used without."""


def convert_entry(catalogue: Catalogue, entry: CatalogueEntry, turned: float = 0.0) -> Asset:
    """Read a model, make it as large as the catalogue says, and turn it anticlockwise by degrees seen from above."""
    shape = _read_obj_file(catalogue, entry)
    looks: dict[str, MtlMaterial] = {}
    for library in shape.libraries:
        looks |= _read_materials(catalogue, entry, library)

    @cache
    def picture(name: str) -> Texture | None:
        return _read_texture(catalogue, entry, name)

    def material(name: str) -> Material:
        look = looks.get(name, MtlMaterial())
        texture = picture(look.picture) if look.picture else None
        colour = texture or linear_colour(look.colour)
        return Material(colour, look.roughness, look.metallic, look.clear)

    model = Asset(meshes_of(shape, material))
    if not model.meshes:
        raise SettingsError(f"the model {entry.folder} of {catalogue.name} has no surface")
    return _scaled_and_turned(model, entry, turned)


def _read_obj_file(catalogue: Catalogue, entry: CatalogueEntry) -> ObjFile:
    try:
        return read_obj(catalogue.read(entry.file))
    except KeyError:
        raise SettingsError(f"{catalogue.name} has no file {entry.file!r}") from None


def _read_materials(catalogue: Catalogue, entry: CatalogueEntry, name: str) -> dict[str, MtlMaterial]:
    """The materials of the MTL file of that name, or of the only one that lies beside the model."""
    beside = [member for member in catalogue.members if member.startswith(f"{entry.folder}/")]
    found = [member for member in beside if member.lower() == f"{entry.folder}/{name}".lower()]
    found = found or [member for member in beside if member.lower().endswith(".mtl")]
    if len(found) == 1:
        return read_mtl(catalogue.read(found[0]))
    warnings.warn(f"{entry.folder} has no materials {name!r}: it becomes grey", MissingPartWarning, stacklevel=2)
    return {}


def _read_texture(catalogue: Catalogue, entry: CatalogueEntry, name: str) -> Texture | None:
    """A picture no larger than 512 pixels a side; what shows through it becomes its mean colour."""
    try:
        with Pictures.open(io.BytesIO(catalogue.read(f"{entry.folder}/{name}"))) as opened:
            picture = opened.convert("RGBA")
    except (KeyError, OSError, ValueError, Pictures.DecompressionBombError):
        warnings.warn(
            f"{entry.folder} has no picture {name!r}: a plain colour stands in", MissingPartWarning, stacklevel=2
        )
        return None
    picture.thumbnail((LARGEST_TEXTURE, LARGEST_TEXTURE), Pictures.Resampling.LANCZOS)
    pixels = np.asarray(picture, dtype=np.float64)
    share = pixels[:, :, 3:] / 255
    mean = (pixels[:, :, :3] * share).sum(axis=(0, 1)) / max(float(share.sum()), 1e-6)
    return Texture(np.rint(pixels[:, :, :3] * share + mean * (1 - share)).astype(np.uint8))


def _scaled_and_turned(model: Asset, entry: CatalogueEntry, turned: float) -> Asset:
    upright = model.moved(np.column_stack([FROM_PACK @ entry.rotation, np.zeros(3)]))
    low, high = upright.bounds
    width, depth, height = entry.size
    factors = np.array([width, depth, height]) / np.maximum(high - low, FLAT)
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    sized = upright.moved(np.column_stack([np.diag(factors), -middle * factors]))
    angle = np.radians(turned)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return sized.moved(np.column_stack([turn, np.zeros(3)]))


def decimated(model: Asset, most: int) -> Asset:
    """The model itself if it has no more than so many triangles, else on the finest grid that brings it below."""
    low, high = model.bounds
    cells, thin = 2048.0, model
    while sum(len(mesh.triangles) for mesh in thin.meshes) > most:
        cells /= 1.25
        thin = Asset(tuple(_gathered(mesh, low, float((high - low).max()) / cells) for mesh in model.meshes))
        thin = Asset(tuple(mesh for mesh in thin.meshes if len(mesh.triangles)))
    return thin


def _gathered(mesh: Mesh, low: NDArray[np.float64], side: float) -> Mesh:
    """Points in one cell of a grid, whose normals look the same way, become the first of them."""
    cell = np.floor((mesh.points - low) / side).astype(np.int64)
    look = np.zeros_like(cell) if mesh.normals is None else np.rint(mesh.normals).astype(np.int64)
    _, first, back = np.unique(np.column_stack([cell, look]), axis=0, return_index=True, return_inverse=True)
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
