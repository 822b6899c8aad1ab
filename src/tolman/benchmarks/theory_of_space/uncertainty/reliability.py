"""Reliability of stated probabilities: in each bin, how often what was given such a probability was true."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from tolman.benchmarks.theory_of_space.uncertainty.measured import ConditionRun
from tolman.report.statistics import Interval, joined_by_scene, pooled_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, integer, percent, point_estimate

EDGES = (0.0, 0.005, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.995)
"""Lower edges of the bins; the last one reaches to 1."""


@dataclass(frozen=True)
class ReliabilityBin:
    """Stated probabilities between two edges."""

    low: float
    high: float
    stated: float
    """Their mean."""
    true: Interval
    """Share of them that was true, with an interval over scenes."""
    ideal: float
    """The ideal observer's mean probability for the same."""
    count: int


def reliability_bins(run: ConditionRun) -> list[ReliabilityBin]:
    """The bins of a run in which there are any probabilities."""
    scenes = joined_by_scene([scene.id for scene in run.scenes], [scene.stated for scene in run.scenes])
    found: list[ReliabilityBin] = []
    for low, high in pairwise((*EDGES, 1.0)):
        inside = [[c for c in scene if low <= c.stated and (c.stated < high or high == 1.0)] for scene in scenes]
        listed = [chance for scene in inside for chance in scene]
        if listed:
            true = pooled_interval([[float(chance.true) for chance in scene] for scene in inside if scene])
            stated, ideal = fmean(chance.stated for chance in listed), fmean(chance.ideal for chance in listed)
            found.append(ReliabilityBin(low, high, stated, true, ideal, len(listed)))
    return found


_COLUMNS = (
    Column("reliability/stated", "stated", "probability, %", definition="Mean of the stated probabilities in the bin."),
    Column("reliability/true", "true", "probability, %", definition="Share of these that was true."),
    Column("reliability/ideal", "ideal", "probability, %", definition="What the ideal observer gave to the same."),
    Column("reliability/count", "count", definition="Stated probabilities in the bin; so are zeros of closed lists."),
)


def reliability_tables(runs: Sequence[tuple[str, ConditionRun]]) -> Iterator[Table]:
    """Stated probabilities by bin against how often they were true, for each named run."""
    entries = [
        RowGroup(
            f"{100 * each.low:g} to {100 * each.high:g} %",
            (Row(_cells(each)),),
            section=f"{name} ({run.run.world}, {run.run.mode})",
        )
        for name, run in runs
        for each in reliability_bins(run)
    ]
    if entries:
        title = "Reliability of stated probabilities (--odds)"
        yield Table("odds-reliability", title, "stated", _COLUMNS, tuple(entries), compact=True)


def _cells(each: ReliabilityBin) -> tuple[Cell, ...]:
    return (
        percent(point_estimate(each.stated)),
        percent(each.true),
        percent(point_estimate(each.ideal)),
        integer(each.count),
    )
