"""A set as Parquet, as `datasets.load_dataset` opens it. A picture is stored once per scene, however often it is asked
about: repeated values of a column are kept in a dictionary."""

import base64
import importlib
import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from tolman.core.errors import SettingsError
from tolman.core.files import atomic_path
from tolman.harness.export.choices import ChoiceItem
from tolman.harness.export.exported_set import CANARY, ExportedSet, Show

PARQUET = "test-00000-of-00001.parquet"
_TEXT = {"dtype": "string", "_type": "Value"}
_PICTURE_VALUES = 2**30
"""Bytes of different pictures that one group of rows may hold before they are repeated."""


def columns(made: ExportedSet) -> dict[str, str]:
    """The columns and what they hold."""
    listed = {
        "index": "Number of the question in this set, from 0.",
        "id": "Name of the question: the scene or picture, and which of its questions.",
        "scene": "The scene or picture that it is about; errors should be clustered by it.",
        "kind": "Kind of question.",
        "question": "The question without its choices; pictures are named by their numbers.",
        "choices": "The choices, in the order of their letters.",
        "answer": "Letter of the right choice.",
        "images": "The pictures, in the order of their numbers.",
        "input_image": "The picture as a data URI, as Inspect reads it.",
        "version": "Version of the task: its number changes with the scoring, its letter with the data.",
        "canary": "Marks test data, so that it can be kept out of training sets.",
    }
    unused = {"answer"} if not made.has_answers else set[str]()
    unused |= {"images", "input_image"} if not made.has_pictures else set[str]()
    unused |= {"input_image"} if not one_picture_each(made) else set[str]()
    return {name: about for name, about in listed.items() if name not in unused}


def one_picture_each(made: ExportedSet) -> bool:
    """Whether every question has exactly one picture."""
    return all(len(made.pictures_of(one)) == 1 for one in made.items)


def write_parquet(made: ExportedSet, file: Path, show: Show) -> None:
    """Write all questions, one group of rows per scene."""
    try:
        arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise SettingsError("Parquet files are written with pyarrow: pip install 'tolman[export]'") from None
    schema, names = _schema(arrow, made), columns(made)
    shared = {"images.list.element.bytes", "input_image"}
    dictionary = [column for column in _leaves(names) if column in shared or column not in ("index", "id")]
    file.parent.mkdir(parents=True, exist_ok=True)
    how: dict[str, Any] = {"use_dictionary": dictionary, "compression": "zstd"}
    with (
        atomic_path(file) as path,
        parquet.ParquetWriter(path, schema, dictionary_pagesize_limit=_PICTURE_VALUES, **how) as writer,
    ):
        numbered = enumerate(made.items)
        for _, group in groupby(numbered, key=lambda pair: pair[1].item.case):
            rows = [_row(made, number, one, names) for number, one in group]
            writer.write_table(arrow.Table.from_pylist(rows, schema))
            show(int(rows[-1]["index"]) + 1, len(made.items))


def _leaves(names: dict[str, str]) -> Iterator[str]:
    for name in names:
        if name == "images":
            yield from ("images.list.element.bytes", "images.list.element.path")
        else:
            yield "choices.list.element" if name == "choices" else name


def _row(made: ExportedSet, number: int, one: ChoiceItem, names: dict[str, str]) -> dict[str, Any]:
    files = [picture.load() for picture in made.pictures_of(one)]
    row: dict[str, Any] = {
        "index": number,
        "id": one.item.id,
        "scene": one.item.case,
        "kind": str(one.item.kind),
        "question": made.text(one),
        "choices": list(one.choices),
        "answer": made.answer(one),
        "images": [{"bytes": data, "path": None} for data in files],
        "version": made.source.version,
        "canary": CANARY,
    }
    if "input_image" in names:
        row["input_image"] = data_uri(files[0])
    return {name: row[name] for name in names}


def data_uri(data: bytes) -> str:
    """A PNG or JPEG file as a data URI."""
    kind = "png" if data.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


def _schema(arrow: Any, made: ExportedSet) -> Any:
    """The schema, with metadata from which `datasets` knows the type of each column."""
    picture = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
    kinds: dict[str, tuple[Any, object]] = {
        "index": (arrow.int64(), {"dtype": "int64", "_type": "Value"}),
        "choices": (arrow.list_(arrow.string()), {"feature": _TEXT, "_type": "List"}),
        "images": (arrow.list_(picture), {"feature": {"_type": "Image"}, "_type": "List"}),
    }
    used = {name: kinds.get(name, (arrow.string(), _TEXT)) for name in columns(made)}
    note = json.dumps({"info": {"features": {name: feature for name, (_, feature) in used.items()}}})
    return arrow.schema([(name, kind) for name, (kind, _) in used.items()], metadata={"huggingface": note})
