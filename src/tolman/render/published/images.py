"""The pictures of a scene as the authors' dataset names and lists them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tolman.render.camera import TopDown
from tolman.render.published.frame import camera_ids, frame_of
from tolman.render.shots import Job, Shot, shots
from tolman.render.slices import Subject
from tolman.world import AGENT, START, Scene


def named(scene: Scene, job: Job, ending: str = "") -> Iterator[tuple[Shot, str]]:
    """Views that the dataset has, with the names of their files there."""
    for shot in shots(scene, job):
        if shot.kind == "ego":
            yield shot, f"{_camera(scene, shot)}_facing_{shot.heading}{ending}.png"
        elif shot.kind == "topdown":
            yield shot, f"top_down_annotated{ending}.png"


def images(subject: Subject, out: Path, job: Job, ending: str = "") -> Iterator[dict[str, Any]]:
    """The list under `images`. For each thing in a picture it has the number of its pixels; the authors' shares of
    what is visible and what is hidden are left out."""
    scene, frame = subject.scene, frame_of(subject.scene)
    yield _from_above("top_down.png")
    for shot, name in named(scene, job, ending):
        if isinstance(shot.camera, TopDown):
            yield _from_above(name)
        else:
            yield {
                "file": name,
                "cam_id": _camera(scene, shot),
                "pos": frame.point((round(shot.camera.x), round(shot.camera.y)), job.eye),
                "direction": shot.heading,
                "object_ratios": list(_shown(scene, shot.files(out / subject.name)["ids"])),
            }


def _camera(scene: Scene, shot: Shot) -> str:
    return AGENT if shot.standing_on == START else str(camera_ids(scene)[shot.standing_on])


def _from_above(file: str) -> dict[str, Any]:
    place = {"x": 0, "y": 20, "z": 0}
    return {"file": file, "cam_id": file.removesuffix(".png"), "pos": place, "direction": "down", "object_ratios": []}


def _shown(scene: Scene, file: Path) -> Iterator[dict[str, Any]]:
    with Image.open(file) as picture:
        counts = np.bincount(np.asarray(picture).ravel(), minlength=len(scene.names) + 1)
    for number, thing in enumerate(scene.things, start=1):
        if counts[number]:
            model = thing.category.replace(" ", "_")
            yield {"object_id": camera_ids(scene)[thing.name], "model": model, "pixels": int(counts[number])}
