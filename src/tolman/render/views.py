"""The views of a scene, and the rendering of a slice of them by one worker process."""

import os
import re
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from pathlib import Path
from typing import Literal, get_args

from tolman.core.errors import RenderError, SettingsError
from tolman.core.files import write_file
from tolman.core.geometry import Heading
from tolman.render.assets.choose import find_source, surface_pack
from tolman.render.assets.source import AssetSource, show_asset_warnings_in_one_line
from tolman.render.building.walls import CEILING, EYE
from tolman.render.camera import Panorama, Perspective, TopDown
from tolman.render.engine.values import RenderPresetName, find_preset
from tolman.render.engine.variant import drjit, variant
from tolman.render.renderer import PNG_ENCODERS, Picture, Renderer, is_complete_png
from tolman.render.stored_pictures import ENGINE_LOCK
from tolman.world import START, Pose, Scene


@dataclass(frozen=True)
class Viewpoint:
    """The agent's possible pose: `START`, a thing or a door to stand on, and a heading."""

    standing_on: str
    heading: Heading

    def pose(self, scene: Scene) -> Pose:
        return scene.pose_at(self.standing_on, self.heading)


def viewpoints(scene: Scene) -> Iterator[Viewpoint]:
    """The start first, then things and doors in the scene's order; north, east, south, west."""
    for name in (START, *scene.names):
        for heading in Heading:
            yield Viewpoint(name, heading)


ViewKind = Literal["ego", "panorama", "topdown"]
VIEW_KINDS: tuple[str, ...] = get_args(ViewKind)
VIEW_FILES = ("rgb", "ids", "depth")
"""Folders of a view's three files."""
_TOP_DOWN_SCALE = 32.0
"""Pixels per metre of a top-down view."""
_VIEWS_AT_ONCE, _ENCODERS = 16, 4
"""On a GPU: views that are traced together, and threads of a process that encode them."""


@dataclass(frozen=True)
class RenderJob:
    """Settings of the rendered views."""

    views: tuple[str, ...] = VIEW_KINDS
    size: int = 384
    field: float = 90.0
    preset: RenderPresetName = "standard"
    assets: str = "auto"
    """`auto`, `pack`, `built-in`, or a folder of GLB files."""
    eye: float = EYE
    """Metres from the floor to the camera."""

    def __post_init__(self) -> None:
        for view in self.views:
            if view not in VIEW_KINDS:
                raise SettingsError(f"there are no views {view!r}; choose from {', '.join(VIEW_KINDS)}")
        find_preset(self.preset)
        if not 8 <= self.size <= 8192:
            raise SettingsError(f"a picture has 8 to 8192 pixels a side, not {self.size}")
        if not 1 <= self.field <= 170:
            raise SettingsError(f"a field of view is 1 to 170 degrees, not {self.field}")
        if not 0.1 <= self.eye <= 2.4:
            raise SettingsError(f"a camera is 0.1 to 2.4 metres above the floor, not {self.eye}")


@dataclass(frozen=True)
class Shot:
    """One view of a scene, and its file name."""

    kind: str
    standing_on: str
    heading: str
    stem: str
    camera: Perspective | Panorama | TopDown
    cell: tuple[int, int] | None = None
    """Of the camera; what stands there is not drawn."""

    def files(self, folder: Path) -> dict[str, Path]:
        """Its files in the folder of its scene, by `rgb`, `ids`, `depth`."""
        return {name: folder / name / f"{self.stem}.png" for name in VIEW_FILES}


def shots(scene: Scene, job: RenderJob) -> Iterator[Shot]:
    """All views of a scene in a job."""
    stems, eye, field = _file_stems(scene), float(job.eye), float(job.field)
    for point in viewpoints(scene):
        pose, name = point.pose(scene), stems[point.standing_on]
        x, y = pose.cell
        degrees, word = pose.heading.degrees, point.heading.word
        if "ego" in job.views:
            camera = Perspective(x, y, eye, degrees, field, job.size, job.size)
            yield Shot("ego", point.standing_on, word, f"{name}_facing_{word}", camera, pose.cell)
        if "panorama" in job.views and point.heading is Heading.NORTH:
            panorama = Panorama(x, y, eye, degrees, 4 * job.size)
            yield Shot("panorama", point.standing_on, word, f"{name}_panorama", panorama, pose.cell)
    if "topdown" in job.views:
        yield Shot("topdown", "", "", "topdown", top_down_camera(scene))


def top_down_camera(scene: Scene) -> TopDown:
    """The camera of the top-down view."""
    (x0, y0), (x1, y1) = scene.bounds
    return TopDown(x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5, CEILING - 0.1, _TOP_DOWN_SCALE)


def _file_stems(scene: Scene) -> dict[str, str]:
    """Names as parts of file names; where two would be the same, the later one gets its number appended."""
    stems = {START: "agent"}
    for number, name in enumerate(scene.names, start=1):
        stem = re.sub(r"[^a-z0-9]+", "_", name.lower())
        stems[name] = stem if stem not in stems.values() else f"{stem}_{number}"
    return stems


MadeWith = dict[str, str | int | float]
"""Engine, preset, assets and other settings on which pictures depend, as recorded in a folder."""


@dataclass(frozen=True)
class RenderSubject:
    """A scene to render."""

    name: str
    """Of its folder."""
    scene: Scene
    before: Scene | None = None
    """The scene before the change, whose appearance it keeps."""
    number: int = 0
    """Its number in the published layout."""


@dataclass(frozen=True)
class WorkerSettings:
    """What all slices of a run share."""

    out: Path
    job: RenderJob
    threads: int | None
    """Most threads of a worker; None leaves it to the engine."""
    parent_pid: int
    """The process that distributes the work."""


@dataclass(frozen=True)
class ViewSlice:
    """Views from `first` to `last` (excluded) in the order of `shots`."""

    subject: RenderSubject
    first: int
    last: int
    made: MadeWith
    """What they must be made with: a worker on another machine may have another engine or other assets."""


@contextmanager
def exclusive_engine(settings: WorkerSettings) -> Generator[None]:
    """Exclusive use of this process's engine, with at most the allowed threads."""
    with ENGINE_LOCK:
        _prepare_worker(settings)
        yield


def made_with(settings: WorkerSettings) -> MadeWith:
    """What this process makes pictures with."""
    with exclusive_engine(settings):
        engine = variant()
    job = settings.job
    return {
        "engine": engine,
        "preset": job.preset,
        "size": job.size,
        "field": job.field,
        "eye": job.eye,
        "models": cached_asset_source(job.assets).digest,
    }


def render_slice(settings: WorkerSettings, part: ViewSlice) -> None:
    """Render the missing or damaged files of a slice. Stops if the parent process has ended."""
    here, parent, subject = made_with(settings), os.getppid(), part.subject
    if here != part.made:
        different = ", ".join(f"{key} {part.made[key]}" for key in here if here[key] != part.made[key])
        raise RenderError(f"a worker can't render as the others do ({different}); set up all workers alike")
    with exclusive_engine(settings):
        renderer = cached_renderer(subject.scene, subject.before, settings.job.assets, settings.job.preset)
        folder = settings.out / subject.name
        missing = [
            shot
            for shot in islice(shots(subject.scene, settings.job), part.first, part.last)
            if not all(is_complete_png(path) for path in shot.files(folder).values())
        ]
        for together in _batches(missing):
            if os.getppid() != parent:
                return
            render_views(renderer, together, folder)


def render_views(renderer: Renderer, together: Sequence[Shot], folder: Path) -> None:
    """Render views that can be traced together, and write their missing files. Files are encoded by several threads
    while a GPU denoises the next view."""
    pictures = renderer.pictures([shot.camera for shot in together], [shot.cell for shot in together])
    with ThreadPoolExecutor(_ENCODERS if len(together) > 1 else 1) as encoders:
        done = [
            encoders.submit(_write_view, shot, picture, folder)
            for shot, picture in zip(together, pictures, strict=True)
        ]
        for one in done:
            one.result()


def _batches(some: Sequence[Shot]) -> Iterator[list[Shot]]:
    """Views that can be traced together: on a GPU several of one lens, else one by one."""
    at_once = _VIEWS_AT_ONCE if variant() == "cuda_ad_rgb" else 1
    for _, group in groupby(sorted(some, key=lambda shot: shot.kind), key=lambda shot: shot.camera.lens):
        alike = list(group)
        yield from (alike[first : first + at_once] for first in range(0, len(alike), at_once))


def _write_view(shot: Shot, picture: Picture, folder: Path) -> None:
    for name, path in shot.files(folder).items():
        if not is_complete_png(path):
            write_file(path, PNG_ENCODERS[name](picture))


def _prepare_worker(settings: WorkerSettings) -> None:
    """Limit threads, and print asset warnings in one line. Workers ignore interrupts: the parent handles them."""
    if os.getppid() == settings.parent_pid and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getpid() != settings.parent_pid:
        show_asset_warnings_in_one_line()
    if settings.threads is not None:
        os.environ["OIDN_NUM_THREADS"] = str(settings.threads)
        drjit().set_thread_count(settings.threads)


@lru_cache(maxsize=4)
def cached_asset_source(name: str) -> AssetSource:
    """The asset source of a name or folder; checked once per process."""
    return find_source(name)


@lru_cache(maxsize=1)
def cached_renderer(scene: Scene, before: Scene | None, assets: str, preset: str) -> Renderer:
    """The renderer of a scene; the latest is kept, as other slices of its scene may follow."""
    source = cached_asset_source(assets)
    return Renderer(scene, source.asset, preset, before, surface_pack(source))
