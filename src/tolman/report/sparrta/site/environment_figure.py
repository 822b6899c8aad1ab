"""How hard environments are (figure 9 of the paper): each encoder in each of them, over all probes."""

from collections.abc import Sequence
from statistics import fmean

import altair as alt

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.benchmarks.sparrta.triples import ENVIRONMENTS
from tolman.probing.head_names import HEADS
from tolman.report.intervals import Interval
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.site.looks import (
    Values,
    accuracy_axis,
    chance_across,
    floor_of,
    looks,
    percents_of,
    shapes,
    tips,
)
from tolman.report.sparrta.spread import spread
from tolman.report.sparrta.subjects import Subject, environments_of, share, views_of
from tolman.report.sparrta.words import OTHER_PICTURES, VIEW_TITLES, place
from tolman.report.table import Cell, Entry, Row, Table, heading, percent

_CAPTION = (
    "Means over Linear, AbMILP and Efficient; the hardest environment is at the bottom. Whiskers are {over}. "
    "Grey bar: from the least to the largest of the paper's thirteen encoders in the environment of that name, with "
    "its mean; it prints these for ego only."
)


def environment_figure(subjects: Sequence[Subject]) -> Figure:
    """One panel for each viewpoint; nothing where there is one environment only."""
    full = [one for one in subjects if any(cell.key.head in HEADS for cell in one.last)]
    places = ranked_environments(full)
    views = views_of(full)
    floor = floor_of([_in(one, view, where) for one in full for view in views for where in places])
    panels = [Panel(_chart(full, view, places, floor), VIEW_TITLES[view]) for view in views]
    key = tuple((one.name, one.colour) for one in full)
    shown = panels if len(places) > 1 else []
    over = spread(one.some(HEADS, [view], where) for one in full for view in views for where in places)
    caption = _CAPTION.format(over=over)
    return Figure("difficulty", "How hard environments are", caption, shown, _numbers(full, views, places), key)


def ranked_environments(subjects: Sequence[Subject]) -> list[str]:
    """The easiest first, by the mean of all encoders that were in all of them, or else of all."""
    places = environments_of(subjects)
    everywhere = [one for one in subjects if environments_of([one]) == places] or subjects
    means = {
        where: fmean(
            found.mean
            for one in everywhere
            if (found := share(one.some(HEADS, ("ego", "allo"), where))).mean == found.mean
        )
        for where in places
        if any(one.some(HEADS, ("ego", "allo"), where) for one in everywhere)
    }
    return sorted(means, key=lambda where: -means[where])


def _in(subject: Subject, view: Viewpoint, where: str) -> Interval:
    return share(subject.some(HEADS, [view], where))


def _published(where: str) -> list[float]:
    """What the paper reports of each encoder, mean over probes."""
    if where not in ENVIRONMENTS:
        return []
    rows = published()
    return [fmean(rows.ego_in(model, where, head) for head in HEADS) for model in rows.models]


def _chart(subjects: Sequence[Subject], view: Viewpoint, places: Sequence[str], floor: float) -> Spec:
    ours: Values = [
        {"encoder": one.name, "environment": place(where), **percents_of(found)}
        for where in places
        for one in subjects
        if (found := _in(one, view, where)).mean == found.mean
    ]
    theirs: Values = [
        {"environment": place(where), "low": min(found), "mean": fmean(found), "high": max(found)}
        for where in places
        if view == "ego" and (found := _published(where))
    ]
    names, order = [place(where) for where in places], [one.name for one in subjects]
    rows = alt.Y(
        "environment:N",
        sort=names,
        title=None,
        axis=alt.Axis(domain=False, ticks=False, grid=False, labelPadding=8),
        scale=alt.Scale(domain=names, padding=0.25),
    )
    scale = accuracy_axis(floor)
    axis = alt.X("mean:Q", title="right in the test, %", scale=scale, axis=alt.Axis(tickCount=6))
    paper = alt.Chart(alt.InlineData(values=theirs)).encode(y=rows)
    band = paper.mark_bar(opacity=0.35, style="hairline", height={"band": 0.96}).encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q"
    )
    middle = paper.mark_tick(thickness=2, style="quiet", height={"band": 0.96}, orient="vertical").encode(x=axis)
    base = alt.Chart(alt.InlineData(values=ours)).encode(
        y=rows,
        yOffset=alt.YOffset("encoder:N", sort=order),
        color=looks("encoder", order, [one.colour for one in subjects]),
    )
    whiskers = base.mark_rule(strokeWidth=1.6).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    marks = base.mark_point(filled=True, size=64, opacity=1).encode(
        x=axis, shape=shapes("encoder", order, [one.shape for one in subjects]), tooltip=tips("encoder", "environment")
    )
    height = max(60, 18 * len(subjects) + 16) * len(places)
    return fitted(height, band, middle, chance_across(scale), whiskers, marks)


def _numbers(subjects: Sequence[Subject], views: Sequence[Viewpoint], places: Sequence[str]) -> Table:
    heads = tuple(heading(view, place(where)) for where in places for view in views)
    entries = [
        Entry(one.name, (Row(tuple(percent(_in(one, view, where)) for where in places for view in views)),))
        for one in subjects
    ]
    paper = tuple(
        Cell(f"{fmean(found):.1f}") if view == "ego" and (found := _published(where)) else Cell()
        for where in places
        for view in views
    )
    entries.append(Entry("thirteen encoders, mean", (Row(paper),), OTHER_PICTURES, reference=True))
    return Table("difficulty-numbers", "", "encoder", heads, tuple(entries))
