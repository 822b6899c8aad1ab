"""Finished cells of a table of probes, one JSON file each; a file is there whole or not at all.

A cell is named after everything that its numbers depend on, so a run that is started again finds what it had done, and
other settings never stand in for these.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from tolman.benchmarks.sparrta.relations import AMBIGUITY, VIEWPOINTS, Viewpoint
from tolman.errors import SceneFileError
from tolman.probing.encoders.presets import current_name
from tolman.probing.head_names import EVERY_HEAD, HeadName
from tolman.probing.results import SeedResult, read_results, stored_results
from tolman.seeds import digest
from tolman.whole_file import write_whole
from tolman.world.json_file import read_json

VERSION = 2
"""Raised when the same key would give other numbers."""


@dataclass(frozen=True)
class CellKey:
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
    """A digest of their files in order."""
    labels: str
    """A digest of them."""
    preprocessing: str
    ambiguity: float = AMBIGUITY
    """Degrees on each side of a diagonal in which no relation is said."""
    version: int = VERSION

    @property
    def path(self) -> Path:
        """Below the folder of results."""
        encoder = "".join(c if c.isalnum() or c in "-_." else "-" for c in self.encoder)
        name = f"{self.head}-layer-{self.layer:02d}-{digest(asdict(self))[:12]}.json"
        return Path("cells") / encoder / self.triple / self.viewpoint / name


@dataclass(frozen=True)
class Cell:
    """A finished cell, with one result for each seed."""

    key: CellKey
    results: tuple[SeedResult, ...]
    parameters: int = 0
    """That one head learns; 0 where nobody counted."""
    seen: int = 0
    """Pictures of the triple that the encoder was trained on itself, as far as is known."""


def write_cell(out: Path, cell: Cell) -> None:
    """Keep a cell."""
    stored = {
        "key": asdict(cell.key),
        "results": stored_results(cell.results),
        "parameters": cell.parameters,
        "seen": cell.seen,
    }
    write_whole(out / cell.key.path, json.dumps(stored, indent=1).encode())


def read_cell(out: Path, key: CellKey) -> Cell | None:
    """The cell with that key, if it is finished and sound."""
    path = out / key.path
    try:
        return _read(path) if path.is_file() else None
    except SceneFileError:
        return None


def read_cells(out: Path) -> list[Cell]:
    """All finished cells below a folder of results."""
    return [_read(path) for path in sorted((out / "cells").glob("*/*/*/*.json"))]


def _read(path: Path) -> Cell:
    try:
        stored = cast("Any", read_json(path))
        key, results = CellKey(**stored["key"]), read_results(stored["results"])
        key = replace(key, encoder=current_name(key.encoder))
        if key.head not in EVERY_HEAD or key.viewpoint not in VIEWPOINTS or not results:
            raise ValueError(f"{key.head}, {key.viewpoint}")
        return Cell(key, results, *(int(stored.get(name, 0)) for name in ("parameters", "seen")))
    except (KeyError, TypeError, ValueError, AttributeError, SceneFileError) as error:
        reason = str(error).removeprefix(f"{path} ")
        raise SceneFileError(f"{path} is no finished cell of a probe ({reason}): delete it") from None
