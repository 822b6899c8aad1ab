"""Scatter plots: answers against map correctness or information gain by scene, and against cost by run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import altair as alt

from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun, by_part, colours, pages_by_scene, shapes
from tolman.benchmarks.theory_of_space.tables.run_summary import (
    ANSWERS,
    CORRECTNESS,
    GAIN,
    MeasuredColumns,
    PearsonCorrelation,
)
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import Spec, fitted, known, percents, shares
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Row, RowGroup, Style, Table, heading, number, p_value, percent

_SCENE_CAPTION = "One mark a scene; a click opens it. r is Pearson's, with its 95 % interval. Strict scores."


@dataclass(frozen=True)
class ScatterAxis:
    """What is set against the answers."""

    name: str
    title: str
    column: str
    axis: str

    def found(self, measured: MeasuredColumns) -> PearsonCorrelation:
        return measured.map_and_answers if self.column == CORRECTNESS else measured.gain_and_answers


MAP_AXIS = ScatterAxis("map-and-answers", "Better maps, better answers?", CORRECTNESS, "correctness of the last map, %")
GAIN_AXIS = ScatterAxis("gain-and-answers", "More seen, better answers?", GAIN, "information gain, %")


def scatter_figure(runs: Sequence[ReportedRun], against: ScatterAxis) -> Figure:
    """A panel for each world and mode. Passive runs have no gain of their own."""
    kept = [
        one
        for one in runs
        if scatter_values(one, against.column) and (one.run.mode == "active" or against.column != GAIN)
    ]
    panels = [Panel(_scene_chart(part, against), heading) for heading, part in by_part(kept)]
    return Figure(against.name, against.title, _SCENE_CAPTION, panels, _scene_numbers(kept, against))


def _with_r(one: ReportedRun, against: ScatterAxis) -> ReportedRun:
    """The same run, with its correlation on a second line of its name."""
    r = number(2)(against.found(one.strict).r)
    if r.text == Cell().text:
        return one
    return replace(one, name=f"{one.name}\nr = {r.text}" + (f" ({r.below})" if r.below else ""))


def scatter_values(one: ReportedRun, column: str) -> list[dict[str, Any]]:
    """A mark for each scene that has both numbers, in percent."""
    first, answers = one.strict.values.get(column, {}), one.strict.values.get(ANSWERS, {})
    pages = pages_by_scene(one)
    return [
        {
            "run": one.name,
            "scene": scene,
            "x": round(100 * fmean(first[scene]), 2),
            "y": round(100 * fmean(answers[scene]), 2),
            "page": pages[scene],
        }
        for scene in first
        if scene in answers
    ]


def _scene_chart(part: Sequence[ReportedRun], against: ScatterAxis) -> Spec:
    runs = [_with_r(one, against) for one in part]
    values = [value for one in runs for value in scatter_values(one, against.column)]
    chart = alt.Chart(alt.InlineData(values=values)).mark_point(filled=True, size=46, opacity=0.85)
    across = alt.X("x:Q", title=against.axis, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
    marks = chart.encode(
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
        RowGroup(one.name, (Row((number(2)(found.r), p_value(found.p), Cell(str(found.scenes)))),), one.where)
        for one in runs
        for found in [against.found(one.strict)]
    ]
    return Table(f"{against.name}-numbers", "", "run", (heading("r"), heading("p"), heading("scenes")), tuple(entries))


_COST_CAPTION = (
    "One mark a run, with the 95 % intervals of both over scenes; up and to the left is better. Strict scores."
)

CostOf = Callable[[ReportedRun], Interval]


def cost_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Cost of exploration. A passive model paid nothing: what it read was paid by the explorer of the log."""
    note = " A passive run is set at the cost of the log that it read."

    def paid(one: ReportedRun) -> Interval:
        return one.interval("explore/cost")

    return _cost_figure("cost-and-answers", "Cost against accuracy", "cost of exploration", note, runs, paid, number(1))


def dollar_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Price of a whole scene, for runs whose price is known."""

    def paid(one: ReportedRun) -> Interval:
        return one.shown.figures.price.dollars.scene

    return _cost_figure(
        "dollars-and-answers", "Price against accuracy", "US dollars a scene", "", runs, paid, number(3)
    )


def _cost_figure(
    name: str, title: str, axis: str, note: str, runs: Sequence[ReportedRun], paid: CostOf, style: Style
) -> Figure:
    kept = [one for one in runs if cost_values([one], paid)]
    panels = [Panel(_cost_chart(part, paid, axis), heading) for heading, part in by_part(kept)]
    entries = [
        RowGroup(one.name, (Row((style(paid(one)), percent(one.interval(ANSWERS)))),), one.where) for one in kept
    ]
    numbers = Table(f"{name}-numbers", "", "run", (heading(axis), heading("answers, %")), tuple(entries))
    return Figure(name, title, _COST_CAPTION + note, panels, numbers)


def cost_values(runs: Sequence[ReportedRun], paid: CostOf) -> list[dict[str, Any]]:
    """A mark for each run of which both are known; answers in percent."""
    values: list[dict[str, Any]] = []
    for one in runs:
        cost, answers = paid(one), percents(one.interval(ANSWERS))
        x = {"x": known(cost.mean), "left": known(cost.low), "right": known(cost.high)}
        if x["x"] is not None and answers["mean"] is not None:
            values.append({"run": one.name, **x, **answers})
    return values


def _cost_chart(runs: Sequence[ReportedRun], paid: CostOf, axis: str) -> Spec:
    base = alt.Chart(alt.InlineData(values=cost_values(runs, paid)))
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
