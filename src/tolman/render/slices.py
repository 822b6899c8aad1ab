"""A slice of a scene's views: what a worker renders at a time. Each process that does so has an engine of its own."""

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from tolman.errors import RenderError, SettingsError
from tolman.render.assets.choose import find_source
from tolman.render.assets.source import Source
from tolman.render.engine.variant import drjit, variant
from tolman.render.picture_cache import ENGINE
from tolman.render.picture_files import ENCODERS, is_whole_png
from tolman.render.renderer import Renderer
from tolman.render.shots import Job, Shot, shots
from tolman.render.told import tell_plainly
from tolman.whole_file import write_whole
from tolman.world import Scene

MadeWith = dict[str, str | int | float]


@dataclass(frozen=True)
class Subject:
    """A scene to be rendered, in its own look or in that of the world before it was changed."""

    name: str
    """Of its folder."""
    scene: Scene
    before: Scene | None = None
    number: int = 0
    """Of the scene among published ones."""


@dataclass(frozen=True)
class Terms:
    """What all slices of a run have in common."""

    out: Path
    job: Job
    threads: int | None
    """Most threads of a worker; None leaves it to the engine."""
    asker: int
    """The process that spreads the work."""


@dataclass(frozen=True)
class Slice:
    """Views from `first` up to, and without, `last` in the order of `shots`."""

    subject: Subject
    first: int
    last: int
    made: MadeWith
    """What they must be made with: a worker elsewhere may have another engine or other models."""


@contextmanager
def at_work(terms: Terms) -> Generator[None]:
    """The engine of this process for oneself, with no more threads than allowed."""
    with ENGINE:
        _settle_in(terms)
        yield


def about(terms: Terms) -> MadeWith:
    """What pictures are made with in this process."""
    with at_work(terms):
        engine = variant()
    job = terms.job
    return {
        "engine": engine,
        "preset": job.preset,
        "size": job.size,
        "field": job.field,
        "eye": job.eye,
        "models": source(job.models).digest,
    }


def render_slice(terms: Terms, part: Slice) -> None:
    """Render what is missing or damaged of a slice. Stops when whoever asked for it has gone."""
    here, parent, subject = about(terms), os.getppid(), part.subject
    if here != part.made:
        told = ", ".join(f"{key} {part.made[key]}" for key in here if here[key] != part.made[key])
        raise RenderError(f"a worker can't render with what the others have ({told}); set up all alike")
    with at_work(terms):
        renderer = built(subject.scene, subject.before, terms.job.models, terms.job.preset)
        for shot in islice(shots(subject.scene, terms.job), part.first, part.last):
            if os.getppid() != parent:
                return
            _render(renderer, shot, terms.out / subject.name)


def _render(renderer: Renderer, shot: Shot, folder: Path) -> None:
    missing = {name: path for name, path in shot.files(folder).items() if not is_whole_png(path)}
    if not missing:
        return
    picture = shot.take(renderer)
    for name, path in missing.items():
        write_here(path, ENCODERS[name](picture))


def write_here(path: Path, data: bytes) -> None:
    """Write a file whole; SettingsError in one sentence where that can't be done."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def _settle_in(terms: Terms) -> None:
    """Threads no more than allowed, and damage told in one line. An interrupt is for who asked, who ends workers."""
    if os.getppid() == terms.asker and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getpid() != terms.asker:
        tell_plainly()
    if terms.threads is not None:
        os.environ["OIDN_NUM_THREADS"] = str(terms.threads)
        drjit().set_thread_count(terms.threads)


@lru_cache(maxsize=4)
def source(models: str) -> Source:
    """Models by their word; checked once in a process."""
    return find_source(models)


@lru_cache(maxsize=1)
def built(scene: Scene, before: Scene | None, models: str, preset: str) -> Renderer:
    """The latest scene stays built, as its other slices may come next."""
    return Renderer(scene, source(models).model, preset, in_the_look_of=before)
