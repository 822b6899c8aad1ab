"""How kinds of objects look in pictures: contact sheets from several distances, pixels covered, and similarity of two
kinds.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.core.geometry import Heading
from tolman.render.building.rooms import merged_by_material
from tolman.render.building.things import PLINTH_HEIGHT, AssetOf, placed_thing
from tolman.render.building.walls import CEILING, EYE, slab
from tolman.render.camera import Perspective
from tolman.render.engine.conversion import to_srgb
from tolman.render.engine.traced_scene import Hits, TracedScene
from tolman.render.engine.values import ScenePart, find_preset
from tolman.render.plan.drawing import write_text
from tolman.render.shapes.mesh import Material, Mesh, Texture, srgb
from tolman.world import Thing
from tolman.world.vocabulary import ObjectKind

SIZE, FIELD = 384, 90.0
"""Pixels across a view, and degrees."""
_AROUND = 128
"""Pixels around the middle of a view in which any thing is that is 6 m away."""
_WEST, _SOUTH, _EAST, _NORTH = -7.0, -7.0, 7.0, 7.0
_LAMPS = (-4.5, -1.5, 1.5, 4.5)
"""Metres from the middle at which lights are, both ways."""
_FLOOR, _WALL = Material(srgb("#b4b0a8"), roughness=0.95), Material(srgb("#dcdad5"), roughness=0.95)
_LIGHT = Material((1.0, 0.96, 0.90), glow=18.0)


@dataclass(frozen=True)
class PlainRoomView:
    """A thing of a kind in the middle of the room, as large as in any scene and on its plinth if it has one there."""

    kind: ObjectKind
    model_of: AssetOf
    look: int = 0
    """Seed of its model."""

    def view(self, seen_by: Perspective, preset: str = "standard") -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The picture, and which of its pixels are the thing itself, plinth not."""
        seen = self._stage.look(seen_by, find_preset(preset))
        return to_srgb(seen.light), seen.hits.ids == 1

    def pixels(self, metres: float, aside: float) -> int:
        """How many pixels of a view from so far away are the thing itself; `aside` as in `plain_room_camera`."""
        return int((self._stage.hits(central_crop(plain_room_camera(metres, aside), _AROUND)).ids == 1).sum())

    @cached_property
    def meshes(self) -> tuple[Mesh, ...]:
        """The thing with its front to the south, without its plinth."""
        return tuple(mesh for mesh in self._placed if not self._on_plinth or mesh.points[:, 2].max() > PLINTH_HEIGHT)

    @property
    def _on_plinth(self) -> bool:
        """Only a plinth ends at the height of plinths with everything else above it."""
        tops = [mesh for mesh in self._placed if mesh.points[:, 2].max() > PLINTH_HEIGHT]
        return 0 < len(tops) < len(self._placed) and min(mesh.points[:, 2].min() for mesh in tops) >= PLINTH_HEIGHT

    @cached_property
    def _placed(self) -> tuple[Mesh, ...]:
        front = Heading.SOUTH if self.kind.fronted else None
        thing = Thing(self.kind.name, self.kind.name, (0, 0), front, 1)
        return tuple(merged_by_material(list(placed_thing(thing, self.model_of, self.look))))

    @cached_property
    def _stage(self) -> TracedScene:
        things = {id(mesh) for mesh in self.meshes}
        parts = [ScenePart(mesh, 1 if id(mesh) in things else 2) for mesh in self._placed]
        return TracedScene([*parts, *(ScenePart(mesh, 0) for mesh in merged_by_material(list(_room_meshes())))])


def plain_room_camera(metres: float, aside: float) -> Perspective:
    """A level camera at eye height that looks at the middle of the room, `aside` degrees off the thing's front,
    clockwise from above."""
    angle = math.radians(aside)
    return Perspective(-metres * math.sin(angle), -metres * math.cos(angle), EYE, aside, FIELD, SIZE, SIZE)


def central_crop(view: Perspective, side: int) -> Perspective:
    """The middle of a camera's picture alone, pixel for pixel, `side` pixels wide and high; both are even."""
    reach = math.tan(math.radians(view.field) / 2) * side / view.width
    return replace(view, field=2 * math.degrees(math.atan(reach)), width=side, height=side)


def _room_meshes() -> Iterator[Mesh]:
    thick = 0.1
    yield slab((_WEST, _SOUTH, -thick), (_EAST, _NORTH, 0.0), _FLOOR)
    yield slab((_WEST, _SOUTH, CEILING), (_EAST, _NORTH, CEILING + thick), _WALL)
    yield slab((_WEST - thick, _SOUTH, 0.0), (_WEST, _NORTH, CEILING), _WALL)
    yield slab((_EAST, _SOUTH, 0.0), (_EAST + thick, _NORTH, CEILING), _WALL)
    yield slab((_WEST, _SOUTH - thick, 0.0), (_EAST, _SOUTH, CEILING), _WALL)
    yield slab((_WEST, _NORTH, 0.0), (_EAST, _NORTH + thick, CEILING), _WALL)
    for x in _LAMPS:
        for y in _LAMPS:
            yield slab((x - 0.3, y - 0.3, CEILING - 0.03), (x + 0.3, y + 0.3, CEILING - 0.02), _LIGHT)


LEAST_RECOGNISABLE_PIXELS = 40
"""Pixels below which a thing can't be told."""
SIDES = (0.0, 90.0, 180.0, 270.0)
"""Degrees off the front."""
NEAR, MIDWAY, FAR = 1.0, 3.0, 6.0
"""Metres from the eye to the middle of the thing's cell."""
_VIEW_ANGLE = -30.0
"""Degrees off the front from which things are shown: most things can be told best from there."""
_ACROSS, _DOWN = 3, 5
_WHOLE, _MIDDLE, _SMALL = 208, 152, 80
"""Pixels of the three pictures of a thing: the whole near view, reduced, and two cut out as they are."""
_ENOUGH_MIDWAY, _ENOUGH_FAR = 224, 128
"""Pixels about the middle of a view of 384 from which those are cut, in which any thing has room."""
_STRIP, _GAP = 26, 12


@dataclass(frozen=True, eq=False)
class ContactSheetEntry:
    """A thing on the sheet."""

    name: str
    near: NDArray[np.uint8]
    midway: NDArray[np.uint8]
    far: NDArray[np.uint8]
    pixels: int
    """Of the thing at 6 m, without its plinth, in a view of 384 by 384 pixels over 90 degrees."""


def contact_sheet_entries(
    kinds: Sequence[ObjectKind], model_of: AssetOf, preset: str = "standard", look: int = 0
) -> Iterator[ContactSheetEntry]:
    """The things one by one; each takes a few seconds. `look` is the seed of their models."""
    for kind in kinds:
        thing = PlainRoomView(kind, model_of, look)
        near, _ = thing.view(plain_room_camera(NEAR, _VIEW_ANGLE), preset)
        midway, there = thing.view(central_crop(plain_room_camera(MIDWAY, _VIEW_ANGLE), _ENOUGH_MIDWAY), preset)
        far, small = thing.view(central_crop(plain_room_camera(FAR, _VIEW_ANGLE), _ENOUGH_FAR), preset)
        pixels = int(small.sum())
        yield ContactSheetEntry(
            kind.name, near, _crop_around(midway, there, _MIDDLE), _crop_around(far, small, _SMALL), pixels
        )


def least_pixels(kind: ObjectKind, model_of: AssetOf, looks: Sequence[int] = range(4)) -> int:
    """The fewest pixels that a thing has at 6 m, over some looks and the four sides that scenes show."""
    things = [PlainRoomView(kind, model_of, look) for look in looks]
    return min(thing.pixels(FAR, side) for thing in things for side in SIDES)


def _crop_around(picture: NDArray[np.uint8], there: NDArray[np.bool_], side: int) -> NDArray[np.uint8]:
    """A square with the thing in its middle, as far as the picture reaches."""
    rows, columns = np.nonzero(there)
    top, left = (
        int(np.clip((at.min() + at.max() + 1) // 2 - side // 2, 0, len(picture) - side)) for at in (rows, columns)
    )
    return picture[top : top + side, left : left + side]


def contact_sheet_pages(shown: Sequence[ContactSheetEntry]) -> Iterator[Image.Image]:
    """Sheets of fifteen things each, in the order given."""
    for start in range(0, len(shown), _ACROSS * _DOWN):
        yield _contact_sheet_page(shown[start : start + _ACROSS * _DOWN])


def _contact_sheet_page(shown: Sequence[ContactSheetEntry]) -> Image.Image:
    wide, high = _WHOLE + _MIDDLE + _SMALL + 2, _WHOLE + _STRIP
    rows = -(-len(shown) // _ACROSS)
    page = Image.new("RGB", (_ACROSS * (wide + _GAP) + _GAP, rows * (high + _GAP) + _GAP), "#ffffff")
    for number, entry in enumerate(shown):
        row, column = divmod(number, _ACROSS)
        _paste_entry(page, entry, _GAP + column * (wide + _GAP), _GAP + row * (high + _GAP))
    return page


def _paste_entry(page: Image.Image, entry: ContactSheetEntry, left: int, top: int) -> None:
    near = Image.fromarray(entry.near).resize((_WHOLE, _WHOLE), Image.Resampling.LANCZOS)
    middle, small = left + _WHOLE + 1, left + _WHOLE + _MIDDLE + 2
    page.paste(near, (left, top))
    page.paste(Image.fromarray(entry.midway), (middle, top + _WHOLE - _MIDDLE))
    page.paste(Image.fromarray(entry.far), (small, top + _WHOLE - _SMALL))
    write_text(page, "1 m", (left + 4, top + 11), 12)
    write_text(page, "3 m", (middle + 2, top + _WHOLE - _MIDDLE - 12), 12)
    write_text(page, "6 m", (small + 2, top + _WHOLE - _SMALL - 28), 12)
    write_text(page, f"{entry.pixels} pixels", (small + 2, top + _WHOLE - _SMALL - 12), 12)
    write_text(page, entry.name, (left + 2, top + _WHOLE + _STRIP / 2), 17)


Floats = NDArray[np.float32]

COMPARED_AT = 3.0
MOST_SIMILAR = 0.6
"""Two kinds may look the same in at most this share of what either covers."""
_CUT, _STEP, _CELL = 176, 2, 2
"""Pixels of the part of a view that is compared, how many go into one that is looked at, and how many of those into a
square over which colours are averaged."""
_SAME = 14.0
"""Two colours closer than this in CIE Lab are the same at a glance. What is covered and what is not are 100 apart."""
_LIGHT_DIRECTION = np.array([0.35, -0.5, 0.79], np.float32)
_TO_XYZ = np.array([[0.4339, 0.3762, 0.1898], [0.2127, 0.7152, 0.0721], [0.0178, 0.1095, 0.8727]])
"""From linear sRGB, relative to white."""


@dataclass(frozen=True, order=True)
class VisualSimilarity:
    """Two kinds and the largest share of their pictures that is the same, over all looks and sides compared."""

    share: float
    kinds: tuple[str, str]


def visual_similarities(
    kinds: Sequence[ObjectKind], model_of: AssetOf, looks: Sequence[int] = (0, 1, 2)
) -> list[VisualSimilarity]:
    """All pairs of kinds, the most alike first. `looks` are seeds of models; any look may meet any other."""
    seen = {kind.name: np.stack(list(_renderings(kind, model_of, looks))) for kind in kinds}
    found = [VisualSimilarity(_largest_similarity(seen[a], seen[b]), (a, b)) for a, b in combinations(seen, 2)]
    return sorted(found, reverse=True)


def _renderings(kind: ObjectKind, model_of: AssetOf, looks: Sequence[int]) -> Iterator[Floats]:
    for look in looks:
        meshes = PlainRoomView(kind, model_of, look).meshes
        stage = TracedScene([ScenePart(mesh, number) for number, mesh in enumerate(meshes, start=1)])
        for side in SIDES:
            coarse = replace(
                central_crop(plain_room_camera(COMPARED_AT, side), _CUT), width=_CUT // _STEP, height=_CUT // _STEP
            )
            yield _rendering(stage.hits(coarse), meshes)


def _rendering(hits: Hits, meshes: Sequence[Mesh]) -> Floats:
    """Squares with how much is covered, of 100, and the mean colour times that share, in Lab."""
    colours = np.array([(0.0, 0.0, 0.0), *(_mean_colour(mesh.material) for mesh in meshes)], np.float32)
    there = hits.ids > 0
    shade = 0.55 + 0.45 * np.abs(hits.normals @ _LIGHT_DIRECTION)
    seen = _lab((colours[np.maximum(hits.ids, 0)] * shade[..., None]).astype(np.float32))
    layers = np.concatenate([np.full((*there.shape, 1), 100.0), seen], axis=-1) * there[..., None]
    cells = _CUT // _STEP // _CELL
    return layers.reshape(cells, _CELL, cells, _CELL, 4).mean(axis=(1, 3)).reshape(-1, 4).astype(np.float32)


def _mean_colour(material: Material) -> tuple[float, ...]:
    if not isinstance(material.colour, Texture):
        return material.colour
    encoded = material.colour.image.reshape(-1, 3)[::7] / 255
    return tuple((encoded**2.2).mean(axis=0).tolist())


def _lab(linear: Floats) -> Floats:
    ratio = np.maximum(linear @ _TO_XYZ.T, 0)
    root = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1).astype(np.float32)


def _largest_similarity(some: Floats, others: Floats) -> float:
    """Each of some sights against each of the others, squares that both leave free not counted."""
    shares: list[float] = []
    for sight in some:
        either = (sight[:, 0] > 0) | (others[..., 0] > 0)
        apart = others - sight
        same = (np.einsum("ijk,ijk->ij", apart, apart) < _SAME**2) & either
        shares.append(float((np.count_nonzero(same, axis=1) / np.maximum(np.count_nonzero(either, axis=1), 1)).max()))
    return max(shares)
