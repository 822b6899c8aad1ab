"""Pictures of a space as PNG files, rendered once and then kept in the cache folder."""

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

from tolman.render.assets.choose import find_source
from tolman.render.assets.source import Source
from tolman.render.camera import Panorama, TopDown
from tolman.render.digests import picture_digest
from tolman.render.engine.presets import find_preset
from tolman.render.engine.variant import variant
from tolman.render.picture_cache import ENGINE, kept
from tolman.render.space_renderer import SpaceRenderer, above_camera, panorama_camera, visible
from tolman.seeds import digest
from tolman.world.space.values import Space

SPACE_LOOK = 1
"""Raised whenever the same space would come out looking otherwise."""
MOST_SPACES = 2
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
        with ENGINE:
            name = self.digest(panorama_camera(self.space, width, turn))
            return kept(name, lambda: self._renderer().panorama(width, turn).rgb)

    def top_down(self, scale: float = 64.0) -> bytes:
        """From above without the ceiling, north up, `scale` pixels a metre."""
        with ENGINE:
            name = self.digest(above_camera(self.space, scale))
            return kept(name, lambda: self._renderer().top_down(scale).rgb)

    def pixels_seen(self, width: int = 1024) -> dict[int, int]:
        """Pixels of the panorama that each piece covers, by its number."""
        with ENGINE:
            return visible(self.space, self._renderer().outlines(width).ids)

    def digest(self, camera: Panorama | TopDown) -> str:
        """The identity of a picture."""
        models = _source(self.assets).digest
        return digest(
            ["space", SPACE_LOOK, picture_digest(self.space, camera, find_preset(self.preset), models, variant())]
        )

    def _renderer(self) -> SpaceRenderer:
        source = _source(self.assets)
        key = self.space.digest, source.digest, self.preset
        renderer = _BUILT.pop(key, None) or SpaceRenderer(self.space, source.model, self.preset)
        _BUILT[key] = renderer
        while len(_BUILT) > MOST_SPACES:
            _BUILT.popitem(last=False)
        return renderer


@lru_cache(maxsize=8)
def _source(name: str) -> Source:
    return find_source(name)
