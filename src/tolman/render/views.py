"""The views of a scene that are rendered, and the slices of them that one worker process renders."""

import os
import re
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Literal, get_args

from tolman.core.errors import RenderError, SettingsError
from tolman.core.files import atomic_write
from tolman.core.geometry import Heading
from tolman.render.assets.choose import find_source
from tolman.render.assets.source import AssetSource, show_asset_warnings_in_one_line
from tolman.render.building.walls import CEILING, EYE
from tolman.render.camera import Panorama, Perspective, TopDown
from tolman.render.engine.values import find_preset
from tolman.render.engine.variant import drjit, variant
from tolman.render.renderer import PNG_ENCODERS, Picture, Renderer, is_complete_png
from tolman.render.stored_pictures import ENGINE_LOCK
from tolman.world import START, Pose, Scene


@dataclass(frozen=True)
class Viewpoint:
    """A place to stand (`START`, a thing or a door) and the way to face."""

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
"""Pixels a metre of a view from above."""


@dataclass(frozen=True)
class RenderJob:
    """How scenes are to be rendered."""

    views: tuple[str, ...] = VIEW_KINDS
    size: int = 384
    field: float = 90.0
    preset: str = "standard"
    models: str = "auto"
    """`auto`, `pack`, `built-in`, or a folder of one's own models."""
    eye: float = EYE
    """Metres of the camera above the floor."""

    def __post_init__(self) -> None:
        for view in self.views:
            if view not in VIEW_KINDS:
                raise SettingsError(f"there are no views {view!r}; choose from {', '.join(VIEW_KINDS)}")
        find_preset(self.preset)
        if not 8 <= self.size <= 8192:
            raise SettingsError(f"a picture has 8 to 8192 pixels a side, not {self.size}")
        if not 1 <= self.field <= 170:
            raise SettingsError(f"a field of view is from 1 to 170 degrees, not {self.field}")
        if not 0.1 <= self.eye <= 2.4:
            raise SettingsError(f"a camera is 0.1 to 2.4 metres above the floor, not {self.eye}")


@dataclass(frozen=True)
class Shot:
    """One view of a scene, and what its files are called."""

    kind: str
    standing_on: str
    heading: str
    stem: str
    camera: Perspective | Panorama | TopDown
    take: Callable[[Renderer], Picture]

    def files(self, folder: Path) -> dict[str, Path]:
        """Where its files lie in the folder of its scene: `rgb`, `ids`, `depth`."""
        return {name: folder / name / f"{self.stem}.png" for name in VIEW_FILES}


def shots(scene: Scene, job: RenderJob) -> Iterator[Shot]:
    """All views that a job asks for."""
    stems, eye, field = _file_stems(scene), float(job.eye), float(job.field)
    for point in viewpoints(scene):
        pose, name = point.pose(scene), stems[point.standing_on]
        x, y = pose.cell
        degrees, word = pose.heading.degrees, point.heading.word
        if "ego" in job.views:
            take = partial(Renderer.ego, pose=pose, field=field, size=job.size, eye=eye)
            camera = Perspective(x, y, eye, degrees, field, job.size, job.size)
            yield Shot("ego", point.standing_on, word, f"{name}_facing_{word}", camera, take)
        if "panorama" in job.views and point.heading is Heading.NORTH:
            take = partial(Renderer.panorama, pose=pose, width=4 * job.size, eye=eye)
            around = Panorama(x, y, eye, degrees, 4 * job.size)
            yield Shot("panorama", point.standing_on, word, f"{name}_panorama", around, take)
    if "topdown" in job.views:
        yield Shot(
            "topdown", "", "", "topdown", top_down_camera(scene), partial(Renderer.top_down, scale=_TOP_DOWN_SCALE)
        )


def top_down_camera(scene: Scene) -> TopDown:
    """The camera of a view from above."""
    (x0, y0), (x1, y1) = scene.bounds
    return TopDown(x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5, CEILING - 0.1, _TOP_DOWN_SCALE)


def _file_stems(scene: Scene) -> dict[str, str]:
    """Names as parts of files' names. Where two would be one, the later has its number added."""
    stems = {START: "agent"}
    for number, name in enumerate(scene.names, start=1):
        stem = re.sub(r"[^a-z0-9]+", "_", name.lower())
        stems[name] = stem if stem not in stems.values() else f"{stem}_{number}"
    return stems


MadeWith = dict[str, str | int | float]


@dataclass(frozen=True)
class RenderSubject:
    """A scene to be rendered, in its own look or in that of the world before it was changed."""

    name: str
    """Of its folder."""
    scene: Scene
    before: Scene | None = None
    number: int = 0
    """Of the scene among published ones."""


@dataclass(frozen=True)
class WorkerSettings:
    """What all slices of a run have in common."""

    out: Path
    job: RenderJob
    threads: int | None
    """Most threads of a worker; None leaves it to the engine."""
    asker: int
    """The process that spreads the work."""


@dataclass(frozen=True)
class ViewSlice:
    """Views from `first` up to, and without, `last` in the order of `shots`."""

    subject: RenderSubject
    first: int
    last: int
    made: MadeWith
    """What they must be made with: a worker elsewhere may have another engine or other models."""


@contextmanager
def exclusive_engine(terms: WorkerSettings) -> Generator[None]:
    """The engine of this process for oneself, with no more threads than allowed."""
    with ENGINE_LOCK:
        _prepare_worker(terms)
        yield


def made_with(terms: WorkerSettings) -> MadeWith:
    """What pictures are made with in this process."""
    with exclusive_engine(terms):
        engine = variant()
    job = terms.job
    return {
        "engine": engine,
        "preset": job.preset,
        "size": job.size,
        "field": job.field,
        "eye": job.eye,
        "models": cached_asset_source(job.models).digest,
    }


def render_slice(terms: WorkerSettings, part: ViewSlice) -> None:
    """Render what is missing or damaged of a slice. Stops when whoever asked for it has gone."""
    here, parent, subject = made_with(terms), os.getppid(), part.subject
    if here != part.made:
        told = ", ".join(f"{key} {part.made[key]}" for key in here if here[key] != part.made[key])
        raise RenderError(f"a worker can't render with what the others have ({told}); set up all alike")
    with exclusive_engine(terms):
        renderer = cached_renderer(subject.scene, subject.before, terms.job.models, terms.job.preset)
        for shot in islice(shots(subject.scene, terms.job), part.first, part.last):
            if os.getppid() != parent:
                return
            _render_view(renderer, shot, terms.out / subject.name)


def _render_view(renderer: Renderer, shot: Shot, folder: Path) -> None:
    missing = {name: path for name, path in shot.files(folder).items() if not is_complete_png(path)}
    if not missing:
        return
    picture = shot.take(renderer)
    for name, path in missing.items():
        write_file(path, PNG_ENCODERS[name](picture))


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole; SettingsError in one sentence where that can't be done."""
    try:
        atomic_write(path, data)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def _prepare_worker(terms: WorkerSettings) -> None:
    """Threads no more than allowed, and damage told in one line. An interrupt is for who asked, who ends workers."""
    if os.getppid() == terms.asker and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getpid() != terms.asker:
        show_asset_warnings_in_one_line()
    if terms.threads is not None:
        os.environ["OIDN_NUM_THREADS"] = str(terms.threads)
        drjit().set_thread_count(terms.threads)


@lru_cache(maxsize=4)
def cached_asset_source(models: str) -> AssetSource:
    """Models by their word; checked once in a process."""
    return find_source(models)


@lru_cache(maxsize=1)
def cached_renderer(scene: Scene, before: Scene | None, models: str, preset: str) -> Renderer:
    """The latest scene stays built, as its other slices may come next."""
    return Renderer(scene, cached_asset_source(models).model, preset, in_the_look_of=before)
