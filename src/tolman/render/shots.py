"""Which pictures of a scene are to be taken: all views that an explorer can have, and what their files are called."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from tolman.errors import SettingsError
from tolman.geometry import Heading
from tolman.render.building.measures import CEILING, EYE
from tolman.render.camera import Panorama, Perspective, TopDown
from tolman.render.engine.presets import find_preset
from tolman.render.renderer import Picture, Renderer
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
KINDS: tuple[str, ...] = get_args(ViewKind)
FILES = ("rgb", "ids", "depth")
"""Folders of a view's three files."""
_ABOVE = 32.0
"""Pixels a metre of a view from above."""


@dataclass(frozen=True)
class Job:
    """How scenes are to be rendered."""

    views: tuple[str, ...] = KINDS
    size: int = 384
    field: float = 90.0
    preset: str = "standard"
    models: str = "auto"
    """`auto`, `pack`, `built-in`, or a folder of one's own models."""
    eye: float = EYE
    """Metres of the camera above the floor."""

    def __post_init__(self) -> None:
        for view in self.views:
            if view not in KINDS:
                raise SettingsError(f"there are no views {view!r}; choose from {', '.join(KINDS)}")
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
        return {name: folder / name / f"{self.stem}.png" for name in FILES}


def shots(scene: Scene, job: Job) -> Iterator[Shot]:
    """All views that a job asks for."""
    stems, eye, field = _stems(scene), float(job.eye), float(job.field)
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
        yield Shot("topdown", "", "", "topdown", above(scene), partial(Renderer.top_down, scale=_ABOVE))


def above(scene: Scene) -> TopDown:
    """The camera of a view from above."""
    (x0, y0), (x1, y1) = scene.bounds
    return TopDown(x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5, CEILING - 0.1, _ABOVE)


def _stems(scene: Scene) -> dict[str, str]:
    """Names as parts of files' names. Where two would be one, the later has its number added."""
    stems = {START: "agent"}
    for number, name in enumerate(scene.names, start=1):
        stem = re.sub(r"[^a-z0-9]+", "_", name.lower())
        stems[name] = stem if stem not in stems.values() else f"{stem}_{number}"
    return stems
