"""Correlation of accuracy here with scores of the same encoders on other benchmarks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tolman.benchmarks.sparrta.probes.columns import (
    OTHER_PICTURES,
    VIEW_SHORT,
    enumeration,
    head_title,
    published_results,
)
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, heads_of, share, views_of
from tolman.benchmarks.sparrta.sample import Viewpoint
from tolman.core.errors import SettingsError
from tolman.harness.names import counted, printable
from tolman.probing.correlation import Correlation, correlation
from tolman.probing.protocol import HeadName
from tolman.report.table import Cell, Row, RowGroup, Table, heading

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
    by_benchmark: dict[str, list[BenchmarkCorrelation]] = {}
    for one in found:
        by_benchmark.setdefault(one.benchmark, []).append(one)
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
