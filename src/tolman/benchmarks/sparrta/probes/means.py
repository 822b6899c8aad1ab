"""Mean accuracy over cells with confidence intervals over triples or pictures, and the files that hold all results."""

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import numpy as np
from scipy import special

from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.core.files import atomic_write
from tolman.core.grouping import gathered, grouped
from tolman.report.statistics import Interval, wilson_interval


@dataclass(frozen=True, slots=True)
class MeanAccuracy(Interval):
    """A mean accuracy with the ends of its 95 % interval (NaN without an estimate of spread)."""

    triples: int
    """Number of triples that it is over."""


ByTripleAndSeed = Mapping[tuple[str, int], float]
"""Accuracy by triple and seed."""
MIN_TRIPLES = 3
"""Minimum number of triples for an interval over triples."""
_ROUNDING = 1e-9
"""Smaller differences are rounding errors."""


def mean_of(cells: Sequence[ProbeCell]) -> MeanAccuracy:
    """The mean test accuracy over triples and seeds; viewpoints, heads and layers of a triple are averaged first.

    With fewer than three triples, the interval is Wilson's over the test pictures of all triples and one seed,
    as seeds share pictures. It then does not generalise to other triples.
    """
    found = interval_of(values_of(cells))
    if found.triples < MIN_TRIPLES:
        tested = gathered((cell.key.triple, result.test_pictures) for cell in cells for result in cell.results)
        low, high = wilson_interval(found.mean, sum(map(min, tested.values())))
        return replace(found, low=low, high=high)
    return replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0))


def values_of(cells: Sequence[ProbeCell]) -> dict[tuple[str, int], float]:
    """Test accuracy by triple and seed."""
    found = gathered(((cell.key.triple, result.seed), result.test) for cell in cells for result in cell.results)
    return {unit: float(np.mean(values)) for unit, values in found.items()}


def paired_differences(one: ByTripleAndSeed, other: ByTripleAndSeed) -> dict[tuple[str, int], float]:
    """The first minus the second, for each triple and seed that both have."""
    return {unit: value - other[unit] for unit, value in one.items() if unit in other}


def interval_of(values: ByTripleAndSeed) -> MeanAccuracy:
    """The mean, with Student's interval over triples, whose seeds share pictures and are averaged first. NaN without
    values; ends are NaN with fewer than three triples, or if all values are equal."""
    by_triple = _by_triple(values)
    count = len(by_triple)
    if not count:
        return MeanAccuracy(math.nan, math.nan, math.nan, 0)
    mean = float(np.mean(by_triple))
    if count < MIN_TRIPLES or np.ptp(by_triple) < _ROUNDING:
        return MeanAccuracy(mean, math.nan, math.nan, count)
    reach = float(cast("Any", special).stdtrit(count - 1, 0.975)) * float(np.std(by_triple, ddof=1)) / count**0.5
    return MeanAccuracy(mean, mean - reach, mean + reach, count)


def _by_triple(values: ByTripleAndSeed) -> list[float]:
    """The mean of each triple over its seeds."""
    found = gathered((triple, value) for (triple, _), value in values.items())
    return [float(np.mean(of_triple)) for of_triple in found.values()]


def unpaired_difference(one: ByTripleAndSeed, other: ByTripleAndSeed) -> tuple[Interval, int]:
    """The mean over triples of the first minus that of the second, which have no triple in common, with Welch's
    interval, clipped to ±1; and the number of triples of the smaller. NaN as in `interval_of`."""
    first, second = interval_of(one), interval_of(other)
    mean, triples = first.mean - second.mean, min(first.triples, second.triples)
    groups = [(found.triples, _spread(values)) for found, values in ((first, one), (second, other))]
    if triples < MIN_TRIPLES or not any(spread for _, spread in groups):
        return Interval(mean, math.nan, math.nan), triples
    squares = [spread**2 / count for count, spread in groups]
    freedom = sum(squares) ** 2 / sum(part**2 / (count - 1) for part, (count, _) in zip(squares, groups, strict=True))
    reach = float(cast("Any", special).stdtrit(freedom, 0.975)) * sum(squares) ** 0.5
    return Interval(mean, max(mean - reach, -1.0), min(mean + reach, 1.0)), triples


def _spread(values: ByTripleAndSeed) -> float:
    """Standard deviation of the means of triples; 0 where they are equal."""
    found = _by_triple(values)
    return float(np.std(found, ddof=1)) if len(found) > 1 and np.ptp(found) >= _ROUNDING else 0.0


def means_by(cells: Sequence[ProbeCell], key: Callable[[ProbeCell], Hashable]) -> dict[Hashable, MeanAccuracy]:
    """Means of the cells with the same key, in the order of their first occurrence."""
    return {found: mean_of(group) for found, group in grouped(cells, key).items()}


_WHAT = ("encoder", "layer", "layers", "environment", "triple", "viewpoint", "head")
_MADE_WITH = ("ambiguity", "version", "weights", "pictures")


def result_rows(cells: Sequence[ProbeCell]) -> list[dict[str, object]]:
    """One row for each seed of each cell."""
    return [
        {
            **{name: getattr(cell.key, name) for name in _WHAT},
            "protocol": str(cell.key.protocol["name"]),
            "epochs": cell.key.protocol["epochs"],
            "shuffled": cell.key.shuffled,
            **{name: value for name, value in result.as_dict().items() if name != "grid"},
            **{name: getattr(cell.key, name) for name in _MADE_WITH},
        }
        for cell in cells
        for result in cell.results
    ]


def write_results(out: Path, cells: Sequence[ProbeCell]) -> None:
    """All results as `results.json` and `results.parquet`, the same bytes for the same cells."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = result_rows(cells)
    atomic_write(out / "results.json", json.dumps(rows, indent=1).encode())
    stored = BytesIO()
    cast("Any", pq).write_table(cast("Any", pa).Table.from_pylist(rows), stored)
    atomic_write(out / "results.parquet", stored.getvalue())


TOO_FEW_TRIPLES = "there are fewer than three triples"


def interval_basis(shown: Iterable[Sequence[ProbeCell]]) -> str:
    """A phrase on what the intervals of some means are over, each mean given by its cells."""
    counts = [len({cell.key.triple for cell in cells}) for cells in shown if cells]
    if all(count >= MIN_TRIPLES for count in counts):
        return "95 % intervals over triples"
    if all(count < MIN_TRIPLES for count in counts):
        return f"95 % intervals over test pictures, as {TOO_FEW_TRIPLES}"
    return "95 % intervals over triples, or over test pictures where there are fewer than three"
