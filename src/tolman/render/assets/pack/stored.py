"""A model as bytes, and back: small, checked by its digest, and free of anything that could run.

Points keep 16 bits of the model's box (less than 0.1 mm for furniture), normals 8 bits a part, pictures are JPEGs.
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
from tolman.render.shapes.mesh import Asset, Colour, Material, Mesh, Points, Texture

ASSET_FORMAT = 1
"""Changes whenever the same model would be stored as other bytes."""
JPEG_QUALITY = 88


class DamagedAssetError(TolmanError):
    """A stored model is not what was stored."""


def asset_to_bytes(model: Asset) -> tuple[bytes, str]:
    """The model packed, and the SHA-256 of what is in it. The digest does not depend on how well it was packed."""
    low, high = model.bounds
    textures = {id(t): t for t in (mesh.material.colour for mesh in model.meshes) if isinstance(t, Texture)}
    places = {key: place for place, key in enumerate(textures)}
    blobs = [_jpeg(texture) for texture in textures.values()]
    head: dict[str, Any] = {"format": ASSET_FORMAT, "low": low.tolist(), "high": high.tolist(), "meshes": []}
    head["textures"] = [len(blob) for blob in blobs]
    for mesh in model.meshes:
        head["meshes"].append(_described(mesh, places))
        blobs += _arrays(mesh, low, high)
    start = json.dumps(head, sort_keys=True).encode()
    content = b"".join([len(start).to_bytes(8, "little"), start, *blobs])
    return zlib.compress(content, 9), hashlib.sha256(content).hexdigest()


def asset_from_bytes(packed: bytes, digest: str) -> Asset:
    """The model that was packed. DamagedModel when the bytes are not those of the digest."""
    try:
        content = zlib.decompress(packed)
    except zlib.error:
        raise DamagedAssetError("a stored model is damaged") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise DamagedAssetError("a stored model is damaged")
    return _unpacked(content)


def _described(mesh: Mesh, places: dict[int, int]) -> dict[str, Any]:
    material = mesh.material
    colour = places[id(material.colour)] if isinstance(material.colour, Texture) else list(material.colour)
    return {
        "points": len(mesh.points),
        "triangles": len(mesh.triangles),
        "normals": mesh.normals is not None,
        "coordinates": mesh.coordinates is not None,
        "colour": colour,
        "look": [material.roughness, material.metallic, material.clear, material.glow],
    }


def _arrays(mesh: Mesh, low: NDArray[np.float64], high: NDArray[np.float64]) -> list[bytes]:
    """Points and triangles by column, which packs better."""
    steps = np.rint((mesh.points - low) / np.maximum(high - low, 1e-9) * 65535)
    blobs = [_columns(np.clip(steps, 0, 65535), "<u2"), _columns(mesh.triangles, "<u4")]
    if mesh.normals is not None:
        blobs.append(_columns(np.rint(mesh.normals * 127), "i1"))
    if mesh.coordinates is not None:
        blobs.append(_columns(mesh.coordinates, "<f4"))
    return blobs


def _columns(rows: NDArray[Any], kind: str) -> bytes:
    return np.ascontiguousarray(rows.T, dtype=kind).tobytes()


def _jpeg(texture: Texture) -> bytes:
    out = io.BytesIO()
    Pictures.fromarray(texture.image).save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue()


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 0

    def take(self, size: int) -> bytes:
        part = self.content[self.place : self.place + size]
        self.place += size
        return part

    def rows(self, count: int, width: int, kind: str) -> NDArray[Any]:
        size = count * width * np.dtype(kind).itemsize
        return np.frombuffer(self.take(size), dtype=kind).reshape(width, count).T


def _unpacked(content: bytes) -> Asset:
    reader = _Reader(content)
    head: dict[str, Any] = json.loads(reader.take(int.from_bytes(reader.take(8), "little")))
    if head["format"] != ASSET_FORMAT:
        raise DamagedAssetError("a stored model is of another version of Tolman")
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
        textures[entry["colour"]] if isinstance(entry["colour"], int) else _three(entry["colour"])
    )
    return Mesh(
        points=np.ascontiguousarray(points, dtype=np.float32),
        triangles=np.ascontiguousarray(triangles, dtype=np.int32),
        material=Material(colour, *entry["look"]),
        normals=normals,
        coordinates=None if coordinates is None else np.ascontiguousarray(coordinates, dtype=np.float32),
    )


def _three(values: list[float]) -> Colour:
    red, green, blue = values
    return red, green, blue


def _unit(steps: NDArray[Any]) -> Points:
    rows = steps.astype(np.float64)
    length = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.ascontiguousarray(rows / length, dtype=np.float32)
