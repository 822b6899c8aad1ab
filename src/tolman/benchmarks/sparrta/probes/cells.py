"""Finished cells of a table of probes (encoder, layer, triple, viewpoint, head), one JSON file each, and the
training time of each.

The name of a cell includes a digest of everything that its numbers depend on, so a resumed run finds finished cells
and never those of other settings.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

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
