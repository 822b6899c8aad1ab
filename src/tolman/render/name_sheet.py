"""A picture to go by: every thing of a scene with its number and name, those with a front from two sides."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.geometry import Heading
from tolman.render.building.build import look_of, merged
from tolman.render.building.openings import slab
from tolman.render.building.things import ModelOf, placed
from tolman.render.camera import Camera, Place
from tolman.render.engine.light import to_srgb
from tolman.render.engine.parts import Part
from tolman.render.engine.presets import find_preset
from tolman.render.engine.stage import Stage
from tolman.render.lettering import write
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh
from tolman.world import Scene

Floats = NDArray[np.float32]

BAY = 12
"""Metres between the places where things stand, so that none is in the picture of another."""
_MOST_ACROSS = 2048
"""Pixels of the sheet's width."""
_LEAST_TILE = 24
_SKY = 0.8
_MARGIN = 1.15
_GROUND = Material(srgb("#dcd9d2"), roughness=0.95)


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
class Tiles:
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
        return np.array([[t.bay * BAY, t.reach, t.height, t.aside] for t in self.tiles], np.float32)

    @property
    def place(self) -> Place:
        return Place()

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


def name_sheet(scene: Scene, model_of: ModelOf, *, size: int, preset: str = "standard") -> NDArray[np.uint8]:
    """Things in the scene's order, as they look there. What has a front is shown with its front to the camera, and
    beside that with its front to the left; what has none is shown once. `size` is that of other views, in pixels."""
    shown = [_shown(scene, number, model_of) for number in range(len(scene.things))]
    blocks = max(1, min(len(shown), math.ceil(math.sqrt(len(shown) * 0.7))))
    side = max(_LEAST_TILE, min(size // 3, _MOST_ACROSS // (2 * blocks)))
    missing = -len(shown) % blocks
    tiles = [tile for _, pair in shown for tile in pair] + [Tile(-9, 1.0, 0.5, 0.0)] * (2 * missing)
    stage = Stage([part for parts, _ in shown for part in parts], sky=_SKY)
    light = stage.look(Tiles(tuple(tiles), 2 * blocks, side), find_preset(preset)).light
    return _lettered(to_srgb(light), [thing.name for thing in scene.things], blocks, side)


def _shown(scene: Scene, number: int, model_of: ModelOf) -> tuple[list[Part], tuple[Tile, Tile]]:
    """The parts of a thing in its bay or its two bays, and the two squares that show them."""
    thing = scene.things[number]
    fronts = (None,) if thing.front is None else (Heading.SOUTH, Heading.WEST)
    bays = [2 * number + i for i in range(len(fronts))]
    parts: list[Part] = []
    reaches: list[tuple[float, float]] = []
    for bay, front in zip(bays, fronts, strict=True):
        meshes = merged(list(placed(replace(thing, cell=(bay * BAY, 0), front=front), model_of, look_of(scene))))
        reaches.append(_reach(meshes, bay))
        parts += [Part(mesh, number + 1) for mesh in (*meshes, _ground(bay))]
    reach, height = max(reach for reach, _ in reaches), reaches[0][1]
    if len(bays) == 1:
        return parts, (Tile(bays[0], reach, height, -0.5), Tile(bays[0], reach, height, 0.5))
    return parts, (Tile(bays[0], reach, height, 0.0), Tile(bays[1], reach, height, 0.0))


def _reach(meshes: Sequence[Mesh], bay: int) -> tuple[float, float]:
    """Metres from the middle of what stands in a bay to the edge of its picture, and the height of that middle."""
    points = np.concatenate([mesh.points for mesh in meshes])
    aside = float(np.abs(points[:, 0] - bay * BAY).max())
    top, deep = float(points[:, 2].max()), float(np.abs(points[:, 1]).max())
    return _MARGIN * max(aside, top / 2 + 0.17 * deep, 0.2), top / 2


def _ground(bay: int) -> Mesh:
    return slab((bay * BAY - BAY / 2, -BAY, -0.1), (bay * BAY + BAY / 2, 2.0 * BAY, 0.0), _GROUND)


def _lettered(picture: NDArray[np.uint8], names: Sequence[str], blocks: int, side: int) -> NDArray[np.uint8]:
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
        write(sheet, f"{number + 1}. {name}", (left, middle), letters, room=1.9 * side)
    return np.asarray(sheet)
