"""Means over cells, with intervals over triples or pictures, and the files that hold all results."""

import json
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import numpy as np
from scipy import special

from tolman.benchmarks.sparrta.probe_cells import Cell
from tolman.benchmarks.sparrta.wilson import wilson
from tolman.whole_file import write_whole


@dataclass(frozen=True)
class Mean:
    """A mean share of right answers, with the ends of its 95 % interval (NaN where nothing is known about spread)."""

    mean: float
    low: float
    high: float
    triples: int
    """That it is taken over."""


Values = Mapping[tuple[str, int], float]
"""By triple and seed."""
ENOUGH = 3
"""Triples from which on intervals are over triples, and settle something."""
_SAME = 1e-9
"""Shares that differ by less differ by rounding."""


def mean_of(cells: Sequence[Cell]) -> Mean:
    """The mean test accuracy over triples and seeds; viewpoints, heads and layers of a triple are averaged first.

    With fewer than three triples, the interval is Wilson's over the pictures of a test: of all triples, and of one
    seed, as seeds share pictures. It then says nothing about other triples.
    """
    found = interval_of(values_of(cells))
    if found.triples < ENOUGH:
        low, high = wilson(found.mean, _tested(cells))
        return replace(found, low=low, high=high)
    return replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0))


def _tested(cells: Sequence[Cell]) -> int:
    """Pictures in a test of one seed, of all triples."""
    counts: dict[str, int] = {}
    for cell in cells:
        for result in cell.results:
            counts[cell.key.triple] = min(result.test_pictures, counts.get(cell.key.triple, result.test_pictures))
    return sum(counts.values())


def values_of(cells: Sequence[Cell]) -> dict[tuple[str, int], float]:
    """Test accuracy by triple and seed."""
    found: dict[tuple[str, int], list[float]] = {}
    for cell in cells:
        for result in cell.results:
            found.setdefault((cell.key.triple, result.seed), []).append(result.test)
    return {unit: float(np.mean(values)) for unit, values in found.items()}


def paired(one: Values, other: Values) -> dict[tuple[str, int], float]:
    """By how much the first is larger, for each triple and seed that both have."""
    return {unit: value - other[unit] for unit, value in one.items() if unit in other}


def interval_of(values: Values) -> Mean:
    """The mean, with Student's interval over triples, whose seeds share pictures and are averaged first. NaN without
    values; ends are NaN with fewer than three triples, or where the same value comes again and again."""
    by_triple = [
        float(np.mean([value for (triple, _), value in values.items() if triple == name]))
        for name in dict.fromkeys(triple for triple, _ in values)
    ]
    count = len(by_triple)
    if not count:
        return Mean(math.nan, math.nan, math.nan, 0)
    mean = float(np.mean(by_triple))
    if count < ENOUGH or np.ptp(by_triple) < _SAME:
        return Mean(mean, math.nan, math.nan, count)
    reach = float(cast("Any", special).stdtrit(count - 1, 0.975)) * float(np.std(by_triple, ddof=1)) / count**0.5
    return Mean(mean, mean - reach, mean + reach, count)


def means_by(cells: Sequence[Cell], key: Callable[[Cell], Hashable]) -> dict[Hashable, Mean]:
    """Means of the cells with the same key, in the order in which keys come first."""
    order = {found: place for place, found in reversed(list(enumerate(key(cell) for cell in cells)))}
    ranked = sorted(cells, key=lambda cell: order[key(cell)])
    return {found: mean_of(list(group)) for found, group in groupby(ranked, key)}


def result_rows(cells: Sequence[Cell]) -> list[dict[str, object]]:
    """One row for each seed of each cell."""
    return [
        {
            "encoder": cell.key.encoder,
            "layer": cell.key.layer,
            "layers": cell.key.layers,
            "environment": cell.key.environment,
            "triple": cell.key.triple,
            "viewpoint": cell.key.viewpoint,
            "head": cell.key.head,
            "protocol": str(cell.key.protocol["name"]),
            "epochs": cell.key.protocol["epochs"],
            "shuffled": cell.key.shuffled,
            **{name: value for name, value in asdict(result).items() if name != "grid"},
            "ambiguity": cell.key.ambiguity,
            "version": cell.key.version,
            "weights": cell.key.weights,
            "pictures": cell.key.pictures,
        }
        for cell in cells
        for result in cell.results
    ]


def write_results(out: Path, cells: Sequence[Cell]) -> None:
    """All results as `results.json` and `results.parquet`, the same bytes for the same cells."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = result_rows(cells)
    write_whole(out / "results.json", json.dumps(rows, indent=1).encode())
    stored = BytesIO()
    cast("Any", pq).write_table(cast("Any", pa).Table.from_pylist(rows), stored)
    write_whole(out / "results.parquet", stored.getvalue())
