"""Appearance of assets: contact sheets from several distances, pixels covered, and visual similarity of kinds."""

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
"""Width of a view in pixels, and field of view in degrees."""
_CENTRE_PIXELS = 128
"""Side of the central square of a view that contains any thing 6 m away."""
_WEST, _SOUTH, _EAST, _NORTH = -7.0, -7.0, 7.0, 7.0
_LAMPS = (-4.5, -1.5, 1.5, 4.5)
"""Metres of the lights from the middle of the room, along x and y."""
_FLOOR, _WALL = Material(srgb("#b4b0a8"), roughness=0.95), Material(srgb("#dcdad5"), roughness=0.95)
_LIGHT = Material((1.0, 0.96, 0.90), emission=18.0)


@dataclass(frozen=True)
class PlainRoomView:
    """A thing in the middle of a plain room, with the size and plinth that it has in scenes."""

    kind: ObjectKind
    asset_of: AssetOf
    seed: int = 0
    """Of its asset."""

    def view(self, camera: Perspective, preset: str = "standard") -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The picture, and the mask of the thing without its plinth."""
        view = self._traced.render(camera, find_preset(preset))
        return to_srgb(view.light), view.hits.ids == 1

    def pixels(self, metres: float, aside: float) -> int:
        """Pixels of the thing without its plinth from some distance; `aside` as in `plain_room_camera`."""
        camera = central_crop(plain_room_camera(metres, aside), _CENTRE_PIXELS)
        return int((self._traced.hits(camera).ids == 1).sum())

    @cached_property
    def meshes(self) -> tuple[Mesh, ...]:
        """The thing with its front to the south, without its plinth."""
        return without_plinth(self._placed)

    @cached_property
    def _placed(self) -> tuple[Mesh, ...]:
        front = Heading.SOUTH if self.kind.fronted else None
        thing = Thing(self.kind.name, self.kind.name, (0, 0), front, 1)
        return tuple(merged_by_material(list(placed_thing(thing, self.asset_of, self.seed))))

    @cached_property
    def _traced(self) -> TracedScene:
        things = {id(mesh) for mesh in self.meshes}
        parts = [ScenePart(mesh, 1 if id(mesh) in things else 2) for mesh in self._placed]
        return TracedScene([*parts, *(ScenePart(mesh, 0) for mesh in merged_by_material(list(_room_meshes())))])


def without_plinth(meshes: Sequence[Mesh]) -> tuple[Mesh, ...]:
    """The meshes of a placed thing without its plinth: that which ends where all others begin."""
    tops = tuple(mesh for mesh in meshes if mesh.points[:, 2].max() > PLINTH_HEIGHT)
    raised = 0 < len(tops) < len(meshes) and min(mesh.points[:, 2].min() for mesh in tops) >= PLINTH_HEIGHT
    return tops if raised else tuple(meshes)


def plain_room_camera(metres: float, aside: float) -> Perspective:
    """A level camera at eye height that faces the middle of the room from `aside` degrees off the thing's front,
    clockwise seen from above."""
    angle = math.radians(aside)
    return Perspective(-metres * math.sin(angle), -metres * math.cos(angle), EYE, aside, FIELD, SIZE, SIZE)


def central_crop(view: Perspective, side: int) -> Perspective:
    """A camera for the central square of another's picture, `side` pixels wide; both widths are even."""
    tangent = math.tan(math.radians(view.field) / 2) * side / view.width
    return replace(view, field=2 * math.degrees(math.atan(tangent)), width=side, height=side)


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
"""Pixels below which a thing is not recognisable."""
SIDES = (0.0, 90.0, 180.0, 270.0)
"""Degrees off the front."""
NEAR, MIDWAY, FAR = 1.0, 3.0, 6.0
"""Metres from the camera to the centre of the thing's cell."""
_VIEW_ANGLE = -30.0
"""Degrees off the front on contact sheets, from where most things are easiest to recognise."""
_ACROSS, _DOWN = 3, 5
_NEAR_PIXELS, _MIDWAY_PIXELS, _FAR_PIXELS = 208, 152, 80
"""Side of the three pictures of a thing: the near view scaled down, and two crops."""
_MIDWAY_CROP, _FAR_CROP = 224, 128
"""Side of the central square of a view of 384 pixels that is rendered for these crops."""
_STRIP, _GAP = 26, 12


@dataclass(frozen=True, eq=False)
class ContactSheetEntry:
    """A kind on the contact sheet."""

    name: str
    near: NDArray[np.uint8]
    midway: NDArray[np.uint8]
    far: NDArray[np.uint8]
    pixels: int
    """Of the thing at 6 m, without its plinth, in a view of 384 by 384 pixels over 90 degrees."""


def contact_sheet_entries(
    kinds: Sequence[ObjectKind], asset_of: AssetOf, preset: str = "standard", seed: int = 0
) -> Iterator[ContactSheetEntry]:
    """The entries one by one; each takes a few seconds. `seed` is that of their assets."""
    for kind in kinds:
        thing = PlainRoomView(kind, asset_of, seed)
        near, _ = thing.view(plain_room_camera(NEAR, _VIEW_ANGLE), preset)
        midway, midway_mask = thing.view(central_crop(plain_room_camera(MIDWAY, _VIEW_ANGLE), _MIDWAY_CROP), preset)
        far, far_mask = thing.view(central_crop(plain_room_camera(FAR, _VIEW_ANGLE), _FAR_CROP), preset)
        midway, far = _crop_around(midway, midway_mask, _MIDWAY_PIXELS), _crop_around(far, far_mask, _FAR_PIXELS)
        yield ContactSheetEntry(kind.name, near, midway, far, int(far_mask.sum()))


def least_pixels(kind: ObjectKind, asset_of: AssetOf, seeds: Sequence[int] = range(4)) -> int:
    """The fewest pixels of a thing at 6 m, over some assets and the four sides that scenes show."""
    things = [PlainRoomView(kind, asset_of, seed) for seed in seeds]
    return min(thing.pixels(FAR, side) for thing in things for side in SIDES)


def _crop_around(picture: NDArray[np.uint8], mask: NDArray[np.bool_], side: int) -> NDArray[np.uint8]:
    """A square with the thing in its middle, as far as the picture allows."""
    rows, columns = np.nonzero(mask)
    top, left = (
        int(np.clip((at.min() + at.max() + 1) // 2 - side // 2, 0, len(picture) - side)) for at in (rows, columns)
    )
    return picture[top : top + side, left : left + side]


def contact_sheet_pages(entries: Sequence[ContactSheetEntry]) -> Iterator[Image.Image]:
    """Pages of fifteen entries each, in order."""
    for start in range(0, len(entries), _ACROSS * _DOWN):
        yield _contact_sheet_page(entries[start : start + _ACROSS * _DOWN])


def _contact_sheet_page(entries: Sequence[ContactSheetEntry]) -> Image.Image:
    width, height = _NEAR_PIXELS + _MIDWAY_PIXELS + _FAR_PIXELS + 2, _NEAR_PIXELS + _STRIP
    rows = -(-len(entries) // _ACROSS)
    page = Image.new("RGB", (_ACROSS * (width + _GAP) + _GAP, rows * (height + _GAP) + _GAP), "#ffffff")
    for number, entry in enumerate(entries):
        row, column = divmod(number, _ACROSS)
        _paste_entry(page, entry, _GAP + column * (width + _GAP), _GAP + row * (height + _GAP))
    return page


def _paste_entry(page: Image.Image, entry: ContactSheetEntry, left: int, top: int) -> None:
    near = Image.fromarray(entry.near).resize((_NEAR_PIXELS, _NEAR_PIXELS), Image.Resampling.LANCZOS)
    middle, right = left + _NEAR_PIXELS + 1, left + _NEAR_PIXELS + _MIDWAY_PIXELS + 2
    page.paste(near, (left, top))
    page.paste(Image.fromarray(entry.midway), (middle, top + _NEAR_PIXELS - _MIDWAY_PIXELS))
    page.paste(Image.fromarray(entry.far), (right, top + _NEAR_PIXELS - _FAR_PIXELS))
    write_text(page, "1 m", (left + 4, top + 11), 12)
    write_text(page, "3 m", (middle + 2, top + _NEAR_PIXELS - _MIDWAY_PIXELS - 12), 12)
    write_text(page, "6 m", (right + 2, top + _NEAR_PIXELS - _FAR_PIXELS - 28), 12)
    write_text(page, f"{entry.pixels} pixels", (right + 2, top + _NEAR_PIXELS - _FAR_PIXELS - 12), 12)
    write_text(page, entry.name, (left + 2, top + _NEAR_PIXELS + _STRIP / 2), 17)


Floats = NDArray[np.float32]

COMPARED_AT = 3.0
"""Metres."""
MOST_SIMILAR = 0.6
"""Two kinds may look the same in at most this share of the pixels that either covers."""
_CROP, _STEP, _CELL = 176, 2, 2
"""Side of the crop of a view that is compared, the factor by which it is rendered smaller, and the side of the squares
over which colours are then averaged; in pixels."""
_SAME_COLOUR = 14.0
"""Distance in CIE Lab below which two colours count as the same. Covered and empty squares are 100 apart."""
_LIGHT_DIRECTION = np.array([0.35, -0.5, 0.79], np.float32)
_TO_XYZ = np.array([[0.4339, 0.3762, 0.1898], [0.2127, 0.7152, 0.0721], [0.0178, 0.1095, 0.8727]])
"""From linear sRGB, relative to white."""


@dataclass(frozen=True, order=True)
class VisualSimilarity:
    """Two kinds and the largest share of their pictures that is the same, over all assets and sides compared."""

    share: float
    kinds: tuple[str, str]


def visual_similarities(
    kinds: Sequence[ObjectKind], asset_of: AssetOf, seeds: Sequence[int] = (0, 1, 2)
) -> list[VisualSimilarity]:
    """All pairs of kinds, the most similar first. Every asset of one kind is compared with every asset of the other."""
    pictures = {kind.name: np.stack(list(_descriptors(kind, asset_of, seeds))) for kind in kinds}
    pairs = combinations(pictures, 2)
    found = [VisualSimilarity(_largest_similarity(pictures[a], pictures[b]), (a, b)) for a, b in pairs]
    return sorted(found, reverse=True)


def _descriptors(kind: ObjectKind, asset_of: AssetOf, seeds: Sequence[int]) -> Iterator[Floats]:
    for seed in seeds:
        meshes = PlainRoomView(kind, asset_of, seed).meshes
        traced = TracedScene([ScenePart(mesh, number) for number, mesh in enumerate(meshes, start=1)])
        for side in SIDES:
            crop = central_crop(plain_room_camera(COMPARED_AT, side), _CROP)
            yield _descriptor(traced.hits(replace(crop, width=_CROP // _STEP, height=_CROP // _STEP)), meshes)


def _descriptor(hits: Hits, meshes: Sequence[Mesh]) -> Floats:
    """For each square of a picture: 100 times the share that is covered, and the mean Lab colour times that share."""
    colours = np.array([(0.0, 0.0, 0.0), *(_mean_colour(mesh.material) for mesh in meshes)], np.float32)
    mask = hits.ids > 0
    shade = 0.55 + 0.45 * np.abs(hits.normals @ _LIGHT_DIRECTION)
    shaded = lab((colours[np.maximum(hits.ids, 0)] * shade[..., None]).astype(np.float32))
    layers = np.concatenate([np.full((*mask.shape, 1), 100.0), shaded], axis=-1) * mask[..., None]
    cells = _CROP // _STEP // _CELL
    return layers.reshape(cells, _CELL, cells, _CELL, 4).mean(axis=(1, 3)).reshape(-1, 4).astype(np.float32)


def _mean_colour(material: Material) -> tuple[float, ...]:
    if not isinstance(material.colour, Texture):
        return material.colour
    encoded = material.colour.image.reshape(-1, 3)[::7] / 255
    return tuple((encoded**2.2).mean(axis=0).tolist())


def lab(linear: Floats) -> Floats:
    """CIE Lab colours of linear sRGB ones."""
    ratio = np.maximum(linear @ _TO_XYZ.T, 0)
    root = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1).astype(np.float32)


def _largest_similarity(some: Floats, others: Floats) -> float:
    """Largest share of the squares covered in either of two pictures that are the same in both."""
    shares: list[float] = []
    for picture in some:
        either = (picture[:, 0] > 0) | (others[..., 0] > 0)
        difference = others - picture
        same = (np.einsum("ijk,ijk->ij", difference, difference) < _SAME_COLOUR**2) & either
        shares.append(float((np.count_nonzero(same, axis=1) / np.maximum(np.count_nonzero(either, axis=1), 1)).max()))
    return max(shares)
