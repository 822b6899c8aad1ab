"""Cases run several times (epochs): pass^k beside the mean, and the variance split into cases, questions and sampling.

A case stays the unit of all intervals: repeats make its own mean more certain, and are never further cases.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tolman.core.grouping import grouped
from tolman.harness.names import counted
from tolman.report.results import BenchmarkResults, CaseScores, ResultReader, ShownTables
from tolman.report.statistics import UNKNOWN, Interval, pooled_interval
from tolman.report.table import (
    Cell,
    Column,
    Row,
    RowGroup,
    Table,
    interval_as_dict,
    known_or_none,
    percent,
    point_estimate,
)

Floats = NDArray[np.float64]
_NONE = 1e-18
"""A variance below this is rounding."""
_FULL = 1 - 1e-9
"""A score of at least this is full; smaller differences are rounding."""


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """Variance of single scores, in squared units of the score; NaN where it can't be estimated."""

    cases: float
    """Between cases: scenes or pictures that are hard for the model or easy."""
    questions: float
    """Between the questions of a case; NaN where it has one value."""
    sampling: float
    """Between repeats of the same question of the same case."""
    of_error: float
    """Share of the squared standard error of the mean that is due to sampling: what more epochs could remove."""

    @property
    def shares(self) -> tuple[float, float, float]:
        """Shares of cases, questions and sampling in the sum of what is known; NaN without any variance."""
        parts = (self.cases, self.questions, self.sampling)
        total = sum(part for part in parts if not math.isnan(part))
        return (math.nan,) * 3 if total < _NONE else tuple(part / total for part in parts)  # pyright: ignore[reportReturnType]

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {name: known_or_none(value) for name, value in asdict(self).items()}


def split_variance(cases: Sequence[Floats]) -> VarianceSplit:
    """Components of variance from one array for each case, epochs by questions; all have the same number of epochs.

    An analysis of variance with questions nested in cases and crossed with epochs. What all answers of one run of a
    case share, such as an exploration that went badly, is sampling as well as what differs between them. Estimates
    are unbiased before negative ones become 0. Cases weigh equally.
    """
    epochs, count = len(cases[0]) if cases else 0, len(cases)
    if epochs < 2:
        return VarianceSplit(*(math.nan,) * 4)
    asked: Floats = np.array([case.shape[1] for case in cases], dtype=float)
    by_question, by_epoch, rest = (sum(parts) for parts in zip(*map(_squares, cases), strict=True))
    free = float((epochs - 1) * (asked - 1).sum())
    residual = rest / free if free else 0.0
    shared = max(0.0, (by_epoch / (epochs - 1) - count * residual) / float(asked.sum()))
    several = float((asked - 1).sum())
    questions = max(0.0, (by_question / several - residual) / epochs) if several else math.nan
    noise = float(np.mean(shared / epochs + residual / (epochs * asked)))
    spread = float(np.var([case.mean() for case in cases], ddof=1)) if count > 1 else math.nan
    within = noise + (float(np.mean(questions / asked)) if several else 0.0)
    between = math.nan if math.isnan(spread) else max(0.0, spread - within)
    return VarianceSplit(
        between, questions, shared + residual, min(1.0, noise / spread) if spread > _NONE else math.nan
    )


def _squares(case: Floats) -> tuple[float, float, float]:
    """Sums of squares of one case: between questions, between epochs, and the rest."""
    mean, of_question, of_epoch = case.mean(), case.mean(axis=0), case.mean(axis=1)
    rest = case - of_question - of_epoch[:, None] + mean
    by_question = len(case) * float(((of_question - mean) ** 2).sum())
    return by_question, case.shape[1] * float(((of_epoch - mean) ** 2).sum()), float((rest**2).sum())


def pass_hat(case: Floats, k: int) -> list[float]:
    """For each question of a case, the chance that k repeats drawn from its epochs all have the full score.

    `case` is epochs by questions; the estimate is unbiased: C(c, k) / C(n, k) with c full scores in n epochs.
    """
    full: Sequence[int] = (case >= _FULL).sum(axis=0).tolist()
    return [math.comb(right, k) / math.comb(len(case), k) for right in full]


@dataclass(frozen=True)
class RepeatedScore:
    """One score of one run whose cases were run several times."""

    run: str
    column: Column
    epochs: int
    cases: int
    left_out: int
    """Cases with a missing epoch, or with other questions in some epoch."""
    mean: Interval
    """Over the cases with all epochs."""
    passed: Mapping[int, Interval]
    """pass^k by k, from 1 to the number of epochs; none for scores that are not shares."""
    variance: VarianceSplit

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            "run": self.run,
            "column": self.column.key,
            "epochs": self.epochs,
            "cases": self.cases,
            "left_out": self.left_out,
            "mean": interval_as_dict(self.mean),
            "pass": {str(k): interval_as_dict(interval) for k, interval in self.passed.items()},
            "variance": self.variance.as_dict(),
        }


def repeated_scores(scores: Iterable[CaseScores], columns: Sequence[Column]) -> list[RepeatedScore]:
    """The scores of all runs with several epochs, under the strict rules where there are two rule sets."""
    runs: dict[str, dict[str, dict[int, CaseScores]]] = {}
    for one in scores:
        if one.rules != "published":
            runs.setdefault(one.run, {}).setdefault(one.case, {})[one.epoch] = one
    found: list[RepeatedScore] = []
    for name, cases in runs.items():
        epochs = max(max(case) for case in cases.values())
        if epochs > 1:
            every = (_repeated(name, column, epochs, cases.values()) for column in columns)
            found += [one for one in every if one is not None]
    return found


def _repeated(run: str, column: Column, epochs: int, cases: Iterable[Mapping[int, CaseScores]]) -> RepeatedScore | None:
    values = [[case[epoch].values.get(column.key, ()) for epoch in sorted(case)] for case in cases]
    scored = [case for case in values if any(case)]
    whole = [np.array(case) for case in scored if len(case) == epochs and len(set(map(len, case))) == 1]
    if not whole:
        return None
    share = column.better == "higher" and all(case.min() >= 0 and case.max() <= 1 for case in whole)
    passed = {
        k: pooled_interval([pass_hat(case, k) for case in whole]) for k in (range(1, epochs + 1) if share else ())
    }
    mean = pooled_interval([case.ravel().tolist() for case in whole])
    split = split_variance(whole)
    return RepeatedScore(run, column, epochs, len(whole), len(scored) - len(whole), mean, passed, split)


def repeat_table(scores: Sequence[RepeatedScore], unit: str = "scene") -> Table | None:
    """Mean and pass^k of every repeated score, and where its variance lies; None where nothing was repeated."""
    if not scores:
        return None
    runs = grouped(scores, lambda one: one.run)
    entries = tuple(
        RowGroup(
            name,
            tuple(Row(_cells(one), one.column.title) for one in found),
            f"{counted(max(one.cases for one in found), unit)} × {found[0].epochs} epochs",
            apart=True,
        )
        for name, found in runs.items()
    )
    dropped = max(one.left_out for one in scores)
    notes = (
        f"pass^k: share of questions with the full score in all k epochs. Intervals are over {unit}s; repeats add none",
        f"variance of single scores: between {unit}s, between questions of a {unit}, and between repeats (sampling)",
        "of error: share of the squared standard error of the mean that is due to sampling; more epochs reduce it",
        *[f"Without {counted(dropped, unit)} with a missing epoch or other questions"] * bool(dropped),
    )
    title = "Repeats: consistency, and where the variance lies"
    return Table("repeats", title, "run", repeat_columns(unit), entries, notes, labels="score")


def repeat_columns(unit: str = "scene") -> tuple[Column, ...]:
    """The columns of the table of repeats."""
    group = "Variance, %"
    return (
        Column("repeats/mean", "mean", definition="Mean over all epochs, in the score's own unit."),
        Column(
            "repeats/pass",
            "pass^k",
            definition="Share of questions with the full score in every epoch.",
            better="higher",
        ),
        Column(
            "repeats/cases", f"{unit}s", group, definition=f"Share of the variance of single scores between {unit}s."
        ),
        Column("repeats/questions", "questions", group, definition=f"Share between the questions of a {unit}."),
        Column("repeats/sampling", "sampling", group, definition="Share between repeats of the same question."),
        Column(
            "repeats/of_error",
            "of error",
            "Sampling, %",
            definition="Share of the squared standard error of the mean that is due to sampling.",
        ),
    )


def _cells(one: RepeatedScore) -> tuple[Cell, ...]:
    shares = [percent(point_estimate(share)) for share in (*one.variance.shares, one.variance.of_error)]
    return (one.column.style(one.mean), percent(one.passed.get(one.epochs, UNKNOWN)), *shares)


def found_repeats(reader: ResultReader, results: BenchmarkResults) -> tuple[list[RepeatedScore], Table | None]:
    """The scores of cases that were run several times, and their table; empty and None where there are none."""
    found = repeated_scores(results.scores(), reader.repeat_columns or reader.headline_columns)
    return found, repeat_table(found, reader.words[1])


def with_repeats(shown: ShownTables, reader: ResultReader, results: BenchmarkResults) -> ShownTables:
    """The tables of a benchmark, and that of its repeats where cases were run several times."""
    found, table = found_repeats(reader, results)
    if table is None:
        return shown
    numbers = {**shown.numbers, "repeats": [one.as_dict() for one in found]}
    return replace(shown, parts=[*shown.parts, table], numbers=numbers)
