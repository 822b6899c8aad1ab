"""A set as tables: the two CSV files of the hosted form, and Parquet files with the pictures inside.

`datasets.load_dataset("parquet", data_files=...)` opens those, and shows the pictures as pictures.
"""

import csv
import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, cast

from tolman.benchmarks.osr_bench.hosted_files import COLUMNS, TABLES
from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.benchmarks.osr_bench.released_files import (
    DATA,
    FILES,
    MAP_FILE,
    PANORAMA_FILE,
    Turn,
    read_conversation,
    read_scene_folder,
)
from tolman.errors import SettingsError
from tolman.whole_file import whole
from tolman.world.json_file import read_json

QUESTIONS, SCENES = "qa.parquet", "scenes.parquet"
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
"""Of a dictionary: each picture is stored once for all questions of its scene."""


def write_tables(folders: Sequence[Path], out: Path, *, pictures: bool) -> None:
    """Write all tables of a set whose scenes are complete. The same scenes give the same bytes."""
    try:
        _write(folders, out, pictures=pictures)
    except OSError as error:
        raise SettingsError(f"the tables in {out} can't be written: {error.strerror or error}") from None


def _write(folders: Sequence[Path], out: Path, *, pictures: bool) -> None:
    for asked, name in TABLES.items():
        with whole(out / name) as path, path.open("w", encoding="utf-8", newline="") as file:
            _write_csv(file, folders, asked)
    _write_parquet(out / QUESTIONS, _QUESTION_COLUMNS, map(_questions, folders), pictures=pictures)
    _write_parquet(out / SCENES, _SCENE_COLUMNS, ([_scene(folder)] for folder in folders), pictures=pictures)


def _write_csv(file: TextIO, folders: Sequence[Path], asked: AskedSet) -> None:
    rows: csv.DictWriter[str] = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    rows.writeheader()
    for folder in folders:
        for turn in _turns(folder, asked):
            rows.writerow({**turn, "image_id": f"{DATA}/{folder.name}/{PANORAMA_FILE}"})


def _turns(folder: Path, asked: AskedSet) -> list[Turn]:
    return read_conversation(folder / f"{folder.name}{FILES[asked]}")


def _questions(folder: Path) -> list[dict[str, object]]:
    """One row for each question, and for each map that is asked for."""
    return [
        {**turn, "answer": _as_text(turn["answer"]), "scene": folder.name, "asked": asked}
        for asked in FILES
        for turn in _turns(folder, asked)
    ]


def _scene(folder: Path) -> dict[str, object]:
    scene = read_scene_folder(folder)
    stored = cast("Mapping[str, object]", read_json(folder / MAP_FILE))
    return {
        "scene": scene.name,
        "seed": stored["seed"],
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
    """One group of rows for each scene."""
    arrow, parquet = library("pyarrow"), library("pyarrow.parquet")
    used = {name: kind for name, kind in columns.items() if pictures or kind != _PICTURE}
    schema = _schema(arrow, used)
    packed = {"image.bytes": "NONE", "image.path": "ZSTD"} if pictures else {}
    packed |= {name: "ZSTD" for name, kind in used.items() if kind != _PICTURE}
    options = {"compression": packed, "dictionary_pagesize_limit": _MOST_BYTES, "write_statistics": ["scene"]}
    with whole(file) as path, parquet.ParquetWriter(path, schema, **options) as writer:
        for rows in groups:
            name = rows[0]["scene"]
            image = f"{DATA}/{name}/{PANORAMA_FILE}"
            if pictures:
                picture = {"bytes": (file.parent / image).read_bytes(), "path": image}
                rows = [{**row, "image": picture} for row in rows]  # noqa: PLW2901 same rows, one column more
            writer.write_table(arrow.Table.from_pylist(rows, schema))


def _schema(arrow: Any, columns: Mapping[str, str]) -> Any:
    """With a note in the file that tells `datasets` which column holds pictures."""
    kinds = {
        _TEXT: (arrow.string(), {"dtype": "string", "_type": "Value"}),
        _NUMBER: (arrow.int32(), {"dtype": "int32", "_type": "Value"}),
        _TEXTS: (arrow.list_(arrow.string()), {"feature": {"dtype": "string", "_type": "Value"}, "_type": "List"}),
        _PICTURE: (arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())]), {"_type": "Image"}),
    }
    features = {name: kinds[kind][1] for name, kind in columns.items()}
    note = json.dumps({"info": {"features": features}})
    return arrow.schema([(name, kinds[kind][0]) for name, kind in columns.items()], metadata={"huggingface": note})


def library(name: str) -> Any:
    """A part of pyarrow."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise SettingsError("a set of scenes needs pyarrow: pip install 'tolman[render]'") from None
