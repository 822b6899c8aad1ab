"""Pictures that accompany the instructions: calibrated distances and angles, and every object of a scene with its
name.
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
from tolman.render.camera import Camera, CameraPlace, Perspective
from tolman.render.engine.conversion import to_srgb
from tolman.render.engine.traced_scene import TracedScene
from tolman.render.engine.values import ScenePart, find_preset
from tolman.render.plan.drawing import text_width, write_text
from tolman.render.shapes.mesh import Material, Mesh, srgb
from tolman.render.shapes.solids import cylinder
from tolman.world import Scene

POST_RADIUS, POST_HEIGHT = 0.1, 0.3
"""Of the cylinders, in metres: low enough for the nearer not to hide the farther."""
_HALL_SKY = 0.75
_DOT, _DOTS = 0.018, 0.25
"""Radius of the dots on the floor and the way between them, in metres."""
_RAYS = (-45.0, -22.5, 0.0, 22.5, 45.0)
_FLOOR = Material(srgb("#cfcac0"), roughness=0.9)
_WALL = Material(srgb("#e9e6de"), roughness=0.95)
_INK = Material(srgb("#4a4a4a"), roughness=0.9)


@dataclass(frozen=True)
class CalibrationPost:
    """A cylinder so many metres off, so many degrees to the right of straight ahead."""

    colour: str
    paint: str
    metres: float
    bearing: float
    says: str

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


def calibration_picture(*, field: float, size: int, eye: float = EYE, preset: str = "standard") -> NDArray[np.uint8]:
    """Four cylinders on a floor with dotted lines every 22.5 degrees, from a camera like that of all other views.

    Each has its distance in metres and its angle written beside it.
    """
    parts = [ScenePart(mesh, 0) for mesh in (*_hall_meshes(), *_dotted_rays())]
    parts += [ScenePart(_post_mesh(post), number) for number, post in enumerate(CALIBRATION_POSTS, start=1)]
    view = TracedScene(parts, sky=_HALL_SKY).look(
        Perspective(0.0, 0.0, eye, 0.0, field, size, size), find_preset(preset)
    )
    picture = Image.fromarray(to_srgb(view.light))
    for post in CALIBRATION_POSTS:
        _label_post(picture, post, field, eye)
    return np.asarray(picture)


def _hall_meshes() -> Iterator[Mesh]:
    """A floor between three walls, open above."""
    yield slab((-4.0, -1.0, -0.1), (4.0, 6.0, 0.0), _FLOOR)
    yield slab((-4.0, 6.0, 0.0), (4.0, 6.1, 2.6), _WALL)
    yield slab((-4.1, -1.0, 0.0), (-4.0, 6.1, 2.6), _WALL)
    yield slab((4.0, -1.0, 0.0), (4.1, 6.1, 2.6), _WALL)


def _dotted_rays() -> Iterator[Mesh]:
    """Dots along each ray, a larger one at every whole metre."""
    for bearing in _RAYS:
        for step in range(2, 17):
            metres = step * _DOTS
            sin, cos = math.sin(math.radians(bearing)), math.cos(math.radians(bearing))
            radius = _DOT * 2 if step % 4 == 0 else _DOT
            yield cylinder(radius, 0.004, (metres * sin, metres * cos, 0.0), _INK, sides=10)


def _post_mesh(post: CalibrationPost) -> Mesh:
    return cylinder(POST_RADIUS, POST_HEIGHT, (post.right, post.ahead, 0.0), Material(srgb(post.paint), roughness=0.5))


def _label_post(picture: Image.Image, post: CalibrationPost, field: float, eye: float) -> None:
    """What a cylinder stands for: above it if it is on the right, where there is no room beside it, else beside it."""
    size = picture.width
    scale = size / 2 / math.tan(math.radians(field) / 2) / post.ahead
    letters = max(7.0, size / 26)
    if post.bearing > 0:
        left = size / 2 + post.right * scale - text_width(post.says, round(letters)) / 2
        write_text(picture, post.says, (left, size / 2 + (eye - POST_HEIGHT) * scale - letters), letters)
    else:
        left = size / 2 + (post.right + 1.5 * POST_RADIUS) * scale
        write_text(picture, post.says, (left, size / 2 + (eye - POST_HEIGHT / 2) * scale), letters)


Floats = NDArray[np.float32]

BAY_METRES = 12
"""Metres between the places where things stand, so that none is in the picture of another."""
_MOST_ACROSS = 2048
"""Pixels of the sheet's width."""
_LEAST_TILE = 24
_TILE_SKY = 0.8
_MARGIN = 1.15
_GROUND_MATERIAL = Material(srgb("#dcd9d2"), roughness=0.95)


@dataclass(frozen=True)
class Tile:
    """A square of the sheet: which bay it shows, and how many squares it lies to the side of the bay's middle."""

    bay: int
    reach: float
    """Metres from the middle of a square to its edge."""
    height: float
    """Metres above the floor of the middle."""
    aside: float


@dataclass(frozen=True)
class TileCamera:
    """A camera of many small ones in rows, each on its bay, a little from above; see `Camera`."""

    tiles: tuple[Tile, ...]
    across: int
    """Squares in a row."""
    side: int
    """Pixels of a square."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.tiles) // self.across * self.side, self.across * self.side

    @cached_property
    def _table(self) -> Floats:
        return np.array([[t.bay * BAY_METRES, t.reach, t.height, t.aside] for t in self.tiles], np.float32)

    @property
    def place(self) -> CameraPlace:
        return CameraPlace()

    @property
    def lens(self) -> Camera:
        return self

    def rays(self, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
        down, right = rows / self.side, columns / self.side
        row = np.minimum(down.astype(int), len(self.tiles) // self.across - 1)
        column = np.minimum(right.astype(int), self.across - 1)
        x, reach, height, aside = np.moveaxis(self._table[row * self.across + column], -1, 0)
        far = 5 * reach
        origins = np.stack([x, -far, height + 0.35 * far], axis=-1)
        over = (right - column - 0.5 + aside) * 2 * reach
        up = (0.5 - down + row) * 2 * reach
        directions = np.stack([over, far, up - 0.35 * far], axis=-1)
        directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
        return origins.astype(np.float32), directions.astype(np.float32)


def object_legend_picture(scene: Scene, model_of: AssetOf, *, size: int, preset: str = "standard") -> NDArray[np.uint8]:
    """Things in the scene's order, as they look there. What has a front is shown with its front to the camera, and
    beside that with its front to the left; what has none is shown once. `size` is that of other views, in pixels."""
    shown = [_object_tiles(scene, number, model_of) for number in range(len(scene.things))]
    blocks = max(1, min(len(shown), math.ceil(math.sqrt(len(shown) * 0.7))))
    side = max(_LEAST_TILE, min(size // 3, _MOST_ACROSS // (2 * blocks)))
    missing = -len(shown) % blocks
    tiles = [tile for _, pair in shown for tile in pair] + [Tile(-9, 1.0, 0.5, 0.0)] * (2 * missing)
    stage = TracedScene([part for parts, _ in shown for part in parts], sky=_TILE_SKY)
    light = stage.look(TileCamera(tuple(tiles), 2 * blocks, side), find_preset(preset)).light
    return _with_names(to_srgb(light), [thing.name for thing in scene.things], blocks, side)


def _object_tiles(scene: Scene, number: int, model_of: AssetOf) -> tuple[list[ScenePart], tuple[Tile, Tile]]:
    """The parts of a thing in its bay or its two bays, and the two squares that show them."""
    thing = scene.things[number]
    fronts = (None,) if thing.front is None else (Heading.SOUTH, Heading.WEST)
    bays = [2 * number + i for i in range(len(fronts))]
    parts: list[ScenePart] = []
    reaches: list[tuple[float, float]] = []
    for bay, front in zip(bays, fronts, strict=True):
        meshes = merged_by_material(
            list(
                placed_thing(replace(thing, cell=(bay * BAY_METRES, 0), front=front), model_of, appearance_seed(scene))
            )
        )
        reaches.append(_tile_reach(meshes, bay))
        parts += [ScenePart(mesh, number + 1) for mesh in (*meshes, _ground(bay))]
    reach, height = max(reach for reach, _ in reaches), reaches[0][1]
    if len(bays) == 1:
        return parts, (Tile(bays[0], reach, height, -0.5), Tile(bays[0], reach, height, 0.5))
    return parts, (Tile(bays[0], reach, height, 0.0), Tile(bays[1], reach, height, 0.0))


def _tile_reach(meshes: Sequence[Mesh], bay: int) -> tuple[float, float]:
    """Metres from the middle of what stands in a bay to the edge of its picture, and the height of that middle."""
    points = np.concatenate([mesh.points for mesh in meshes])
    aside = float(np.abs(points[:, 0] - bay * BAY_METRES).max())
    top, deep = float(points[:, 2].max()), float(np.abs(points[:, 1]).max())
    return _MARGIN * max(aside, top / 2 + 0.17 * deep, 0.2), top / 2


def _ground(bay: int) -> Mesh:
    return slab(
        (bay * BAY_METRES - BAY_METRES / 2, -BAY_METRES, -0.1),
        (bay * BAY_METRES + BAY_METRES / 2, 2.0 * BAY_METRES, 0.0),
        _GROUND_MATERIAL,
    )


def _with_names(picture: NDArray[np.uint8], names: Sequence[str], blocks: int, side: int) -> NDArray[np.uint8]:
    """The squares with a strip below each row, for numbers and names."""
    strip = max(10, round(0.2 * side))
    rows = len(picture) // side
    sheet = Image.new("RGB", (picture.shape[1], rows * (side + strip)), "#ffffff")
    for row in range(rows):
        sheet.paste(Image.fromarray(picture[row * side : (row + 1) * side]), (0, row * (side + strip)))
    letters = min(0.75 * strip, 18.0)
    for number, name in enumerate(names):
        row, block = divmod(number, blocks)
        left = block * 2 * side + 0.06 * side
        middle = (row + 1) * (side + strip) - strip / 2
        write_text(sheet, f"{number + 1}. {name}", (left, middle), letters, room=1.9 * side)
    return np.asarray(sheet)
