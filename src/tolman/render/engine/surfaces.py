"""Materials and meshes as the engine wants them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.engine.variant import drjit, mitsuba, variant
from tolman.render.shapes.material import Material, Texture
from tolman.render.shapes.model import Mesh

_CHALK = 0.85
"""Roughness from which on a surface is simply dull."""
_GLASS = 0.5
_DOWN, _UP = np.array([1.0, -1.0]), np.array([0.0, 1.0])
"""The engine has a picture's first row at v = 0."""


def surface(material: Material) -> dict[str, Any]:
    """The description of a material."""
    colour = _colour(material)
    if material.clear >= _GLASS:
        return {"type": "thindielectric", "specular_transmittance": colour}
    if material.roughness >= _CHALK and not material.metallic:
        return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": colour}}
    plain = {"type": "principled", "base_color": colour, "roughness": max(0.05, material.roughness)}
    return {"type": "twosided", "bsdf": {**plain, "metallic": material.metallic, "specular": 0.4}}


def _colour(material: Material) -> dict[str, Any]:
    if isinstance(material.colour, Texture):
        bitmap = mitsuba().Bitmap(np.ascontiguousarray(material.colour.image))
        return {"type": "bitmap", "bitmap": bitmap, "raw": False, "wrap_mode": "repeat"}
    return {"type": "rgb", "value": [min(0.95, max(0.0, part)) for part in material.colour]}


def shape(mesh: Mesh, name: str) -> Any:
    """The mesh as an object of the engine."""
    mi = mitsuba()
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(surface(mesh.material))
    if mesh.material.glow > 0:
        colour = mesh.material.colour
        tint = (1.0, 1.0, 1.0) if isinstance(colour, Texture) else colour
        light = {"type": "rgb", "value": [mesh.material.glow * part for part in tint]}
        properties["emitter"] = mi.load_dict({"type": "area", "radiance": light})
    coordinates = mesh.coordinates if isinstance(mesh.material.colour, Texture) else None
    made = mi.Mesh(
        name,
        vertex_count=len(mesh.points),
        face_count=len(mesh.triangles),
        has_vertex_normals=mesh.normals is not None,
        has_vertex_texcoords=coordinates is not None,
        props=properties,
    )
    values = mi.traverse(made)
    values["vertex_positions"] = engine_floats(mesh.points)
    values["faces"] = _own("UInt32", mesh.triangles.astype(np.uint32))
    if mesh.normals is not None:
        values["vertex_normals"] = engine_floats(mesh.normals)
    if coordinates is not None:
        values["vertex_texcoords"] = engine_floats((coordinates * _DOWN + _UP).astype(np.float32))
    values.update()
    return made


def engine_floats(values: NDArray[np.float32]) -> Any:
    """Numbers in the engine's own memory: it would write into ours, and recordings depend on how memory lies."""
    return _own("Float", values)


def _own(name: str, values: NDArray[Any]) -> Any:
    if variant() == "scalar_rgb":
        return values.flatten()
    dr, kind = drjit(), getattr(mitsuba(), name)
    found = dr.gather(kind, kind(values.ravel()), dr.arange(mitsuba().UInt32, values.size))
    dr.eval(found)
    dr.sync_thread()  # our memory may be gone a moment later
    return found
