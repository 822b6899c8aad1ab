"""Figures of accuracy: by encoder and head (figure 7 of the paper), ego against allo (figure 8), and by environment
(figure 9).
"""

from collections.abc import Sequence
from statistics import fmean

import altair as alt

from tolman.benchmarks.sparrta.probes.accuracy import paper_scope
from tolman.benchmarks.sparrta.probes.encoders import (
    HEAD_TITLES,
    OTHER_PICTURES,
    VIEW_SHORT,
    VIEW_TITLES,
    ProbedEncoder,
    environment_title,
    environments_of,
    heads_of,
    published_results,
    share,
    triples_done,
    views_of,
)
from tolman.benchmarks.sparrta.probes.means import interval_basis
from tolman.benchmarks.sparrta.probes.pages.figures import (
    HEAD_STYLES,
    ChartValues,
    accuracy_axis,
    axis_floor,
    chance_across,
    head_key,
    head_scales,
    percents_of,
    right_axis,
    tooltips,
    whiskered,
)
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, VIEWPOINTS, Viewpoint
from tolman.probing.protocol import HEADS, HeadName
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import Spec, chart, colour_scale, fitted, shape_scale
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Table, heading, one_row, percent

_PROBE_CAPTION = (
    "Test accuracy with {over}. Dashed: chance. Hollow, below: the paper's numbers, on its own pictures and without "
    "intervals, so not directly comparable. {scope}{uneven}"
)
_UNEVEN = " Not all are over the same triples: the table below marks those with missing triples."


def probe_figure(encoders: Sequence[ProbedEncoder]) -> Figure:
    """A panel for each viewpoint, and below each the paper's numbers."""
    heads: list[HeadName] = [head for head in HEADS if head in heads_of(encoders)]
    views, places = views_of(encoders), environments_of(encoders)
    floor = axis_floor([share(one.select([head], [view])) for one in encoders for head in heads for view in views])
    ours = [Panel(_probe_chart(encoders, view, heads, floor), VIEW_TITLES[view]) for view in views]
    theirs = [Panel(_paper_chart(view, heads, floor, places), f"The paper, {VIEW_SHORT[view]}") for view in views]
    panels = [*ours, *theirs] if heads else []
    caption = _PROBE_CAPTION.format(
        over=interval_basis(one.select([head], [view]) for one in encoders for head in heads for view in views),
        scope=paper_scope(places, views),
        uneven=_UNEVEN if any(triples_done(one, encoders) for one in encoders) else "",
    )
    return Figure("probes", "Accuracy by probe", caption, panels, _probe_numbers(encoders, heads), head_key(heads))


def _probe_chart(encoders: Sequence[ProbedEncoder], view: Viewpoint, heads: Sequence[HeadName], floor: float) -> Spec:
    values: ChartValues = [
        {"encoder": one.name, "probe": HEAD_TITLES[head], **percents_of(share(cells))}
        for one in encoders
        for head in heads
        if (cells := one.select([head], [view]))
    ]
    names = [one.name for one in encoders]
    colour, shape = head_scales(heads)
    scale = accuracy_axis(floor)
    offset = alt.YOffset("probe:N", sort=[HEAD_TITLES[head] for head in heads])
    base = chart(values).encode(y=_rows(names), yOffset=offset, color=colour)
    marks = whiskered(base, right_axis(scale, grid=False), scale, shape=shape, tooltip=tooltips("encoder", "probe"))
    return fitted((16 * len(heads) + 10) * len(names), chance_across(scale), *marks)


def _paper_chart(view: Viewpoint, heads: Sequence[HeadName], floor: float, places: Sequence[str]) -> Spec:
    values: ChartValues = [
        {
            "encoder": model,
            "probe": HEAD_TITLES[head],
            "mean": round(published_results().beside(model, view, places, head), 2),
        }
        for model in published_results().models
        for head in heads
    ]
    names = list(published_results().models)
    colour, shape = head_scales(heads)
    scale = accuracy_axis(floor)
    hollow = (
        chart(values)
        .mark_point(filled=False, size=42, strokeWidth=1.5, opacity=1)
        .encode(
            y=_rows(names),
            x=right_axis(scale, grid=False),
            color=colour,
            shape=shape,
            tooltip=tooltips("encoder", "probe")[:3],
        )
    )
    return fitted(19 * len(names), chance_across(scale), hollow)


def _rows(names: Sequence[str]) -> alt.Y:
    axis = alt.Axis(domain=False, ticks=False, grid=True, labelLimit=170, labelPadding=8)
    return alt.Y("encoder:N", sort=None, scale=alt.Scale(domain=list(names), padding=0.2), title=None, axis=axis)


def _probe_numbers(encoders: Sequence[ProbedEncoder], heads: Sequence[HeadName]) -> Table:
    views, places = views_of(encoders), environments_of(encoders)
    titles = tuple(heading(HEAD_TITLES[head], VIEW_TITLES[view]) for view in views for head in heads)
    entries = [
        one_row(one.name, (percent(share(one.select([head], [view]))) for view in views for head in heads))
        for one in encoders
    ]
    entries += [
        one_row(
            model,
            (Cell(f"{published_results().beside(model, view, places, head):.1f}") for view in views for head in heads),
            OTHER_PICTURES,
            reference=True,
        )
        for model in published_results().models
    ]
    return Table("probes-numbers", "", "encoder", titles, tuple(entries))


_VIEWPOINT_CAPTION = (
    "Means over environments with {over}. Below the dashed line allo is harder than ego. Small and hollow: the paper's "
    "thirteen encoders, on its own pictures and over its five environments; hover for names."
)


def viewpoint_figure(encoders: Sequence[ProbedEncoder]) -> Figure:
    """One panel, allo accuracy against ego accuracy."""
    numbers = _viewpoint_numbers(encoders)
    panels = [Panel(_viewpoint_chart(encoders))] if numbers.entries else []
    over = interval_basis(one.select([head], [view]) for one in encoders for head in HEADS for view in VIEWPOINTS)
    return Figure("viewpoints", "Ego against allo", _VIEWPOINT_CAPTION.format(over=over), panels, numbers)


def _viewpoint_chart(encoders: Sequence[ProbedEncoder]) -> Spec:
    heads: list[HeadName] = [head for head in HEADS if head in heads_of(encoders)]
    pairs: list[tuple[ProbedEncoder, HeadName, Interval, Interval]] = [
        (one, head, share(one.select([head], ["ego"])), share(one.select([head], ["allo"])))
        for one in encoders
        for head in heads
        if one.select([head], ["ego"]) and one.select([head], ["allo"])
    ]
    floor = axis_floor([interval for _, _, *both in pairs for interval in both])
    ours: ChartValues = [
        {
            "encoder": one.name,
            "probe": HEAD_TITLES[head],
            **{f"ego_{name}": value for name, value in percents_of(ego).items()},
            **{f"allo_{name}": value for name, value in percents_of(allo).items()},
        }
        for one, head, ego, allo in pairs
    ]
    theirs: ChartValues = [
        {
            "encoder": f"{model} (paper)",
            "probe": HEAD_TITLES[head],
            "ego_mean": round(published_results().mean(model, "ego", head), 2),
            "allo_mean": round(published_results().mean(model, "allo", head), 2),
        }
        for model in published_results().models
        for head in heads
    ]
    scale = accuracy_axis(floor)
    across = alt.X("ego_mean:Q", title="ego, right in the test, %", scale=scale, axis=alt.Axis(tickCount=6))
    up = alt.Y("allo_mean:Q", title="allo, right in the test, %", scale=scale, axis=alt.Axis(tickCount=6))
    colour = colour_scale("encoder", [one.name for one in encoders], [one.colour for one in encoders])
    shape = shape_scale("probe", [HEAD_TITLES[head] for head in heads], [HEAD_STYLES[head][1] for head in heads])
    tooltip = [
        alt.Tooltip("encoder:N"),
        alt.Tooltip("probe:N"),
        alt.Tooltip("ego_mean:Q", format=".1f", title="ego, %"),
        alt.Tooltip("allo_mean:Q", format=".1f", title="allo, %"),
    ]
    line = chart([{"at": floor}, {"at": 100}]).mark_line(strokeDash=[4, 3], strokeWidth=1, style="quiet")
    base = chart(ours).encode(color=colour)
    flat = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(x=alt.X("ego_low:Q", scale=scale), x2="ego_high:Q", y=up)
    high = base.mark_rule(strokeWidth=1.2, opacity=0.7).encode(
        y=alt.Y("allo_low:Q", scale=scale), y2="allo_high:Q", x=across
    )
    paper = (
        chart(theirs)
        .mark_point(filled=False, size=26, strokeWidth=1, style="quiet", opacity=0.75)
        .encode(x=across, y=up, shape=shape, tooltip=tooltip)
    )
    marks = base.mark_point(filled=True, size=90, opacity=1).encode(x=across, y=up, shape=shape, tooltip=tooltip)
    return fitted(
        460, line.encode(x=alt.X("at:Q", scale=scale), y=alt.Y("at:Q", scale=scale)), paper, flat, high, marks
    )


def _viewpoint_numbers(encoders: Sequence[ProbedEncoder]) -> Table:
    entries = [
        one_row(one.name, (percent(share(ego)), percent(share(allo))), HEAD_TITLES[head])
        for one in encoders
        for head in HEADS
        if (ego := one.select([head], ["ego"])) and (allo := one.select([head], ["allo"]))
    ]
    return Table("viewpoints-numbers", "", "encoder", (heading("ego"), heading("allo")), tuple(entries))


_ENVIRONMENT_CAPTION = (
    "Means over Linear, AbMILP and Efficient; the hardest environment is at the bottom. Whiskers are {over}. "
    "Grey bar: minimum, mean and maximum of the paper's thirteen encoders in the environment of that name, which are "
    "published for ego only."
)


def environment_figure(encoders: Sequence[ProbedEncoder]) -> Figure:
    """One panel for each viewpoint; none if there is one environment only."""
    full = [one for one in encoders if any(cell.key.head in HEADS for cell in one.table_cells)]
    places = ranked_environments(full)
    views = views_of(full)
    floor = axis_floor([_accuracy_in(one, view, where) for one in full for view in views for where in places])
    panels = [Panel(_environment_chart(full, view, places, floor), VIEW_TITLES[view]) for view in views]
    key = tuple((one.name, one.colour) for one in full)
    shown = panels if len(places) > 1 else []
    over = interval_basis(one.select(HEADS, [view], where) for one in full for view in views for where in places)
    caption = _ENVIRONMENT_CAPTION.format(over=over)
    return Figure(
        "difficulty", "Difficulty of environments", caption, shown, _environment_numbers(full, views, places), key
    )


def ranked_environments(encoders: Sequence[ProbedEncoder]) -> list[str]:
    """The easiest first, by the mean over encoders that were probed in all of them, or else over all encoders."""
    places = environments_of(encoders)
    everywhere = [one for one in encoders if environments_of([one]) == places] or encoders
    means = {
        where: fmean(
            found.mean
            for one in everywhere
            if (found := share(one.select(HEADS, ("ego", "allo"), where))).mean == found.mean
        )
        for where in places
        if any(one.select(HEADS, ("ego", "allo"), where) for one in everywhere)
    }
    return sorted(means, key=lambda where: -means[where])


def _accuracy_in(encoder: ProbedEncoder, view: Viewpoint, where: str) -> Interval:
    return share(encoder.select(HEADS, [view], where))


def _published(where: str) -> list[float]:
    """The paper's ego accuracy of each encoder, mean over probes."""
    if where not in ENVIRONMENTS:
        return []
    rows = published_results()
    return [fmean(rows.ego_in(model, where, head) for head in HEADS) for model in rows.models]


def _environment_chart(encoders: Sequence[ProbedEncoder], view: Viewpoint, places: Sequence[str], floor: float) -> Spec:
    ours: ChartValues = [
        {"encoder": one.name, "environment": environment_title(where), **percents_of(found)}
        for where in places
        for one in encoders
        if (found := _accuracy_in(one, view, where)).mean == found.mean
    ]
    theirs: ChartValues = [
        {"environment": environment_title(where), "low": min(found), "mean": fmean(found), "high": max(found)}
        for where in places
        if view == "ego" and (found := _published(where))
    ]
    names, order = [environment_title(where) for where in places], [one.name for one in encoders]
    rows = alt.Y(
        "environment:N",
        sort=names,
        title=None,
        axis=alt.Axis(domain=False, ticks=False, grid=False, labelPadding=8),
        scale=alt.Scale(domain=names, padding=0.25),
    )
    scale = accuracy_axis(floor)
    axis = right_axis(scale)
    paper = chart(theirs).encode(y=rows)
    band = paper.mark_bar(opacity=0.35, style="hairline", height={"band": 0.96}).encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q"
    )
    middle = paper.mark_tick(thickness=2, style="quiet", height={"band": 0.96}, orient="vertical").encode(x=axis)
    base = chart(ours).encode(
        y=rows,
        yOffset=alt.YOffset("encoder:N", sort=order),
        color=colour_scale("encoder", order, [one.colour for one in encoders]),
    )
    shape = shape_scale("encoder", order, [one.shape for one in encoders])
    marks = whiskered(base, axis, scale, shape=shape, tooltip=tooltips("encoder", "environment"))
    height = max(60, 18 * len(encoders) + 16) * len(places)
    return fitted(height, band, middle, chance_across(scale), *marks)


def _environment_numbers(encoders: Sequence[ProbedEncoder], views: Sequence[Viewpoint], places: Sequence[str]) -> Table:
    heads = tuple(heading(view, environment_title(where)) for where in places for view in views)
    entries = [
        one_row(one.name, (percent(_accuracy_in(one, view, where)) for where in places for view in views))
        for one in encoders
    ]
    paper = tuple(
        Cell(f"{fmean(found):.1f}") if view == "ego" and (found := _published(where)) else Cell()
        for where in places
        for view in views
    )
    entries.append(one_row("thirteen encoders, mean", paper, OTHER_PICTURES, reference=True))
    return Table("difficulty-numbers", "", "encoder", heads, tuple(entries))
