"""Make a data set of rooms on disk, generated or from annotated scenes, with pictures and a data card. A repeated call
resumes and gives the same bytes.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import joblib
from PIL import Image, ImageDraw

from tolman import __version__
from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.dataset.annotated_scenes import (
    QUESTIONS_BY_SOURCE,
    AnnotatedBox,
    AnnotatedScene,
    RoomPlan,
    SkippedInputs,
    read_annotated,
)
from tolman.benchmarks.osr_bench.dataset.files import (
    PREFIX,
    AskedRoom,
    batches,
    cases_of,
    generated_maps,
    generated_room,
    panorama_png,
    pyarrow_module,
    scene_name,
    top_down_png,
    write_if_changed,
    write_room,
    write_tables,
)
from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, GridFrame, GridMap, Handedness
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.generate import CoOccurrence
from tolman.benchmarks.osr_bench.released.scenes import DATA_FOLDER, PANORAMA_FILE
from tolman.core.errors import SettingsError
from tolman.core.files import check_made_with, clear_unfinished, encoded, lock_folder
from tolman.core.limits import PICTURE_FILE, read_file
from tolman.core.parallel import parallel_map
from tolman.core.seeds import digest
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


def space_plan(room: Space, handedness: Handedness) -> RoomPlan:
    """The plan of a generated room in the frame of its map."""
    sign = 1.0 if handedness == "true" else -1.0
    boxes: list[AnnotatedBox] = []
    for piece in room.pieces:
        west, east, south, north = piece.box[:4]
        corners = ((west, south), (east, south), (east, north), (west, north))
        centre = (sign * piece.x, piece.y)
        boxes.append(AnnotatedBox(piece.category, centre, tuple((sign * x, y) for x, y in corners)))
    x, y = room.camera
    return RoomPlan(tuple((sign * x, y) for x, y in room.layout), tuple(boxes), (sign * x, y))


_MARKER = ((12.0, 0.0), (-7.0, 7.0), (-7.0, -7.0))
"""The camera, pointing right: pixels right and up of its place."""
_TURNS = {"right": (1, 0), "up": (0, 1), "left": (-1, 0), "down": (0, -1)}


def floor_plan_png(room: RoomPlan, size: int = GRID_SIZE) -> bytes:
    """A floor plan of a room as a PNG file, with the grid of the map and a dot at the centre of each object."""
    at = _pixels(room, size)
    whole = _SIDE + 2 * _MARGIN
    picture = Image.new("RGB", (whole, whole), _PAPER)
    draw = ImageDraw.Draw(picture)
    draw.polygon([at(*corner) for corner in room.layout], fill=_FLOOR)
    for line in range(size + 1):
        place = _MARGIN + line * _SIDE / size
        draw.line((_MARGIN, place, whole - _MARGIN, place), fill=_GRID)
        draw.line((place, _MARGIN, place, whole - _MARGIN), fill=_GRID)
    draw.polygon([at(*corner) for corner in room.layout], outline=_WALL, width=3)
    for box in room.boxes:
        draw.polygon([at(*corner) for corner in box.footprint], outline=_BOX)
    (x, y), (cos, sin) = at(*room.camera), _TURNS[room.ahead]
    draw.polygon([(x + cos * a - sin * b, y - sin * a - cos * b) for a, b in _MARKER], fill=_WALL)
    taken: list[Pixel] = []
    for box in room.boxes:
        x, y = at(*box.centre)
        draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill=_DOT)
        while any(abs(x - a) < _LABEL_WIDTH and abs(y - b) < _FONT_SIZE for a, b in taken):
            y += _FONT_SIZE
        taken.append((x, y))
        write_text(picture, box.name, (x + 6, y), _FONT_SIZE)
    return encoded(picture, "PNG")


def _pixels(room: RoomPlan, size: int) -> Callable[[float, float], Pixel]:
    grid = GridFrame(room.layout, size=size)
    scale = _SIDE / (grid.side * size)

    def at(x: float, y: float) -> Pixel:
        return _MARGIN + scale * (x - grid.west), _MARGIN + scale * (grid.north - y)

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
STATISTICS_FILE = f"negative_sampling_{PREFIX}.json"
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
        return made if self.options.room_version == 1 else made | {"room_version": self.options.room_version}


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


LEFT_OUT_FILE = "left_out.json"


@dataclass(frozen=True)
class AnnotatedPlan:
    """The specification of a data set from scenes that are annotated with 3D boxes."""

    folder: Path
    options: Options
    each: int | None = None
    """Questions per kind; None for as many as published for the source of a scene."""
    pictures: bool = True

    def as_dict(self, scenes: Sequence[AnnotatedScene]) -> dict[str, object]:
        """Everything that the files of the set depend on."""
        made: dict[str, object] = {"tolman": __version__, "scenes": digest([scene.digest for scene in scenes])}
        made |= {name: getattr(self.options, name) for name in ("grid", "rules", "distractors")}
        return made | {"each": self.each, "handedness": self.options.map_handedness, "pictures": self.pictures}


def make_from_annotated(
    plan: AnnotatedPlan, out: Path, progress: StageProgress, *, force: bool = False
) -> tuple[int, SkippedInputs]:
    """Make a data set of annotated scenes; returns their number, and what had to be left out.

    Panoramas are copied as they are.
    """
    pyarrow_module("pyarrow")
    left_out = SkippedInputs()
    scenes = list(read_annotated(plan.folder, left_out, pictures=plan.pictures))
    if not scenes:
        raise SettingsError(f"{plan.folder} holds no usable scene. {'. '.join(left_out.lines)}")
    rooms = [scene.plan(plan.options.map_handedness) for scene in scenes]
    maps = [room.grid_map(plan.options.grid) for room in rooms]
    progress("maps", len(maps), len(maps))
    with lock_folder(out):
        clear_unfinished(out)
        check_made_with(out, plan.as_dict(scenes), force=force)
        co_occurrence = CoOccurrence.of(truth.classes for truth in maps)
        write_if_changed(out / STATISTICS_FILE, json.dumps(co_occurrence.as_dict, indent=1).encode())
        folders: list[Path] = []
        for scene, room, truth in zip(scenes, rooms, maps, strict=True):
            folders.append(_write_annotated(scene, room, truth, co_occurrence, plan, out))
            progress("questions", len(folders), len(scenes))
        progress("tables", 0, 1)
        write_tables(folders, out, pictures=plan.pictures)
        stored = {"scenes": left_out.scenes, "objects": dict(left_out.objects)}
        write_if_changed(out / LEFT_OUT_FILE, json.dumps(stored, indent=1).encode())
        write_if_changed(out / CARD_FILE, _annotated_card(plan, scenes, left_out).encode())
        progress("tables", 1, 1)
    return len(scenes), left_out


def _write_annotated(
    scene: AnnotatedScene, room: RoomPlan, truth: GridMap, co_occurrence: CoOccurrence, plan: AnnotatedPlan, out: Path
) -> Path:
    """Write one scene; returns its folder. Its random streams depend on its name."""
    folder, seed = out / DATA_FOLDER / scene.name, int(digest(["annotated", scene.name])[:8], 16)
    options = replace(plan.options, each=plan.each or QUESTIONS_BY_SOURCE[scene.source])
    cases = cases_of(Case(scene.name, truth, (), ()), seed, co_occurrence, options)
    write_room(AskedRoom(scene.name, cases, {"source": scene.source, "ahead": room.ahead}), folder, options)
    if plan.pictures:
        write_if_changed(folder / PANORAMA_FILE, read_file(scene.folder / PANORAMA_FILE, PICTURE_FILE))
        write_if_changed(folder / LAYOUT_FILE, floor_plan_png(room, options.grid))
    return folder


def _annotated_card(plan: AnnotatedPlan, scenes: Sequence[AnnotatedScene], left_out: SkippedInputs) -> str:
    counts = Counter(scene.source for scene in scenes)
    page = _page("annotated_card").fill(
        scenes=len(scenes),
        sources=" and ".join(f"{count} of {source}" for source, count in counts.items()),
        rules=plan.options.rules,
        handedness=plan.options.map_handedness,
        grid=plan.options.grid,
        distractors=plan.options.distractors,
        left_out=". ".join(left_out.lines) or "Nothing was left out",
    )
    return page + "\n"


def _write_rooms(plan: DatasetPlan, out: Path, progress: StageProgress, jobs: int) -> CoOccurrence:
    total = len(plan.seeds)
    maps: list[GridMap] = []
    for truth in generated_maps(plan.seeds, plan.options, jobs):
        maps.append(truth)
        progress("maps", len(maps), total)
    co_occurrence = CoOccurrence.of(truth.classes for truth in maps)
    write_if_changed(out / STATISTICS_FILE, json.dumps(co_occurrence.as_dict, indent=1).encode())
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
    preset, assets, settings = options.preset, options.assets, options.space_settings
    for name, make in (
        (
            LAYOUT_FILE,
            lambda: floor_plan_png(space_plan(generate_space(seed, settings), options.map_handedness), options.grid),
        ),
        (TOP_DOWN_FILE, lambda: top_down_png(seed, settings, scale=_SCALE, preset=preset, assets=assets)),
        (PANORAMA_FILE, lambda: panorama_png(seed, settings, width=options.width, preset=preset, assets=assets)),
    ):
        file = out / DATA_FOLDER / scene_name(seed) / name
        if not is_complete_png(file):
            write_if_changed(file, make())


def _limit_threads(threads: int) -> None:
    """Limit the renderer and denoiser of this process to so many threads."""
    from tolman.render.engine.variant import drjit  # noqa: PLC0415

    os.environ["OIDN_NUM_THREADS"] = str(threads)
    drjit().set_thread_count(threads)
