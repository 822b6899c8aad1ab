"""Tables of attention between things, as CSV files beside the results. Read without torch."""

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from tolman.benchmarks.sparrta.map_files import plain_name
from tolman.errors import SceneFileError
from tolman.probing.encoders.presets import current_name
from tolman.whole_file import write_whole

FOLDER = "attention"
"""Of a folder of results, where reports look for tables."""
BETWEEN = " - "
"""Stands between the names of two encoders whose difference a row is."""
_COLUMNS = ("model", "layer", "query", "target", "mean_attention", "std_over_environments")


@dataclass(frozen=True)
class FlowRow:
    """How much tokens of one group look at a token of another in one layer, and the spread over environments (NaN for
    one of these, and for a difference)."""

    model: str
    layer: int
    query: str
    target: str
    mean: float
    spread: float = math.nan


def attention_file(out: Path, encoders: Sequence[str]) -> Path:
    """Where a table goes: to a CSV file, if `out` is one, else below a folder of results."""
    if out.suffix.lower() == ".csv":
        return out
    return out / FOLDER / f"{'+'.join(map(plain_name, encoders))}.csv"


def write_flow_rows(path: Path, rows: Sequence[FlowRow]) -> None:
    """A CSV file with the authors' columns and the spread over environments."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows((row.model, row.layer, row.query, row.target, row.mean, row.spread) for row in rows)
    write_whole(path, text.getvalue().encode())


def read_flow_rows(out: Path) -> list[FlowRow]:
    """The rows of all tables in a folder of results; of an encoder that stands in several, those of the last file."""
    found: dict[str, list[FlowRow]] = {}
    for file in sorted((out / FOLDER).glob("*.csv")):
        rows = list(_read(file))
        found |= {name: [row for row in rows if row.model == name] for name in dict.fromkeys(row.model for row in rows)}
    return [row for rows in found.values() for row in rows]


def _read(file: Path) -> Iterator[FlowRow]:
    try:
        with file.open(encoding="utf-8", newline="") as stored:
            for row in csv.DictReader(stored):
                model, layer, query, target, mean, spread = (row[column] for column in _COLUMNS)
                model = BETWEEN.join(map(current_name, model.split(BETWEEN)))
                yield FlowRow(model, int(layer), query, target, float(mean), float(spread))
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise SceneFileError(
            f"{file} is no table of attention ({error}): make it again with tolman probe attention"
        ) from None
