"""Finished cells of a table of probes (encoder, layer, triple, viewpoint, head), one JSON file each, the training
time of each, and stored analyses beside them: attention maps, attention between objects, and detection of objects.
All is read without torch.

The name of a cell includes a digest of everything that its numbers depend on, so a resumed run finds finished cells
and never those of other settings.
"""

import csv
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter

from tolman.benchmarks.sparrta.sample import AMBIGUITY, VIEWPOINTS, Viewpoint
from tolman.core.errors import SceneFileError
from tolman.core.files import atomic_write, read_json
from tolman.core.seeds import digest
from tolman.probing.encoders.presets import current_name
from tolman.probing.protocol import HeadName, SeedResult, is_head_name, read_results, stored_results

VERSION = 2
"""Raised when the same key would give other numbers."""


@dataclass(frozen=True)
class ProbeCellKey:
    """What the numbers of a cell depend on."""

    encoder: str
    weights: str
    layer: int
    layers: int
    """Of the encoder."""
    triple: str
    environment: str
    viewpoint: Viewpoint
    head: HeadName
    shuffled: bool
    protocol: Mapping[str, object]
    pictures: str
    """Digest of the picture files in order."""
    labels: str
    """Digest of the labels."""
    preprocessing: str
    ambiguity: float = AMBIGUITY
    """Half-width in degrees of the ambiguous zone around each diagonal."""
    version: int = VERSION

    @property
    def path(self) -> Path:
        """Below the folder of results."""
        encoder = "".join(c if c.isalnum() or c in "-_." else "-" for c in self.encoder)
        name = f"{self.head}-layer-{self.layer:02d}-{digest(asdict(self))[:12]}.json"
        return Path("cells") / encoder / self.triple / self.viewpoint / name


@dataclass(frozen=True)
class ProbeCell:
    """A finished cell, with one result for each seed."""

    key: ProbeCellKey
    results: tuple[SeedResult, ...]
    parameters: int = 0
    """Number of parameters of one head; 0 if unknown."""
    seen: int = 0
    """Pictures of the triple that were in the encoder's own training data, as far as known."""


def write_cell(out: Path, cell: ProbeCell) -> None:
    """Write a cell."""
    stored = {
        "key": asdict(cell.key),
        "results": stored_results(cell.results),
        "parameters": cell.parameters,
        "seen": cell.seen,
    }
    atomic_write(out / cell.key.path, json.dumps(stored, indent=1).encode())


def read_cell(out: Path, key: ProbeCellKey) -> ProbeCell | None:
    """The cell with that key, if it is finished and valid."""
    path = out / key.path
    try:
        return _read_cell(path) if path.is_file() else None
    except SceneFileError:
        return None


def read_cells(out: Path) -> list[ProbeCell]:
    """All finished cells below a folder of results."""
    return [_read_cell(path) for path in sorted((out / "cells").glob("*/*/*/*.json"))]


def _read_cell(path: Path) -> ProbeCell:
    try:
        stored = cast("Any", read_json(path))
        key, results = ProbeCellKey(**stored["key"]), read_results(stored["results"])
        key = replace(key, encoder=current_name(key.encoder))
        named = is_head_name(key.head) and path.name.startswith(f"{key.head}-layer-")
        if not named or key.viewpoint not in VIEWPOINTS or not results:
            raise ValueError(f"{key.head}, {key.viewpoint}")
        return ProbeCell(key, results, *(int(stored.get(name, 0)) for name in ("parameters", "seen")))
    except (KeyError, TypeError, ValueError, AttributeError, SceneFileError) as error:
        reason = str(error).removeprefix(f"{path} ")
        raise SceneFileError(f"{path} is not a finished cell of a probe ({reason}): delete it") from None


@dataclass(frozen=True)
class CellTime:
    """Seconds of training all heads of a cell, without extracting tokens."""

    device: str
    seconds: float


def write_time(out: Path, key: ProbeCellKey, time: CellTime) -> None:
    """Write the training time of a cell."""
    atomic_write(out / _time_path(key), json.dumps(asdict(time)).encode(), durable=False)


def read_times(out: Path, cells: Sequence[ProbeCell]) -> list[CellTime]:
    """The training times of cells in a folder, as far as known."""
    return [time for cell in cells if (time := _read_time(out / _time_path(cell.key))) is not None]


def _time_path(key: ProbeCellKey) -> Path:
    return Path("times", *key.path.parts[1:])


def _read_time(path: Path) -> CellTime | None:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return CellTime(str(stored["device"]), float(stored["seconds"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


MAPS_FOLDER = "maps"
_FORMAT = "tolman.sparrta.maps/1"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,160}\.png")


@dataclass(frozen=True)
class ProbeMap:
    """The attention map and prediction of one probe on one picture."""

    viewpoint: Viewpoint
    head: HeadName
    file: str
    """File name in the folder of maps."""
    says: str
    true: str
    """The true relation."""
    trained_on: bool
    """Whether the picture was in the training or validation split of this head."""
    on: Mapping[str, float]
    """Shares of attention on source, target, human and background; empty without masks."""


@dataclass(frozen=True)
class MappedPicture:
    """A picture with the attention maps of all heads on one encoder."""

    encoder: str
    layer: int
    layers: int
    environment: str
    triple: str
    picture: str
    file: str
    maps: tuple[ProbeMap, ...]


def file_name_part(text: str) -> str:
    """A text with only characters that are safe in file names."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in text)[:60]


def write_maps(out: Path, encoder: str, pictures: Sequence[MappedPicture]) -> None:
    """Write the metadata of the attention maps of one encoder, beside their pictures."""
    stored = {"format": _FORMAT, "pictures": [asdict(picture) for picture in pictures]}
    atomic_write(out / MAPS_FOLDER / f"{file_name_part(encoder)}.json", json.dumps(stored, indent=1).encode())


def read_maps(out: Path) -> list[MappedPicture]:
    """All attention maps in a folder of results whose picture files exist."""
    return [picture for file in sorted((out / MAPS_FOLDER).glob("*.json")) for picture in _read_maps(file)]


def _read_maps(file: Path) -> Iterator[MappedPicture]:
    try:
        for stored in cast("Any", read_json(file))["pictures"]:
            maps = tuple(ProbeMap(**cast("Any", {**one, "on": dict(one["on"])})) for one in stored["maps"])
            picture = MappedPicture(**cast("Any", {**stored, "maps": maps}))
            kept = tuple(one for one in picture.maps if _is_known(one) and _is_there(file.parent, one.file))
            if kept and _is_there(file.parent, picture.file):
                yield replace(picture, encoder=current_name(picture.encoder), maps=kept)
    except (KeyError, TypeError, ValueError) as error:
        raise SceneFileError(
            f"{file} does not describe attention maps ({error}): make them again with tolman probe maps"
        ) from None


def _is_known(found: ProbeMap) -> bool:
    return found.viewpoint in VIEWPOINTS and is_head_name(found.head)


def _is_there(folder: Path, name: str) -> bool:
    return _NAME.fullmatch(name) is not None and (folder / name).is_file()


ATTENTION_FOLDER = "attention"
"""Subfolder of a folder of results, with tables of attention between objects."""
DIFFERENCE_SIGN = " - "
"""Separates the names of two encoders in rows of their difference."""
_FLOW_COLUMNS = ("model", "layer", "query", "target", "mean_attention", "std_over_environments")


@dataclass(frozen=True)
class FlowRow:
    """Mean attention from tokens of one group to a token of another in one layer, and its standard deviation over
    environments (NaN for a single environment and for differences)."""

    model: str
    layer: int
    query: str
    target: str
    mean: float
    spread: float = math.nan


def attention_file(out: Path, encoders: Sequence[str]) -> Path:
    """The path of the table: `out` itself if it is a CSV file, else below the folder of results."""
    if out.suffix.lower() == ".csv":
        return out
    return out / ATTENTION_FOLDER / f"{'+'.join(map(file_name_part, encoders))}.csv"


def write_flow_rows(path: Path, rows: Sequence[FlowRow]) -> None:
    """A CSV file with the authors' columns and the spread over environments."""
    _write_table(path, _FLOW_COLUMNS, rows)


def read_flow_rows(out: Path) -> list[FlowRow]:
    """The rows of all tables in a folder of results; an encoder in several files is taken from the last."""
    found: dict[str, list[FlowRow]] = {}
    for file in sorted((out / ATTENTION_FOLDER).glob("*.csv")):
        rows = list(_read_flows(file))
        found |= {name: [row for row in rows if row.model == name] for name in dict.fromkeys(row.model for row in rows)}
    return [row for rows in found.values() for row in rows]


def _read_flows(file: Path) -> Iterator[FlowRow]:
    for row in _read_table(file, FlowRow, _FLOW_COLUMNS, "attention", "attention"):
        yield replace(row, model=DIFFERENCE_SIGN.join(map(current_name, row.model.split(DIFFERENCE_SIGN))))


THINGS_FOLDER = "things"
"""Subfolder of a folder of results, with tables of object detection."""


@dataclass(frozen=True)
class ThingRow:
    """Detection of one object in the tokens of one layer, on the pictures of one triple."""

    encoder: str
    triple: str
    layer: int
    layers: int
    """Of the encoder."""
    thing: str
    average_precision: float
    """NaN if it is visible nowhere."""
    share: float
    """Share of patches that show it, which is the average precision of chance."""
    pictures: int


_THING_COLUMNS = tuple(field.name for field in fields(ThingRow))


def write_thing_rows(out: Path, encoder: str, rows: Sequence[ThingRow]) -> Path:
    """All rows of an encoder, in a file of its own below a folder of results."""
    path = out / THINGS_FOLDER / f"{file_name_part(encoder)}.csv"
    _write_table(path, _THING_COLUMNS, rows)
    return path


def read_thing_rows(out: Path) -> list[ThingRow]:
    """The rows of all encoders in a folder of results."""
    return [
        replace(row, encoder=current_name(row.encoder))
        for file in sorted((out / THINGS_FOLDER).glob("*.csv"))
        for row in _read_table(file, ThingRow, _THING_COLUMNS, "detection", "things")
    ]


TableRow = TypeVar("TableRow", FlowRow, ThingRow)


def _write_table(path: Path, columns: Sequence[str], rows: Sequence[TableRow]) -> None:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(astuple(row) for row in rows)
    atomic_write(path, text.getvalue().encode())


def _read_table(file: Path, kind: type[TableRow], columns: Sequence[str], about: str, command: str) -> list[TableRow]:
    """The rows of a CSV file whose columns are the fields of a row, in order."""
    names, adapter = [field.name for field in fields(kind)], TypeAdapter(kind)
    try:
        with file.open(encoding="utf-8", newline="") as stored:
            values = [[row[column] for column in columns] for row in csv.DictReader(stored)]
        return [adapter.validate_python(dict(zip(names, row, strict=True))) for row in values]
    except (OSError, KeyError, ValueError) as error:
        why = " ".join(str(error).split())
        raise SceneFileError(
            f"{file} is not a table of {about} ({why}): make it again with tolman probe {command}"
        ) from None
