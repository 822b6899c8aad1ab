"""Ego against allo: each probe on each encoder as a point (figure 8 of the paper, as a scatter)."""

from collections.abc import Sequence

import altair as alt

from tolman.benchmarks.sparrta.relations import VIEWPOINTS
from tolman.probing.head_names import HEADS, HeadName
from tolman.report.intervals import Interval
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.site.looks import HEAD_LOOKS, Values, accuracy_axis, floor_of, looks, percents_of, shapes
from tolman.report.sparrta.spread import spread
from tolman.report.sparrta.subjects import Subject, heads_of, share
from tolman.report.sparrta.words import HEAD_TITLES
from tolman.report.table import Entry, Row, Table, heading, percent

_CAPTION = (
    "Means over environments with {over}. Below the dashed line allo is harder than ego. Small and hollow: the paper's "
    "thirteen encoders, on its own pictures and over its five environments; point at one for its name."
)


def viewpoint_figure(subjects: Sequence[Subject]) -> Figure:
    """One panel, as high as it is wide or nearly."""
    numbers = _numbers(subjects)
    panels = [Panel(_chart(subjects))] if numbers.entries else []
    over = spread(one.some([head], [view]) for one in subjects for head in HEADS for view in VIEWPOINTS)
    return Figure("viewpoints", "Ego against allo", _CAPTION.format(over=over), panels, numbers)


def _chart(subjects: Sequence[Subject]) -> Spec:
    heads: list[HeadName] = [head for head in HEADS if head in heads_of(subjects)]
    pairs: list[tuple[Subject, HeadName, Interval, Interval]] = [
        (one, head, share(one.some([head], ["ego"])), share(one.some([head], ["allo"])))
        for one in subjects
        for head in heads
        if one.some([head], ["ego"]) and one.some([head], ["allo"])
    ]
    floor = floor_of([interval for _, _, *both in pairs for interval in both])
    ours: Values = [
        {
            "encoder": one.name,
            "probe": HEAD_TITLES[head],
            **{f"ego_{name}": value for name, value in percents_of(ego).items()},
            **{f"allo_{name}": value for name, value in percents_of(allo).items()},
        }
        for one, head, ego, allo in pairs
    ]
    theirs: Values = [
        {
            "encoder": f"{model} (paper)",
            "probe": HEAD_TITLES[head],
            "ego_mean": round(published().mean(model, "ego", head), 2),
            "allo_mean": round(published().mean(model, "allo", head), 2),
        }
        for model in published().models
        for head in heads
    ]
    scale = accuracy_axis(floor)
    across = alt.X("ego_mean:Q", title="ego, right in the test, %", scale=scale, axis=alt.Axis(tickCount=6))
    up = alt.Y("allo_mean:Q", title="allo, right in the test, %", scale=scale, axis=alt.Axis(tickCount=6))
    colour = looks("encoder", [one.name for one in subjects], [one.colour for one in subjects])
    shape = shapes("probe", [HEAD_TITLES[head] for head in heads], [HEAD_LOOKS[head][1] for head in heads])
    told = [
        alt.Tooltip("encoder:N"),
        alt.Tooltip("probe:N"),
        alt.Tooltip("ego_mean:Q", format=".1f", title="ego, %"),
        alt.Tooltip("allo_mean:Q", format=".1f", title="allo, %"),
    ]
    line = alt.Chart(alt.InlineData(values=[{"at": floor}, {"at": 100}])).mark_line(
        strokeDash=[4, 3], strokeWidth=1, style="quiet"
    )
    base = alt.Chart(alt.InlineData(values=ours)).encode(color=colour)
    flat = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(x=alt.X("ego_low:Q", scale=scale), x2="ego_high:Q", y=up)
    high = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(
        y=alt.Y("allo_low:Q", scale=scale), y2="allo_high:Q", x=across
    )
    paper = (
        alt.Chart(alt.InlineData(values=theirs))
        .mark_point(filled=False, size=26, strokeWidth=1, style="quiet", opacity=0.75)
        .encode(x=across, y=up, shape=shape, tooltip=told)
    )
    marks = base.mark_point(filled=True, size=90, opacity=1).encode(x=across, y=up, shape=shape, tooltip=told)
    return fitted(
        460, line.encode(x=alt.X("at:Q", scale=scale), y=alt.Y("at:Q", scale=scale)), paper, flat, high, marks
    )


def _numbers(subjects: Sequence[Subject]) -> Table:
    entries = [
        Entry(
            one.name,
            (Row((percent(share(ego)), percent(share(allo)))),),
            HEAD_TITLES[head],
        )
        for one in subjects
        for head in HEADS
        if (ego := one.some([head], ["ego"])) and (allo := one.some([head], ["allo"]))
    ]
    return Table("viewpoints-numbers", "", "encoder", (heading("ego"), heading("allo")), tuple(entries))
