"""How well things are told from an encoder's tokens, as CSV files beside the results. Read without torch."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from io import StringIO
from pathlib import Path

from tolman.benchmarks.sparrta.map_files import plain_name
from tolman.errors import SceneFileError
from tolman.probing.encoders.presets import current_name
from tolman.whole_file import write_whole

FOLDER = "things"
"""Of a folder of results."""


@dataclass(frozen=True)
class ThingRow:
    """One thing in the tokens of one layer, for the pictures of one triple."""

    encoder: str
    triple: str
    layer: int
    layers: int
    """Of the encoder."""
    thing: str
    average_precision: float
    """NaN where it was nowhere to be seen."""
    share: float
    """Of patches that show it: what guesses get."""
    pictures: int


_COLUMNS = tuple(field.name for field in fields(ThingRow))


def write_thing_rows(out: Path, encoder: str, rows: Sequence[ThingRow]) -> Path:
    """All rows of an encoder, in a file of its own below a folder of results."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(astuple(row) for row in rows)
    path = out / FOLDER / f"{plain_name(encoder)}.csv"
    write_whole(path, text.getvalue().encode())
    return path


def read_thing_rows(out: Path) -> list[ThingRow]:
    """The rows of all encoders in a folder of results."""
    return [row for file in sorted((out / FOLDER).glob("*.csv")) for row in _read(file)]


def _read(file: Path) -> Iterator[ThingRow]:
    try:
        with file.open(encoding="utf-8", newline="") as stored:
            for row in csv.DictReader(stored):
                encoder, triple, layer, layers, thing, precision, share, pictures = (row[name] for name in _COLUMNS)
                numbers = float(precision), float(share), int(pictures)
                yield ThingRow(current_name(encoder), triple, int(layer), int(layers), thing, *numbers)
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise SceneFileError(
            f"{file} is no table of things ({error}): make it again with tolman probe things"
        ) from None
