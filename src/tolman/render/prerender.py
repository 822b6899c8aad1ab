"""All views of scenes rendered into a folder by any number of workers, resumable, with a Parquet index."""

import hashlib
import importlib
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any, cast

import joblib

from tolman.core.errors import RenderError
from tolman.core.files import ProgressCallback, check_made_with, clear_unfinished, lock_folder, report_progress
from tolman.core.parallel import ignore_worker_restarts
from tolman.render.camera import TopDown
from tolman.render.engine.values import find_preset
from tolman.render.published.layout import PublishedRun, write_instruction, write_run
from tolman.render.stored_pictures import picture_digest
from tolman.render.views import (
    MadeWith,
    RenderJob,
    RenderSubject,
    Shot,
    ViewSlice,
    WorkerSettings,
    cached_asset_source,
    made_with,
    render_slice,
    shots,
    write_file,
)
from tolman.world import scene_to_dict

PICTURE_INDEX = "index.parquet"
PICTURE_INDEX_COLUMNS = {
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


def write_picture_index(subjects: Sequence[RenderSubject], out: Path, job: RenderJob, made: MadeWith) -> Path:
    """Write the table of a folder that is complete. The same pictures give the same bytes."""
    arrow, parquet = _import_pyarrow("pyarrow"), _import_pyarrow("pyarrow.parquet")
    rows = [_picture_row(subject, shot, out, job, made) for subject in subjects for shot in shots(subject.scene, job)]
    kinds: dict[str, Any] = {"string": arrow.string(), "float64": arrow.float64(), "int32": arrow.int32()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in PICTURE_INDEX_COLUMNS.items()])
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows, schema), buffer, compression="zstd")
    write_file(out / PICTURE_INDEX, buffer.getvalue())
    return out / PICTURE_INDEX


def read_picture_index(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a folder's table."""
    parquet = _import_pyarrow("pyarrow.parquet")
    try:
        rows: list[dict[str, Any]] = parquet.read_table(folder / PICTURE_INDEX).to_pylist()
    except FileNotFoundError:
        raise RenderError(f"{folder} has no {PICTURE_INDEX}; `tolman render --out {folder}` writes one") from None
    except (OSError, ValueError):
        raise RenderError(f"{folder / PICTURE_INDEX} is damaged; run `tolman render` again") from None
    yield from rows


def _picture_row(subject: RenderSubject, shot: Shot, out: Path, job: RenderJob, made: MadeWith) -> dict[str, Any]:
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


def _import_pyarrow(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise RenderError("an index of pictures needs pyarrow: pip install 'tolman[render]'") from None


_SLICES_PER_WORKER = 4
"""Of each worker, at least: the last ones then end at about the same time."""


def prerender(  # noqa: PLR0913 as the command has options
    subjects: Sequence[RenderSubject],
    out: Path,
    job: RenderJob,
    told: ProgressCallback,
    *,
    workers: int | None = None,
    threads: int | None = None,
    published: bool = False,
    force: bool = False,
) -> MadeWith:
    """Render all views of some scenes into a folder, and write an index of them; `published` adds the authors' files,
    `force` allows a folder that holds files of others. Returns what they were made with.

    joblib spreads the work, so a cluster takes it over within `joblib.parallel_config("ray")`. `workers` are
    processes, -1 for as many as there are cores, None as joblib is set. Each has so many threads that all cores are
    busy once, or as many as told.
    """
    processes: int = cast("Any", joblib).effective_n_jobs(workers)
    if threads is None and processes > 1:
        threads = max(1, cast("Any", joblib).cpu_count() // processes)
    own = Path(job.models).is_dir()
    job = replace(job, models=str(Path(job.models).resolve())) if own else job
    cached_asset_source(job.models)  # what is wrong with models is told once, before workers start
    terms = WorkerSettings(out.resolve(), job, threads, os.getpid())
    with lock_folder(out):
        clear_unfinished(out)
        try:
            made = _render_all(subjects, terms, processes, told, published=published, force=force)
        except BaseException:
            clear_unfinished(out)
            raise
        write_picture_index(subjects, out, job, made)
    return made


def _render_all(
    subjects: Sequence[RenderSubject],
    terms: WorkerSettings,
    workers: int,
    told: ProgressCallback,
    *,
    published: bool,
    force: bool,
) -> MadeWith:
    do: Any = cast("Any", joblib).delayed
    ignore_worker_restarts()
    with (
        cast("Any", joblib).Parallel(n_jobs=workers, batch_size=1) as parallel,
        report_progress(_last_files(subjects, terms), told),
    ):
        made: MadeWith = parallel([do(made_with)(terms)])[0]
        check_made_with(terms.out, made, force=force)
        for subject in subjects:
            _write_scene_files(subject, terms.out / subject.name)
        parallel(do(partial(render_slice, terms))(part) for part in _split(subjects, terms.job, made, workers))
        if published:
            changed = {subject.number: subject for subject in subjects if subject.before is not None}
            runs = [
                PublishedRun(subject, changed.get(subject.number)) for subject in subjects if subject.before is None
            ]
            parallel([do(write_instruction)(terms), *(do(write_run)(terms, run) for run in runs)])
    return made


def _last_files(subjects: Sequence[RenderSubject], terms: WorkerSettings) -> list[Path]:
    """The file of each view that is written last."""
    return [
        shot.files(terms.out / subject.name)["depth"]
        for subject in subjects
        for shot in shots(subject.scene, terms.job)
    ]


def _split(subjects: Sequence[RenderSubject], job: RenderJob, made: MadeWith, workers: int) -> Iterator[ViewSlice]:
    """Whole scenes where there are many; else parts of them, so that no worker is idle."""
    parts = 1 if workers == 1 else ceil(_SLICES_PER_WORKER * workers / len(subjects))
    for subject in subjects:
        count = sum(1 for _ in shots(subject.scene, job))
        edges = [count * part // parts for part in range(parts + 1)]
        for first, last in pairwise(edges):
            if first < last:
                yield ViewSlice(subject, first, last, made)


def _write_scene_files(subject: RenderSubject, folder: Path) -> None:
    """The world itself, and the numbers that stand for things and doors in pictures of ids."""
    write_file(folder / "scene.json", json.dumps(scene_to_dict(subject.scene), indent=1).encode())
    ids = {name: number for number, name in enumerate(subject.scene.names, start=1)}
    write_file(folder / "ids.json", json.dumps(ids, indent=1).encode())
