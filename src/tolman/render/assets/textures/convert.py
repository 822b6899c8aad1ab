"""Conversion of packaged pictures to finishes and skies of one size and form."""

import base64
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.core.files import encoded
from tolman.render.assets.source import AssetError
from tolman.render.building.relief import SIDE, Floats, lit_from_above, relief
from tolman.render.engine.variant import mitsuba
from tolman.render.shapes.mesh import Texture, srgb
from tolman.render.shapes.textures import linear_light, srgb_bytes

FileKey = tuple[str, str, str]
"""Package, path in it, and SHA-256 of the file."""
Bytes = Callable[[FileKey], bytes]
"""The content of a file, checked by its digest."""
_DEPTH = 0.006
"""Metres between the lightest and the darkest place of a surface whose relief is taken from its colours."""
_DATA_LINE = re.compile(rb"base64,([A-Za-z0-9+/=]+)")


class MadeOfFiles:
    """A row of `table.toml`."""

    @property
    def files(self) -> list[FileKey]:
        """All files that it is made of."""
        return [value for value in vars(self).values() if isinstance(value, tuple)]


@dataclass(frozen=True)
class SurfaceRow(MadeOfFiles):
    """A finish."""

    name: str
    use: str
    repeat: float
    licence: str
    author: str
    colour: FileKey | None = None
    normals: FileKey | None = None
    gloss: FileKey | None = None
    light: float | None = None
    tone: str | None = None
    contrast: float = 1.0
    roughness: float = 0.6
    weight: float = 1.0


@dataclass(frozen=True)
class SkyRow(MadeOfFiles):
    """A sky."""

    name: str
    licence: str
    author: str
    light: FileKey


Maps = dict[str, bytes]
"""Pictures of a finish or sky by the name of the map."""


def converted_surface(row: SurfaceRow, content: Bytes) -> Maps:
    """Colour, normals and roughness of a floor as JPEGs of `SIDE` pixels; walls have their relief painted."""
    normals = None if row.normals is None else _picture(content(row.normals))
    if row.colour is not None:
        colour = linear_light(_picture(content(row.colour)))
    elif normals is not None:
        colour = _shaded(normals)
    else:
        raise AssetError(f"the finish {row.name} has neither colour nor normals")
    colour = _toned(colour, row)
    if normals is None:
        light = colour.mean(axis=-1)
        span = max(float(np.quantile(light, 0.98) - np.quantile(light, 0.02)), 1e-6)
        normals = relief(_DEPTH * _blurred(light) / span, row.repeat).image
    if row.use == "wall":
        return {"colour": _jpeg(srgb_bytes(colour * lit_from_above(Texture(normals))[..., None]))}
    maps: Maps = {"colour": _jpeg(srgb_bytes(colour)), "relief": _jpeg(normals)}
    if row.gloss is not None:
        strength: Floats = linear_light(_picture(content(row.gloss))).mean(axis=-1)
        rough: Floats = np.clip(0.75 - 0.5 * strength / max(float(np.quantile(strength, 0.95)), 1e-6), 0.2, 0.95)
        maps["gloss"] = _jpeg(np.round(255 * rough).astype(np.uint8))
    return maps


def converted_sky(row: SkyRow, content: Bytes) -> Maps:
    """An environment map as half floats, after its height and width."""
    mi = mitsuba()
    stream = mi.MemoryStream()
    stream.write(unpacked(content(row.light)))
    stream.seek(0)
    bitmap = mi.Bitmap(stream, mi.Bitmap.FileFormat.OpenEXR)
    light = np.array(bitmap.convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.Float32, srgb_gamma=False))
    half = np.clip(np.nan_to_num(light), 0, 60000).astype("<f2")
    return {"light": np.array(half.shape[:2], "<u2").tobytes() + half.tobytes()}


def sky_from_bytes(data: bytes) -> NDArray[np.float32]:
    """The environment map that `converted_sky` made."""
    height, width = np.frombuffer(data[:4], "<u2").tolist()
    return np.frombuffer(data[4:], "<f2").reshape(height, width, 3).astype(np.float32)


def unpacked(content: bytes) -> bytes:
    """The picture in a JavaScript module that holds it as a data URL; any other content as it is. Nothing is run."""
    found = _DATA_LINE.search(content) if content.startswith(b"export default") else None
    return content if found is None else base64.b64decode(found.group(1), validate=True)


def _picture(content: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(unpacked(content)), formats=["PNG", "JPEG", "WEBP"]) as picture:
        picture.load()
        square = picture.convert("RGB").resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    return np.asarray(square, np.uint8)


def _shaded(normals: NDArray[np.uint8]) -> Floats:
    """A grey that is darker where a surface is steep and lighter where it is turned up."""
    vectors = normals / 127.5 - 1
    return np.repeat((0.75 + 0.25 * vectors[..., 2:] + 0.12 * vectors[..., 1:2]), 3, axis=-1)


def _toned(colour: Floats, row: SurfaceRow) -> Floats:
    """Colours scaled to the mean reflectance and moved to the mean colour of the table."""
    colour = colour.mean(axis=(0, 1)) * (1 - row.contrast) + colour * row.contrast
    if row.tone is not None:
        colour = colour * np.array(srgb(row.tone)) / np.maximum(colour.mean(axis=(0, 1)), 1e-6)
    if row.light is not None:
        colour = colour * (row.light / max(float(colour.mean()), 1e-6))
    return np.clip(colour, 0, 0.9)


def _blurred(values: Floats) -> Floats:
    """The mean over three by three pixels of a texture that repeats."""
    rows = values + np.roll(values, 1, 0) + np.roll(values, -1, 0)
    return (rows + np.roll(rows, 1, 1) + np.roll(rows, -1, 1)) / 9


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    return encoded(Image.fromarray(picture), "JPEG", quality=90, subsampling=0)
