"""Pictures of a scene: built once, then looked at from any pose."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tolman.render.building.build import build, look_of
from tolman.render.building.measures import CEILING, EYE
from tolman.render.building.things import ModelOf
from tolman.render.camera import Camera, Panorama, Perspective, TopDown
from tolman.render.engine.light import to_srgb
from tolman.render.engine.presets import find_preset
from tolman.render.engine.stage import Hits, Stage, View
from tolman.world import Pose, Scene


@dataclass(frozen=True, eq=False)
class Picture:
    """A view with what is in it."""

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    """Metres along each pixel's ray."""
    ids: NDArray[np.int32]
    """Numbers of things and doors, from 1 in the scene's order; 0 for the building, -1 for nothing."""
    normals: NDArray[np.float32]


class Renderer:
    """One scene with one set of models, in its own look or in that of another: the world before it was changed."""

    def __init__(
        self, scene: Scene, model_of: ModelOf, preset: str = "standard", in_the_look_of: Scene | None = None
    ) -> None:
        self.scene, self.preset = scene, find_preset(preset)
        self._model_of, self._look = model_of, look_of(in_the_look_of or scene)

    @cached_property
    def _stage(self) -> Stage:
        return Stage(build(self.scene, self._model_of, self._look))

    def ego(self, pose: Pose, *, field: float = 90.0, size: int = 384, eye: float = EYE) -> Picture:
        """What someone sees from a pose, eyes `eye` metres above the floor; `field` degrees across `size` pixels."""
        x, y = pose.cell
        camera = Perspective(x, y, eye, pose.heading.degrees, field, size, size)
        return self.take(camera, (x, y))

    def panorama(self, pose: Pose, *, width: int = 1024, eye: float = EYE) -> Picture:
        """All around a pose; its heading is in the middle."""
        x, y = pose.cell
        return self.take(Panorama(x, y, eye, pose.heading.degrees, width), (x, y))

    def top_down(self, *, scale: float = 32.0) -> Picture:
        """From above without ceilings, north up, `scale` pixels a metre."""
        (x0, y0), (x1, y1) = self.scene.bounds
        return self.take(TopDown(x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5, CEILING - 0.1, scale), None)

    def take(self, camera: Camera, cell: tuple[int, int] | None) -> Picture:
        """What any camera sees; what stands in `cell` is not drawn."""
        view: View = self._stage.look(camera, self.preset, cell)
        return Picture(to_srgb(view.light), view.hits.depth, view.hits.ids, view.hits.normals)

    def outlines(self, pose: Pose, *, field: float = 90.0, size: int = 384, eye: float = EYE) -> Hits:
        """Ids and depth of what someone sees from a pose, without light: what a picture shows, exactly and quickly."""
        x, y = pose.cell
        return self._stage.hits(Perspective(x, y, eye, pose.heading.degrees, field, size, size), (x, y))
