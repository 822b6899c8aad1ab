"""Make a data set of rooms on disk, with pictures and a data card. A repeated call resumes and gives the
same bytes.
"""

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
from tolman.core.files import check_made_with, clear_unfinished, encoded, lock_folder
from tolman.core.parallel import parallel_map
from tolman.core.wording import wording
from tolman.render.plan.drawing import write_text
from tolman.render.renderer import is_complete_png
from tolman.world.space import Space, generate_space

_SIDE, _MARGIN, _FONT_SIZE = 800, 80, 12
"""Pixels: side of the plot, margin around it, font size."""
_PAPER, _FLOOR, _GRID, _WALL, _BOX, _DOT = "#ffffff", "#f5f6f8", "#d9dde3", "#1b1f24", "#9aa4b2", "#0072b2"
_LABEL_WIDTH = 72
"""Approximate maximum width of a name, in pixels."""
Pixel = tuple[float, float]


def floor_plan_png(room: Space, size: int = GRID_SIZE, handedness: Handedness = "true") -> bytes:
    """A floor plan of a room as a PNG file, with the grid of the map and a dot at the centre of each object."""
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
        while any(abs(x - a) < _LABEL_WIDTH and abs(y - b) < _FONT_SIZE for a, b in taken):
            y += _FONT_SIZE
        taken.append((x, y))
        write_text(picture, piece.category, (x + 6, y), _FONT_SIZE)
    return encoded(picture, "PNG")


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
    """The data card as Markdown."""
    return (
        _page("set_card").fill(
            scenes=scenes,
            rules=options.rules,
            handedness=options.map_handedness,
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
"""Pixels per metre in top-down views."""
StageProgress = Callable[[str, int, int], object]
"""Called with the stage (such as `maps`), the number done and the total."""


@dataclass(frozen=True)
class DatasetPlan:
    """The specification of a data set."""

    seeds: tuple[int, ...]
    options: Options
    pictures: bool = True

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) != len(self.seeds):
            raise SettingsError("a data set needs distinct seeds, such as 0-99")

    def as_dict(self) -> dict[str, object]:
        """Everything that the files of the set depend on."""
        used = ("each", "grid", "rules", "distractors", *(("width", "preset") if self.pictures else ()))
        made: dict[str, object] = {"tolman": __version__, "seeds": list(self.seeds), "pictures": self.pictures}
        made |= {name: getattr(self.options, name) for name in used} | {"handedness": self.options.map_handedness}
        if self.pictures:
            from tolman.render.assets.choose import find_source  # noqa: PLC0415 maps and questions need no assets

            made["models"] = find_source(self.options.assets).digest
        return made


def make_dataset(
    plan: DatasetPlan, out: Path, progress: StageProgress, *, jobs: int = -1, painters: int = 1, force: bool = False
) -> CoOccurrence:
    """Make a data set in a folder, with `jobs` processes for maps and questions and `painters` for rendering.

    Returns the frequency and co-occurrence of its classes. `force` allows a folder that holds other files.
    """
    pyarrow_module("pyarrow")
    with lock_folder(out):
        clear_unfinished(out)
        check_made_with(out, plan.as_dict(), force=force)
        co_occurrence = _write_rooms(plan, out, progress, jobs)
        folders = [out / DATA_FOLDER / scene_name(seed) for seed in plan.seeds]
        if plan.pictures:
            processes: int = cast("Any", joblib).effective_n_jobs(painters)
            threads = max(1, cast("Any", joblib).cpu_count() // processes) if processes > 1 else None
            paint = partial(_render_pictures, out=out.absolute(), options=plan.options, threads=threads)
            for done, _ in enumerate(parallel_map(paint, plan.seeds, painters), start=1):
                progress("pictures", done, len(folders))
        progress("tables", 0, 1)
        write_tables(folders, out, pictures=plan.pictures)
        write_if_changed(out / CARD_FILE, dataset_card(len(folders), plan.options).encode())
        progress("tables", 1, 1)
    return co_occurrence


def _write_rooms(plan: DatasetPlan, out: Path, progress: StageProgress, jobs: int) -> CoOccurrence:
    total = len(plan.seeds)
    maps: list[GridMap] = []
    for truth in generated_maps(plan.seeds, plan.options, jobs):
        maps.append(truth)
        progress("maps", len(maps), total)
    co_occurrence = CoOccurrence.of(truth.classes for truth in maps)
    write_if_changed(out / f"negative_sampling_{PREFIX}.json", json.dumps(co_occurrence.as_dict, indent=1).encode())
    work = partial(_write_slice, co_occurrence=co_occurrence, out=out.absolute(), options=plan.options)
    done = 0
    for written in parallel_map(work, batches(list(zip(plan.seeds, maps, strict=True))), jobs):
        done += written
        progress("questions", done, total)
    return co_occurrence


def _write_slice(rooms: Sequence[tuple[int, GridMap]], co_occurrence: CoOccurrence, out: Path, options: Options) -> int:
    """Generate the questions of some rooms and write them; returns the number of rooms."""
    for seed, truth in rooms:
        write_room(generated_room(seed, truth, co_occurrence, options), out / DATA_FOLDER / scene_name(seed), options)
    return len(rooms)


def _render_pictures(seed: int, out: Path, options: Options, threads: int | None) -> None:
    """Render the missing pictures of one room."""
    if threads is not None:
        _limit_threads(threads)
    preset, assets = options.preset, options.assets
    for name, make in (
        (LAYOUT_FILE, lambda: floor_plan_png(generate_space(seed), options.grid, options.map_handedness)),
        (TOP_DOWN_FILE, lambda: top_down_png(seed, scale=_SCALE, preset=preset, assets=assets)),
        (PANORAMA_FILE, lambda: panorama_png(seed, width=options.width, preset=preset, assets=assets)),
    ):
        file = out / DATA_FOLDER / scene_name(seed) / name
        if not is_complete_png(file):
            write_if_changed(file, make())


def _limit_threads(threads: int) -> None:
    """Limit the renderer and denoiser of this process to so many threads."""
    from tolman.render.engine.variant import drjit  # noqa: PLC0415

    os.environ["OIDN_NUM_THREADS"] = str(threads)
    drjit().set_thread_count(threads)
