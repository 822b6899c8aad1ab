"""VLMEvalKit: a TSV of multiple-choice questions in `$LMUData`, and the predictions that it writes."""

import base64
import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from glob import escape
from pathlib import Path
from string import ascii_uppercase
from typing import Any, cast

from tolman.core.errors import SceneFileError, optional_library
from tolman.core.files import atomic_path
from tolman.core.limits import JSON_FILE, check_json, read_file
from tolman.harness.export.exported_set import (
    CANARY,
    ExportedSet,
    ExportFormat,
    ImportedReply,
    ImportedRun,
    Manifest,
    Show,
    found_files,
)
from tolman.harness.export.items import ChoiceItem

_SUFFIXES = (".xlsx", ".tsv", ".csv", ".json", ".jsonl")


class VlmEvalKit(ExportFormat):
    """`NAME.tsv`, which VLMEvalKit takes for a data set of its own with no code."""

    name = "vlmevalkit"
    title = "VLMEvalKit"

    def write(self, made: ExportedSet, folder: Path, show: Show) -> list[str]:
        """One row per question. A picture, or a list of pictures, is in the row that has it first; others name it."""
        file = folder / f"{made.name}.tsv"
        with atomic_path(file) as path, path.open("w", encoding="utf-8", newline="") as target:
            writer = csv.DictWriter(target, _columns(made), dialect="excel-tab", lineterminator="\n")
            writer.writeheader()
            stored: dict[tuple[str, ...], int] = {}
            for index, one in enumerate(made.items):
                writer.writerow(_row(made, index, one, stored))
                show(index + 1, len(made.items))
        return [f"export LMUData={folder}", f"python run.py --data {made.name} --model MODEL --judge exact_matching"]

    def read(self, path: Path, manifest: Manifest) -> list[ImportedRun]:
        """The predictions of each model in a folder, or those of one file."""
        ending = f"_{manifest.name}"
        files = found_files(path, lambda file: file.suffix in _SUFFIXES and file.stem.endswith(ending))
        runs: list[ImportedRun] = []
        for file in files:
            model = file.stem.removesuffix(ending) if file.stem.endswith(ending) else file.stem
            runs.append(ImportedRun(model or "model", _scored(file, list(_predictions(file))), file))
        return runs


def _columns(made: ExportedSet) -> list[str]:
    letters = ascii_uppercase[: made.most_choices]
    pictures = ["image"] if made.has_pictures else []
    answers = ["answer"] if made.has_answers else []
    return ["index", "question", *letters, *answers, "category", "scene", "id", "version", "canary", *pictures]


def _row(made: ExportedSet, index: int, one: ChoiceItem, stored: dict[tuple[str, ...], int]) -> dict[str, object]:
    row: dict[str, object] = {
        "index": index,
        "question": made.text(one),
        **dict(zip(ascii_uppercase, one.choices, strict=False)),
        "category": str(one.item.kind),
        "scene": one.item.case,
        "id": one.item.id,
        "version": made.source.version,
        "canary": CANARY,
    }
    if made.has_answers:
        row["answer"] = one.letter
    pictures = made.pictures_of(one)
    if pictures:
        first = stored.setdefault(tuple(picture.key for picture in pictures), index)
        files = [base64.b64encode(picture.load()).decode("ascii") for picture in pictures] if first == index else []
        row["image"] = first if first != index else files[0] if len(files) == 1 else json.dumps(files)
    return row


# ---- results ----


def _predictions(file: Path) -> Iterator[ImportedReply]:
    for row in _rows(file):
        if row.get("index") in (None, "") or "prediction" not in row:
            raise SceneFileError(
                f"{file} has no columns index and prediction, so it holds no predictions of VLMEvalKit"
            )
        reply, hit = row["prediction"], row.get("hit")
        score = None if hit in (None, "") else float(str(hit))
        yield ImportedReply(int(float(str(row["index"]))), "" if reply is None else str(reply), score)


def _scored(file: Path, replies: list[ImportedReply]) -> list[ImportedReply]:
    """The replies with the scores of the latest evaluation beside them, if there is one."""
    judged = sorted(
        file.parent.glob(f"{escape(file.stem)}_*_result{file.suffix}"), key=lambda each: each.stat().st_mtime
    )
    scores = {reply.index: reply.score for reply in _predictions(judged[-1])} if judged else {}
    return [replace(reply, score=scores.get(reply.index, reply.score)) for reply in replies]


def _rows(file: Path) -> Iterable[Mapping[str, object]]:
    if file.suffix == ".xlsx":
        return _sheet(file)
    data = read_file(file, JSON_FILE)
    text = data.decode("utf-8", "replace")
    if file.suffix in (".tsv", ".csv"):
        csv.field_size_limit(2**27)
        return cast("Any", csv.DictReader(io.StringIO(text), dialect="excel-tab" if file.suffix == ".tsv" else "excel"))
    try:
        check_json(data, str(file))
        lines = text.splitlines() if file.suffix == ".jsonl" else []
        return [json.loads(line) for line in lines if line.strip()] if lines else json.loads(text)
    except ValueError as error:
        raise SceneFileError(f"{file} is not valid JSON: {error}") from None


def _sheet(file: Path) -> Iterator[Mapping[str, object]]:
    """The rows of the first sheet."""
    openpyxl = optional_library("openpyxl", "Excel files are read with openpyxl: pip install 'tolman[export]'")
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    except Exception as error:  # whatever a damaged file makes its reader raise
        raise SceneFileError(f"{file} can't be read as an Excel file: {' '.join(str(error).split())}") from None
    rows = book.worksheets[0].iter_rows(values_only=True)
    head = [str(name) for name in next(rows, ())]
    for row in rows:
        yield dict(zip(head, row, strict=False))


VLMEVALKIT = VlmEvalKit()
