"""Meshes, materials and skies as Mitsuba objects, and linear light as sRGB pixels."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.engine.variant import drjit, mitsuba, variant
from tolman.render.shapes.mesh import Material, Mesh, Texture

_DIFFUSE_FROM = 0.85
"""Roughness from which on a surface is simply dull."""
_GLASS_FROM = 0.5
_DOWN, _UP = np.array([1.0, -1.0]), np.array([0.0, 1.0])
"""The engine has a picture's first row at v = 0."""


def mitsuba_bsdf(material: Material) -> dict[str, Any]:
    """The description of a material."""
    colour = _colour(material)
    if material.clear >= _GLASS_FROM:
        return {"type": "thindielectric", "specular_transmittance": colour}
    if material.roughness >= _DIFFUSE_FROM and not material.metallic:
        return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": colour}}
    plain = {"type": "principled", "base_color": colour, "roughness": max(0.05, material.roughness)}
    return {"type": "twosided", "bsdf": {**plain, "metallic": material.metallic, "specular": 0.4}}


def _colour(material: Material) -> dict[str, Any]:
    if isinstance(material.colour, Texture):
        bitmap = mitsuba().Bitmap(np.ascontiguousarray(material.colour.image))
        return {"type": "bitmap", "bitmap": bitmap, "raw": False, "wrap_mode": "repeat"}
    return {"type": "rgb", "value": [min(0.95, max(0.0, part)) for part in material.colour]}


def mitsuba_mesh(mesh: Mesh, name: str) -> Any:
    """The mesh as an object of the engine."""
    mi = mitsuba()
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(mitsuba_bsdf(mesh.material))
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
    values["faces"] = _engine_array("UInt32", mesh.triangles.astype(np.uint32))
    if mesh.normals is not None:
        values["vertex_normals"] = engine_floats(mesh.normals)
    if coordinates is not None:
        values["vertex_texcoords"] = engine_floats((coordinates * _DOWN + _UP).astype(np.float32))
    values.update()
    return made


def engine_floats(values: NDArray[np.float32]) -> Any:
    """Numbers in the engine's own memory: it would write into ours, and recordings depend on how memory lies."""
    return _engine_array("Float", values)


def _engine_array(name: str, values: NDArray[Any]) -> Any:
    if variant() == "scalar_rgb":
        return values.flatten()
    dr, kind = drjit(), getattr(mitsuba(), name)
    found = dr.gather(kind, kind(values.ravel()), dr.arange(mitsuba().UInt32, values.size))
    dr.eval(found)
    dr.sync_thread()  # our memory may be gone a moment later
    return found


SKY = "sky"
"""Its name in a scene of the engine."""


def sky_emitter(light: NDArray[np.float32]) -> dict[str, Any]:
    """The description of a sky."""
    mi = mitsuba()
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    return {"type": "envmap", "bitmap": mi.Bitmap(np.ascontiguousarray(light)), "to_world": upright}


def replace_sky(values: Any, light: NDArray[np.float32]) -> None:
    """Give a scene's traversed `values` another sky of the same size.

    The engine has the last column before the first one as well, and the first one after the last.
    """
    key = f"{SKY}.data"
    closed = np.concatenate([light[:, -1:], light, light[:, :1]], axis=1)
    values[key] = type(values[key])(engine_floats(closed), closed.shape)


EXPOSURE = 1.0
_LINEAR_UP_TO = 0.75
"""Light up to which brightness is in proportion; beyond, it closes in on white."""
_STEPS_PER_UNIT = 32768
_WHITE_FROM = 4


def to_srgb(light: NDArray[np.float32], exposure: float = EXPOSURE) -> NDArray[np.uint8]:
    """Eight bits a channel, sRGB. The same for every view, so that brightness can be compared."""
    steps = _tone_curve()
    at = np.clip(light * np.float32(exposure * _STEPS_PER_UNIT), 0, len(steps) - 1)
    return steps[at.astype(np.uint32)]


@cache
def _tone_curve() -> NDArray[np.uint8]:
    """Eight bits for light in steps of a `_STEPS_PER_UNIT`th up to white: finer than eight bits can tell."""
    linear = np.arange(_WHITE_FROM * _STEPS_PER_UNIT, dtype=np.float64) / _STEPS_PER_UNIT
    room = 1 - _LINEAR_UP_TO
    soft = np.where(linear <= _LINEAR_UP_TO, linear, 1 - room * np.exp(-(linear - _LINEAR_UP_TO) / room))
    encoded = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * soft ** (1 / 2.4) - 0.055)
    return np.round(encoded * 255).astype(np.uint8)
