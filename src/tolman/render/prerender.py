"""All views of a scene as files in a folder. What is there already is left alone, so work goes on where it stopped."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from tolman.errors import SettingsError
from tolman.geometry import Heading
from tolman.render.assets.choose import find_source
from tolman.render.engine.presets import find_preset
from tolman.render.engine.variant import variant
from tolman.render.picture_files import depth_png, ids_png, rgb_png
from tolman.render.renderer import Picture, Renderer
from tolman.render.viewpoints import viewpoints
from tolman.whole_file import write_whole
from tolman.world import START, Scene, scene_to_dict

ViewKind = Literal["ego", "panorama", "topdown"]
KINDS: tuple[str, ...] = get_args(ViewKind)
FILES: dict[str, Callable[[Picture], bytes]] = {"rgb": rgb_png, "ids": ids_png, "depth": depth_png}


@dataclass(frozen=True)
class Job:
    """How a scene is to be rendered."""

    views: tuple[str, ...] = KINDS
    size: int = 384
    field: float = 90.0
    preset: str = "standard"
    models: str = "auto"
    """`auto`, `pack`, `built-in`, or a folder of one's own models."""

    def __post_init__(self) -> None:
        for view in self.views:
            if view not in KINDS:
                raise SettingsError(f"there are no views {view!r}; choose from {', '.join(KINDS)}")
        find_preset(self.preset)
        if self.size < 8:
            raise SettingsError(f"a picture has at least 8 pixels a side, not {self.size}")


@dataclass(frozen=True)
class Shot:
    """One view of a scene, and what its files are called."""

    kind: str
    standing_on: str
    heading: str
    stem: str
    take: Callable[[Renderer], Picture]


def shots(scene: Scene, job: Job) -> Iterator[Shot]:
    """All views that a job asks for."""
    for point in viewpoints(scene):
        pose, name = point.pose(scene), plain(point.standing_on)
        if "ego" in job.views:
            take = partial(Renderer.ego, pose=pose, field=job.field, size=job.size)
            word = point.heading.word
            yield Shot("ego", point.standing_on, word, f"{name}_facing_{word}", take)
        if "panorama" in job.views and point.heading is Heading.NORTH:
            take = partial(Renderer.panorama, pose=pose, width=4 * job.size)
            yield Shot("panorama", point.standing_on, "north", f"{name}_panorama", take)
    if "topdown" in job.views:
        yield Shot("topdown", "", "", "topdown", Renderer.top_down)


def plain(name: str) -> str:
    """A name as part of a file's name."""
    return "agent" if name == START else re.sub(r"[^a-z0-9]+", "_", name.lower())


def prerender(scene: Scene, folder: Path, job: Job) -> Iterator[Shot]:
    """Render what is missing, and yield every view once its files are there."""
    write_whole(folder / "scene.json", json.dumps(scene_to_dict(scene), indent=1).encode())
    write_whole(
        folder / "ids.json", json.dumps({name: i for i, name in enumerate(scene.names, start=1)}, indent=1).encode()
    )
    renderer = Renderer(scene, find_source(job.models).model, job.preset)
    for shot in shots(scene, job):
        missing = {name: folder / name / f"{shot.stem}.png" for name in FILES}
        missing = {name: path for name, path in missing.items() if not path.exists()}
        if missing:
            picture = shot.take(renderer)
            for name, path in missing.items():
                write_whole(path, FILES[name](picture))
        yield shot


def about(job: Job) -> dict[str, object]:
    """What pictures were made with, for a file beside them."""
    source = find_source(job.models)
    return {"engine": variant(), "preset": job.preset, "size": job.size, "field": job.field, "models": source.digest}
