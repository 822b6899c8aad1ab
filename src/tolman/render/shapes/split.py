"""Meshes cut in two by a plane across their depth, and assets whose rear part has another shade than the front."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tolman.render.shapes.mesh import Asset, Colour, Material, Mesh, Texture

Corners: TypeAlias = NDArray[np.float32]
"""Three rows for each triangle: x, y, z, and whatever else a vertex has."""

REAR_SHARE = 0.42
"""Share of the depth of assets that has another shade, where it has."""
_DARKENED = 0.2
"""Share of its light that the rear part of a light asset reflects."""
_LIGHT = 0.42
"""Mean reflectance of the rear part of a dark asset."""
_DARK_BELOW = 0.14
"""Mean reflectance below which an asset is dark."""
_OWN_HUE, _MOST_VIVID = 0.5, 2.0
"""Share of its own hue in what lightens a dark asset, and most of a channel in it, against its luminance."""
_BRIGHTEST = 0.85
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def split_at(mesh: Mesh, y: float) -> tuple[Mesh | None, Mesh | None]:
    """The parts of a mesh before and behind a plane of constant y; None where there is nothing."""
    parts = [mesh.points, *(part for part in (mesh.normals, mesh.coordinates) if part is not None)]
    corners = np.concatenate(parts, axis=1)[mesh.triangles].astype(np.float32)
    before = corners[..., 1] >= y
    count = before.sum(axis=1)
    front, rear = [corners[count == 3]], [corners[count == 0]]
    for alone, rest, single in ((front, rear, count == 1), (rear, front, count == 2)):
        tips, bases = _cut(corners[single], before[single] if alone is front else ~before[single], y)
        alone.append(tips)
        rest.append(bases)
    return _rebuilt(mesh, np.concatenate(front)), _rebuilt(mesh, np.concatenate(rear))


def _cut(corners: Corners, alone: NDArray[np.bool_], y: float) -> tuple[Corners, Corners]:
    """Triangles with one corner alone on its side of the plane: the triangle at that corner, and two for the rest."""
    first = np.argmax(alone, axis=1)
    turned = np.take_along_axis(corners, ((first[:, None] + np.arange(3)) % 3)[..., None], axis=1)
    a, b, c = (turned[:, i] for i in range(3))
    ab, ac = (a + (other - a) * ((np.float32(y) - a[:, 1]) / (other[:, 1] - a[:, 1]))[:, None] for other in (b, c))
    tips, *rest = (np.stack(each, axis=1).astype(np.float32) for each in ((a, ab, ac), (ab, b, c), (ab, c, ac)))
    return tips, np.concatenate(rest)


def _rebuilt(mesh: Mesh, corners: Corners) -> Mesh | None:
    if not len(corners):
        return None
    vertices, numbers = np.unique(corners.reshape(-1, corners.shape[-1]), axis=0, return_inverse=True)
    at = 3 if mesh.normals is None else 6
    return replace(
        mesh,
        points=np.ascontiguousarray(vertices[:, :3]),
        triangles=numbers.reshape(-1, 3).astype(np.int32),
        normals=None if mesh.normals is None else np.ascontiguousarray(vertices[:, 3:6]),
        coordinates=None if mesh.coordinates is None else np.ascontiguousarray(vertices[:, at : at + 2]),
    )


@dataclass(frozen=True)
class RearShade:
    """Colours of the rear part of an asset: the share that is kept of its own, and what is added."""

    kept: float
    added: Colour


def two_toned(asset: Asset, share: float, rear: RearShade | None = None) -> Asset:
    """The asset with the rear `share` of its depth darker, or lighter where the asset is dark, in its own hues.

    So its back differs from its front, and its left side from its right. `rear` is another shade than that.
    """
    low, high = asset.bounds
    plane = float(low[1] + share * (high[1] - low[1]))
    areas = np.array([mesh.area for mesh in asset.meshes])
    light = np.array([_reflectance(mesh.material) for mesh in asset.meshes])
    mean = float((areas * light).sum() / max(areas.sum(), 1e-9))
    if rear is None:
        dark = mean < _DARK_BELOW
        rear = RearShade(1.0, _pastel(asset, _LIGHT - mean)) if dark else RearShade(_DARKENED, (0.0, 0.0, 0.0))
    meshes: list[Mesh] = []
    for mesh in asset.meshes:
        before, behind = split_at(mesh, plane)
        meshes += [before] if before else []
        meshes += [replace(behind, material=_shaded(behind.material, rear))] if behind else []
    return Asset(tuple(meshes))


def _pastel(asset: Asset, light: float) -> Colour:
    """A colour of this reflectance, halfway between grey and the mean hue of an asset: a dark red turns to rose, a dark
    brown to tan."""
    areas = np.array([mesh.area for mesh in asset.meshes])
    means = np.stack([_linear(mesh.material).reshape(-1, 3).mean(axis=0) for mesh in asset.meshes])
    mean = (areas[:, None] * means).sum(axis=0) / max(areas.sum(), 1e-9)
    hue = np.minimum(mean / max(float(mean @ _LUMINANCE), 1e-6), _MOST_VIVID)
    red, green, blue = (light * (1 - _OWN_HUE + _OWN_HUE * hue)).tolist()
    return red, green, blue


def _linear(material: Material) -> NDArray[np.float64]:
    colour = material.colour
    return (colour.image[::4, ::4] / 255.0) ** 2.2 if isinstance(colour, Texture) else np.array(colour)


def _reflectance(material: Material) -> float:
    return float((_linear(material) @ _LUMINANCE).mean())


def _shaded(material: Material, rear: RearShade) -> Material:
    if material.transparency > 0 or material.emission > 0:
        return material
    if isinstance(material.colour, Texture):
        linear = np.minimum((material.colour.image / 255.0) ** 2.2 * rear.kept + np.array(rear.added), _BRIGHTEST)
        return replace(material, colour=Texture(np.rint(255 * linear ** (1 / 2.2)).astype(np.uint8)))
    parts = zip(material.colour, rear.added, strict=True)
    red, green, blue = (min(part * rear.kept + more, _BRIGHTEST) for part, more in parts)
    shade: Colour = red, green, blue
    return replace(material, colour=shade, metallic=0.0, roughness=max(material.roughness, 0.5))
