"""Accuracy by layer (figure 16 of the paper), with bands, a ring at each peak, and the paper's two curves."""

from collections.abc import Sequence

import altair as alt

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.probing.head_names import HeadName
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.curves import curve, has_curves
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.site.looks import (
    Values,
    accuracy_axis,
    chance_up,
    depth_axis,
    floor_of,
    looks,
    percents_of,
    shapes,
    tips,
)
from tolman.report.sparrta.spread import spread
from tolman.report.sparrta.subjects import Subject, views_of
from tolman.report.sparrta.words import HEAD_TITLES, OTHER_PICTURES, VIEW_SHORT
from tolman.report.table import Cell, Entry, Row, Table, heading, percent

_CAPTION = (
    "Means over environments, and a ring marks the best layer. Bands are {over}. Layers are placed by how deep they "
    "lie, as encoders differ in how many they have. {paper}Dashed and level: chance."
)
_CAPTION_PAPER = (
    "Grey: Efficient in the paper, on its own pictures and over its five environments, DINOv2-L dashed and VGGT-L "
    "dotted. "
)
_ORDER: tuple[HeadName, ...] = ("efficient", "abmilp", "linear", "cls")
_PAPER_DASHES = {"VGGT-L": [1, 3], "DINOv2-L reg": [5, 3]}
_HEIGHT = 250


def layer_figure(subjects: Sequence[Subject]) -> Figure:
    """One panel for each probe and viewpoint of encoders with more than one layer probed."""
    deep = [one for one in subjects if has_curves(one)]
    views = views_of(deep)
    heads: list[HeadName] = [
        head for head in _ORDER if any(len(curve(one, view, head)) > 1 for one in deep for view in views)
    ]
    floor = floor_of([found for one in deep for view in views for head in heads for _, found in curve(one, view, head)])
    panels = [
        Panel(_chart(deep, view, head, floor), f"{HEAD_TITLES[head]}, {VIEW_SHORT[view]}")
        for head in heads
        for view in views
    ]
    key = tuple((one.name, one.colour) for one in deep)
    over = spread(
        one.some([head], [view], layer=layer)
        for one in deep
        for layer in {cell.key.layer for cell in one.cells}
        for head in heads
        for view in views
    )
    caption = _CAPTION.format(over=over, paper=_CAPTION_PAPER if "efficient" in heads else "")
    return Figure("layers", "Accuracy by layer", caption, panels, _numbers(deep, views, heads), key)


def _chart(subjects: Sequence[Subject], view: Viewpoint, head: HeadName, floor: float) -> Spec:
    curves = {one.name: (one, points) for one in subjects if (points := curve(one, view, head))}
    ours: Values = [
        {
            "encoder": name,
            "layer": f"{layer} of {one.layers}",
            "depth": round(100 * layer / one.layers, 2),
            **percents_of(found),
        }
        for name, (one, points) in curves.items()
        for layer, found in points
    ]
    peaks: Values = [
        max((value for value in ours if value["encoder"] == name), key=lambda value: value["mean"]) for name in curves
    ]
    scale = accuracy_axis(floor)
    across = depth_axis()
    up = alt.Y("mean:Q", title="right in the test, %", scale=scale, axis=alt.Axis(tickCount=5))
    colour = looks("encoder", list(curves), [one.colour for one, _ in curves.values()])
    base = alt.Chart(alt.InlineData(values=ours)).encode(x=across, color=colour)
    band = base.mark_area(opacity=0.16).encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    line = base.mark_line(strokeWidth=1.8).encode(y=up)
    dots = base.mark_point(filled=True, size=34, opacity=1).encode(
        y=up,
        shape=shapes("encoder", list(curves), [one.shape for one, _ in curves.values()]),
        tooltip=tips("encoder", "layer"),
    )
    ring = alt.Chart(alt.InlineData(values=peaks)).mark_point(filled=False, size=170, strokeWidth=1.6)
    paper = _paper(view, up, across) if head == "efficient" else []
    return fitted(
        _HEIGHT,
        chance_up(scale),
        *paper,
        band,
        line,
        dots,
        ring.encode(x=across, y=up, color=colour),
    )


def _paper(view: Viewpoint, up: alt.Y, across: alt.X) -> list[alt.Chart]:
    rows, found = published(), list[alt.Chart]()
    for model, dashes in _PAPER_DASHES.items():
        values: Values = [
            {"encoder": f"{model} (paper)", "depth": round(100 * layer / rows.layers.count, 2), "mean": mean}
            for layer, mean in rows.curve(model, view)
        ]
        base = alt.Chart(alt.InlineData(values=values))
        found.append(base.mark_line(strokeDash=dashes, strokeWidth=1.4, style="quiet").encode(x=across, y=up))
    return found


def _numbers(subjects: Sequence[Subject], views: Sequence[Viewpoint], heads: Sequence[HeadName]) -> Table:
    titles = tuple(heading(VIEW_SHORT[view], HEAD_TITLES[head]) for head in heads for view in views)
    entries: list[Entry] = []
    for one in subjects:
        curves = [dict(curve(one, view, head)) for head in heads for view in views]
        entries += [
            Entry(
                one.name,
                (Row(tuple(percent(found[layer]) if layer in found else Cell() for found in curves)),),
                f"layer {layer} of {one.layers}",
            )
            for layer in sorted({layer for found in curves for layer in found})
        ]
    rows = published()
    for model in _PAPER_DASHES if "efficient" in heads else ():
        by_view = {view: dict(rows.curve(model, view)) for view in views}
        entries += [
            Entry(
                model,
                (
                    Row(
                        tuple(
                            Cell(f"{by_view[v][layer]:.1f}") if h == "efficient" else Cell()
                            for h in heads
                            for v in views
                        )
                    ),
                ),
                f"layer {layer} of {rows.layers.count} · {OTHER_PICTURES}",
                reference=True,
            )
            for layer in rows.layers.numbers
        ]
    return Table("layers-numbers", "", "encoder", titles, tuple(entries))
