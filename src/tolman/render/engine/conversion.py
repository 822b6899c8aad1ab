"""Conversion of meshes, materials and skies to Mitsuba objects, and of linear light to sRGB."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.render.engine.variant import drjit, mitsuba, variant
from tolman.render.shapes.mesh import Material, Mesh, Texture
from tolman.render.shapes.textures import srgb_bytes

_DIFFUSE_FROM = 0.85
"""Roughness from which on a surface is purely diffuse."""
GLASS_FROM = 0.5
"""Transparency from which on a surface is glass."""
_FLIP_V, _SHIFT_V = np.array([1.0, -1.0]), np.array([0.0, 1.0])
"""v becomes 1 - v: Mitsuba has the first row of an image at v = 0."""


def mitsuba_bsdf(material: Material) -> dict[str, Any]:
    """The Mitsuba description of a material."""
    colour = _colour(material)
    if material.transparency >= GLASS_FROM:
        return {"type": "thindielectric", "specular_transmittance": colour}
    if material.roughness >= _DIFFUSE_FROM and not material.metallic and material.gloss is None:
        return _two_sided({"type": "diffuse", "reflectance": colour}, material)
    roughness = max(0.05, material.roughness) if material.gloss is None else _bitmap(material.gloss, raw=True)
    base = {"type": "principled", "base_color": colour, "roughness": roughness}
    return _two_sided({**base, "metallic": material.metallic, "specular": 0.4}, material)


def _two_sided(bsdf: dict[str, Any], material: Material) -> dict[str, Any]:
    if material.relief is not None:
        normals = _bitmap(material.relief, raw=True)
        if material.relief_repeats != (1, 1):
            normals["to_uv"] = mitsuba().ScalarTransform3f().scale(list(material.relief_repeats))
        bsdf = {"type": "normalmap", "normalmap": normals, "bsdf": bsdf}
    return {"type": "twosided", "bsdf": bsdf}


def _bitmap(texture: Texture, *, raw: bool) -> dict[str, Any]:
    """A repeating texture of sRGB colours, or of `raw` numbers."""
    bitmap = mitsuba().Bitmap(np.ascontiguousarray(texture.image))
    blend = "nearest" if texture.fine else "bilinear"
    return {"type": "bitmap", "bitmap": bitmap, "raw": raw, "wrap_mode": "repeat", "filter_type": blend}


def _colour(material: Material) -> dict[str, Any]:
    if isinstance(material.colour, Texture):
        return _bitmap(material.colour, raw=False)
    return {"type": "rgb", "value": [min(0.95, max(0.0, part)) for part in material.colour]}


def mitsuba_mesh(mesh: Mesh, name: str) -> Any:
    """The mesh as a Mitsuba object."""
    mi = mitsuba()
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(mitsuba_bsdf(mesh.material))
    if mesh.material.emission > 0:
        colour = mesh.material.colour
        tint = (1.0, 1.0, 1.0) if isinstance(colour, Texture) else colour
        light = {"type": "rgb", "value": [mesh.material.emission * part for part in tint]}
        properties["emitter"] = mi.load_dict({"type": "area", "radiance": light})
    textured = isinstance(mesh.material.colour, Texture) or mesh.material.relief is not None
    coordinates = mesh.coordinates if textured else None
    converted = mi.Mesh(
        name,
        vertex_count=len(mesh.points),
        face_count=len(mesh.triangles),
        has_vertex_normals=mesh.normals is not None,
        has_vertex_texcoords=coordinates is not None,
        props=properties,
    )
    values = mi.traverse(converted)
    values["vertex_positions"] = engine_floats(mesh.points)
    values["faces"] = _engine_array("UInt32", mesh.triangles.astype(np.uint32))
    if mesh.normals is not None:
        values["vertex_normals"] = engine_floats(mesh.normals)
    if coordinates is not None:
        values["vertex_texcoords"] = engine_floats((coordinates * _FLIP_V + _SHIFT_V).astype(np.float32))
    values.update()
    return converted


def engine_floats(values: NDArray[np.float32]) -> Any:
    """A copy in the engine's own memory: it would write into NumPy's, and recordings depend on the memory layout."""
    return _engine_array("Float", values)


def _engine_array(name: str, values: NDArray[Any]) -> Any:
    if variant() == "scalar_rgb":
        return values.flatten()
    dr, kind = drjit(), getattr(mitsuba(), name)
    copied = dr.gather(kind, kind(values.ravel()), dr.arange(mitsuba().UInt32, values.size))
    dr.eval(copied)
    dr.sync_thread()  # before NumPy may free the memory
    return copied


SKY = "sky"
"""Its name in a Mitsuba scene."""


def sky_emitter(light: NDArray[np.float32]) -> dict[str, Any]:
    """The Mitsuba description of an environment map (see `Sky.picture`)."""
    mi = mitsuba()
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    return {"type": "envmap", "bitmap": mi.Bitmap(np.ascontiguousarray(light)), "to_world": upright}


def replace_sky(values: Any, light: NDArray[np.float32]) -> None:
    """Replace the sky in a scene's traversed `values` by another of the same size.

    Mitsuba pads the map with its last column before the first, and its first after the last.
    """
    key = f"{SKY}.data"
    padded = np.concatenate([light[:, -1:], light, light[:, :1]], axis=1)
    values[key] = type(values[key])(engine_floats(padded), padded.shape)


_USUAL_LUMINANCE = 0.34
"""Mean luminance of surfaces that `automatic_exposure` aims at: well below the knee of the tone curve, as places near a
window are brighter."""
_ADAPTATION = 0.85
"""1 would make all rooms equally bright; less keeps a difference between a dark and a white one."""
_LEAST_EXPOSURE, _MOST_EXPOSURE = 0.3, 3.0


def automatic_exposure(luminance: float) -> float:
    """The exposure of a room from the mean luminance of its surfaces."""
    if luminance <= 0:
        return 1.0
    exposure = (_USUAL_LUMINANCE / luminance) ** _ADAPTATION
    return float(min(_MOST_EXPOSURE, max(_LEAST_EXPOSURE, exposure)))


_LINEAR_UP_TO = 0.6
"""Light up to which the tone curve is linear; beyond, it approaches white slowly: sunlit floors and ceilings above
lamps keep their colours."""
STEPS_PER_UNIT = 8192
_WHITE_FROM = 16


def to_srgb(light: NDArray[np.float32], exposure: float = 1.0) -> NDArray[np.uint8]:
    """sRGB with eight bits per channel."""
    curve = tone_curve()
    at = np.clip(light * np.float32(exposure * STEPS_PER_UNIT), 0, len(curve) - 1)
    return curve[at.astype(np.uint32)]


@cache
def tone_curve() -> NDArray[np.uint8]:
    """sRGB values of light from 0 to `_WHITE_FROM`, `STEPS_PER_UNIT` entries per unit."""
    linear = np.arange(_WHITE_FROM * STEPS_PER_UNIT, dtype=np.float64) / STEPS_PER_UNIT
    rest = 1 - _LINEAR_UP_TO
    above = np.maximum(0.0, linear - _LINEAR_UP_TO) / rest
    soft = np.minimum(linear, _LINEAR_UP_TO) + rest * above / (1 + above)
    soft /= soft[-1]
    return srgb_bytes(soft)
