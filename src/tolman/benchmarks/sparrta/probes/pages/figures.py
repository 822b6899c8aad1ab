"""What figures of probes share (colours of heads and groups, axes, chance lines and tooltips), and the figure of the
correlation with other benchmarks (figure 10 of the paper).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.sparrta.probes.benchmark_correlation import BenchmarkCorrelation
from tolman.benchmarks.sparrta.probes.encoders import HEAD_TITLES, VIEW_SHORT, ProbedEncoder
from tolman.probing.protocol import HeadName
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILLION,
    Spec,
    chart,
    colour_scale,
    dashed_rule,
    fitted,
    interval_tips,
    percents,
    shape_scale,
)
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Table, heading, one_row

ChartValues = list[dict[str, Any]]
HEAD_STYLES: dict[HeadName, tuple[str, str]] = {
    "cls": (GREY, "cross"),
    "linear": (ORANGE, "square"),
    "abmilp": (GREEN, "triangle-up"),
    "efficient": (BLUE, "circle"),
}
"""A colour and a shape for each probe."""
GROUP_COLOURS = {
    "source": VERMILLION,
    "target": BLUE,
    "human": GREEN,
    "background": GREY,
    "[CLS]": PURPLE,
    "registers": ORANGE,
}
CHANCE = 25.0


def head_scales(heads: Sequence[HeadName]) -> tuple[alt.Color, alt.Shape]:
    """Colours and shapes of probes."""
    names = [HEAD_TITLES[head] for head in heads]
    colours, marks = zip(*(HEAD_STYLES[head] for head in heads), strict=True)
    return colour_scale("probe", names, colours), shape_scale("probe", names, marks)


def head_key(heads: Sequence[HeadName]) -> tuple[tuple[str, str], ...]:
    """Names and colours of probes, for above a figure."""
    return tuple((HEAD_TITLES[head], HEAD_STYLES[head][0]) for head in heads)


def axis_floor(intervals: Iterable[Interval]) -> float:
    """Lower end of an axis in percent: 20, or lower if values are."""
    ends = (one.mean if math.isnan(one.low) else one.low for one in intervals)
    least = min((100 * end for end in ends if not math.isnan(end)), default=20.0)
    return min(20.0, 10 * math.floor(least / 10))


def accuracy_axis(floor: float) -> alt.Scale:
    """From a floor to 100 percent."""
    return alt.Scale(domain=[floor, 100], nice=False)


def depth_axis() -> alt.X:
    """Relative depth of a layer, as encoders differ in their number of layers."""
    return alt.X(
        "depth:Q",
        title="depth of the layer, % of the encoder",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(tickCount=5, grid=False),
    )


def chance_across(scale: alt.Scale) -> alt.Chart:
    """A dashed line at chance, on a horizontal axis."""
    return dashed_rule([{"chance": CHANCE}]).encode(x=alt.X("chance:Q", scale=scale))


def chance_up(scale: alt.Scale) -> alt.Chart:
    """A dashed line at chance, on a vertical axis."""
    return dashed_rule([{"chance": CHANCE}]).encode(y=alt.Y("chance:Q", scale=scale))


def right_axis(scale: alt.Scale, *, grid: bool = True) -> alt.X:
    """Test accuracy, on a horizontal axis."""
    axis = alt.Axis(tickCount=6) if grid else alt.Axis(tickCount=6, grid=False)
    return alt.X("mean:Q", title="right in the test, %", scale=scale, axis=axis)


def whiskered(base: alt.Chart, across: alt.X, scale: alt.Scale, size: int = 64, **marks: Any) -> list[alt.Chart]:
    """Intervals as rules, and means as points with these further encodings."""
    rules = base.mark_rule(strokeWidth=1.6).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    return [rules, base.mark_point(filled=True, size=size, opacity=1).encode(x=across, **marks)]


def banded(base: alt.Chart, up: alt.Y, scale: alt.Scale, **marks: Any) -> list[alt.Chart]:
    """Intervals as bands, and means as lines and points with these further encodings."""
    band = base.mark_area(opacity=0.16).encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    line = base.mark_line(strokeWidth=1.8).encode(y=up)
    return [band, line, base.mark_point(filled=True, size=34, opacity=1).encode(y=up, **marks)]


def percents_of(interval: Interval) -> dict[str, float | None]:
    """A mean and its ends in percent; unknown ends are replaced by the mean."""
    shown = percents(interval)
    return {name: shown["mean"] if value is None else value for name, value in shown.items()}


def tooltips(*columns: str) -> list[alt.Tooltip]:
    """Tooltips of a mark: some columns, the mean and its interval."""
    return interval_tips(*columns, mean="right, %")


_CAPTION = (
    "Accuracy here, mean over environments, against scores that were given with --scores. The line is a least-squares "
    "fit."
)


def correlation_figure(encoders: Sequence[ProbedEncoder], found: Sequence[BenchmarkCorrelation]) -> Figure:
    """One panel for each benchmark and viewpoint."""
    panels = [Panel(_chart(one), f"{one.benchmark}, {VIEW_SHORT[one.view]}") for one in found if one.points]
    key = tuple((one.name, one.colour) for one in encoders)
    return Figure("elsewhere", "Correlation with other benchmarks", _CAPTION, panels, _numbers(found), key)


def _chart(one: BenchmarkCorrelation) -> Spec:
    values: ChartValues = [
        {"encoder": encoder.name, "there": there, "here": round(here, 2)} for encoder, there, here in one.points
    ]
    encoders = [encoder for encoder, _, _ in one.points]
    names = [encoder.name for encoder in encoders]
    across = alt.X(
        "there:Q", title=one.benchmark[:60], scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(tickCount=5)
    )
    up = alt.Y("here:Q", title="accuracy here, %", scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(tickCount=5))
    base = chart(values).encode(x=across, y=up)
    marks = base.mark_point(filled=True, size=80, opacity=1).encode(
        color=colour_scale("encoder", names, [encoder.colour for encoder in encoders]),
        shape=shape_scale("encoder", names, [encoder.shape for encoder in encoders]),
        tooltip=[
            "encoder:N",
            alt.Tooltip("there:Q", title="there"),
            alt.Tooltip("here:Q", title="here, %", format=".1f"),
        ],
    )
    if one.found is None:
        return fitted(240, marks)
    line = base.transform_regression("there", "here").mark_line(strokeDash=[4, 3], strokeWidth=1.2, style="quiet")
    return fitted(240, line, marks)


def _numbers(found: Sequence[BenchmarkCorrelation]) -> Table:
    entries = [
        one_row(
            encoder.name, (Cell(one.benchmark), Cell(VIEW_SHORT[one.view]), Cell(f"{there:g}"), Cell(f"{here:.1f}"))
        )
        for one in found
        for encoder, there, here in one.points
    ]
    heads = (heading("benchmark", words=True), heading("viewpoint", words=True), heading("there"), heading("here, %"))
    return Table("elsewhere-numbers", "", "encoder", heads, tuple(entries))
