"""How long the cells of a table of probes took, and on what; beside the cells, which are the same bytes anywhere."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tolman.benchmarks.sparrta.probe_cells import Cell, CellKey
from tolman.whole_file import write_whole


@dataclass(frozen=True)
class CellTime:
    """Seconds of training all heads of a cell; tokens were there already."""

    device: str
    seconds: float


def write_time(out: Path, key: CellKey, time: CellTime) -> None:
    """Keep what a cell took."""
    write_whole(out / _path(key), json.dumps(asdict(time)).encode(), lasting=False)


def read_times(out: Path, cells: Sequence[Cell]) -> list[CellTime]:
    """What cells of a folder took, as far as that is known."""
    return [time for cell in cells if (time := _read(out / _path(cell.key))) is not None]


def _path(key: CellKey) -> Path:
    return Path("times", *key.path.parts[1:])


def _read(path: Path) -> CellTime | None:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return CellTime(str(stored["device"]), float(stored["seconds"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
