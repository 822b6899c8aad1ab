"""A table of all pictures in a folder, one row a view: Parquet, which polars, pandas and `datasets` read."""

import hashlib
import importlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tolman.errors import RenderError
from tolman.render.camera import TopDown
from tolman.render.digests import picture_digest
from tolman.render.engine.presets import find_preset
from tolman.render.shots import Job, Shot, shots
from tolman.render.slices import MadeWith, Subject, write_here

INDEX = "index.parquet"
COLUMNS = {
    "scene": "string",
    "scene_digest": "string",
    "kind": "string",
    "standing_on": "string",
    "heading": "string",
    "x": "float64",
    "y": "float64",
    "eye": "float64",
    "field": "float64",
    "width": "int32",
    "height": "int32",
    "rgb": "string",
    "ids": "string",
    "depth": "string",
    "digest": "string",
    "sha256": "string",
    "engine": "string",
    "preset": "string",
    "models": "string",
}
"""Positions and heights in metres, the field of view in degrees, paths from the folder. What a kind of view has not is
null: a panorama has no field of view, a view from above no place and heading. `digest` says what a picture depends on,
`sha256` is that of its rgb file."""


def write_index(subjects: Sequence[Subject], out: Path, job: Job, made: MadeWith) -> Path:
    """Write the table of a folder that is complete. The same pictures give the same bytes."""
    arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
    rows = [_row(subject, shot, out, job, made) for subject in subjects for shot in shots(subject.scene, job)]
    kinds: dict[str, Any] = {"string": arrow.string(), "float64": arrow.float64(), "int32": arrow.int32()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows, schema), buffer, compression="zstd")
    write_here(out / INDEX, buffer.getvalue())
    return out / INDEX


def read_index(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a folder's table."""
    parquet = _library("pyarrow.parquet")
    try:
        rows: list[dict[str, Any]] = parquet.read_table(folder / INDEX).to_pylist()
    except FileNotFoundError:
        raise RenderError(f"{folder} has no {INDEX}; `tolman render --out {folder}` writes one") from None
    except (OSError, ValueError):
        raise RenderError(f"{folder / INDEX} is damaged; run `tolman render` again") from None
    yield from rows


def _row(subject: Subject, shot: Shot, out: Path, job: Job, made: MadeWith) -> dict[str, Any]:
    camera, files = shot.camera, shot.files(out / subject.name)
    height, width = camera.shape
    placed = not isinstance(camera, TopDown)
    return {
        "scene": subject.name,
        "scene_digest": subject.scene.digest,
        "kind": shot.kind,
        "standing_on": shot.standing_on or None,
        "heading": shot.heading or None,
        "x": camera.x if placed else None,
        "y": camera.y if placed else None,
        "eye": camera.z,
        "field": job.field if shot.kind == "ego" else None,
        "width": width,
        "height": height,
        **{name: path.relative_to(out).as_posix() for name, path in files.items()},
        "digest": picture_digest(
            subject.scene,
            camera,
            find_preset(job.preset),
            str(made["models"]),
            str(made["engine"]),
            subject.before,
        ),
        "sha256": hashlib.sha256(files["rgb"].read_bytes()).hexdigest(),
        "engine": made["engine"],
        "preset": job.preset,
        "models": made["models"],
    }


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise RenderError("an index of pictures needs pyarrow: pip install 'tolman[render]'") from None
