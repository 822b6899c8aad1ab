"""A user's folder of assets: GLB files, and `models.toml` with the kind, front and credits of each."""

import hashlib
import io
import json
import tomllib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.core.errors import UnknownNameError, optional_library
from tolman.core.seeds import digest, one_of, rng
from tolman.render.assets.source import AssetError, Credit, DamagedAssetWarning
from tolman.render.shapes.mesh import Asset, Colour, Material, Mesh, Texture
from tolman.world.vocabulary import KIND_BY_NAME, kind_in

FRONT_AXES: dict[str, NDArray[np.float64]] = {
    "+z": np.array([[-1.0, 0, 0], [0, 0, 1], [0, 1, 0]]),
    "-z": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
    "+x": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    "-x": np.array([[0.0, 0, -1], [-1, 0, 0], [0, 1, 0]]),
}
"""From a file's axes (y up) to front +y and z up, by the axis that the front points along."""
LARGEST_TEXTURE = 1024


def read_glb(content: bytes, name: str) -> Asset:
    """The asset in a GLB file, in the file's own axes. Textures are scaled down to 1024 pixels a side."""
    trimesh = optional_library("trimesh", "GLB files need trimesh: pip install 'tolman[render]'", AssetError)
    try:
        scene: Any = trimesh.load(io.BytesIO(content), file_type="glb", force="scene")
        meshes = tuple(_meshes(scene))
    except Exception as error:
        raise AssetError(f"{name} is not a GLB file that trimesh can read ({type(error).__name__})") from None
    if not meshes:
        raise AssetError(f"{name} holds no mesh")
    if sum(
        (getattr(getattr(geometry.visual, "material", None), "baseColorTexture", None) is not None)
        for geometry in scene.geometry.values()
    ) < _count_textured_meshes(content):
        warnings.warn(f"{name} lacks a texture; a plain colour is used instead", DamagedAssetWarning, stacklevel=2)
    return Asset(meshes)


def _count_textured_meshes(content: bytes) -> int:
    """Meshes that have a texture according to the file's header."""
    head: dict[str, Any] = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])
    materials: list[Any] = head.get("materials", [])
    parts: list[dict[str, Any]] = [part for mesh in head.get("meshes", ()) for part in mesh["primitives"]]
    numbers = [part["material"] for part in parts if "material" in part and "TEXCOORD_0" in part["attributes"]]
    surfaces: list[dict[str, Any]] = [materials[number].get("pbrMetallicRoughness", {}) for number in numbers]
    return sum("baseColorTexture" in surface for surface in surfaces)


def _meshes(scene: Any) -> Iterator[Mesh]:
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        geometry: Any = scene.geometry[name]
        if len(getattr(geometry, "faces", ())) == 0:
            continue
        visual = geometry.visual
        material = _material(getattr(visual, "material", None), visual)
        uv = getattr(visual, "uv", None) if isinstance(material.colour, Texture) else None
        mesh = Mesh(
            points=np.asarray(geometry.vertices, dtype=np.float32),
            triangles=np.asarray(geometry.faces, dtype=np.int32),
            material=material,
            normals=np.asarray(geometry.vertex_normals, dtype=np.float32),
            coordinates=None if uv is None else np.asarray(uv, dtype=np.float32),
        )
        yield mesh.moved(np.asarray(matrix, dtype=np.float64)[:3])


def _material(source: Any, visual: Any) -> Material:
    """A physically based material as it is; any other by its main colour."""
    picture = getattr(source, "baseColorTexture", None)
    if picture is not None and getattr(visual, "uv", None) is not None:
        picture = picture.convert("RGB")
        picture.thumbnail((LARGEST_TEXTURE, LARGEST_TEXTURE))
        colour: Colour | Texture = Texture(np.array(picture, dtype=np.uint8))
        alpha = 1.0
    else:
        colour, alpha = _plain_colour(getattr(source, "baseColorFactor", None), visual)
    factors = (getattr(source, "roughnessFactor", None), getattr(source, "metallicFactor", None))
    roughness, metallic = (default if v is None else float(v) for v, default in zip(factors, (0.6, 0.0), strict=True))
    return Material(colour, roughness, metallic, transparency=min(0.95, 1 - alpha))


def _plain_colour(factor: Any, visual: Any) -> tuple[Colour, float]:
    """A linear colour and its alpha; trimesh gives factors as bytes."""
    value = visual.main_color if factor is None and hasattr(visual, "main_color") else factor
    if value is None:
        return (0.6, 0.6, 0.6), 1.0
    row = np.asarray(value)
    red, green, blue, alpha = (float(part) for part in (row / 255 if row.dtype.kind in "ui" else row))
    return (red, green, blue), alpha


FOLDER_TABLE = "models.toml"


@dataclass(frozen=True)
class FolderAsset:
    """One entry of the table."""

    kind: str
    file: Path
    front: str
    credit: Credit


@dataclass(frozen=True)
class FolderSource:
    """The assets that a folder's table lists."""

    folder: Path
    entries: tuple[FolderAsset, ...]

    @property
    def name(self) -> str:
        return f"folder {self.folder.name}"

    @property
    def digest(self) -> str:
        """Over the kind, front and bytes of every file."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return digest([[e.kind, e.front, hashlib.sha256(_read_bytes(e.file)).hexdigest()] for e in self.entries])

    def kinds(self) -> frozenset[str]:
        return frozenset(entry.kind for entry in self.entries)

    def asset(self, kind: str, seed: int, version: int = 1) -> Asset:
        """One of the kind's assets, scaled in proportion to the kind's box."""
        choices = [entry for entry in self.entries if entry.kind == kind]
        if not choices:
            raise UnknownNameError(f"{self.folder} has no {kind}")
        entry = one_of(rng(seed, "folder", kind), choices)
        return _load_folder_asset(entry.file, entry.front, kind, version, self.digest)

    def credits(self) -> tuple[Credit, ...]:
        return tuple(entry.credit for entry in self.entries)


def folder_source(folder: Path) -> FolderSource:
    """Read a folder's table; AssetError if an entry is incomplete. Asset files are read when needed."""
    try:
        table: dict[str, Any] = tomllib.loads((folder / FOLDER_TABLE).read_text(encoding="utf-8"))
    except OSError:
        raise AssetError(
            f"{folder} has no {FOLDER_TABLE}, which describes each GLB file (see docs/assets.md)"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise AssetError(f"{folder / FOLDER_TABLE} can't be read: {error}") from None
    rows = table.get("model")
    if not isinstance(rows, list) or not rows:
        raise AssetError(f"{folder / FOLDER_TABLE} lists no [[model]]")
    return FolderSource(folder, tuple(_folder_asset(folder, row) for row in rows))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _folder_asset(folder: Path, row: object) -> FolderAsset:
    values: dict[str, str] = {str(k): str(v) for k, v in row.items()} if isinstance(row, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    where = f"{folder / FOLDER_TABLE}: {values.get('file') or 'a model without a file'}"
    kind, file, front = (values.get(key, "") for key in ("kind", "file", "front"))
    if kind not in KIND_BY_NAME:
        raise AssetError(f"{where} is of the kind {kind!r}, which is not in the vocabulary (see `tolman assets list`)")
    if front not in FRONT_AXES:
        raise AssetError(f'{where} has no front: add front = "+z" or another of {", ".join(FRONT_AXES)}')
    if not file or Path(file).name != file or not (folder / file).is_file():
        raise AssetError(f"{where} is not a file in the same folder")
    usual = {"name": file, "author": "unknown", "licence": "unknown", "link": ""}
    credit = Credit(kind, *(values.get(key, default) for key, default in usual.items()))
    return FolderAsset(kind, folder / file, front, credit)


def _read_bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise AssetError(f"{file} can't be read: {error.strerror}") from None


@lru_cache(maxsize=256)
def _load_folder_asset(file: Path, front: str, kind: str, version: int, digest: str) -> Asset:
    """`digest` is that of the folder, so that changed files are loaded again."""
    del digest
    asset = read_glb(_read_bytes(file), file.name).moved(np.column_stack([FRONT_AXES[front], np.zeros(3)]))
    size = kind_in(kind, version) or KIND_BY_NAME[kind]
    return asset.fitted(size.width, size.depth, size.height)
