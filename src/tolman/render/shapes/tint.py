"""A model in a colour: what a name such as `red chair` promises."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.material import Colour, Material, Texture
from tolman.render.shapes.model import Mesh, Model

Floats = NDArray[np.float64]

_PARTS = 0.1
"""Share of a model's surface from which on a material counts as its colour; less is trim and stays."""
_DARKEST = 0.45
"""How far grain may darken the colour, and its inverse how far it may lighten it."""


def tinted(model: Model, colour: Colour) -> Model:
    """The same model with all large surfaces in that colour, given as linear light. Grain and weave stay, as shades;
    glass and what glows stay as they are."""
    areas = [_area(mesh) for mesh in model.meshes]
    total = sum(areas)
    return Model(
        tuple(
            replace(mesh, material=_recoloured(mesh.material, colour)) if area >= _PARTS * total else mesh
            for mesh, area in zip(model.meshes, areas, strict=True)
        )
    )


def _area(mesh: Mesh) -> float:
    a, b, c = (mesh.points[mesh.triangles[:, i]].astype(np.float64) for i in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def _recoloured(material: Material, colour: Colour) -> Material:
    if material.clear > 0 or material.glow > 0:
        return material
    if not isinstance(material.colour, Texture):
        return replace(material, colour=colour, metallic=0.0)
    linear: Floats = (material.colour.image / 255.0) ** 2.2
    light = linear.mean(axis=-1, keepdims=True)
    shade = np.clip(light / max(float(light.mean()), 1e-3), _DARKEST, 1 / _DARKEST)
    encoded: Floats = np.clip(np.array(colour) * shade, 0, 1) ** (1 / 2.2)
    return replace(material, colour=Texture(np.round(encoded * 255).astype(np.uint8)))
