"""Correlation of accuracy here with scores of the same encoders on other benchmarks, given by the user."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tolman.benchmarks.sparrta.probes.encoders import (
    OTHER_PICTURES,
    VIEW_SHORT,
    ProbedEncoder,
    enumeration,
    head_title,
    heads_of,
    published_results,
    share,
    views_of,
)
from tolman.benchmarks.sparrta.sample import Viewpoint
from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.grouping import grouped
from tolman.harness.names import counted, printable
from tolman.probing.protocol import HeadName
from tolman.report.table import Cell, Row, RowGroup, Table, heading


@dataclass(frozen=True)
class Correlation:
    """Pearson's r with its 95 % interval, R² of the linear fit, and the encoders in both tables."""

    pearson: float
    low: float
    high: float
    encoders: tuple[str, ...]

    @property
    def r_squared(self) -> float:
        return self.pearson**2


def correlation(ours: Mapping[str, float], theirs: Mapping[str, float], *, errors: bool = False) -> Correlation:
    """The correlation of two scores; with `errors` the second is an error, and its sign is inverted."""
    shared = tuple(name for name in ours if name in theirs)
    if len(shared) < 3:
        raise SettingsError(f"a correlation needs 3 encoders with both scores, but there are {len(shared)}")
    one, other = [ours[name] for name in shared], [(-1 if errors else 1) * theirs[name] for name in shared]
    if len(set(one)) == 1 or len(set(other)) == 1:
        raise SettingsError("all encoders have the same score: there is nothing to correlate")
    from scipy import stats  # noqa: PLC0415 - takes half a second

    found = cast("Any", stats).pearsonr(one, other)
    interval = found.confidence_interval() if len(shared) > 3 else (float("nan"), float("nan"))
    return Correlation(float(found.statistic), float(interval[0]), float(interval[1]), shared)


def read_scores(path: Path) -> dict[str, dict[str, float]]:
    """Scores of other benchmarks, by benchmark and encoder: from a CSV file with the columns `encoder,benchmark,score`
    and, where it has one, `better`, or from JSON, `{"benchmark": {"encoder": number}}`.

    `better` is `higher` or `lower`: the sign of errors, of which lower is better, is inverted.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".csv":
            return _from_csv(text)
        stored = cast("dict[str, dict[str, Any]]", json.loads(text))
        return {name: {str(encoder): float(value) for encoder, value in row.items()} for name, row in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as error:
        why = f" ({error})" if isinstance(error, ScoreRowError) else ""
        raise SceneFileError(
            f'{path} should hold {{"benchmark": {{"encoder": number}}}} as JSON, or encoder,benchmark,score as CSV{why}'
        ) from None


class ScoreRowError(ValueError):
    """A row of a file of scores is wrong; the message says which and how."""


_SIGNS = {"": 1, "higher": 1, "lower": -1}


def _from_csv(text: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for number, row in enumerate(csv.DictReader(text.splitlines(), skipinitialspace=True), start=2):
        better = (row.get("better") or "").strip()
        if better not in _SIGNS:
            raise ScoreRowError(f"line {number}: better is higher or lower, not {better[:20]!r}")
        try:
            score = _SIGNS[better] * float(row["score"])
        except (TypeError, ValueError):
            raise ScoreRowError(f"line {number}: the score {str(row['score'])[:20]!r} is not a number") from None
        if not math.isfinite(score):
            raise ScoreRowError(f"line {number}: the score is not finite")
        of_benchmark, encoder = found.setdefault(row["benchmark"].strip(), {}), row["encoder"].strip()
        if encoder in of_benchmark:
            raise ScoreRowError(f"line {number}: {encoder[:40]} has another score on {row['benchmark'].strip()[:40]}")
        of_benchmark[encoder] = score
    return found


_FEW = 4
"""Maximum number of names in a sentence."""
_LONGEST = 40
_FEW_ENCODERS = 10
"""With fewer, a table warns."""


@dataclass(frozen=True)
class BenchmarkCorrelation:
    """Scores on one benchmark against accuracy here from one viewpoint."""

    benchmark: str
    view: Viewpoint
    points: tuple[tuple[ProbedEncoder, float, float], ...]
    """Encoders with their score on the benchmark, and accuracy here in percent."""
    found: Correlation | None
    """None for too few encoders, or without variance."""
    named: tuple[str, ...]
    """Encoders that have a score on the benchmark, probed or not."""


def best_head(encoders: Sequence[ProbedEncoder]) -> HeadName:
    """Efficient probing, as in the paper, or else the next most expressive head."""
    order: tuple[HeadName, ...] = ("cls", "linear", "abmilp", "efficient")
    return max(heads_of(encoders), key=lambda head: order.index(head) if head in order else -1)


def benchmark_correlations(
    encoders: Sequence[ProbedEncoder], scores: Mapping[str, Mapping[str, float]]
) -> list[BenchmarkCorrelation]:
    """Every benchmark against every viewpoint."""
    head = best_head(encoders)
    return [
        _correlate(benchmark, view, encoders, given, head)
        for benchmark, given in scores.items()
        for view in views_of(encoders)
    ]


def _correlate(
    benchmark: str, view: Viewpoint, encoders: Sequence[ProbedEncoder], given: Mapping[str, float], head: HeadName
) -> BenchmarkCorrelation:
    points = tuple(
        (one, score, 100 * share(cells).mean)
        for one in encoders
        if (score := given.get(one.name, given.get(one.encoder))) is not None and (cells := one.select([head], [view]))
    )
    try:
        found = correlation({one.name: here for one, _, here in points}, {one.name: there for one, there, _ in points})
    except SettingsError:
        found = None
    return BenchmarkCorrelation(benchmark, view, points, found, tuple(given))


def unprobed(encoders: Sequence[ProbedEncoder], found: Sequence[BenchmarkCorrelation]) -> list[str]:
    """A sentence for each benchmark whose scores are all of encoders that were not probed here."""
    here = _few([one.name for one in encoders])
    by_benchmark = grouped(found, lambda one: one.benchmark)
    return [
        f"{printable(benchmark)[:_LONGEST]}: none of the encoders that the scores name was probed here. They name "
        f"{_few(several[0].named)}; probed were {here}."
        for benchmark, several in by_benchmark.items()
        if several[0].named and not any(one.points for one in several)
    ]


def _few(names: Sequence[str]) -> str:
    shown = [printable(name)[:_LONGEST] for name in dict.fromkeys(names)]
    more = len(shown) - _FEW
    return enumeration([*shown[:_FEW], f"{more} more"] if more > 0 else shown)


def correlation_table(encoders: Sequence[ProbedEncoder], found: Sequence[BenchmarkCorrelation]) -> Table:
    """r, R² and the number of encoders, with the paper's R² below."""
    entries = [
        RowGroup(
            printable(one.benchmark)[:_LONGEST],
            (Row((Cell(VIEW_SHORT[one.view]), *_cells(one.found), Cell(str(len(one.points))))),),
        )
        for one in found
    ]
    entries += [
        RowGroup(
            benchmark,
            (
                Row(
                    (Cell(VIEW_SHORT[view]), Cell(), Cell(f"{squared:.2f}"), Cell(str(len(published_results().models))))
                ),
            ),
            OTHER_PICTURES,
            reference=True,
        )
        for benchmark, by_view in published_results().elsewhere.items()
        for view, squared in by_view.items()
    ]
    least = min((len(one.points) for one in found if one.points), default=_FEW_ENCODERS)
    best = head_title(best_head(encoders))
    notes = [f"Here: {best} probes, mean over environments. Errors count with their sign inverted."]
    if least < _FEW_ENCODERS:
        notes.append(f"Caution: with {counted(least, 'encoder')} almost any r is possible by chance; use the interval.")
    heads = (heading("viewpoint", words=True), heading("Pearson's r"), heading("R²"), heading("encoders"))
    return Table("correlation", "Correlation with other benchmarks", "benchmark", heads, tuple(entries), tuple(notes))


def _cells(found: Correlation | None) -> tuple[Cell, Cell]:
    if found is None:
        return Cell(), Cell()
    known = found.low == found.low
    ends = f"{found.low:.2f} to {found.high:.2f}".replace("-", "−") if known else "no interval"
    return Cell(f"{found.pearson:.2f}".replace("-", "−"), ends), Cell(f"{found.r_squared:.2f}")
