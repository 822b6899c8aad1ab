"""Textured facades, buildings with them, and their texture atlas."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tolman.render.environments.terrain import Floats, Noise, Stream, encoded
from tolman.render.shapes.mesh import Material, Mesh, Texture, srgb
from tolman.render.shapes.sweep import TILE, joined, smooth_mesh

_PIXELS = 16
"""Per metre."""


@dataclass(frozen=True)
class FacadeStyle:
    """Colours (codes) and lengths (metres) of a facade."""

    wall: str
    trim: str
    storey: float = 3.2
    bay: float = 2.6
    window: tuple[float, float] = (1.2, 1.7)
    bricks: bool = False
    shop: bool = False


def front(stream: Stream, style: FacadeStyle, width: float, height: float) -> Material:
    """The texture of a facade: rows of windows with frames, reflections and curtains."""
    rows, columns = max(8, round(height * _PIXELS)), max(8, round(width * _PIXELS))
    noise = Noise(int(stream.integers(1 << 31)), "front")
    x, y = (
        np.arange(columns, dtype=np.float32)[None] / _PIXELS,
        (rows - np.arange(rows, dtype=np.float32))[:, None] / _PIXELS,
    )
    stains = 0.82 + 0.36 * noise.layered(x, y, 3.0, 5, 0.6) - 0.10 * np.exp(-y / 0.8)
    picture = np.array(srgb(style.wall), np.float32) * stains[..., None]
    if style.bricks:
        course = np.floor(y / 0.09)
        joint = ((y / 0.09) % 1 < 0.18) | (((x / 0.24 + 0.5 * (course % 2)) % 1) < 0.07)
        picture = np.where(
            joint[..., None], 0.8 * picture + 0.12, picture * (0.85 + 0.3 * noise(x, y, 0.13))[..., None]
        )
    storeys, bays = max(1, int(height / style.storey)), max(1, int(width / style.bay))
    for storey in range(storeys):
        for bay in range(bays):
            at = (width - bays * style.bay) / 2 + (bay + 0.5) * style.bay
            if storey == 0 and style.shop:
                _pane(picture, stream, (at, 0.25), (0.86 * style.bay, 2.5), style.trim)
            elif storey == 0 and bay == bays // 2:
                _rectangle(picture, (at, 0.0), (1.5, 2.6))[:] = srgb(style.trim)
                code = ("#5a2a20", "#26402f", "#2a3350", "#4a3826")[int(stream.integers(4))]
                _rectangle(picture, (at, 0.0), (1.2, 2.35))[:] = srgb(code)
            else:
                _pane(picture, stream, (at, storey * style.storey + 0.9), style.window, style.trim)
        if storey:
            row = len(picture) - round((storey * style.storey) * _PIXELS)
            picture[max(row - 3, 0) : row + 2] = 0.5 * picture[max(row - 3, 0) : row + 2] + 0.5 * np.array(
                srgb(style.trim), np.float32
            )
    return Material(Texture(encoded(picture)), roughness=0.9)


def _rectangle(picture: Floats, at: tuple[float, float], size: tuple[float, float]) -> Floats:
    """The pixels of a rectangle, given by the middle of its lower edge and its size."""
    rows = len(picture)
    low, high = rows - round(at[1] * _PIXELS), rows - round((at[1] + size[1]) * _PIXELS)
    left, right = round((at[0] - size[0] / 2) * _PIXELS), round((at[0] + size[0] / 2) * _PIXELS)
    return picture[max(high, 0) : max(low, 0), max(left, 0) : max(right, 0)]


def _pane(picture: Floats, stream: Stream, at: tuple[float, float], size: tuple[float, float], trim: str) -> None:
    _rectangle(picture, (at[0], at[1] - 0.12), (size[0] + 0.24, size[1] + 0.24))[:] = srgb(trim)
    glass = _rectangle(picture, at, size)
    if not glass.size:
        return
    up = np.linspace(1, 0, len(glass), dtype=np.float32)[:, None, None]
    dark, sky = np.array(srgb("#1c242b"), np.float32), np.array(srgb("#8fa6b8"), np.float32)
    glass[:] = dark + (sky - dark) * (0.15 + float(stream.uniform(0.1, 0.7)) * up)
    if stream.random() < 0.4:  # a blind, or curtains
        share = float(stream.uniform(0.2, 0.8))
        glass[: round(share * len(glass))] = np.array(srgb("#cfc8ba"), np.float32) * float(stream.uniform(0.5, 0.9))
    glass[:, max(0, glass.shape[1] // 2 - 1) : glass.shape[1] // 2 + 1] = srgb(trim)
    glass[len(glass) // 3 : len(glass) // 3 + 2] = srgb(trim)


def wall(a: tuple[float, float], b: tuple[float, float], low: float, high: float, material: Material) -> Mesh:
    """A vertical wall from a to b, visible from its right, that its texture fills once."""
    (ax, ay), (bx, by) = a, b
    points = np.array([[ax, ay, low], [bx, by, low], [bx, by, high], [ax, ay, high]])
    along = np.array([bx - ax, by - ay, 0.0])
    normal = np.cross(along, [0.0, 0.0, 1.0])
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * TILE
    return smooth_mesh(points, np.array([[0, 1, 2], [0, 2, 3]], np.int32), np.tile(normal, (4, 1)), corners, material)


def flat(corners: NDArray[np.float64], material: Material) -> Mesh:
    """A flat quadrilateral."""
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    return smooth_mesh(
        corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32), np.tile(normal, (4, 1)), corners[:, :2], material
    )


Spot = tuple[float, float, float]
"""x and y of the centre of a building, and the heading of its front in degrees."""


def placed(spot: Spot, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """World positions of points of a building's own plan, whose front is towards +y."""
    x, y, heading = spot
    cos, sin = np.cos(np.radians(heading)), np.sin(np.radians(heading))
    return np.column_stack([points[:, 0] * cos + points[:, 1] * sin + x, points[:, 1] * cos - points[:, 0] * sin + y])


def block(
    stream: Stream,
    style: FacadeStyle,
    spot: Spot,
    size: tuple[float, float, float],
    low: float,
    roof: Material,
    plain: Material,
) -> list[Mesh]:
    """A building with a flat roof: width, depth and height in metres. All sides but the back have windows."""
    width, depth, height = size
    corners = np.array([[width, depth], [-width, depth], [-width, -depth], [width, -depth]])
    plan = placed(spot, corners / 2)
    spans = (width, depth, width, depth)
    meshes: list[Mesh] = []
    for side in range(4):
        a, b = plan[side], plan[(side + 1) % 4]
        material = plain if side == 2 else front(stream, style, spans[side], height)
        meshes.append(wall((float(b[0]), float(b[1])), (float(a[0]), float(a[1])), low, low + height, material))
    top = np.column_stack([plan[::-1], np.full(4, low + height)])
    ledge = np.column_stack([placed(spot, 1.02 * corners / 2)[::-1], np.full(4, low + height + 0.25)])
    return [*meshes, flat(top, roof), flat(ledge, roof)]


def house(
    stream: Stream,
    style: FacadeStyle,
    spot: Spot,
    size: tuple[float, float, float],
    low: float,
    roof: Material,
    white: Material | None,
) -> list[Mesh]:
    """A house with a pitched roof whose ridge is parallel to the front, with snow of the material `white`, if any."""
    width, depth, height = size
    corners = placed(spot, np.array([[width, depth], [-width, depth], [-width, -depth], [width, -depth]]) / 2)
    meshes: list[Mesh] = []
    for side in range(4):
        a, b = corners[side], corners[(side + 1) % 4]
        material = front(stream, style, width if side % 2 == 0 else depth, height)
        meshes.append(wall((float(b[0]), float(b[1])), (float(a[0]), float(a[1])), low, low + height, material))
    rise, over = 0.42 * depth, 0.45
    ridge = placed(spot, np.array([[width / 2 + over, 0.0], [-width / 2 - over, 0.0]]))
    gable = Material(srgb(style.wall), roughness=0.95)
    for out, cover in ((0.0, roof), (0.14, white)):
        if cover is None:
            continue
        for s in (1, -1):
            x, y = width / 2 + over, s * (depth / 2 + over)
            eaves = placed(spot, np.array([[x, y], [-x, y]]))
            z = low + height - over * rise / (depth / 2) + out
            top = low + height + rise + out
            sheet = np.array([[*eaves[0], z], [*eaves[1], z], [*ridge[1], top], [*ridge[0], top]])
            meshes.append(flat(sheet if s > 0 else sheet[::-1], cover))
            if out:
                lip = np.array([[*eaves[0], z - 0.16], [*eaves[1], z - 0.16], [*eaves[1], z], [*eaves[0], z]])
                meshes.append(flat(lip if s > 0 else lip[::-1], cover))
    for s in (1, -1):
        x, eaves_height = s * width / 2, low + height
        ends = placed(spot, np.array([[x, depth / 2], [x, -depth / 2], [x, 0.0]]))
        peak = [*ends[2], eaves_height + rise]
        meshes.append(flat(np.array([[*ends[0], eaves_height], [*ends[1], eaves_height], peak, peak]), gable))
    return meshes


_ATLAS_PIXELS = 4096
"""Width."""


def with_texture_atlas(meshes: Sequence[Mesh]) -> list[Mesh]:
    """The meshes with all textured walls merged into one mesh with a texture atlas."""
    walls = [mesh for mesh in meshes if isinstance(mesh.material.colour, Texture) and mesh.coordinates is not None]
    if not walls:
        return list(meshes)
    pictures = [mesh.material.colour.image for mesh in walls if isinstance(mesh.material.colour, Texture)]
    order = sorted(range(len(walls)), key=lambda i: -len(pictures[i]))
    left = top = shelf = 0
    places: dict[int, tuple[int, int]] = {}
    for i in order:
        rows, columns = pictures[i].shape[:2]
        if left + columns > _ATLAS_PIXELS:
            left, top, shelf = 0, top + shelf, 0
        places[i], left, shelf = (top, left), left + columns, max(shelf, rows)
    sheet = np.zeros((top + shelf, _ATLAS_PIXELS, 3), np.uint8)
    moved: list[Mesh] = []
    for i, mesh in enumerate(walls):
        (row, column), (rows, columns) = places[i], pictures[i].shape[:2]
        sheet[row : row + rows, column : column + columns] = pictures[i]
        share = np.clip(
            mesh.coordinates if mesh.coordinates is not None else 0, 0.5 / max(rows, 1), 1 - 0.5 / max(rows, 1)
        )
        u, v = (column + share[:, 0] * columns) / _ATLAS_PIXELS, 1 - (row + (1 - share[:, 1]) * rows) / len(sheet)
        moved.append(replace(mesh, coordinates=np.stack([u, v], 1).astype(np.float32)))
    painted = replace(walls[0].material, colour=Texture(sheet))
    return [
        joined([replace(mesh, material=painted) for mesh in moved]),
        *(mesh for mesh in meshes if not isinstance(mesh.material.colour, Texture)),
    ]
