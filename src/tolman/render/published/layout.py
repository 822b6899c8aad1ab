"""Rendered scenes once more, in folders and files named as in the authors' dataset.

`instruction.png`, and for each scene `runNN/` with `meta_data.json`, `<camera>_facing_<direction>.png`,
`orientation_instruction.png`, `top_down.png` (no things) and `top_down_annotated.png` (with things). A changed world
adds `falsebelief_exp.json` and `..._fbexp.png`.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.geometry import Cell, Heading
from tolman.render.calibration import distance_picture
from tolman.render.name_sheet import name_sheet
from tolman.render.published.frame import Frame, camera_ids, frame_of
from tolman.render.published.images import images, named
from tolman.render.published.meta_data import meta_data
from tolman.render.renderer import Renderer
from tolman.render.shots import above
from tolman.render.slices import Subject, Terms, at_work, source, write_here
from tolman.world import Scene, Thing, changes_between

FOLDER = "published"


@dataclass(frozen=True)
class Run:
    """One scene of the dataset, and the same after its change if that was rendered."""

    subject: Subject
    changed: Subject | None = None


def write_instruction(terms: Terms) -> None:
    """The picture of distances and angles, which all scenes share."""
    job, file = terms.job, terms.out / FOLDER / "instruction.png"
    if not file.exists():
        with at_work(terms):
            picture = distance_picture(field=job.field, size=job.size, eye=job.eye, preset=job.preset)
            write_here(file, _png(picture))


def write_run(terms: Terms, run: Run) -> None:
    """One scene's folder. Its views must be rendered already."""
    scene, job = run.subject.scene, terms.job
    folder = terms.out / FOLDER / f"run{run.subject.number:02}"
    models = source(job.models).model
    if not (file := folder / "orientation_instruction.png").exists():
        with at_work(terms):
            write_here(file, _png(name_sheet(scene, models, size=job.size, preset=job.preset)))
    if not (file := folder / "top_down.png").exists():
        with at_work(terms):
            bare = Renderer(replace(scene, things=()), models, job.preset, in_the_look_of=scene)
            write_here(file, _png(bare.top_down(scale=above(scene).scale).rgb))
    _write(run.subject, folder, terms, "")
    if run.changed is not None:
        _write(run.changed, folder, terms, "_fbexp")


def _write(subject: Subject, folder: Path, terms: Terms, ending: str) -> None:
    job, scene = terms.job, subject.scene
    for shot, name in named(scene, job, ending):
        write_here(folder / name, shot.files(terms.out / subject.name)["rgb"].read_bytes())
    meta = meta_data(scene, subject.number, job, list(images(subject, terms.out, job, ending)))
    if subject.before is not None:
        meta["_fb_changes"] = list(_changes(subject.before, scene))
    file = folder / ("falsebelief_exp.json" if ending else "meta_data.json")
    write_here(file, json.dumps(meta, indent=1).encode())


def _changes(before: Scene, after: Scene) -> Iterator[dict[str, Any]]:
    """What the authors' file of a changed world lists under `_fb_changes`."""
    frame, ids = frame_of(before), camera_ids(before)
    for change in changes_between(before, after):
        old, new = (next(t for t in scene.things if t.name == change.name) for scene in (before, after))
        moved = change.kind == "position"
        entry: dict[str, Any] = {"name": old.name, "pos" if moved else "ori": True, "object_id": ids[old.name]}
        entry |= {"pos_from": _flat(frame, old.cell), **_facing(old, "from"), "pos_to": _flat(frame, new.cell)}
        yield entry if moved else entry | _facing(new, "to")


def _facing(thing: Thing, when: str) -> dict[str, Any]:
    front = thing.front or Heading.NORTH
    return {f"yaw_{when}": front.degrees, f"orientation_{when}": front.word}


def _flat(frame: Frame, cell: Cell) -> dict[str, float]:
    x, z = frame.at(cell)
    return {"x": x, "z": z}


def _png(values: NDArray[np.uint8]) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(values).save(buffer, "PNG")
    return buffer.getvalue()
