"""Pictures of a case: rendered or read from the cache folder, and encoded in the format that is sent."""

import base64
import importlib.util
import io
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydantic import JsonValue

from tolman.belief.unexplored import CandidatePoints
from tolman.belief.visible_facings import AlikeView
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    PointPlan,
    ViewPicture,
    caption,
    picture_mark,
    scene_of_view,
    split_at_marks,
)
from tolman.core.errors import RenderError
from tolman.core.files import encoded
from tolman.core.seeds import digest
from tolman.harness.images import in_worker_thread, logged_pictures
from tolman.harness.logs import SampleAddress
from tolman.render.assets.choose import find_source, surface_pack
from tolman.render.assets.own_sides import alike_views
from tolman.render.assets.source import AssetSource
from tolman.render.building.rooms import appearance_seed
from tolman.render.camera import Perspective
from tolman.render.engine.values import find_preset
from tolman.render.engine.variant import variant
from tolman.render.instruction_pictures import calibration_picture, object_legend_picture
from tolman.render.plan.map_picture import candidate_points_picture
from tolman.render.renderer import Renderer, embed_caption
from tolman.render.stored_pictures import ENGINE_LOCK, cached_png, find_prerendered, picture_digest, prerendered_folders
from tolman.world import Pose, Room, Scene


def picture_note(key: PictureKey, url: str) -> dict[str, JsonValue]:
    """The log entry: the picture's mark, and the picture as sent (a data URL)."""
    return {"mark": picture_mark(key), "picture": url}


def pictures_in(noted: Iterable[tuple[Mapping[str, JsonValue], bytes]]) -> dict[PictureKey, bytes]:
    """The picture files in the entries of a log. Malformed entries are skipped."""
    return {key: data for entry, data in noted if (key := _logged_key(entry.get("mark"))) is not None}


def _logged_key(text: object) -> PictureKey | None:
    pieces = split_at_marks(text) if isinstance(text, str) else []
    return pieces[0] if len(pieces) == 1 and not isinstance(pieces[0], str) else None


def read_pictures(at: SampleAddress) -> dict[PictureKey, bytes]:
    """The files of all pictures that were sent; empty if the log is missing, damaged or of an older version."""
    return pictures_in(logged_pictures(at))


MOST_BUILT_SCENES = 4
"""Number of latest scenes whose renderers are kept."""
CALIBRATION_VERSION = 2
"""Part of cache keys; increased whenever the look of calibration pictures changes."""
_EMPTY_SCENE = Scene((Room(1, (0, 0), (0, 0)),), (), (), (0, 0))
"""Scene of pictures that show no scene."""
_BUILT: OrderedDict[tuple[str, str, str, str], Renderer] = OrderedDict()


def check_renderer(options: Options) -> None:
    """Raise an error before anything is run if the renderer, preset or assets are not available."""
    if importlib.util.find_spec("mitsuba") is None or importlib.util.find_spec("pyoidn") is None:
        raise RenderError("the vision world is rendered with Mitsuba: pip install 'tolman[render]'")
    find_preset(options.preset)
    _asset_source(options.assets)
    prerendered_folders()


class PictureRenderer:
    """Makes the pictures of a case as PNG, with the size, camera and quality of its options."""

    def __init__(self, case: Case, options: Options) -> None:
        self._case, self._options = case, options

    def png(self, key: PictureKey) -> bytes:
        """The picture as PNG. Blocks until it is made; one picture is rendered at a time."""
        with ENGINE_LOCK:
            match key:
                case ViewPicture():
                    return self._view(key)
                case PointPlan():
                    letters = CandidatePoints(key.points, frozenset()).letters
                    pixels = self._options.image_size * 4 // 3
                    return candidate_points_picture(self._case.scene, key.cell, key.heading, letters, pixels=pixels)
                case DistanceCalibration():
                    return self._distances()
                case NameCalibration():
                    return self._names()

    def made_with(self) -> dict[str, str]:
        """Rendering engine and assets in use, and the engines of prerendered pictures, for the log."""
        assets = _asset_source(self._options.assets)
        made = {"engine": variant(), "assets": assets.name, "assets digest": assets.digest}
        prerendered = dict.fromkeys(folder.engine for folder in prerendered_folders())
        return made | ({"engine of pictures made ahead": ", ".join(prerendered)} if prerendered else {})

    def alike_views(self) -> dict[str, list[AlikeView]]:
        """For each thing with a front, the pairs of views in which it looks the same; blocks for a few seconds."""
        scene, source = self._case.scene, _asset_source(self._options.assets)
        fronted = (thing for thing in scene.things if thing.front is not None)
        found = {
            thing.name: alike_views(thing, source.asset, appearance_seed(scene), scene.version) for thing in fronted
        }
        return {name: views for name, views in found.items() if views}

    def _view(self, key: ViewPicture) -> bytes:
        options, scene = self._options, scene_of_view(self._case, key)
        assets = _asset_source(options.assets)

        def render() -> NDArray[np.uint8]:
            pose = Pose(key.cell, key.heading, ())
            eye, field = options.eye_height, options.field_of_view
            renderer = _renderer_of(scene, self._case.scene, assets, options.preset)
            return renderer.ego(pose, field=field, size=options.image_size, eye=eye).rgb

        def name(engine: str) -> str:
            camera = self._camera(*key.cell, key.heading.degrees)
            return picture_digest(
                scene, camera, find_preset(options.preset), assets.digest, engine, appearance_of=self._case.scene
            )

        return find_prerendered(name) or cached_png(name(variant()), render)

    def _distances(self) -> bytes:
        options, camera = self._options, self._camera(0, 0, 0)
        name = picture_digest(_EMPTY_SCENE, camera, find_preset(options.preset), "", variant())
        field, size, eye = options.field_of_view, options.image_size, options.eye_height
        return cached_png(
            digest(["distances", CALIBRATION_VERSION, name]),
            lambda: calibration_picture(field=field, size=size, eye=eye, preset=options.preset),
        )

    def _names(self) -> bytes:
        options, scene, assets = self._options, self._case.scene, _asset_source(self._options.assets)
        name = picture_digest(scene, self._camera(0, 0, 0), find_preset(options.preset), assets.digest, variant())
        return cached_png(
            digest(["names", CALIBRATION_VERSION, name]),
            lambda: object_legend_picture(scene, assets.asset, size=options.image_size, preset=options.preset),
        )

    def _camera(self, x: int, y: int, heading: float) -> Perspective:
        options = self._options
        size = options.image_size
        return Perspective(x, y, options.eye_height, heading, options.field_of_view, size, size)


@lru_cache(maxsize=8)
def _asset_source(name: str) -> AssetSource:
    return find_source(name)


def _renderer_of(scene: Scene, before: Scene, assets: AssetSource, preset: str) -> Renderer:
    """The renderer of a scene; the latest few are cached, as building one takes as long as rendering a view or two."""
    key = scene.digest, before.digest, assets.digest, preset
    renderer = _BUILT.pop(key, None) or Renderer(scene, assets.asset, preset, before, surface_pack(assets))
    _BUILT[key] = renderer
    while len(_BUILT) > MOST_BUILT_SCENES:
        _BUILT.popitem(last=False)
    return renderer


class PictureCache:
    """The pictures of one case, each made once, in the image format of its options."""

    def __init__(self, case: Case, options: Options) -> None:
        self._case, self._options = case, options
        self._renderer = PictureRenderer(case, options)
        self._made: dict[PictureKey, bytes] = {}

    async def get(self, key: PictureKey) -> bytes:
        """The bytes of a PNG or JPEG file."""
        if key not in self._made:
            self._made[key] = await in_worker_thread(partial(self.make, key))
        return self._made[key]

    async def data_url(self, key: PictureKey) -> str:
        """The same as a data URL, for a message."""
        kind = self._options.image_format
        return f"data:image/{kind};base64,{base64.b64encode(await self.get(key)).decode('ascii')}"

    async def made_with(self) -> dict[str, str]:
        """Rendering engine and assets in use, for the log."""
        return await in_worker_thread(self._renderer.made_with)

    async def alike_views(self) -> dict[str, list[AlikeView]]:
        """Views of the scene's things that look the same, for the record."""
        return await in_worker_thread(self._renderer.alike_views)

    def make(self, key: PictureKey) -> bytes:
        """The same; blocks until it is made."""
        if key in self._made:  # made meanwhile by a concurrent call
            return self._made[key]
        png = self._renderer.png(key)
        if self._options.captions:
            return embed_caption(png, caption(self._case, key))
        return png if self._options.image_format == "png" else _jpeg(png, self._options.image_quality)


def _jpeg(png: bytes, quality: int) -> bytes:
    with Image.open(io.BytesIO(png)) as picture:
        return encoded(picture.convert("RGB"), "JPEG", quality=quality)
