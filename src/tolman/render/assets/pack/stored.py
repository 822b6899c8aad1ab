"""The file format of converted assets: compact, checked by digest, and without executable content.

Coordinates have 16 bits within the asset's box (less than 0.1 mm for furniture), normals 8 bits, textures are JPEGs.
"""

import hashlib
import io
import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures

from tolman.core.errors import TolmanError
from tolman.core.files import encoded
from tolman.render.shapes.mesh import Asset, Colour, Material, Mesh, Points, Texture

ASSET_FORMAT = 1
"""Raised whenever the same asset would be stored as other bytes."""
JPEG_QUALITY = 88


class DamagedAssetError(TolmanError):
    """A stored asset is damaged."""


def asset_to_bytes(asset: Asset) -> tuple[bytes, str]:
    """The compressed asset, and the SHA-256 of its uncompressed content."""
    low, high = asset.bounds
    textures = {id(t): t for t in (mesh.material.colour for mesh in asset.meshes) if isinstance(t, Texture)}
    numbers = {key: number for number, key in enumerate(textures)}
    blobs = [encoded(Pictures.fromarray(one.image), "JPEG", quality=JPEG_QUALITY) for one in textures.values()]
    head: dict[str, Any] = {"format": ASSET_FORMAT, "low": low.tolist(), "high": high.tolist(), "meshes": []}
    head["textures"] = [len(blob) for blob in blobs]
    for mesh in asset.meshes:
        head["meshes"].append(_mesh_header(mesh, numbers))
        blobs += _arrays(mesh, low, high)
    header = json.dumps(head, sort_keys=True).encode()
    content = b"".join([len(header).to_bytes(8, "little"), header, *blobs])
    return zlib.compress(content, 9), hashlib.sha256(content).hexdigest()


def asset_from_bytes(packed: bytes, digest: str) -> Asset:
    """The asset that `asset_to_bytes` stored; DamagedAssetError if its content does not match the digest."""
    try:
        content = zlib.decompress(packed)
    except zlib.error:
        raise DamagedAssetError("a stored asset is damaged") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise DamagedAssetError("a stored asset is damaged")
    return _parsed(content)


def _mesh_header(mesh: Mesh, textures: dict[int, int]) -> dict[str, Any]:
    material = mesh.material
    colour = textures[id(material.colour)] if isinstance(material.colour, Texture) else list(material.colour)
    return {
        "points": len(mesh.points),
        "triangles": len(mesh.triangles),
        "normals": mesh.normals is not None,
        "coordinates": mesh.coordinates is not None,
        "colour": colour,
        "look": [material.roughness, material.metallic, material.transparency, material.emission],
    }


def _arrays(mesh: Mesh, low: NDArray[np.float64], high: NDArray[np.float64]) -> list[bytes]:
    """The mesh's arrays column by column, which compresses better."""
    steps = np.rint((mesh.points - low) / np.maximum(high - low, 1e-9) * 65535)
    blobs = [_columns(np.clip(steps, 0, 65535), "<u2"), _columns(mesh.triangles, "<u4")]
    if mesh.normals is not None:
        blobs.append(_columns(np.rint(mesh.normals * 127), "i1"))
    if mesh.coordinates is not None:
        blobs.append(_columns(mesh.coordinates, "<f4"))
    return blobs


def _columns(rows: NDArray[Any], kind: str) -> bytes:
    return np.ascontiguousarray(rows.T, dtype=kind).tobytes()


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.content, self.offset = content, 0

    def take(self, size: int) -> bytes:
        part = self.content[self.offset : self.offset + size]
        self.offset += size
        return part

    def rows(self, count: int, width: int, kind: str) -> NDArray[Any]:
        size = count * width * np.dtype(kind).itemsize
        return np.frombuffer(self.take(size), dtype=kind).reshape(width, count).T


def _parsed(content: bytes) -> Asset:
    reader = _Reader(content)
    head: dict[str, Any] = json.loads(reader.take(int.from_bytes(reader.take(8), "little")))
    if head["format"] != ASSET_FORMAT:
        raise DamagedAssetError("a stored asset is of another version of Tolman")
    textures = [_texture(reader.take(size)) for size in head["textures"]]
    low, high = np.array(head["low"]), np.array(head["high"])
    return Asset(tuple(_mesh(reader, entry, textures, low, high) for entry in head["meshes"]))


def _texture(blob: bytes) -> Texture:
    with Pictures.open(io.BytesIO(blob)) as picture:
        return Texture(np.array(picture.convert("RGB"), dtype=np.uint8))


def _mesh(
    reader: _Reader,
    entry: dict[str, Any],
    textures: list[Texture],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> Mesh:
    count = int(entry["points"])
    points = low + reader.rows(count, 3, "<u2") / 65535 * (high - low)
    triangles = reader.rows(int(entry["triangles"]), 3, "<u4")
    normals = _unit(reader.rows(count, 3, "i1")) if entry["normals"] else None
    coordinates = reader.rows(count, 2, "<f4") if entry["coordinates"] else None
    colour: Colour | Texture = (
        textures[entry["colour"]] if isinstance(entry["colour"], int) else _colour(entry["colour"])
    )
    return Mesh(
        points=np.ascontiguousarray(points, dtype=np.float32),
        triangles=np.ascontiguousarray(triangles, dtype=np.int32),
        material=Material(colour, *entry["look"]),
        normals=normals,
        coordinates=None if coordinates is None else np.ascontiguousarray(coordinates, dtype=np.float32),
    )


def _colour(values: list[float]) -> Colour:
    red, green, blue = values
    return red, green, blue


def _unit(steps: NDArray[Any]) -> Points:
    rows = steps.astype(np.float64)
    length = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.ascontiguousarray(rows / length, dtype=np.float32)
