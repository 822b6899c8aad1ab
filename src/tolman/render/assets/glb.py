"""GLB files, read with trimesh, which comes with `tolman[render]`."""

import io
import json
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.assets.source import AssetError, DamagedPart
from tolman.render.shapes.material import Colour, Material, Texture
from tolman.render.shapes.model import Mesh, Model

FRONTS: dict[str, NDArray[np.float64]] = {
    "+z": np.array([[-1.0, 0, 0], [0, 0, 1], [0, 1, 0]]),
    "-z": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
    "+x": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    "-x": np.array([[0.0, 0, -1], [-1, 0, 0], [0, 1, 0]]),
}
"""From a file's axes (y up) to front +y and z up, by the axis that the front looks along."""
SIDE = 1024


def read_glb(content: bytes, name: str) -> Model:
    """The model in a GLB file, in the file's own axes. Textures are made no larger than 1024 pixels a side."""
    try:
        trimesh: Any = import_module("trimesh")
    except ImportError:
        raise AssetError("GLB files need trimesh: pip install 'tolman[render]'") from None
    try:
        scene: Any = trimesh.load(io.BytesIO(content), file_type="glb", force="scene")
        meshes = tuple(_meshes(scene))
    except Exception as error:
        raise AssetError(f"{name} is not a GLB file that trimesh can read ({type(error).__name__})") from None
    if not meshes:
        raise AssetError(f"{name} holds no mesh")
    if sum(_pictured(found) for found in scene.geometry.values()) < _wanted(content):
        warnings.warn(f"{name} lacks the picture of a surface; a plain colour stands in", DamagedPart, stacklevel=2)
    return Model(meshes)


def _wanted(content: bytes) -> int:
    """Meshes of the file that should have a picture."""
    head: dict[str, Any] = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])
    materials: list[Any] = head.get("materials", [])
    parts: list[dict[str, Any]] = [part for mesh in head.get("meshes", ()) for part in mesh["primitives"]]
    shown = [part["material"] for part in parts if "material" in part and "TEXCOORD_0" in part["attributes"]]
    looks: list[dict[str, Any]] = [materials[number].get("pbrMetallicRoughness", {}) for number in shown]
    return sum("baseColorTexture" in look for look in looks)


def _pictured(found: Any) -> bool:
    return getattr(getattr(found.visual, "material", None), "baseColorTexture", None) is not None


def _meshes(scene: Any) -> Iterator[Mesh]:
    for node in scene.graph.nodes_geometry:
        matrix, geometry = scene.graph[node]
        found: Any = scene.geometry[geometry]
        if len(getattr(found, "faces", ())) == 0:
            continue
        visual = found.visual
        material = _material(getattr(visual, "material", None), visual)
        uv = getattr(visual, "uv", None) if isinstance(material.colour, Texture) else None
        mesh = Mesh(
            points=np.asarray(found.vertices, dtype=np.float32),
            triangles=np.asarray(found.faces, dtype=np.int32),
            material=material,
            normals=np.asarray(found.vertex_normals, dtype=np.float32),
            coordinates=None if uv is None else np.asarray(uv, dtype=np.float32),
        )
        yield mesh.moved(np.asarray(matrix, dtype=np.float64)[:3])


def _material(made: Any, visual: Any) -> Material:
    """Physically based materials as they are; anything else by its main colour."""
    picture = getattr(made, "baseColorTexture", None)
    if picture is not None and getattr(visual, "uv", None) is not None:
        picture = picture.convert("RGB")
        picture.thumbnail((SIDE, SIDE))
        colour: Colour | Texture = Texture(np.array(picture, dtype=np.uint8))
        alpha = 1.0
    else:
        colour, alpha = _plain(getattr(made, "baseColorFactor", None), visual)
    glossy = (getattr(made, "roughnessFactor", None), getattr(made, "metallicFactor", None))
    roughness, metallic = (default if v is None else float(v) for v, default in zip(glossy, (0.6, 0.0), strict=True))
    return Material(colour, roughness, metallic, clear=min(0.95, 1 - alpha))


def _plain(factor: Any, visual: Any) -> tuple[Colour, float]:
    """A linear colour and its alpha. trimesh gives factors as bytes."""
    value = visual.main_color if factor is None and hasattr(visual, "main_color") else factor
    if value is None:
        return (0.6, 0.6, 0.6), 1.0
    row = np.asarray(value)
    red, green, blue, alpha = (float(part) for part in (row / 255 if row.dtype.kind in "ui" else row))
    return (red, green, blue), alpha
