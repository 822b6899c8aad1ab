"""Rendered scenes in the folders, file names and lists of the authors' dataset."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tolman.core.geometry import Cell, Heading
from tolman.render.assets.choose import surface_pack
from tolman.render.camera import TopDown
from tolman.render.instruction_pictures import calibration_picture, object_legend_picture
from tolman.render.published.meta_data import PublishedFrame, camera_ids, meta_data, published_frame
from tolman.render.renderer import Renderer, png_bytes
from tolman.render.views import (
    RenderJob,
    RenderSubject,
    Shot,
    WorkerSettings,
    cached_asset_source,
    exclusive_engine,
    shots,
    top_down_camera,
    write_file,
)
from tolman.world import AGENT, START, Scene, Thing, changes_between


def image_names(scene: Scene, job: RenderJob, suffix: str = "") -> Iterator[tuple[Shot, str]]:
    """The views of the dataset, with their file names there."""
    for shot in shots(scene, job):
        if shot.kind == "ego":
            yield shot, f"{_camera(scene, shot)}_facing_{shot.heading}{suffix}.png"
        elif shot.kind == "topdown":
            yield shot, f"top_down_annotated{suffix}.png"


def image_list(subject: RenderSubject, out: Path, job: RenderJob, suffix: str = "") -> Iterator[dict[str, Any]]:
    """The entries of the key `images`. For each thing in a picture they give its pixels, without the authors' ratios of
    visible and occluded parts."""
    scene, frame = subject.scene, published_frame(subject.scene)
    yield _top_down_entry("top_down.png")
    for shot, name in image_names(scene, job, suffix):
        if isinstance(shot.camera, TopDown):
            yield _top_down_entry(name)
        else:
            yield {
                "file": name,
                "cam_id": _camera(scene, shot),
                "pos": frame.point((round(shot.camera.x), round(shot.camera.y)), job.eye),
                "direction": shot.heading,
                "object_ratios": list(_visible_things(scene, shot.files(out / subject.name)["ids"])),
            }


def _camera(scene: Scene, shot: Shot) -> str:
    return AGENT if shot.standing_on == START else str(camera_ids(scene)[shot.standing_on])


def _top_down_entry(file: str) -> dict[str, Any]:
    position = {"x": 0, "y": 20, "z": 0}
    camera = file.removesuffix(".png")
    return {"file": file, "cam_id": camera, "pos": position, "direction": "down", "object_ratios": []}


def _visible_things(scene: Scene, file: Path) -> Iterator[dict[str, Any]]:
    with Image.open(file) as picture:
        counts = np.bincount(np.asarray(picture).ravel(), minlength=len(scene.names) + 1)
    for number, thing in enumerate(scene.things, start=1):
        if counts[number]:
            model = thing.category.replace(" ", "_")
            yield {"object_id": camera_ids(scene)[thing.name], "model": model, "pixels": int(counts[number])}


PUBLISHED_FOLDER = "published"


@dataclass(frozen=True)
class PublishedRun:
    """One scene of the dataset, and its changed version if that was rendered."""

    subject: RenderSubject
    changed: RenderSubject | None = None


def write_instruction(settings: WorkerSettings) -> None:
    """Write the calibration picture, which all scenes share."""
    job, file = settings.job, settings.out / PUBLISHED_FOLDER / "instruction.png"
    if not file.exists():
        with exclusive_engine(settings):
            picture = calibration_picture(field=job.field, size=job.size, eye=job.eye, preset=job.preset)
            write_file(file, png_bytes(picture))


def write_run(settings: WorkerSettings, run: PublishedRun) -> None:
    """Write one scene's folder from its rendered views."""
    scene, job = run.subject.scene, settings.job
    folder = settings.out / PUBLISHED_FOLDER / f"run{run.subject.number:02}"
    source = cached_asset_source(job.assets)
    if not (file := folder / "orientation_instruction.png").exists():
        with exclusive_engine(settings):
            write_file(file, png_bytes(object_legend_picture(scene, source.asset, size=job.size, preset=job.preset)))
    if not (file := folder / "top_down.png").exists():
        with exclusive_engine(settings):
            empty = Renderer(replace(scene, things=()), source.asset, job.preset, scene, surface_pack(source))
            write_file(file, png_bytes(empty.top_down(scale=top_down_camera(scene).scale).rgb))
    _write_scene(run.subject, folder, settings, "")
    if run.changed is not None:
        _write_scene(run.changed, folder, settings, "_fbexp")


def _write_scene(subject: RenderSubject, folder: Path, settings: WorkerSettings, suffix: str) -> None:
    job, scene = settings.job, subject.scene
    for shot, name in image_names(scene, job, suffix):
        write_file(folder / name, shot.files(settings.out / subject.name)["rgb"].read_bytes())
    meta = meta_data(scene, subject.number, job, list(image_list(subject, settings.out, job, suffix)))
    if subject.before is not None:
        meta["_fb_changes"] = list(_changes(subject.before, scene))
    file = folder / ("falsebelief_exp.json" if suffix else "meta_data.json")
    write_file(file, json.dumps(meta, indent=1).encode())


def _changes(before: Scene, after: Scene) -> Iterator[dict[str, Any]]:
    """The entries of the key `_fb_changes`."""
    frame, ids = published_frame(before), camera_ids(before)
    for change in changes_between(before, after):
        old, new = (next(t for t in scene.things if t.name == change.name) for scene in (before, after))
        moved = change.kind == "position"
        entry: dict[str, Any] = {"name": old.name, "pos" if moved else "ori": True, "object_id": ids[old.name]}
        entry |= {"pos_from": _xz(frame, old.cell), **_facing(old, "from"), "pos_to": _xz(frame, new.cell)}
        yield entry if moved else entry | _facing(new, "to")


def _facing(thing: Thing, when: str) -> dict[str, Any]:
    front = thing.front or Heading.NORTH
    return {f"yaw_{when}": front.degrees, f"orientation_{when}": front.word}


def _xz(frame: PublishedFrame, cell: Cell) -> dict[str, float]:
    x, z = frame.at(cell)
    return {"x": x, "z": z}
