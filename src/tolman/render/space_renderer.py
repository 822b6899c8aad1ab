"""Pictures of a space: built once, looked at from its camera, and kept as PNG files in the cache folder."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import digest
from tolman.render.assets.choose import find_source
from tolman.render.assets.source import AssetSource
from tolman.render.building.rooms import merged_by_material
from tolman.render.building.space import finished_walls, piece_meshes, space_building_meshes
from tolman.render.building.things import AssetOf
from tolman.render.building.walls import CEILING
from tolman.render.camera import Camera, Panorama, Perspective, TopDown
from tolman.render.engine.conversion import EXPOSURE, to_srgb
from tolman.render.engine.traced_scene import NOTHING, Hits, TracedScene
from tolman.render.engine.values import ScenePart, find_preset
from tolman.render.engine.variant import variant
from tolman.render.renderer import Picture
from tolman.render.stored_pictures import ENGINE_LOCK, cached_png, picture_digest
from tolman.world.space.furnished_space import Space
from tolman.world.space.generate import CAMERA_HEIGHT

_TOP_DOWN_EXPOSURE = 1.25
"""Exposure of views from above: they show no wall and no light."""
_OUTSIDE_COLOUR = np.uint8(255)
"""What is outside the walls in such a view."""


def space_parts(space: Space, model_of: AssetOf, look: int) -> list[ScenePart]:
    """A whole space for the engine: the building first, then its pieces by their numbers."""
    walls = finished_walls(space, look)
    parts = [ScenePart(mesh, 0) for mesh in merged_by_material(list(space_building_meshes(space, walls)))]
    for piece in space.pieces:
        parts += [ScenePart(mesh, piece.id) for mesh in merged_by_material(piece_meshes(piece, model_of, look, walls))]
    return parts


def appearance_seed_of_space(space: Space) -> int:
    """The seed of how a space looks: its finishes and models."""
    return int(space.digest[:12], 16)


class SpaceRenderer:
    """One space with one set of models."""

    def __init__(self, space: Space, model_of: AssetOf, preset: str = "standard") -> None:
        self.space, self.preset = space, find_preset(preset)
        self._model_of = model_of

    @cached_property
    def _stage(self) -> TracedScene:
        return TracedScene(space_parts(self.space, self._model_of, appearance_seed_of_space(self.space)))

    def panorama(self, width: int = 1024, turn: float = 0.0, eye: float = CAMERA_HEIGHT) -> Picture:
        """All around the camera; what is `turn` degrees clockwise from north is in the middle column."""
        return self._picture(panorama_camera(self.space, width, turn, eye))

    def perspective(
        self,
        heading: float = 0.0,
        *,
        field: float = 90.0,
        size: tuple[int, int] = (512, 512),
        eye: float = CAMERA_HEIGHT,
    ) -> Picture:
        """A level view from the camera: `heading` in degrees from north, `field` degrees across, width and height."""
        x, y = self.space.camera
        return self._picture(Perspective(x, y, eye, heading, field, *size))

    def top_down(self, scale: float = 64.0) -> Picture:
        """From above without the ceiling, north up, `scale` pixels a metre."""
        picture = self._picture(space_top_down_camera(self.space, scale), _TOP_DOWN_EXPOSURE)
        rgb = np.where((picture.ids == NOTHING)[..., None], _OUTSIDE_COLOUR, picture.rgb)
        return replace(picture, rgb=rgb)

    def outlines(self, width: int = 1024, turn: float = 0.0, eye: float = CAMERA_HEIGHT) -> Hits:
        """Ids and depth of the panorama, without light: exactly what it shows, and quickly."""
        return self._stage.hits(panorama_camera(self.space, width, turn, eye))

    def outlines_above(self, scale: float = 64.0) -> Hits:
        """Ids and depth of the view from above, without light."""
        return self._stage.hits(space_top_down_camera(self.space, scale))

    def _picture(self, camera: Camera, exposure: float = EXPOSURE) -> Picture:
        view = self._stage.look(camera, self.preset)
        return Picture(to_srgb(view.light, exposure), view.hits.depth, view.hits.ids, view.hits.normals)


def panorama_camera(space: Space, width: int = 1024, turn: float = 0.0, eye: float = CAMERA_HEIGHT) -> Panorama:
    """The camera of a panorama, `turn` degrees clockwise from north in its middle."""
    return Panorama(*space.camera, eye, turn, width)


def space_top_down_camera(space: Space, scale: float = 64.0) -> TopDown:
    """The camera of a view from above."""
    xs, ys = zip(*space.layout, strict=True)
    return TopDown(min(xs) - 0.25, min(ys) - 0.25, max(xs) + 0.25, max(ys) + 0.25, CEILING - 0.1, scale)


def visible_pixels(space: Space, ids: NDArray[np.int32]) -> dict[int, int]:
    """Pixels of each piece, by its number, in the ids of a view; 0 for what can't be seen."""
    counts = np.bincount(np.maximum(ids, 0).ravel(), minlength=len(space.pieces) + 1)
    return {piece.id: int(counts[piece.id]) for piece in space.pieces}


SPACE_LOOK_VERSION = 1
"""Raised whenever the same space would come out looking otherwise."""
MOST_BUILT_SPACES = 2
"""Spaces that stay built, the latest."""
_BUILT: OrderedDict[tuple[str, str, str], SpaceRenderer] = OrderedDict()


@dataclass(frozen=True)
class SpacePictures:
    """All pictures of one space in one quality, with the models of one source."""

    space: Space
    preset: str = "standard"
    assets: str = "auto"
    """`auto`, `pack`, `built-in`, or a folder of one's own models."""

    def panorama(self, width: int = 1024, turn: float = 0.0) -> bytes:
        """All around the camera, `turn` degrees clockwise from north in the middle."""
        with ENGINE_LOCK:
            name = self.digest(panorama_camera(self.space, width, turn))
            return cached_png(name, lambda: self._renderer().panorama(width, turn).rgb)

    def top_down(self, scale: float = 64.0) -> bytes:
        """From above without the ceiling, north up, `scale` pixels a metre."""
        with ENGINE_LOCK:
            name = self.digest(space_top_down_camera(self.space, scale))
            return cached_png(name, lambda: self._renderer().top_down(scale).rgb)

    def pixels_seen(self, width: int = 1024) -> dict[int, int]:
        """Pixels of the panorama that each piece covers, by its number."""
        with ENGINE_LOCK:
            return visible_pixels(self.space, self._renderer().outlines(width).ids)

    def digest(self, camera: Panorama | TopDown) -> str:
        """The identity of a picture."""
        models = _cached_source(self.assets).digest
        return digest(
            [
                "space",
                SPACE_LOOK_VERSION,
                picture_digest(self.space, camera, find_preset(self.preset), models, variant()),
            ]
        )

    def _renderer(self) -> SpaceRenderer:
        source = _cached_source(self.assets)
        key = self.space.digest, source.digest, self.preset
        renderer = _BUILT.pop(key, None) or SpaceRenderer(self.space, source.model, self.preset)
        _BUILT[key] = renderer
        while len(_BUILT) > MOST_BUILT_SPACES:
            _BUILT.popitem(last=False)
        return renderer


@lru_cache(maxsize=8)
def _cached_source(name: str) -> AssetSource:
    return find_source(name)
