"""Scatter plots: answers against map correctness or information gain by scene, and against cost by run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import altair as alt

from tolman.benchmarks.theory_of_space.pages.reported_runs import (
    ReportedRun,
    by_section,
    colours,
    pages_by_scene,
    shapes,
)
from tolman.benchmarks.theory_of_space.tables.run_summary import (
    ANSWERS,
    CORRECTNESS,
    GAIN,
    MeasuredColumns,
    PearsonCorrelation,
)
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import Spec, chart, fitted, known, percents, shares
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Style, Table, heading, number, one_row, p_value, percent

_SCENE_CAPTION = "One mark per scene; click to open it. r is Pearson's, with its 95 % interval. Strict scores."


@dataclass(frozen=True)
class ScatterAxis:
    """The quantity against which answers are plotted."""

    name: str
    title: str
    column: str
    axis: str

    def correlation(self, measured: MeasuredColumns) -> PearsonCorrelation:
        return measured.map_and_answers if self.column == CORRECTNESS else measured.gain_and_answers


MAP_AXIS = ScatterAxis("map-and-answers", "Better maps, better answers?", CORRECTNESS, "correctness of the last map, %")
GAIN_AXIS = ScatterAxis("gain-and-answers", "More seen, better answers?", GAIN, "information gain, %")


def scatter_figure(runs: Sequence[ReportedRun], against: ScatterAxis) -> Figure:
    """One panel per world and mode. Passive runs have no information gain of their own."""
    kept = [
        reported
        for reported in runs
        if scatter_values(reported, against.column) and (reported.run.mode == "active" or against.column != GAIN)
    ]
    panels = [Panel(_scene_chart(group, against), heading) for heading, group in by_section(kept)]
    return Figure(against.name, against.title, _SCENE_CAPTION, panels, _scene_numbers(kept, against))


def _with_r(reported: ReportedRun, against: ScatterAxis) -> ReportedRun:
    """The same run, with its correlation on a second line of its name."""
    r = number(2)(against.correlation(reported.strict).r)
    if r.text == Cell().text:
        return reported
    return replace(reported, name=f"{reported.name}\nr = {r.text}" + (f" ({r.below})" if r.below else ""))


def scatter_values(reported: ReportedRun, column: str) -> list[dict[str, Any]]:
    """One mark per scene with both numbers, in percent."""
    first, answers = reported.strict.values.get(column, {}), reported.strict.values.get(ANSWERS, {})
    pages = pages_by_scene(reported)
    return [
        {
            "run": reported.name,
            "scene": scene,
            "x": round(100 * fmean(first[scene]), 2),
            "y": round(100 * fmean(answers[scene]), 2),
            "page": pages[scene],
        }
        for scene in first
        if scene in answers
    ]


def _scene_chart(group: Sequence[ReportedRun], against: ScatterAxis) -> Spec:
    runs = [_with_r(reported, against) for reported in group]
    values = [value for reported in runs for value in scatter_values(reported, against.column)]
    points = chart(values).mark_point(filled=True, size=46, opacity=0.85)
    across = alt.X("x:Q", title=against.axis, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
    marks = points.encode(
        x=across,
        y=shares("y", "answers, %"),
        color=colours(runs),
        shape=shapes(runs),
        href="page:N",
        tooltip=[
            alt.Tooltip("run:N"),
            alt.Tooltip("scene:N"),
            alt.Tooltip("x:Q", format=".1f", title=against.axis.removesuffix(", %")),
            alt.Tooltip("y:Q", format=".1f", title="answers"),
        ],
    )
    return fitted(300, marks)


def _scene_numbers(runs: Sequence[ReportedRun], against: ScatterAxis) -> Table:
    entries = [
        one_row(
            reported.name,
            (number(2)(correlation.r), p_value(correlation.p), Cell(str(correlation.scenes))),
            reported.where,
        )
        for reported in runs
        for correlation in [against.correlation(reported.strict)]
    ]
    return Table(f"{against.name}-numbers", "", "run", (heading("r"), heading("p"), heading("scenes")), tuple(entries))


_COST_CAPTION = (
    "One mark per run, with 95 % intervals of both over scenes; up and to the left is better. Strict scores."
)

CostOf = Callable[[ReportedRun], Interval]


def cost_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Action cost of the exploration against answers; for a passive run, that of the log it read."""
    note = " A passive run has the cost of the log that it read."

    def cost_of(reported: ReportedRun) -> Interval:
        return reported.interval("explore/cost")

    return _cost_figure(
        "cost-and-answers", "Cost against accuracy", "cost of exploration", note, runs, cost_of, number(1)
    )


def dollar_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Price per scene against answers, for runs whose price is known."""

    def cost_of(reported: ReportedRun) -> Interval:
        return reported.named.summary.price.dollars.scene

    return _cost_figure(
        "dollars-and-answers", "Price against accuracy", "US dollars per scene", "", runs, cost_of, number(3)
    )


def _cost_figure(
    name: str, title: str, axis: str, note: str, runs: Sequence[ReportedRun], cost_of: CostOf, style: Style
) -> Figure:
    kept = [reported for reported in runs if cost_values([reported], cost_of)]
    panels = [Panel(_cost_chart(group, cost_of, axis), heading) for heading, group in by_section(kept)]
    entries = [
        one_row(reported.name, (style(cost_of(reported)), percent(reported.interval(ANSWERS))), reported.where)
        for reported in kept
    ]
    numbers = Table(f"{name}-numbers", "", "run", (heading(axis), heading("answers, %")), tuple(entries))
    return Figure(name, title, _COST_CAPTION + note, panels, numbers)


def cost_values(runs: Sequence[ReportedRun], cost_of: CostOf) -> list[dict[str, Any]]:
    """One mark per run with both numbers; answers in percent."""
    values: list[dict[str, Any]] = []
    for reported in runs:
        cost, answers = cost_of(reported), percents(reported.interval(ANSWERS))
        x = {"x": known(cost.mean), "left": known(cost.low), "right": known(cost.high)}
        if x["x"] is not None and answers["mean"] is not None:
            values.append({"run": reported.name, **x, **answers})
    return values


def _cost_chart(runs: Sequence[ReportedRun], cost_of: CostOf, axis: str) -> Spec:
    base = chart(cost_values(runs, cost_of))
    across = alt.X("x:Q", title=axis, scale=alt.Scale(zero=True))
    bars = base.encode(color=colours(runs), x=across, y=shares("mean", "answers, %"))
    marks = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=across,
        y="mean:Q",
        color=colours(runs),
        shape=shapes(runs),
        tooltip=[
            alt.Tooltip("run:N"),
            alt.Tooltip("x:Q", format=".2f", title=axis),
            alt.Tooltip("mean:Q", format=".1f", title="answers, %"),
        ],
    )
    across_bars = bars.mark_rule(strokeWidth=1.5).encode(x="left:Q", x2="right:Q")
    up_bars = bars.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q")
    return fitted(300, across_bars, up_bars, marks)
