"""Make a data set of rooms on disk, with pictures and a data card. The same call again resumes, and gives the same
bytes.
"""

import io
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import joblib
from PIL import Image, ImageDraw

from tolman import __version__
from tolman.benchmarks.osr_bench.dataset.files import pyarrow_module, write_if_changed, write_room, write_tables
from tolman.benchmarks.osr_bench.dataset.rooms import (
    PREFIX,
    batches,
    generated_maps,
    generated_room,
    panorama_png,
    scene_name,
    top_down_png,
)
from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, GridFrame, GridMap, Handedness
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.distractors import CoOccurrence
from tolman.benchmarks.osr_bench.released.scenes import DATA_FOLDER, PANORAMA_FILE
from tolman.core.errors import SettingsError
from tolman.core.files import check_made_with, clear_unfinished, lock_folder
from tolman.core.parallel import parallel_map
from tolman.core.wording import wording
from tolman.render.plan.drawing import write_text
from tolman.render.renderer import is_complete_png
from tolman.world.space import Space, generate_space

_SIDE, _MARGIN, _LETTERS = 800, 80, 12
"""Pixels of the plot, around it, and of its letters."""
_PAPER, _FLOOR, _GRID, _WALL, _BOX, _DOT = "#ffffff", "#f5f6f8", "#d9dde3", "#1b1f24", "#9aa4b2", "#0072b2"
_WIDE = 72
"""Pixels that a name takes at most, near enough."""
Pixel = tuple[float, float]


def floor_plan_png(room: Space, size: int = GRID_SIZE, handedness: Handedness = "true") -> bytes:
    """The plot as a PNG file: the cells of the map are drawn in, and what has a cell on the map lies in it here."""
    at = _pixels(room, size, handedness)
    whole = _SIDE + 2 * _MARGIN
    picture = Image.new("RGB", (whole, whole), _PAPER)
    draw = ImageDraw.Draw(picture)
    draw.polygon([at(*corner) for corner in room.layout], fill=_FLOOR)
    for line in range(size + 1):
        place = _MARGIN + line * _SIDE / size
        draw.line((_MARGIN, place, whole - _MARGIN, place), fill=_GRID)
        draw.line((place, _MARGIN, place, whole - _MARGIN), fill=_GRID)
    draw.polygon([at(*corner) for corner in room.layout], outline=_WALL, width=3)
    for piece in room.pieces:
        west, east, south, north = piece.box[:4]
        draw.polygon([at(west, south), at(east, south), at(east, north), at(west, north)], outline=_BOX)
    x, y = at(*room.camera)
    draw.polygon([(x, y - 12), (x - 7, y + 7), (x + 7, y + 7)], fill=_WALL)
    taken: list[Pixel] = []
    for piece in room.pieces:
        x, y = at(piece.x, piece.y)
        draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill=_DOT)
        while any(abs(x - a) < _WIDE and abs(y - b) < _LETTERS for a, b in taken):
            y += _LETTERS
        taken.append((x, y))
        write_text(picture, piece.category, (x + 6, y), _LETTERS)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _pixels(room: Space, size: int, handedness: Handedness) -> Callable[[float, float], Pixel]:
    grid = GridFrame(room.layout, size=size, handedness=handedness)
    scale = _SIDE / (grid.side * size)

    def at(x: float, y: float) -> Pixel:
        right = x - grid.west if handedness == "true" else grid.east - x
        return _MARGIN + scale * right, _MARGIN + scale * (grid.north - y)

    return at


CARD_FILE = "README.md"
_page = partial(wording, __package__ or "")


def dataset_card(scenes: int, options: Options) -> str:
    """The text of the page."""
    return (
        _page("set_card").fill(
            scenes=scenes,
            rules=options.rules,
            handedness=options.hand,
            grid=options.grid,
            each=options.each,
            width=options.width,
            height=options.width // 2,
            distractors=options.distractors,
        )
        + "\n"
    )


LAYOUT_FILE, TOP_DOWN_FILE = "room_layout.png", "top_down.png"
_SCALE = 64.0
"""Pixels of a metre in views from above."""
StageProgress = Callable[[str, int, int], object]
"""Called with what is being made, how many of them are done, and of how many."""


@dataclass(frozen=True)
class DatasetPlan:
    """A set to be made."""

    seeds: tuple[int, ...]
    options: Options
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


def make_dataset(
    plan: DatasetPlan, out: Path, told: StageProgress, *, jobs: int = -1, painters: int = 1, force: bool = False
) -> CoOccurrence:
    """Make a set in a folder, with so many processes for maps and questions and so many for pictures.

    Returns what is common in it. `force` allows a folder that holds files of others.
    """
    pyarrow_module("pyarrow")
    with lock_folder(out):
        clear_unfinished(out)
        check_made_with(out, plan.as_dict(), force=force)
        company = _write_rooms(plan, out, told, jobs)
        folders = [out / DATA_FOLDER / scene_name(seed) for seed in plan.seeds]
        if plan.pictures:
            processes: int = cast("Any", joblib).effective_n_jobs(painters)
            threads = max(1, cast("Any", joblib).cpu_count() // processes) if processes > 1 else None
            paint = partial(_render_pictures, out=out.absolute(), options=plan.options, threads=threads)
            for done, _ in enumerate(parallel_map(paint, plan.seeds, painters), start=1):
                told("pictures", done, len(folders))
        told("tables", 0, 1)
        write_tables(folders, out, pictures=plan.pictures)
        write_if_changed(out / CARD_FILE, dataset_card(len(folders), plan.options).encode())
        told("tables", 1, 1)
    return company


def _write_rooms(plan: DatasetPlan, out: Path, told: StageProgress, jobs: int) -> CoOccurrence:
    total = len(plan.seeds)
    maps: list[GridMap] = []
    for truth in generated_maps(plan.seeds, plan.options, jobs):
        maps.append(truth)
        told("maps", len(maps), total)
    company = CoOccurrence.of(truth.classes for truth in maps)
    write_if_changed(out / f"negative_sampling_{PREFIX}.json", json.dumps(company.as_dict, indent=1).encode())
    work = partial(_write_slice, company=company, out=out.absolute(), options=plan.options)
    done = 0
    for written in parallel_map(work, batches(list(zip(plan.seeds, maps, strict=True))), jobs):
        done += written
        told("questions", done, total)
    return company


def _write_slice(rooms: Sequence[tuple[int, GridMap]], company: CoOccurrence, out: Path, options: Options) -> int:
    """Ask about some rooms, and write them; how many."""
    for seed, truth in rooms:
        write_room(generated_room(seed, truth, company, options), out / DATA_FOLDER / scene_name(seed), options)
    return len(rooms)


def _render_pictures(seed: int, out: Path, options: Options, threads: int | None) -> None:
    """Make the pictures of one room that are not there yet."""
    if threads is not None:
        _limit_threads(threads)
    preset, assets = options.preset, options.assets
    for name, make in (
        (LAYOUT_FILE, lambda: floor_plan_png(generate_space(seed), options.grid, options.hand)),
        (TOP_DOWN_FILE, lambda: top_down_png(seed, scale=_SCALE, preset=preset, assets=assets)),
        (PANORAMA_FILE, lambda: panorama_png(seed, width=options.width, preset=preset, assets=assets)),
    ):
        file = out / DATA_FOLDER / scene_name(seed) / name
        if not is_complete_png(file):
            write_if_changed(file, make())


def _limit_threads(threads: int) -> None:
    """No more threads for the renderer of this process."""
    from tolman.render.engine.variant import drjit  # noqa: PLC0415

    os.environ["OIDN_NUM_THREADS"] = str(threads)
    drjit().set_thread_count(threads)
