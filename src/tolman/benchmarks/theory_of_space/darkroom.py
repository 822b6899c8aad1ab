"""Pictures of a case as PNG files: rendered ahead of time, or once and then kept in the cache folder under all that
they depend on."""

import importlib.util
from collections import OrderedDict
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tolman.belief.unexplored import Points
from tolman.benchmarks.theory_of_space.captions import scene_in
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.picture_marks import Distances, Key, Look, Names, PointPlan
from tolman.errors import RenderError
from tolman.render.assets.choose import find_source
from tolman.render.assets.source import Source
from tolman.render.calibration import distance_picture
from tolman.render.camera import Perspective
from tolman.render.digests import picture_digest
from tolman.render.engine.presets import find_preset
from tolman.render.engine.variant import variant
from tolman.render.name_sheet import name_sheet
from tolman.render.picture_cache import ENGINE, find_prerendered, kept, prerendered_folders
from tolman.render.point_plan import point_plan
from tolman.render.renderer import Renderer
from tolman.seeds import digest
from tolman.world import Pose, Room, Scene

MOST_SCENES = 4
"""Scenes that stay built, the latest."""
SHEETS = 1
"""Raised whenever a calibration picture would come out looking otherwise."""
_EMPTY = Scene((Room(1, (0, 0), (0, 0)),), (), (), (0, 0))
"""Stands for the scene of a picture that shows none."""
_BUILT: OrderedDict[tuple[str, str, str, str], Renderer] = OrderedDict()


def check_renderer(options: Options) -> None:
    """Refuse what can't be rendered here or is not known, in one sentence and before anything is run."""
    if importlib.util.find_spec("mitsuba") is None or importlib.util.find_spec("pyoidn") is None:
        raise RenderError("the vision world is rendered with Mitsuba: pip install 'tolman[render]'")
    find_preset(options.preset)
    _source(options.assets)
    prerendered_folders()


class Darkroom:
    """All pictures that a case may need, as its options want them."""

    def __init__(self, case: Case, options: Options) -> None:
        self._case, self._options = case, options

    def png(self, key: Key) -> bytes:
        """The picture; whoever asks waits until it is made, one after another."""
        with ENGINE:
            match key:
                case Look():
                    return self._view(key)
                case PointPlan():
                    letters = Points(key.points, frozenset()).letters
                    pixels = self._options.image_size * 4 // 3
                    return point_plan(self._case.scene, key.cell, key.heading, letters, pixels=pixels)
                case Distances():
                    return self._distances()
                case Names():
                    return self._names()

    def made_with(self) -> dict[str, str]:
        """Engine and models, which the options leave open; and engines of pictures that were made ahead of time."""
        models = _source(self._options.assets)
        made = {"engine": variant(), "assets": models.name, "assets digest": models.digest}
        ahead = dict.fromkeys(folder.engine for folder in prerendered_folders())
        return made | ({"engine of pictures made ahead": ", ".join(ahead)} if ahead else {})

    def _view(self, key: Look) -> bytes:
        options, scene = self._options, scene_in(self._case, key)
        models = _source(options.assets)

        def render() -> NDArray[np.uint8]:
            pose = Pose(key.cell, key.heading, ())
            eye, field = options.eye_height, options.field_of_view
            renderer = _built(scene, self._case.scene, models, options.preset)
            return renderer.ego(pose, field=field, size=options.image_size, eye=eye).rgb

        def name(engine: str) -> str:
            camera = self._camera(*key.cell, key.heading.degrees)
            return picture_digest(
                scene, camera, find_preset(options.preset), models.digest, engine, in_the_look_of=self._case.scene
            )

        return find_prerendered(name) or kept(name(variant()), render)

    def _distances(self) -> bytes:
        options, camera = self._options, self._camera(0, 0, 0)
        name = picture_digest(_EMPTY, camera, find_preset(options.preset), "", variant())
        field, size, eye = options.field_of_view, options.image_size, options.eye_height
        return kept(
            digest(["distances", SHEETS, name]),
            lambda: distance_picture(field=field, size=size, eye=eye, preset=options.preset),
        )

    def _names(self) -> bytes:
        options, scene, models = self._options, self._case.scene, _source(self._options.assets)
        name = picture_digest(scene, self._camera(0, 0, 0), find_preset(options.preset), models.digest, variant())
        return kept(
            digest(["names", SHEETS, name]),
            lambda: name_sheet(scene, models.model, size=options.image_size, preset=options.preset),
        )

    def _camera(self, x: int, y: int, heading: float) -> Perspective:
        options = self._options
        size = options.image_size
        return Perspective(x, y, options.eye_height, heading, options.field_of_view, size, size)


@lru_cache(maxsize=8)
def _source(name: str) -> Source:
    return find_source(name)


def _built(scene: Scene, before: Scene, models: Source, preset: str) -> Renderer:
    """The renderer of a scene; the latest few are kept, as building takes as long as a view or two."""
    key = scene.digest, before.digest, models.digest, preset
    renderer = _BUILT.pop(key, None) or Renderer(scene, models.model, preset, in_the_look_of=before)
    _BUILT[key] = renderer
    while len(_BUILT) > MOST_SCENES:
        _BUILT.popitem(last=False)
    return renderer
