"""Curves over the turns of an exploration: information gain, node coverage, and correctness of the stated map."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from tolman.belief.map_scores import mean
from tolman.benchmarks.theory_of_space.pages.reported_runs import (
    ReportedRun,
    by_section,
    colours,
    reported_explorers,
    shapes,
)
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import Spec, chart, fitted, interval_tips, percents, shares
from tolman.report.statistics import Interval, joined_by_scene, pooled_interval
from tolman.report.table import Table, heading, one_row, percent

Curve = tuple[Interval, ...]
_CARRIED_FORWARD = "A finished scene keeps its last value; bands are 95 % intervals over scenes."


def map_curve(run: TheoryOfSpaceRun) -> Curve:
    """Mean strict correctness of the stated map against the whole scene after each turn; empty if not elicited.

    A turn without an elicited map keeps the value before it, and so does a finished scene.
    """
    curves = joined_by_scene(run.case_ids, ([values] if (values := _map_values(case)) else [] for case in run.cases))
    last = max((len(values) for scene in curves for values in scene), default=0)
    return tuple(
        pooled_interval([[values[min(turn, len(values) - 1)] for values in scene] for scene in curves])
        for turn in range(last)
    )


def _map_values(case: ScoredScene) -> list[float]:
    maps = case.scores["strict"].maps
    values: list[float] = []
    for turn in zip(*maps.turns, strict=True) if maps is not None else ():
        value = mean(scores.complete.overall for scores in turn if scores.complete is not None)
        values.append(value if value is not None else (values[-1] if values else 0.0))
    return values


def gain_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Information gain by turn, the same under all rule sets."""
    caption = "How far the evidence determines all positions after each turn: 100 when all are certain. "
    explorers = list(reported_explorers(runs))
    return _figure(
        "information-gain",
        "Information gain by turn",
        caption,
        "information gain, %",
        explorers,
        lambda one: one.named.summary.curve,
    )


def coverage_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Node coverage by turn in the vision world, the paper's measure of exploration there."""
    caption = "Share of all objects and doors that have been in view after each turn. "
    explorers = [reported for reported in reported_explorers(runs) if reported.run.world == "vision"]
    return _figure(
        "node-coverage",
        "Node coverage by turn",
        caption,
        "node coverage, %",
        explorers,
        lambda one: one.named.summary.coverage_curve,
    )


def map_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Correctness of the stated map by turn, for runs that elicit maps after every turn."""
    caption = "Correctness of the stated map of the whole scene after each turn: positions, facings and directions. "
    every = [reported for reported in runs if reported.run.options.probe_turns == "every"]
    return _figure(
        "map-accuracy", "Map accuracy by turn", caption, "map correctness, %", every, lambda one: map_curve(one.run)
    )


def _figure(
    name: str,
    title: str,
    caption: str,
    axis: str,
    runs: Sequence[ReportedRun],
    curve_of: Callable[[ReportedRun], Curve],
) -> Figure:
    curves = {reported.label: curve_of(reported) for reported in runs}
    with_curve = [reported for reported in runs if curves[reported.label]]
    panels = [Panel(_chart(group, curves, axis), heading) for heading, group in by_section(with_curve)]
    return Figure(name, title, caption + _CARRIED_FORWARD, panels, _numbers(name, with_curve, curves))


def _chart(runs: Sequence[ReportedRun], curves: dict[str, Curve], axis: str) -> Spec:
    values: list[dict[str, Any]] = [
        {"run": reported.name, "turn": turn, **percents(point)}
        for reported in runs
        for turn, point in enumerate(curves[reported.label], start=1)
    ]
    turns = alt.X("turn:Q", title="turn", axis=alt.Axis(tickMinStep=1, grid=False), scale=alt.Scale(nice=False))
    base = chart(values).encode(x=turns)
    band = base.mark_area(opacity=0.18).encode(y=shares("low", axis), y2="high:Q", color=colours(runs))
    line = base.mark_line(strokeWidth=2).encode(y="mean:Q", color=colours(runs))
    points = base.mark_point(filled=True, size=42, opacity=1).encode(
        y="mean:Q", color=colours(runs), shape=shapes(runs), tooltip=interval_tips("run", alt.Tooltip("turn:Q"))
    )
    return fitted(280, band, line, points)


def _numbers(name: str, runs: Sequence[ReportedRun], curves: dict[str, Curve]) -> Table:
    last = max((len(curve) for curve in curves.values()), default=0)
    entries = [
        one_row(reported.name, (percent(point) for point in _padded(curves[reported.label], last)), reported.where)
        for reported in runs
    ]
    heads = tuple(heading(str(turn), "after turn") for turn in range(1, last + 1))
    return Table(f"{name}-numbers", "", "run", heads, tuple(entries))


def _padded(curve: Curve, turns: int) -> Curve:
    return curve + curve[-1:] * (turns - len(curve))
