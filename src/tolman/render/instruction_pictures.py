"""Pictures that accompany the instructions: calibration of distances and angles, and all things of a scene with their
names.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.core.geometry import Heading
from tolman.render.building.rooms import appearance_seed, merged_by_material
from tolman.render.building.things import AssetOf, placed_thing
from tolman.render.building.walls import EYE, slab
from tolman.render.camera import FixedCamera, Perspective
from tolman.render.engine.conversion import to_srgb
from tolman.render.engine.traced_scene import TracedScene
from tolman.render.engine.values import RenderPreset, ScenePart, find_preset
from tolman.render.plan.drawing import text_width, write_text
from tolman.render.shapes.mesh import Material, Mesh, srgb
from tolman.render.shapes.solids import cylinder
from tolman.world import Scene

POST_RADIUS, POST_HEIGHT = 0.1, 0.3
"""Of the cylinders in metres: low enough not to occlude each other."""
_HALL_SKY = 0.75
_DOT, _DOTS = 0.018, 0.25
"""Radius and distance of the dots on the floor in metres."""
_RAYS = (-45.0, -22.5, 0.0, 22.5, 45.0)
_FLOOR = Material(srgb("#cfcac0"), roughness=0.9)
_WALL = Material(srgb("#e9e6de"), roughness=0.95)
_INK = Material(srgb("#4a4a4a"), roughness=0.9)


@dataclass(frozen=True)
class CalibrationPost:
    """A cylinder at some distance in metres and bearing in clockwise degrees."""

    colour: str
    paint: str
    """Colour code."""
    metres: float
    bearing: float
    label: str

    @property
    def right(self) -> float:
        return self.metres * math.sin(math.radians(self.bearing))

    @property
    def ahead(self) -> float:
        return self.metres * math.cos(math.radians(self.bearing))


CALIBRATION_POSTS = (
    CalibrationPost("blue", "#1f5fd0", 1.0, 0.0, "1 m"),
    CalibrationPost("red", "#d0281f", 2.0, 0.0, "2 m"),
    CalibrationPost("yellow", "#f0c419", 2.0, -45.0, "2 m, 45° left"),
    CalibrationPost("green", "#1f9d4c", 3.0, 22.5, "3 m, 22.5° right"),
)
"""As published."""
CALIBRATION_LINES = (2.0, 4.0, 8.0)
"""Metres of the arcs on the floor: every edge between bins of distance that fits into a room."""


def calibration_picture(*, field: float, size: int, eye: float = EYE, preset: str = "standard") -> NDArray[np.uint8]:
    """Four cylinders on a floor with dotted lines every 22.5 degrees and arcs at the edges of distance bins, seen by
    the camera of all other views.

    Each is labelled with its distance in metres and its angle.
    """
    parts = [ScenePart(mesh, 0) for mesh in (*_hall_meshes(), *_dotted_rays(), *_arcs())]
    parts += [ScenePart(_post_mesh(post), number) for number, post in enumerate(CALIBRATION_POSTS, start=1)]
    view = TracedScene(parts, sky=_HALL_SKY).render(
        Perspective(0.0, 0.0, eye, 0.0, field, size, size), _outdoor_preset(preset)
    )
    picture = Image.fromarray(to_srgb(view.light))
    for post in CALIBRATION_POSTS:
        _label_post(picture, post, field, eye)
    for metres in CALIBRATION_LINES:
        _label_line(picture, metres, field, eye)
    return np.asarray(picture)


def _outdoor_preset(name: str) -> RenderPreset:
    """Under an open sky light is not gathered beforehand: few bounces matter, and there is one view only."""
    return replace(find_preset(name), gathered=False)


def _hall_meshes() -> Iterator[Mesh]:
    """A floor between three walls, open above."""
    wide, deep = 7.0, 9.5
    yield slab((-wide, -1.0, -0.1), (wide, deep, 0.0), _FLOOR)
    yield slab((-wide, deep, 0.0), (wide, deep + 0.1, 2.6), _WALL)
    yield slab((-wide - 0.1, -1.0, 0.0), (-wide, deep + 0.1, 2.6), _WALL)
    yield slab((wide, -1.0, 0.0), (wide + 0.1, deep + 0.1, 2.6), _WALL)


def _dotted_rays() -> Iterator[Mesh]:
    """Dots along each ray, a larger one at every whole metre."""
    for bearing in _RAYS:
        for step in range(2, round(CALIBRATION_LINES[-1] / _DOTS) + 1):
            metres = step * _DOTS
            sin, cos = math.sin(math.radians(bearing)), math.cos(math.radians(bearing))
            radius = _DOT * 2 if step % 4 == 0 else _DOT
            yield cylinder(radius, 0.004, (metres * sin, metres * cos, 0.0), _INK, sides=10)


def _arcs() -> Iterator[Mesh]:
    """A line along the floor at each edge between bins, thicker where it is farther away."""
    bearings = np.radians(np.arange(-50.0, 50.5, 1.0))
    for metres in CALIBRATION_LINES:
        half = 0.011 * metres**0.75
        inner, outer = (
            np.stack([radius * np.sin(bearings), radius * np.cos(bearings), np.full_like(bearings, 0.003)], axis=1)
            for radius in (metres - half, metres + half)
        )
        first = np.arange(len(bearings) - 1)
        second, count = first + 1, len(bearings)
        triangles = np.concatenate(
            [
                np.stack([first, first + count, second], axis=1),
                np.stack([second, first + count, second + count], axis=1),
            ]
        )
        yield Mesh(np.concatenate([inner, outer]).astype(np.float32), triangles[:, ::-1].astype(np.int32), _INK)


def _post_mesh(post: CalibrationPost) -> Mesh:
    return cylinder(POST_RADIUS, POST_HEIGHT, (post.right, post.ahead, 0.0), Material(srgb(post.paint), roughness=0.5))


def _label_post(picture: Image.Image, post: CalibrationPost, field: float, eye: float) -> None:
    """Write the label above a cylinder on the right, where there is no space beside it, else beside it."""
    size = picture.width
    scale = size / 2 / math.tan(math.radians(field) / 2) / post.ahead
    font_size = max(7.0, size / 26)
    if post.bearing > 0:
        left = size / 2 + post.right * scale - text_width(post.label, round(font_size)) / 2
        write_text(picture, post.label, (left, size / 2 + (eye - POST_HEIGHT) * scale - font_size), font_size)
    else:
        left = size / 2 + (post.right + 1.5 * POST_RADIUS) * scale
        write_text(picture, post.label, (left, size / 2 + (eye - POST_HEIGHT / 2) * scale), font_size)


_LABEL_BEARING = -11.0
"""Degrees at which distances are written on their lines."""


def _label_line(picture: Image.Image, metres: float, field: float, eye: float) -> None:
    """Write the distance of a line just above it, between two dotted rays."""
    size = picture.width
    ahead = metres * math.cos(math.radians(_LABEL_BEARING))
    scale = size / 2 / math.tan(math.radians(field) / 2) / ahead
    font_size = max(6.0, size / 32)
    label = f"{metres:.0f} m"
    left = size / 2 + metres * math.sin(math.radians(_LABEL_BEARING)) * scale - text_width(label, round(font_size)) / 2
    write_text(picture, label, (left, size / 2 + eye * scale - 0.7 * font_size), font_size)


Floats = NDArray[np.float32]

BAY_METRES = 12
"""Metres between things, so that none is visible in the picture of another."""
_BAYS_IN_ROW, _ROW_METRES = 12, 48
"""Bays along x, and metres between rows. All are within 150 m of the origin: at a kilometre, single precision left dark
discs under things."""
_MAX_WIDTH = 2048
"""Pixels of the whole picture."""
_LEAST_TILE = 24
"""Pixels of a tile."""
_TILE_SKY = 0.8
_MARGIN = 1.15
_GROUND_MATERIAL = Material(srgb("#dcd9d2"), roughness=0.95)


def bay_place(bay: int) -> tuple[int, int]:
    """The centre of a bay in metres: x, y."""
    row, column = divmod(bay, _BAYS_IN_ROW)
    return (column - _BAYS_IN_ROW // 2) * BAY_METRES, row * _ROW_METRES


@dataclass(frozen=True)
class Tile:
    """A square of the picture that shows one bay."""

    bay: int
    reach: float
    """Metres from the centre of the tile to its edge."""
    height: float
    """Metres from the floor to the centre."""
    aside: float
    """Offset of the tile from the centre of the bay, in tiles."""


@dataclass(frozen=True)
class TileCamera(FixedCamera):
    """A `Camera` for a grid of tiles, each seen from slightly above."""

    tiles: tuple[Tile, ...]
    across: int
    """Tiles in a row."""
    side: int
    """Pixels of a tile."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.tiles) // self.across * self.side, self.across * self.side

    @cached_property
    def _table(self) -> Floats:
        return np.array([[*bay_place(t.bay), t.reach, t.height, t.aside] for t in self.tiles], np.float32)

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        down, right = rows / self.side, columns / self.side
        row = np.minimum(down.astype(int), len(self.tiles) // self.across - 1)
        column = np.minimum(right.astype(int), self.across - 1)
        x, y, reach, height, aside = np.moveaxis(self._table[row * self.across + column], -1, 0)
        distance = 5 * reach
        origins = np.stack([x, y - distance, height + 0.35 * distance], axis=-1)
        sideways = (right - column - 0.5 + aside) * 2 * reach
        up = (0.5 - down + row) * 2 * reach
        directions = np.stack([sideways, distance, up - 0.35 * distance], axis=-1)
        directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
        return origins.astype(np.float32), directions.astype(np.float32)


def object_legend_picture(scene: Scene, asset_of: AssetOf, *, size: int, preset: str = "standard") -> NDArray[np.uint8]:
    """All things in the scene's order, with their appearance there. A thing with a front is shown facing the camera and
    facing left, others are shown once. `size` is that of other views in pixels."""
    objects = [_object_tiles(scene, number, asset_of) for number in range(len(scene.things))]
    blocks = max(1, min(len(objects), math.ceil(math.sqrt(len(objects) * 0.7))))
    side = max(_LEAST_TILE, min(size // 3, _MAX_WIDTH // (2 * blocks)))
    missing = -len(objects) % blocks
    tiles = [tile for _, pair in objects for tile in pair] + [Tile(-_BAYS_IN_ROW, 1.0, 0.5, 0.0)] * (2 * missing)
    traced = TracedScene([part for parts, _ in objects for part in parts], sky=_TILE_SKY)
    light = traced.render(TileCamera(tuple(tiles), 2 * blocks, side), _outdoor_preset(preset)).light
    return _with_names(to_srgb(light), [thing.name for thing in scene.things], blocks, side)


def _object_tiles(scene: Scene, number: int, asset_of: AssetOf) -> tuple[list[ScenePart], tuple[Tile, Tile]]:
    """The parts of a thing in its one or two bays, and the two tiles that show them."""
    thing = scene.things[number]
    fronts = (None,) if thing.front is None else (Heading.SOUTH, Heading.WEST)
    bays = [2 * number + i for i in range(len(fronts))]
    parts: list[ScenePart] = []
    reaches: list[tuple[float, float]] = []
    for bay, front in zip(bays, fronts, strict=True):
        placed = replace(thing, cell=bay_place(bay), front=front)
        meshes = merged_by_material(list(placed_thing(placed, asset_of, appearance_seed(scene), scene.version)))
        reaches.append(_tile_reach(meshes, bay))
        parts += [ScenePart(mesh, number + 1) for mesh in (*meshes, _ground(bay))]
    reach, height = max(reach for reach, _ in reaches), reaches[0][1]
    if len(bays) == 1:
        return parts, (Tile(bays[0], reach, height, -0.5), Tile(bays[0], reach, height, 0.5))
    return parts, (Tile(bays[0], reach, height, 0.0), Tile(bays[1], reach, height, 0.0))


def _tile_reach(meshes: Sequence[Mesh], bay: int) -> tuple[float, float]:
    """Metres from the centre of the thing in a bay to the edge of its tile, and the height of that centre."""
    points = np.concatenate([mesh.points for mesh in meshes])
    x, y = bay_place(bay)
    half_width, half_depth = (float(np.abs(points[:, i] - at).max()) for i, at in enumerate((x, y)))
    top = float(points[:, 2].max())
    return _MARGIN * max(half_width, top / 2 + 0.17 * half_depth, 0.2), top / 2


def _ground(bay: int) -> Mesh:
    x, y = bay_place(bay)
    half = BAY_METRES / 2
    return slab((x - half, y - 2 * half, -0.1), (x + half, y + 4 * half, 0.0), _GROUND_MATERIAL)


def _with_names(picture: NDArray[np.uint8], names: Sequence[str], blocks: int, side: int) -> NDArray[np.uint8]:
    """The tiles with a strip below each row for numbers and names."""
    strip = max(10, round(0.2 * side))
    rows = len(picture) // side
    sheet = Image.new("RGB", (picture.shape[1], rows * (side + strip)), "#ffffff")
    for row in range(rows):
        sheet.paste(Image.fromarray(picture[row * side : (row + 1) * side]), (0, row * (side + strip)))
    font_size = min(0.75 * strip, 18.0)
    for number, name in enumerate(names):
        row, block = divmod(number, blocks)
        left = block * 2 * side + 0.06 * side
        middle = (row + 1) * (side + strip) - strip / 2
        write_text(sheet, f"{number + 1}. {name}", (left, middle), font_size, room=1.9 * side)
    return np.asarray(sheet)
