"""Rendering of a scene from any pose (RGB, depth, ids, normals), and PNG encoding."""

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError
from PIL.PngImagePlugin import PngInfo

from tolman.core.files import encoded
from tolman.render.building.finishes import SurfacePack
from tolman.render.building.outlook import outlook
from tolman.render.building.rooms import appearance_seed, scene_parts, window_panes
from tolman.render.building.things import AssetOf
from tolman.render.building.walls import CEILING, EYE
from tolman.render.building.windows import Pane, glazed
from tolman.render.camera import Camera, Panorama, Perspective, TopDown
from tolman.render.engine.conversion import automatic_exposure, to_srgb
from tolman.render.engine.traced_scene import NOTHING, Hits, TracedScene
from tolman.render.engine.values import find_preset
from tolman.render.stored_pictures import png_bytes
from tolman.world import Pose, Room, Scene


@dataclass(frozen=True, eq=False)
class Picture:
    """A rendered view with its ground truth."""

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    """Metres along each pixel's ray."""
    ids: NDArray[np.int32]
    """Numbers of things and doors, from 1 in the scene's order; 0 for the building, -1 where the ray hits nothing."""
    normals: NDArray[np.float32]


class Renderer:
    """Renders one scene with one set of assets and finishes; `appearance_of` is a scene that looks the same, such as
    the one before a change."""

    def __init__(
        self,
        scene: Scene,
        asset_of: AssetOf,
        preset: str = "standard",
        appearance_of: Scene | None = None,
        pack: SurfacePack | None = None,
    ) -> None:
        self.scene, self.preset = scene, find_preset(preset)
        self._asset_of, self._seed, self._pack = asset_of, appearance_seed(appearance_of or scene), pack
        self._exposures: dict[int, float] = {}

    @cached_property
    def _traced(self) -> TracedScene:
        return TracedScene(
            scene_parts(self.scene, self._asset_of, self._seed, self._pack), outlook(self._seed, self._pack)
        )

    @cached_property
    def _panes(self) -> list[Pane]:
        return window_panes(self.scene, self._seed)

    def ego(self, pose: Pose, *, field: float = 90.0, size: int = 384, eye: float = EYE) -> Picture:
        """The egocentric view from a pose, `eye` metres above the floor: `field` degrees across `size` pixels."""
        x, y = pose.cell
        return self._picture(Perspective(x, y, eye, pose.heading.degrees, field, size, size), (x, y))

    def panorama(self, pose: Pose, *, width: int = 1024, eye: float = EYE) -> Picture:
        """The panorama around a pose; its heading is in the middle."""
        x, y = pose.cell
        return self._picture(Panorama(x, y, eye, pose.heading.degrees, width), (x, y))

    def top_down(self, *, scale: float = 32.0) -> Picture:
        """The scene from above without ceilings, north up, `scale` pixels per metre; black outside."""
        (x0, y0), (x1, y1) = self.scene.bounds
        return self._picture(TopDown(x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5, CEILING - 0.1, scale), None)

    def _picture(self, camera: Camera, cell: tuple[int, int] | None) -> Picture:
        """The view of any camera; the thing or door in `cell` is not drawn."""
        return next(self.pictures([camera], [cell]))

    def pictures(self, cameras: Sequence[Camera], cells: Sequence[tuple[int, int] | None]) -> Iterator[Picture]:
        """Views of cameras that differ in their poses only, each without the thing or door in its cell. They are traced
        together, which is faster on a GPU."""
        views = self._traced.render_many(cameras, self.preset, cells)
        for camera, cell, view in zip(cameras, cells, views, strict=True):
            rgb, hits = to_srgb(view.light, self._exposure(camera, cell)), glazed(view.hits, camera, self._panes)
            if isinstance(camera, TopDown):
                rgb = np.where((hits.ids == NOTHING)[..., None], np.uint8(0), rgb)
            yield Picture(rgb, hits.depth, hits.ids, hits.normals)

    def previews(
        self, poses: Sequence[Pose], *, field: float = 90.0, size: int = 384, eye: float = EYE
    ) -> NDArray[np.uint8]:
        """Egocentric views from many poses as one array of sRGB pictures, shaded as with the `preview` preset."""
        cameras = [Perspective(*pose.cell, eye, pose.heading.degrees, field, size, size) for pose in poses]
        return self._traced.previews(cameras, [pose.cell for pose in poses])

    def _exposure(self, camera: Camera, cell: tuple[int, int] | None) -> float:
        """Of the room that a camera is in; in a doorway, of the room ahead; from above, of all rooms."""
        if self.preset.name == "preview":
            return 1.0
        angle, rooms = math.radians(camera.place.heading), self.scene.rooms
        if cell is not None:
            ahead = cell[0] + round(math.sin(angle)), cell[1] + round(math.cos(angle))
            beside = [(cell[0] + x, cell[1] + y) for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0))]
            places: list[list[tuple[int, int]]] = [[cell], [ahead], beside]
            for near in places:
                if found := tuple(room for room in rooms if any(room.holds(place) for place in near)):
                    rooms = found
                    break
        values = [self._room_exposure(room) for room in rooms]
        return math.exp(sum(math.log(value) for value in values) / len(values))

    def _room_exposure(self, room: Room) -> float:
        if room.id not in self._exposures:
            (x0, y0), (x1, y1) = room.low, room.high
            low, high = (x0 - 1.0, y0 - 1.0, -0.01), (x1 + 1.0, y1 + 1.0, CEILING + 0.01)
            self._exposures[room.id] = automatic_exposure(self._traced.luminance(low, high))
        return self._exposures[room.id]

    def hits(self, pose: Pose, *, field: float = 90.0, size: int = 384, eye: float = EYE) -> Hits:
        """Ids, depth and normals of the egocentric view from a pose, without the slow computation of light."""
        x, y = pose.cell
        camera = Perspective(x, y, eye, pose.heading.degrees, field, size, size)
        return glazed(self._traced.hits(camera, (x, y)), camera, self._panes)


MILLIMETRES = 1000
FARTHEST_DEPTH = 65_535
"""Depth in millimetres of anything beyond 65.534 m, and of pixels without a hit."""


def rgb_png(picture: Picture) -> bytes:
    """sRGB, eight bits per channel."""
    return png_bytes(picture.rgb)


def ids_png(picture: Picture) -> bytes:
    """Numbers of things and doors from 1, 16 bits; 0 for everything else."""
    return png_bytes(np.maximum(picture.ids, 0).astype(np.uint16))


def depth_png(picture: Picture) -> bytes:
    """Millimetres along each pixel's ray, 16 bits."""
    millimetres = np.minimum(np.nan_to_num(picture.depth, posinf=1e9) * MILLIMETRES, FARTHEST_DEPTH)
    return png_bytes(np.round(millimetres).astype(np.uint16), gradients=True)


PNG_ENCODERS: dict[str, Callable[[Picture], bytes]] = {"rgb": rgb_png, "ids": ids_png, "depth": depth_png}
"""By the folder of the files."""


def is_complete_png(path: Path) -> bool:
    """Whether a PNG file exists and is intact."""
    try:
        with Image.open(path, formats=["PNG"]) as picture:
            picture.verify()
    except (OSError, ValueError, SyntaxError):
        return False
    return True


_CAPTION_CHUNK = "tolman-caption"


def embed_caption(png: bytes, words: str) -> bytes:
    """The same PNG with words in a text chunk."""
    chunks = PngInfo()
    chunks.add_itxt(_CAPTION_CHUNK, words)
    with Image.open(io.BytesIO(png)) as picture:
        return encoded(picture, "PNG", pnginfo=chunks)


def read_caption(data: bytes) -> str:
    """The words that `embed_caption` put into a PNG; empty if there are none. Never raises."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            picture.load()
            return str(picture.info.get(_CAPTION_CHUNK, ""))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""
