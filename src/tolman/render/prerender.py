"""All views of scenes as files in a folder, by any number of workers. What is there already is left alone, so the same
call again goes on where the last one stopped; every file comes out the same, whoever renders it and when."""

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

from tolman.render.folder_lock import only_one
from tolman.render.made_with import keep_to
from tolman.render.picture_index import write_index
from tolman.render.published.layout import Run, write_instruction, write_run
from tolman.render.shots import Job, shots
from tolman.render.slices import MadeWith, Slice, Subject, Terms, about, render_slice, source, write_here
from tolman.render.watch import Told, watched
from tolman.spread import let_workers_grow
from tolman.whole_file import clear_unfinished
from tolman.world import scene_to_dict

_SLICES = 4
"""Of each worker, at least: the last ones then end at about the same time."""


def prerender(  # noqa: PLR0913 as the command has options
    subjects: Sequence[Subject],
    out: Path,
    job: Job,
    told: Told,
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
    source(job.models)  # what is wrong with models is told once, before workers start
    terms = Terms(out.resolve(), job, threads, os.getpid())
    with only_one(out):
        clear_unfinished(out)
        try:
            made = _render(subjects, terms, processes, told, published=published, force=force)
        except BaseException:
            clear_unfinished(out)
            raise
        write_index(subjects, out, job, made)
    return made


def _render(
    subjects: Sequence[Subject], terms: Terms, workers: int, told: Told, *, published: bool, force: bool
) -> MadeWith:
    do: Any = cast("Any", joblib).delayed
    let_workers_grow()
    with (
        cast("Any", joblib).Parallel(n_jobs=workers, batch_size=1) as parallel,
        watched(_last_files(subjects, terms), told),
    ):
        made: MadeWith = parallel([do(about)(terms)])[0]
        keep_to(terms.out, made, force=force)
        for subject in subjects:
            _describe(subject, terms.out / subject.name)
        parallel(do(partial(render_slice, terms))(part) for part in _slices(subjects, terms.job, made, workers))
        if published:
            changed = {subject.number: subject for subject in subjects if subject.before is not None}
            runs = [Run(subject, changed.get(subject.number)) for subject in subjects if subject.before is None]
            parallel([do(write_instruction)(terms), *(do(write_run)(terms, run) for run in runs)])
    return made


def _last_files(subjects: Sequence[Subject], terms: Terms) -> list[Path]:
    """The file of each view that is written last."""
    return [
        shot.files(terms.out / subject.name)["depth"]
        for subject in subjects
        for shot in shots(subject.scene, terms.job)
    ]


def _slices(subjects: Sequence[Subject], job: Job, made: MadeWith, workers: int) -> Iterator[Slice]:
    """Whole scenes where there are many; else parts of them, so that no worker is idle."""
    parts = 1 if workers == 1 else ceil(_SLICES * workers / len(subjects))
    for subject in subjects:
        count = sum(1 for _ in shots(subject.scene, job))
        edges = [count * part // parts for part in range(parts + 1)]
        for first, last in pairwise(edges):
            if first < last:
                yield Slice(subject, first, last, made)


def _describe(subject: Subject, folder: Path) -> None:
    """The world itself, and the numbers that stand for things and doors in pictures of ids."""
    write_here(folder / "scene.json", json.dumps(scene_to_dict(subject.scene), indent=1).encode())
    ids = {name: number for number, name in enumerate(subject.scene.names, start=1)}
    write_here(folder / "ids.json", json.dumps(ids, indent=1).encode())
