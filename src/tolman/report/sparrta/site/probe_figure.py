"""Accuracy by encoder and probe (figure 7 of the paper), ego and allo apart, with the paper's own rows below ours."""

from collections.abc import Sequence

import altair as alt

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.probing.head_names import HEADS, HeadName
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.accuracy_tables import paper_scope
from tolman.report.sparrta.columns import triples_done
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.site.looks import (
    Values,
    accuracy_axis,
    chance_across,
    floor_of,
    head_key,
    head_scales,
    percents_of,
    tips,
)
from tolman.report.sparrta.spread import spread
from tolman.report.sparrta.subjects import Subject, environments_of, heads_of, share, views_of
from tolman.report.sparrta.words import HEAD_TITLES, OTHER_PICTURES, VIEW_SHORT, VIEW_TITLES
from tolman.report.table import Cell, Entry, Row, Table, heading, percent

_CAPTION = (
    "Right in the test, with {over}. Dashed: chance. Hollow, below: what the paper reports, of its own pictures and "
    "without intervals; it shows what to expect, not who is better. {scope}{uneven}"
)
_UNEVEN = " Not all are of the same triples: the table below has a mark where some are missing."


def probe_figure(subjects: Sequence[Subject]) -> Figure:
    """A panel for each viewpoint, and below each the paper's own."""
    heads: list[HeadName] = [head for head in HEADS if head in heads_of(subjects)]
    views, places = views_of(subjects), environments_of(subjects)
    floor = floor_of([share(one.some([head], [view])) for one in subjects for head in heads for view in views])
    ours = [Panel(_ours(subjects, view, heads, floor), VIEW_TITLES[view]) for view in views]
    theirs = [Panel(_theirs(view, heads, floor, places), f"The paper, {VIEW_SHORT[view]}") for view in views]
    panels = [*ours, *theirs] if heads else []
    caption = _CAPTION.format(
        over=spread(one.some([head], [view]) for one in subjects for head in heads for view in views),
        scope=paper_scope(places, views),
        uneven=_UNEVEN if any(triples_done(one, subjects) for one in subjects) else "",
    )
    return Figure("probes", "Accuracy by probe", caption, panels, _numbers(subjects, heads), head_key(heads))


def _ours(subjects: Sequence[Subject], view: Viewpoint, heads: Sequence[HeadName], floor: float) -> Spec:
    values: Values = [
        {"encoder": one.name, "probe": HEAD_TITLES[head], **percents_of(share(cells))}
        for one in subjects
        for head in heads
        if (cells := one.some([head], [view]))
    ]
    names = [one.name for one in subjects]
    colour, shape = head_scales(heads)
    scale = accuracy_axis(floor)
    offset = alt.YOffset("probe:N", sort=[HEAD_TITLES[head] for head in heads])
    base = alt.Chart(alt.InlineData(values=values)).encode(y=_rows(names), yOffset=offset, color=colour)
    whiskers = base.mark_rule(strokeWidth=1.6).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    marks = base.mark_point(filled=True, size=64, opacity=1).encode(
        x=_across(scale), shape=shape, tooltip=tips("encoder", "probe")
    )
    return fitted((16 * len(heads) + 10) * len(names), chance_across(scale), whiskers, marks)


def _theirs(view: Viewpoint, heads: Sequence[HeadName], floor: float, places: Sequence[str]) -> Spec:
    values: Values = [
        {"encoder": model, "probe": HEAD_TITLES[head], "mean": round(published().beside(model, view, places, head), 2)}
        for model in published().models
        for head in heads
    ]
    names = list(published().models)
    colour, shape = head_scales(heads)
    scale = accuracy_axis(floor)
    hollow = (
        alt.Chart(alt.InlineData(values=values))
        .mark_point(filled=False, size=42, strokeWidth=1.5, opacity=1)
        .encode(y=_rows(names), x=_across(scale), color=colour, shape=shape, tooltip=tips("encoder", "probe")[:3])
    )
    return fitted(19 * len(names), chance_across(scale), hollow)


def _rows(names: Sequence[str]) -> alt.Y:
    axis = alt.Axis(domain=False, ticks=False, grid=True, labelLimit=170, labelPadding=8)
    return alt.Y("encoder:N", sort=None, scale=alt.Scale(domain=list(names), padding=0.2), title=None, axis=axis)


def _across(scale: alt.Scale) -> alt.X:
    return alt.X("mean:Q", title="right in the test, %", scale=scale, axis=alt.Axis(tickCount=6, grid=False))


def _numbers(subjects: Sequence[Subject], heads: Sequence[HeadName]) -> Table:
    views, places = views_of(subjects), environments_of(subjects)
    titles = tuple(heading(HEAD_TITLES[head], VIEW_TITLES[view]) for view in views for head in heads)
    entries = [
        Entry(one.name, (Row(tuple(percent(share(one.some([head], [view]))) for view in views for head in heads)),))
        for one in subjects
    ]
    entries += [
        Entry(
            model,
            (
                Row(
                    tuple(
                        Cell(f"{published().beside(model, view, places, head):.1f}") for view in views for head in heads
                    )
                ),
            ),
            OTHER_PICTURES,
            reference=True,
        )
        for model in published().models
    ]
    return Table("probes-numbers", "", "encoder", titles, tuple(entries))
