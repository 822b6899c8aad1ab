"""Figure of the correlation with other benchmarks (figure 10 of the paper)."""

from collections.abc import Sequence

import altair as alt

from tolman.benchmarks.sparrta.probes.benchmark_correlation import BenchmarkCorrelation
from tolman.benchmarks.sparrta.probes.columns import VIEW_SHORT
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder
from tolman.benchmarks.sparrta.probes.pages.charts import ChartValues
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import Spec, chart, colour_scale, fitted, shape_scale
from tolman.report.table import Cell, Table, heading, one_row

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
