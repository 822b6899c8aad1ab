"""Hugging Face: Parquet as `datasets.load_dataset` opens it, a card, Croissant metadata, and `eval.yaml`, from which
`inspect eval hf/...` runs the set.

A picture is stored once per scene, however often it is asked about: repeated values of a column are kept in a
dictionary.
"""

import base64
import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from tolman import __version__
from tolman.core.errors import optional_library
from tolman.core.files import atomic_path, atomic_write
from tolman.harness.export.exported_set import CANARY, CANARY_NOTE, ExportedSet, ExportFormat, Show
from tolman.harness.export.items import ChoiceItem

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
    missing = "Parquet files are written with pyarrow: pip install 'tolman[export]'"
    arrow, parquet = (optional_library(name, missing) for name in ("pyarrow", "pyarrow.parquet"))
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


_FILE = f"data/{PARQUET}"
_LICENCES = {"mit": "https://spdx.org/licenses/MIT.html"}
_CARD = """\
---
{head}---

# {title}

{about}

**{note}**

- Task version {version}: the number changes with the scoring, the letter with the data.
- Licence: {licence}. {source}
- {caveat}

```python
from datasets import load_dataset

questions = load_dataset("ORG/{name}", split="test")
```

{inspect}

| column | meaning |
|---|---|
{columns}
"""
_INSPECT = "`inspect eval hf/ORG/{name} --model MODEL` runs it, from `eval.yaml`."
_NO_INSPECT = {
    False: "The set has no answers, so it has no `eval.yaml`; `tolman import` scores replies to it.",
    True: "Inspect reads one picture per question from a data set, so there is no `eval.yaml`; `tolman eval` runs it.",
}


class HuggingFace(ExportFormat):
    """The layout of a data set on the Hugging Face Hub."""

    name = "hf"
    title = "Inspect"

    def write(self, made: ExportedSet, folder: Path, show: Show) -> list[str]:
        write_parquet(made, folder / _FILE, show)
        runs = made.has_answers and (one_picture_each(made) or not made.has_pictures)
        if runs:
            atomic_write(folder / "eval.yaml", _yaml(_eval(made)).encode())
        atomic_write(folder / "README.md", _card(made, runs).encode())
        metadata = json.dumps(croissant(made, (folder / _FILE).read_bytes()), indent=2, ensure_ascii=False)
        atomic_write(folder / "croissant.json", (metadata + "\n").encode())
        upload = f"hf upload ORG/{made.name} {folder} --repo-type dataset"
        return [upload, f"inspect eval hf/ORG/{made.name} --model MODEL"] if runs else [upload]


def _yaml(values: object) -> str:
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120)


def _eval(made: ExportedSet) -> dict[str, object]:
    fields = {"input": "question", "target": "answer", "choices": "choices", "metadata": ["id", "scene", "kind"]}
    if made.has_pictures:
        fields["input_image"] = "input_image"
    return {
        "name": made.name,
        "description": f"{made.about()} {CANARY_NOTE}",
        "evaluation_framework": "inspect-ai",
        "tasks": [
            {
                "id": made.name,
                "config": "default",
                "split": "test",
                "field_spec": fields,
                "solvers": [{"name": "multiple_choice"}],
                "scorers": [{"name": "choice"}],
            }
        ],
    }


def _card(made: ExportedSet, runs: bool) -> str:
    licence = made.provenance.licence
    head = {
        "license": licence,
        "pretty_name": f"{made.benchmark.title} (Tolman)",
        "language": ["en"],
        "task_categories": ["visual-question-answering" if made.has_pictures else "multiple-choice"],
        "tags": ["spatial-reasoning", "cognitive-map", "benchmark", "tolman"],
        "size_categories": [_size(len(made.items))],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": "data/test-*.parquet"}]}],
    }
    return _CARD.format(
        head=_yaml(head),
        title=f"{made.benchmark.title} as multiple choice",
        about=made.about(),
        note=CANARY_NOTE,
        version=made.source.version,
        licence=licence,
        source=made.provenance.source,
        caveat=made.caveat,
        name=made.name,
        inspect=_INSPECT.format(name=made.name) if runs else _NO_INSPECT[made.has_answers],
        columns="\n".join(f"| `{name}` | {about} |" for name, about in columns(made).items()),
    )


def _size(count: int) -> str:
    for limit, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K")):
        if count < limit:
            return name
    return "100K<n<1M"


_TERMS = (
    *("citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject", "fileProperty"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
    *("references", "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)
_OTHER_TERMS: dict[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}
_CONTEXT = dict(sorted({**_OTHER_TERMS, **{term: f"cr:{term}" for term in _TERMS}}.items()))
"""The terms of Croissant 1.0."""


def croissant(made: ExportedSet, parquet: bytes) -> dict[str, object]:
    """Metadata in the Croissant vocabulary; `parquet` is the content of the data file."""
    licence = made.provenance.licence
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": made.name,
        "description": f"{made.about()} {CANARY_NOTE}",
        "license": _LICENCES.get(licence, licence),
        "url": made.source.paper_address,
        "version": f"{made.source.version.partition('-')[0]}.0.0",
        "alternateName": f"{made.name} {made.source.version}, Tolman {__version__}",
        "datePublished": datetime.now(UTC).date().isoformat(),
        "creator": {"@type": "sc:Organization", "name": "Tolman contributors"},
        "citeAs": made.source.paper,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "test.parquet",
                "name": "test.parquet",
                "contentUrl": _FILE,
                "encodingFormat": "application/x-parquet",
                "sha256": hashlib.sha256(parquet).hexdigest(),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "questions",
                "name": "questions",
                "key": {"@id": "questions/index"},
                "field": [_field(name, about) for name, about in columns(made).items()],
            }
        ],
    }


def _field(name: str, about: str) -> dict[str, object]:
    field: dict[str, object] = {
        "@type": "cr:Field",
        "@id": f"questions/{name}",
        "name": name,
        "description": about,
        "dataType": {"index": "sc:Integer", "images": "sc:ImageObject"}.get(name, "sc:Text"),
        "source": {"fileObject": {"@id": "test.parquet"}, "extract": {"column": name}},
    }
    return {**field, "repeated": True} if name in ("choices", "images") else field


HUGGING_FACE = HuggingFace()
