"""Rendering of a furnished space from its camera and from above, with a cache of PNG files."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tolman.core.seeds import digest
from tolman.render.assets.choose import surface_pack
from tolman.render.building.finishes import SurfacePack
from tolman.render.building.outlook import outlook
from tolman.render.building.rooms import appearance_seed, merged_by_material
from tolman.render.building.space import finished_walls, piece_meshes, space_building_meshes, space_panes
from tolman.render.building.things import AssetOf
from tolman.render.building.walls import CEILING
from tolman.render.building.windows import Pane, glazed
from tolman.render.camera import Camera, Panorama, TopDown
from tolman.render.engine.conversion import automatic_exposure, to_srgb
from tolman.render.engine.traced_scene import NOTHING, Hits, TracedScene
from tolman.render.engine.values import ScenePart, find_preset
from tolman.render.engine.variant import variant
from tolman.render.renderer import Picture
from tolman.render.stored_pictures import ENGINE_LOCK, cached_png, picture_digest
from tolman.render.views import cached_asset_source
from tolman.world.space.furnished_space import Space
from tolman.world.space.generate import CAMERA_HEIGHT

_TOP_DOWN_EXPOSURE = 1.25
"""Factor of the exposure in top-down views, which show no wall and no light."""
_OUTSIDE_COLOUR = np.uint8(255)
"""Of pixels outside the walls in a top-down view."""


def space_parts(space: Space, asset_of: AssetOf, seed: int, pack: SurfacePack | None = None) -> list[ScenePart]:
    """A space for the engine: the building first, then its pieces; `seed` is that of its appearance."""
    walls = finished_walls(space, seed, pack)
    parts = [ScenePart(mesh, 0) for mesh in merged_by_material(list(space_building_meshes(space, walls, seed)))]
    for piece in space.pieces:
        parts += [ScenePart(mesh, piece.id) for mesh in merged_by_material(piece_meshes(piece, asset_of, seed, walls))]
    return parts


class SpaceRenderer:
    """Renders one space with one set of assets."""

    def __init__(
        self, space: Space, asset_of: AssetOf, preset: str = "standard", pack: SurfacePack | None = None
    ) -> None:
        self.space, self.preset = space, find_preset(preset)
        self._asset_of, self._pack, self._seed = asset_of, pack, appearance_seed(space)

    @cached_property
    def _traced(self) -> TracedScene:
        parts = space_parts(self.space, self._asset_of, self._seed, self._pack)
        return TracedScene(parts, outlook(self._seed, self._pack))

    @cached_property
    def _panes(self) -> list[Pane]:
        return space_panes(finished_walls(self.space, self._seed))

    def panorama(self, width: int = 1024, turn: float = 0.0, eye: float = CAMERA_HEIGHT) -> Picture:
        """The panorama, with the direction `turn` degrees clockwise from north in the middle column."""
        return self._picture(panorama_camera(self.space, width, turn, eye))

    def top_down(self, scale: float = 64.0) -> Picture:
        """The space from above without the ceiling, north up, `scale` pixels per metre."""
        picture = self._picture(space_top_down_camera(self.space, scale), _TOP_DOWN_EXPOSURE)
        return replace(picture, rgb=np.where((picture.ids == NOTHING)[..., None], _OUTSIDE_COLOUR, picture.rgb))

    def hits(self, width: int = 1024, turn: float = 0.0, eye: float = CAMERA_HEIGHT) -> Hits:
        """Ids, depth and normals of the panorama, without the slow computation of light."""
        camera = panorama_camera(self.space, width, turn, eye)
        return glazed(self._traced.hits(camera), camera, self._panes)

    def top_down_hits(self, scale: float = 64.0) -> Hits:
        """Ids, depth and normals of the top-down view."""
        return self._traced.hits(space_top_down_camera(self.space, scale))

    def _picture(self, camera: Camera, factor: float = 1.0) -> Picture:
        view = self._traced.render(camera, self.preset)
        hits = glazed(view.hits, camera, self._panes)
        exposure = factor if self.preset.name == "preview" else factor * self._exposure
        return Picture(to_srgb(view.light, exposure), hits.depth, hits.ids, hits.normals)

    @cached_property
    def _exposure(self) -> float:
        camera = space_top_down_camera(self.space)
        low, high = (camera.west, camera.south, -0.01), (camera.east, camera.north, CEILING + 0.01)
        return automatic_exposure(self._traced.luminance(low, high))


def panorama_camera(space: Space, width: int = 1024, turn: float = 0.0, eye: float = CAMERA_HEIGHT) -> Panorama:
    """The camera of a panorama with the direction `turn` degrees clockwise from north in its middle."""
    return Panorama(*space.camera, eye, turn, width)


def space_top_down_camera(space: Space, scale: float = 64.0) -> TopDown:
    """The camera of the top-down view."""
    xs, ys = zip(*space.layout, strict=True)
    return TopDown(min(xs) - 0.25, min(ys) - 0.25, max(xs) + 0.25, max(ys) + 0.25, CEILING - 0.1, scale)


def visible_pixels(space: Space, ids: NDArray[np.int32]) -> dict[int, int]:
    """Pixels of each piece in the ids of a view, by its number; 0 if it is not visible."""
    counts = np.bincount(np.maximum(ids, 0).ravel(), minlength=len(space.pieces) + 1)
    return {piece.id: int(counts[piece.id]) for piece in space.pieces}


SPACE_LOOK_VERSION = 3
"""Raised whenever the same space would be rendered differently."""


@dataclass(frozen=True)
class SpacePictures:
    """PNG pictures of one space with one preset and one asset source, cached."""

    space: Space
    preset: str = "standard"
    assets: str = "auto"
    """`auto`, `pack`, `built-in`, or a folder of GLB files."""

    def panorama(self, width: int = 1024, turn: float = 0.0) -> bytes:
        """The panorama, with the direction `turn` degrees clockwise from north in the middle column."""
        with ENGINE_LOCK:
            name = self.digest(panorama_camera(self.space, width, turn))
            return cached_png(name, lambda: _renderer(self).panorama(width, turn).rgb)

    def top_down(self, scale: float = 64.0) -> bytes:
        """The space from above without the ceiling, north up, `scale` pixels per metre."""
        with ENGINE_LOCK:
            name = self.digest(space_top_down_camera(self.space, scale))
            return cached_png(name, lambda: _renderer(self).top_down(scale).rgb)

    def pixels_seen(self, width: int = 1024) -> dict[int, int]:
        """Pixels of the panorama that each piece covers, by its number."""
        with ENGINE_LOCK:
            return visible_pixels(self.space, _renderer(self).hits(width).ids)

    def digest(self, camera: Panorama | TopDown) -> str:
        """Identity of a picture."""
        assets = cached_asset_source(self.assets).digest
        picture = picture_digest(self.space, camera, find_preset(self.preset), assets, variant())
        return digest(["space", SPACE_LOOK_VERSION, picture])


@lru_cache(maxsize=2)
def _renderer(of: SpacePictures) -> SpaceRenderer:
    """The latest are kept, whose scenes stay built."""
    source = cached_asset_source(of.assets)
    return SpaceRenderer(of.space, source.asset, of.preset, surface_pack(source))
