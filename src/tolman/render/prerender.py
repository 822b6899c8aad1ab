"""Rendering of all views of scenes into a folder, with any number of workers, resumable, with a Parquet index."""

import hashlib
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

from tolman.core.errors import RenderError, optional_library
from tolman.core.files import (
    ProgressCallback,
    check_made_with,
    clear_unfinished,
    lock_folder,
    report_progress,
    write_file,
)
from tolman.core.parallel import ignore_worker_restarts
from tolman.render.camera import TopDown
from tolman.render.engine.values import find_preset
from tolman.render.published import PublishedRun, write_instruction, write_run
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
)
from tolman.world import scene_to_dict

PICTURE_INDEX = "index.parquet"
PICTURE_INDEX_COLUMNS = {
    **dict.fromkeys(("scene", "scene_digest", "kind", "standing_on", "heading"), "string"),
    **dict.fromkeys(("x", "y", "eye", "field"), "float64"),
    **dict.fromkeys(("width", "height"), "int32"),
    **dict.fromkeys(("rgb", "ids", "depth", "digest", "sha256", "engine", "preset", "models"), "string"),
}
"""Positions and heights in metres, field of view in degrees, paths relative to the folder. Values that do not apply are
null: the field of view of a panorama, the position and heading of a top-down view. `digest` identifies all that a
picture depends on, `sha256` is that of its rgb file."""


def write_picture_index(subjects: Sequence[RenderSubject], out: Path, job: RenderJob, made: MadeWith) -> Path:
    """Write the index of a complete folder. The same pictures give the same bytes."""
    arrow, parquet = _import_pyarrow("pyarrow"), _import_pyarrow("pyarrow.parquet")
    rows = [_picture_row(subject, shot, out, job, made) for subject in subjects for shot in shots(subject.scene, job)]
    kinds: dict[str, Any] = {"string": arrow.string(), "float64": arrow.float64(), "int32": arrow.int32()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in PICTURE_INDEX_COLUMNS.items()])
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows, schema), buffer, compression="zstd")
    write_file(out / PICTURE_INDEX, buffer.getvalue())
    return out / PICTURE_INDEX


def read_picture_index(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a folder's index."""
    parquet = _import_pyarrow("pyarrow.parquet")
    try:
        rows: list[dict[str, Any]] = parquet.read_table(folder / PICTURE_INDEX).to_pylist()
    except FileNotFoundError:
        raise RenderError(f"{folder} has no {PICTURE_INDEX}; `tolman render --out {folder}` writes it") from None
    except (OSError, ValueError):
        raise RenderError(f"{folder / PICTURE_INDEX} is damaged; run `tolman render` again") from None
    yield from rows


def _picture_row(subject: RenderSubject, shot: Shot, out: Path, job: RenderJob, made: MadeWith) -> dict[str, Any]:
    camera, files = shot.camera, shot.files(out / subject.name)
    height, width = camera.shape
    has_position = not isinstance(camera, TopDown)
    models, engine = str(made["models"]), str(made["engine"])
    return {
        "scene": subject.name,
        "scene_digest": subject.scene.digest,
        "kind": shot.kind,
        "standing_on": shot.standing_on or None,
        "heading": shot.heading or None,
        "x": camera.x if has_position else None,
        "y": camera.y if has_position else None,
        "eye": camera.z,
        "field": job.field if shot.kind == "ego" else None,
        "width": width,
        "height": height,
        **{name: path.relative_to(out).as_posix() for name, path in files.items()},
        "digest": picture_digest(subject.scene, camera, find_preset(job.preset), models, engine, subject.before),
        "sha256": hashlib.sha256(files["rgb"].read_bytes()).hexdigest(),
        "engine": made["engine"],
        "preset": job.preset,
        "models": made["models"],
    }


def _import_pyarrow(name: str) -> Any:
    return optional_library(name, "an index of pictures needs pyarrow: pip install 'tolman[render]'", RenderError)


_SLICES_PER_WORKER = 4
"""At least, so that all workers end at about the same time."""


def prerender(  # noqa: PLR0913 as the command has options
    subjects: Sequence[RenderSubject],
    out: Path,
    job: RenderJob,
    on_progress: ProgressCallback,
    *,
    workers: int | None = None,
    threads: int | None = None,
    published: bool = False,
    force: bool = False,
) -> MadeWith:
    """Render all views of some scenes into a folder, and write an index of them; `published` adds the authors' files,
    `force` allows a folder that holds other files. Returns what the pictures were made with.

    joblib distributes the work, to a cluster within `joblib.parallel_config("ray")`. `workers` is the number of
    processes, -1 for all cores, None for joblib's setting; `threads` is that of each process, by default the cores
    divided by the processes.
    """
    processes: int = cast("Any", joblib).effective_n_jobs(workers)
    if threads is None and processes > 1:
        threads = max(1, cast("Any", joblib).cpu_count() // processes)
    if Path(job.assets).is_dir():
        job = replace(job, assets=str(Path(job.assets).resolve()))
    cached_asset_source(job.assets)  # problems with assets are reported once, before workers start
    settings = WorkerSettings(out.resolve(), job, threads, os.getpid())
    with lock_folder(out):
        clear_unfinished(out)
        try:
            made = _render_all(subjects, settings, processes, on_progress, published=published, force=force)
        except BaseException:
            clear_unfinished(out)
            raise
        write_picture_index(subjects, out, job, made)
    return made


def _render_all(
    subjects: Sequence[RenderSubject],
    settings: WorkerSettings,
    workers: int,
    on_progress: ProgressCallback,
    *,
    published: bool,
    force: bool,
) -> MadeWith:
    delayed: Any = cast("Any", joblib).delayed
    ignore_worker_restarts()
    with (
        cast("Any", joblib).Parallel(n_jobs=workers, batch_size=1) as parallel,
        report_progress(_last_files(subjects, settings), on_progress),
    ):
        made: MadeWith = parallel([delayed(made_with)(settings)])[0]
        check_made_with(settings.out, made, force=force)
        for subject in subjects:
            _write_scene_files(subject, settings.out / subject.name)
        slices = _split(subjects, settings.job, made, workers)
        parallel(delayed(partial(render_slice, settings))(part) for part in slices)
        if published:
            changed = {subject.number: subject for subject in subjects if subject.before is not None}
            runs = [
                PublishedRun(subject, changed.get(subject.number)) for subject in subjects if subject.before is None
            ]
            parallel([delayed(write_instruction)(settings), *(delayed(write_run)(settings, run) for run in runs)])
    return made


def _last_files(subjects: Sequence[RenderSubject], settings: WorkerSettings) -> list[Path]:
    """The last file that is written of each view."""
    return [
        shot.files(settings.out / subject.name)["depth"]
        for subject in subjects
        for shot in shots(subject.scene, settings.job)
    ]


def _split(subjects: Sequence[RenderSubject], job: RenderJob, made: MadeWith, workers: int) -> Iterator[ViewSlice]:
    """Whole scenes if there are many; else parts of them, so that no worker is idle."""
    parts = 1 if workers == 1 else ceil(_SLICES_PER_WORKER * workers / len(subjects))
    for subject in subjects:
        count = sum(1 for _ in shots(subject.scene, job))
        edges = [count * part // parts for part in range(parts + 1)]
        for first, last in pairwise(edges):
            if first < last:
                yield ViewSlice(subject, first, last, made)


def _write_scene_files(subject: RenderSubject, folder: Path) -> None:
    """The scene, and the numbers of things and doors in `ids` pictures."""
    write_file(folder / "scene.json", json.dumps(scene_to_dict(subject.scene), indent=1).encode())
    ids = {name: number for number, name in enumerate(subject.scene.names, start=1)}
    write_file(folder / "ids.json", json.dumps(ids, indent=1).encode())
