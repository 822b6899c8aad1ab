"""One entry of a catalogue as a model: z up, front towards +y, in metres."""

import io
import warnings
from functools import cache

import numpy as np
from PIL import Image as Pictures

from tolman.errors import SettingsError
from tolman.render.assets.pack.catalogue import Catalogue, Entry
from tolman.render.assets.pack.meshes import meshes_of
from tolman.render.assets.pack.mtl import Look, linear, read_mtl
from tolman.render.assets.pack.obj import Shape, read_obj
from tolman.render.shapes.material import Material, Texture
from tolman.render.shapes.model import Model

FROM_PACK = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
"""From x right, y up, front +z to front +y, z up."""
PICTURE_SIDE = 512
MOST_TRIANGLES = 60_000
FLAT = 1e-4
"""In a file's own units: what is thinner is not made thicker."""


class MissingPart(UserWarning):
    """Something that a model names is not there; the model is used without."""


def convert(catalogue: Catalogue, entry: Entry, turned: float = 0.0) -> Model:
    """Read a model, make it as large as the catalogue says, and turn it anticlockwise by degrees seen from above."""
    shape = _read(catalogue, entry)
    looks: dict[str, Look] = {}
    for library in shape.libraries:
        looks |= _library(catalogue, entry, library)

    @cache
    def picture(name: str) -> Texture | None:
        return _picture(catalogue, entry, name)

    def material(name: str) -> Material:
        look = looks.get(name, Look())
        texture = picture(look.picture) if look.picture else None
        colour = texture or linear(look.colour)
        return Material(colour, look.roughness, look.metallic, look.clear)

    model = Model(meshes_of(shape, material))
    if not model.meshes:
        raise SettingsError(f"the model {entry.folder} of {catalogue.name} has no surface")
    return _placed(model, entry, turned)


def _read(catalogue: Catalogue, entry: Entry) -> Shape:
    try:
        return read_obj(catalogue.read(entry.file))
    except KeyError:
        raise SettingsError(f"{catalogue.name} has no file {entry.file!r}") from None


def _library(catalogue: Catalogue, entry: Entry, name: str) -> dict[str, Look]:
    """The materials of the MTL file of that name, or of the only one that lies beside the model."""
    beside = [member for member in catalogue.members if member.startswith(f"{entry.folder}/")]
    found = [member for member in beside if member.lower() == f"{entry.folder}/{name}".lower()]
    found = found or [member for member in beside if member.lower().endswith(".mtl")]
    if len(found) == 1:
        return read_mtl(catalogue.read(found[0]))
    warnings.warn(f"{entry.folder} has no materials {name!r}: it becomes grey", MissingPart, stacklevel=2)
    return {}


def _picture(catalogue: Catalogue, entry: Entry, name: str) -> Texture | None:
    """A picture no larger than 512 pixels a side; what shows through it becomes its mean colour."""
    try:
        with Pictures.open(io.BytesIO(catalogue.read(f"{entry.folder}/{name}"))) as opened:
            picture = opened.convert("RGBA")
    except (KeyError, OSError, ValueError, Pictures.DecompressionBombError):
        warnings.warn(f"{entry.folder} has no picture {name!r}: a plain colour stands in", MissingPart, stacklevel=2)
        return None
    picture.thumbnail((PICTURE_SIDE, PICTURE_SIDE), Pictures.Resampling.LANCZOS)
    pixels = np.asarray(picture, dtype=np.float64)
    share = pixels[:, :, 3:] / 255
    mean = (pixels[:, :, :3] * share).sum(axis=(0, 1)) / max(float(share.sum()), 1e-6)
    return Texture(np.rint(pixels[:, :, :3] * share + mean * (1 - share)).astype(np.uint8))


def _placed(model: Model, entry: Entry, turned: float) -> Model:
    upright = model.moved(np.column_stack([FROM_PACK @ entry.rotation, np.zeros(3)]))
    low, high = upright.bounds
    width, depth, height = entry.size
    factors = np.array([width, depth, height]) / np.maximum(high - low, FLAT)
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    sized = upright.moved(np.column_stack([np.diag(factors), -middle * factors]))
    angle = np.radians(turned)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return sized.moved(np.column_stack([turn, np.zeros(3)]))
