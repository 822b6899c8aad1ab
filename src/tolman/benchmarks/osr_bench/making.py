"""Make a set of rooms on disk. The same call again goes on where the last one stopped; all files come out the same."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import joblib

from tolman import __version__
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.layout_picture import layout_png
from tolman.benchmarks.osr_bench.negatives import Company
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.own_rooms import panorama_png, top_down_png
from tolman.benchmarks.osr_bench.own_set import PREFIX, own_maps, own_room, scene_name, slices
from tolman.benchmarks.osr_bench.released_files import DATA, PANORAMA_FILE
from tolman.benchmarks.osr_bench.scene_writing import write_new, write_room
from tolman.benchmarks.osr_bench.set_card import CARD, set_card
from tolman.benchmarks.osr_bench.set_tables import library, write_tables
from tolman.errors import SettingsError
from tolman.render.folder_lock import only_one
from tolman.render.made_with import keep_to
from tolman.render.picture_files import is_whole_png
from tolman.spread import spread
from tolman.whole_file import clear_unfinished
from tolman.world.space import space

LAYOUT_FILE, TOP_DOWN_FILE = "room_layout.png", "top_down.png"
_SCALE = 64.0
"""Pixels of a metre in views from above."""
Told = Callable[[str, int, int], object]
"""Called with what is being made, how many of them are done, and of how many."""


@dataclass(frozen=True)
class SetPlan:
    """A set to be made."""

    seeds: tuple[int, ...]
    options: OsrOptions
    pictures: bool = True

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) != len(self.seeds):
            raise SettingsError("a set needs seeds, each of them once, such as 0-99")

    def as_dict(self) -> dict[str, object]:
        """All that its files depend on."""
        used = ("each", "grid", "rules", "distractors", *(("width", "preset") if self.pictures else ()))
        made: dict[str, object] = {"tolman": __version__, "seeds": list(self.seeds), "pictures": self.pictures}
        made |= {name: getattr(self.options, name) for name in used} | {"handedness": self.options.hand}
        if self.pictures:
            from tolman.render.assets.choose import find_source  # noqa: PLC0415 maps and questions need no models

            made["models"] = find_source(self.options.assets).digest
        return made


def make_set(
    plan: SetPlan, out: Path, told: Told, *, jobs: int = -1, painters: int = 1, force: bool = False
) -> Company:
    """Make a set in a folder, with so many processes for maps and questions and so many for pictures.

    Returns what is common in it. `force` allows a folder that holds files of others.
    """
    library("pyarrow")
    with only_one(out):
        clear_unfinished(out)
        keep_to(out, plan.as_dict(), force=force)
        company = _write_rooms(plan, out, told, jobs)
        folders = [out / DATA / scene_name(seed) for seed in plan.seeds]
        if plan.pictures:
            processes: int = cast("Any", joblib).effective_n_jobs(painters)
            threads = max(1, cast("Any", joblib).cpu_count() // processes) if processes > 1 else None
            paint = partial(_paint, out=out.absolute(), options=plan.options, threads=threads)
            for done, _ in enumerate(spread(paint, plan.seeds, painters), start=1):
                told("pictures", done, len(folders))
        told("tables", 0, 1)
        write_tables(folders, out, pictures=plan.pictures)
        write_new(out / CARD, set_card(len(folders), plan.options).encode())
        told("tables", 1, 1)
    return company


def _write_rooms(plan: SetPlan, out: Path, told: Told, jobs: int) -> Company:
    total = len(plan.seeds)
    maps: list[GridMap] = []
    for truth in own_maps(plan.seeds, plan.options, jobs):
        maps.append(truth)
        told("maps", len(maps), total)
    company = Company.of(truth.classes for truth in maps)
    write_new(out / f"negative_sampling_{PREFIX}.json", json.dumps(company.as_dict, indent=1).encode())
    work = partial(_write_slice, company=company, out=out.absolute(), options=plan.options)
    done = 0
    for written in spread(work, slices(list(zip(plan.seeds, maps, strict=True))), jobs):
        done += written
        told("questions", done, total)
    return company


def _write_slice(rooms: Sequence[tuple[int, GridMap]], company: Company, out: Path, options: OsrOptions) -> int:
    """Ask about some rooms, and write them; how many."""
    for seed, truth in rooms:
        write_room(own_room(seed, truth, company, options), out / DATA / scene_name(seed), options)
    return len(rooms)


def _paint(seed: int, out: Path, options: OsrOptions, threads: int | None) -> None:
    """Make the pictures of one room that are not there yet."""
    if threads is not None:
        _settle_for(threads)
    preset, assets = options.preset, options.assets
    for name, make in (
        (LAYOUT_FILE, lambda: layout_png(space(seed), options.grid, options.hand)),
        (TOP_DOWN_FILE, lambda: top_down_png(seed, scale=_SCALE, preset=preset, assets=assets)),
        (PANORAMA_FILE, lambda: panorama_png(seed, width=options.width, preset=preset, assets=assets)),
    ):
        file = out / DATA / scene_name(seed) / name
        if not is_whole_png(file):
            write_new(file, make())


def _settle_for(threads: int) -> None:
    """No more threads for the renderer of this process."""
    from tolman.render.engine.variant import drjit  # noqa: PLC0415

    os.environ["OIDN_NUM_THREADS"] = str(threads)
    drjit().set_thread_count(threads)
