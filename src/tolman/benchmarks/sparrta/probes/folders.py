"""Read everything that reports need from folders made by `tolman probe`. Needs no torch."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.sparrta.probes.benchmark_correlation import read_scores
from tolman.benchmarks.sparrta.probes.cells import (
    MAPS_FOLDER,
    CellTime,
    FlowRow,
    MappedPicture,
    ProbeCell,
    ThingRow,
    read_cells,
    read_flow_rows,
    read_maps,
    read_thing_rows,
    read_times,
)
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, probed_encoders
from tolman.core.errors import SettingsError

Tell = Callable[[str], None]
SCORES = "scores.csv"
"""File in a folder of results with the encoders' scores on other benchmarks."""


@dataclass(frozen=True)
class StoredMaps:
    """A picture with maps, and the folder where its files are."""

    folder: Path
    picture: MappedPicture


@dataclass(frozen=True)
class ProbeResults:
    """Everything in some folders of results."""

    encoders: tuple[ProbedEncoder, ...]
    controls: tuple[ProbedEncoder, ...]
    """The shuffled-label control."""
    flows: tuple[FlowRow, ...]
    things: tuple[ThingRow, ...]
    """Detection of objects in single tokens."""
    attention_maps: tuple[StoredMaps, ...]
    times: tuple[tuple[ProbeCell, CellTime], ...]
    scores: Mapping[str, Mapping[str, float]]
    """Scores on other benchmarks, by benchmark and encoder."""


def read_probes(folders: Sequence[Path], tell: Tell, scores: Path | None = None) -> ProbeResults:
    """Everything in some folders, each cell once; `scores` is a file in addition to those in the folders."""
    cells = {cell.key.path: cell for folder in folders for cell in read_cells(folder)}
    if not cells:
        raise SettingsError(f"{', '.join(map(str, folders))}: no finished probes; run tolman probe again")
    kept = _newest(list(cells.values()), tell)
    times = [(cell, time) for folder in folders for cell in kept for time in read_times(folder, [cell])]
    if scores is not None and not scores.is_file():
        raise SettingsError(f"there is no {scores}; --scores takes a CSV file: encoder,benchmark,score")
    given = [file for folder in folders if (file := folder / SCORES).is_file()] + ([scores] if scores else [])
    return ProbeResults(
        tuple(probed_encoders([cell for cell in kept if not cell.key.shuffled])),
        tuple(probed_encoders([cell for cell in kept if cell.key.shuffled])),
        tuple(row for folder in folders for row in read_flow_rows(folder)),
        tuple(row for folder in folders for row in read_thing_rows(folder)),
        tuple(StoredMaps(folder / MAPS_FOLDER, picture) for folder in folders for picture in read_maps(folder)),
        tuple(times),
        _merged([read_scores(file) for file in given]),
    )


def _newest(cells: Sequence[ProbeCell], tell: Tell) -> list[ProbeCell]:
    """Of cells that differ in pictures, labels or version only, the one of the newest version and with most pictures;
    reports how many are left out."""
    kept: dict[tuple[object, ...], ProbeCell] = {}
    left_out: Counter[tuple[str, str]] = Counter()
    for cell in sorted(cells, key=lambda cell: (cell.key.version, _pictures(cell), str(cell.key.path))):
        key = cell.key
        protocol = tuple(sorted((name, str(value)) for name, value in key.protocol.items()))
        what = (key.encoder, key.weights, key.layer, key.triple, key.viewpoint, key.head, key.shuffled, key.ambiguity)
        if (older := kept.get((*what, protocol))) is not None:
            left_out[key.encoder, _why(older, cell)] += 1
        kept[*what, protocol] = cell
    for (encoder, why), count in left_out.items():
        tell(f"{encoder}: {count} cells are {why}, and are left out")
    return sorted(kept.values(), key=lambda cell: str(cell.key.path))


def _why(older: ProbeCell, newer: ProbeCell) -> str:
    if older.key.version != newer.key.version:
        return "of an earlier version of Tolman and superseded"
    if _pictures(older) != _pictures(newer):
        return "of fewer pictures than others of the same triple"
    return "of other pictures than others of the same triple"


def _pictures(cell: ProbeCell) -> int:
    return max(result.training_pictures for result in cell.results)


def _merged(tables: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    merged: dict[str, dict[str, float]] = {}
    for table in tables:
        for benchmark, row in table.items():
            merged.setdefault(benchmark, {}).update(row)
    return merged
