"""Rooms generated from seeds (the true map, both sets of questions, and the rendered pictures), and rooms on disk in
the authors' layout: files of each scene, and tables of the whole set as CSV and Parquet.

`datasets.load_dataset("parquet", data_files=...)` opens the tables, with the pictures as pictures.
"""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TextIO, TypeVar, cast

from tolman import __version__
from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, GridMap, Handedness, map_of_room
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.prompts import map_prompt
from tolman.benchmarks.osr_bench.questions.generate import (
    CoOccurrence,
    negative_questions,
    prompt_classes,
    standard_questions,
)
from tolman.benchmarks.osr_bench.questions.question import MAP_SKILL, SKILLS, AskedSet
from tolman.benchmarks.osr_bench.released.scenes import (
    DATA_FOLDER,
    MAP_FILE,
    PANORAMA_FILE,
    QUESTION_COLUMNS,
    QUESTION_FILES,
    QUESTION_FILES_WITHOUT_MAP,
    QUESTION_TABLES,
    Turn,
    read_conversation,
    read_scene_folder,
)
from tolman.benchmarks.osr_bench.rules import find_rules
from tolman.core.errors import SettingsError, optional_library
from tolman.core.files import atomic_path, atomic_write, read_json
from tolman.core.parallel import parallel_map
from tolman.world.space import Space, SpaceSettings, generate_space


def room_map(room: Space, size: int = GRID_SIZE, handedness: Handedness = "true") -> GridMap:
    """The true map of a space: north is up, and each object is in the cell of its centre."""
    objects = ((piece.category, (piece.x, piece.y)) for piece in room.pieces)
    return map_of_room(room.layout, objects, size=size, handedness=handedness)


def panorama_png(
    seed: int,
    settings: SpaceSettings | None = None,
    *,
    width: int = 1024,
    turn: float = 0.0,
    preset: str = "standard",
    assets: str = "auto",
) -> bytes:
    """The panorama of the space that a seed makes, as a PNG file, cached on disk.

    `turn` is the direction of the middle column in clockwise degrees from north. `assets` names the source of 3D
    assets.
    """
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415 maps need no renderer

    return SpacePictures(generate_space(seed, settings), preset, assets).panorama(width, turn)


def top_down_png(
    seed: int,
    settings: SpaceSettings | None = None,
    *,
    scale: float = 64.0,
    preset: str = "standard",
    assets: str = "auto",
) -> bytes:
    """The same space from above without its ceiling, north up, `scale` pixels per metre."""
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415

    return SpacePictures(generate_space(seed, settings), preset, assets).top_down(scale)


def pixels_seen(
    seed: int, settings: SpaceSettings | None = None, *, width: int = 1024, assets: str = "auto"
) -> dict[int, int]:
    """Number of pixels of the panorama that each object of a space covers, by index of the object."""
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415

    return SpacePictures(generate_space(seed, settings), "draft", assets).pixels_seen(width)


PREFIX = "Tolman"
"""Prefix of scene names; the authors' names begin with the source of the picture too."""
T = TypeVar("T")
_BATCH = 25


@dataclass(frozen=True)
class AskedRoom:
    """One room with both sets of questions."""

    name: str
    """Name of its folder."""
    cases: dict[AskedSet, Case]
    about: Mapping[str, object]
    """Where it comes from: the seed of a generated room, or the source of an annotated one."""

    @property
    def truth(self) -> GridMap:
        return self.cases["standard"].truth


def scene_name(seed: int) -> str:
    """The name of the folder of a room."""
    return f"{PREFIX}-room-{seed:05}"


def generated_maps(seeds: Sequence[int], options: Options, jobs: int = 1) -> Iterator[GridMap]:
    """The true maps of rooms, computed by `jobs` processes."""
    return chain.from_iterable(parallel_map(partial(_maps, options=options), batches(seeds), jobs))


def generated_room(seed: int, truth: GridMap, co_occurrence: CoOccurrence, options: Options) -> AskedRoom:
    """A generated room with its questions."""
    base = Case(str(seed), truth, (), (), seed)
    return AskedRoom(scene_name(seed), cases_of(base, seed, co_occurrence, options), {"seed": seed})


def cases_of(base: Case, seed: int, co_occurrence: CoOccurrence, options: Options) -> dict[AskedSet, Case]:
    """A case with its standard and with its negative questions, from the random streams of a seed."""
    rules, truth = find_rules(options.rules), base.truth
    absent = co_occurrence.distractors(truth.classes, options.distractors)
    standard = standard_questions(truth, seed, options.each, rules)
    negative = negative_questions(truth, absent, seed, options.each, rules)
    return {
        "standard": replace(base, pool=prompt_classes(truth.classes, (), rules), questions=tuple(standard)),
        "negative": replace(base, pool=prompt_classes(truth.classes, absent, rules), questions=tuple(negative)),
    }


def _maps(seeds: Sequence[int], options: Options) -> list[GridMap]:
    return [
        room_map(generate_space(seed, options.space_settings), options.grid, options.map_handedness) for seed in seeds
    ]


def batches(things: Sequence[T]) -> list[Sequence[T]]:
    """Split a sequence into batches for the workers."""
    return [things[first : first + _BATCH] for first in range(0, len(things), _BATCH)]


FILE_VERSION = "1.0"
"""Format version of the authors' files."""


def write_room(room: AskedRoom, folder: Path, options: Options) -> None:
    """Write all files of a room except its pictures. Unchanged files are not rewritten."""
    truth = room.truth
    stored = {
        "cognitive_map": truth.as_lists,
        "class_count": truth.counts,
        "handedness": options.map_handedness,
        **room.about,
    }
    write_if_changed(folder / MAP_FILE, json.dumps(stored).encode())
    for asked, case in room.cases.items():
        turns = conversation(case, options)
        write_if_changed(folder / f"{folder.name}{QUESTION_FILES[asked]}", _conversation_file(room, turns))
        write_if_changed(
            folder / f"{folder.name}{QUESTION_FILES_WITHOUT_MAP[asked]}", _conversation_file(room, turns[1:])
        )


def conversation(case: Case, options: Options) -> list[dict[str, object]]:
    """The turns of a case: the map, then its questions."""
    asked: list[dict[str, object]] = [
        {"turn_id": q.turn, "question": q.text, "answer": q.answer, "skills_tested": SKILLS[q.kind]}
        for q in case.questions
    ]
    first = {"question": map_prompt(case, options), "answer": case.truth.as_lists, "skills_tested": MAP_SKILL}
    return [{"turn_id": 0, **first}, *asked]


def image_id(name: str) -> str:
    """Path of a room's panorama within the set."""
    return f"{DATA_FOLDER}/{name}/{PANORAMA_FILE}"


def write_if_changed(path: Path, data: bytes) -> None:
    """Write a file atomically unless its content is unchanged; SettingsError on failure.

    It is not flushed to disk: one that a power failure damages is written again by the next call.
    """
    try:
        if not path.is_file() or path.read_bytes() != data:
            atomic_write(path, data, durable=False)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def _conversation_file(room: AskedRoom, turns: Sequence[dict[str, object]]) -> bytes:
    """Holds no date, so that the same room gives the same bytes."""
    stored = {
        "image_id": image_id(room.name),
        "pre_prompt": "",
        "conversation": list(turns),
        "metadata": {"version": FILE_VERSION, **room.about, "made_by": f"tolman {__version__}"},
    }
    return json.dumps(stored, indent=1).encode()


QUESTIONS_FILE, SCENES_FILE = "qa.parquet", "scenes.parquet"
_TEXT, _NUMBER, _PICTURE, _TEXTS = "string", "int32", "image", "strings"
_QUESTION_COLUMNS = {
    "scene": _TEXT, "asked": _TEXT, "turn_id": _NUMBER, "skills_tested": _TEXT,
    "question": _TEXT, "answer": _TEXT, "image": _PICTURE,
}  # fmt: skip
_SCENE_COLUMNS = {
    "scene": _TEXT, "seed": _NUMBER, "handedness": _TEXT, "classes": _TEXTS, "cognitive_map": _TEXT,
    "pool": _TEXTS, "pool_with_negative": _TEXTS, "image": _PICTURE,
}  # fmt: skip
_MOST_BYTES = 1 << 30
"""Size limit of a Parquet dictionary, which stores a picture once for all questions of its scene."""


def write_tables(folders: Sequence[Path], out: Path, *, pictures: bool) -> None:
    """Write all tables of a set whose scenes are complete. The same scenes give the same bytes."""
    try:
        _write(folders, out, pictures=pictures)
    except OSError as error:
        raise SettingsError(f"the tables in {out} can't be written: {error.strerror or error}") from None


def _write(folders: Sequence[Path], out: Path, *, pictures: bool) -> None:
    for asked, name in QUESTION_TABLES.items():
        with atomic_path(out / name) as path, path.open("w", encoding="utf-8", newline="") as file:
            _write_csv(file, folders, asked)
    _write_parquet(out / QUESTIONS_FILE, _QUESTION_COLUMNS, map(_questions, folders), pictures=pictures)
    _write_parquet(out / SCENES_FILE, _SCENE_COLUMNS, ([_scene(folder)] for folder in folders), pictures=pictures)


def _write_csv(file: TextIO, folders: Sequence[Path], asked: AskedSet) -> None:
    rows: csv.DictWriter[str] = csv.DictWriter(file, QUESTION_COLUMNS, lineterminator="\n")
    rows.writeheader()
    for folder in folders:
        for turn in _turns(folder, asked):
            rows.writerow({**turn, "image_id": image_id(folder.name)})


def _turns(folder: Path, asked: AskedSet) -> list[Turn]:
    return read_conversation(folder / f"{folder.name}{QUESTION_FILES[asked]}")


def _questions(folder: Path) -> list[dict[str, object]]:
    """One row for each turn: the map and every question."""
    return [
        {**turn, "answer": _as_text(turn["answer"]), "scene": folder.name, "asked": asked}
        for asked in QUESTION_FILES
        for turn in _turns(folder, asked)
    ]


def _scene(folder: Path) -> dict[str, object]:
    scene = read_scene_folder(folder)
    stored = cast("Mapping[str, object]", read_json(folder / MAP_FILE))
    return {
        "scene": scene.name,
        "seed": stored.get("seed"),
        "handedness": scene.handedness,
        "classes": list(scene.truth.classes),
        "cognitive_map": json.dumps(scene.truth.as_lists),
        "pool": list(scene.pools["standard"]),
        "pool_with_negative": list(scene.pools["negative"]),
    }


def _as_text(answer: object) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer)


def _write_parquet(
    file: Path, columns: Mapping[str, str], groups: Iterator[list[dict[str, object]]], *, pictures: bool
) -> None:
    """Write one row group per scene."""
    arrow, parquet = pyarrow_module("pyarrow"), pyarrow_module("pyarrow.parquet")
    used = {name: kind for name, kind in columns.items() if pictures or kind != _PICTURE}
    schema = _schema(arrow, used)
    packed = {"image.bytes": "NONE", "image.path": "ZSTD"} if pictures else {}
    packed |= {name: "ZSTD" for name, kind in used.items() if kind != _PICTURE}
    options = {"compression": packed, "dictionary_pagesize_limit": _MOST_BYTES, "write_statistics": ["scene"]}
    with atomic_path(file) as path, parquet.ParquetWriter(path, schema, **options) as writer:
        for rows in groups:
            name = rows[0]["scene"]
            image = image_id(str(name))
            if pictures:
                picture = {"bytes": (file.parent / image).read_bytes(), "path": image}
                rows = [{**row, "image": picture} for row in rows]  # noqa: PLW2901 same rows, one column more
            writer.write_table(arrow.Table.from_pylist(rows, schema))


def _schema(arrow: Any, columns: Mapping[str, str]) -> Any:
    """The schema, with metadata from which `datasets` knows the type of each column."""
    kinds = {
        _TEXT: (arrow.string(), {"dtype": "string", "_type": "Value"}),
        _NUMBER: (arrow.int32(), {"dtype": "int32", "_type": "Value"}),
        _TEXTS: (arrow.list_(arrow.string()), {"feature": {"dtype": "string", "_type": "Value"}, "_type": "List"}),
        _PICTURE: (arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())]), {"_type": "Image"}),
    }
    features = {name: kinds[kind][1] for name, kind in columns.items()}
    note = json.dumps({"info": {"features": features}})
    return arrow.schema([(name, kinds[kind][0]) for name, kind in columns.items()], metadata={"huggingface": note})


def pyarrow_module(name: str) -> Any:
    """Import a module of pyarrow."""
    return optional_library(name, "writing a data set needs pyarrow: pip install 'tolman[render]'")
