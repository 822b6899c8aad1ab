"""Figures by depth of an encoder: accuracy by layer (figure 16 of the paper), [CLS] against patch tokens
(figure 12), and detection of objects by layer.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import cast

import altair as alt

from tolman.benchmarks.sparrta.probes.encoders import (
    OTHER_PICTURES,
    VIEW_SHORT,
    VIEW_TITLES,
    ProbeColumn,
    ProbedEncoder,
    environment_title,
    environments_of,
    has_several_layers,
    head_title,
    layer_curve,
    published_results,
    series_styles,
    share,
    views_of,
)
from tolman.benchmarks.sparrta.probes.means import MIN_TRIPLES, interval_basis
from tolman.benchmarks.sparrta.probes.pages.figures import (
    ChartValues,
    accuracy_axis,
    axis_floor,
    banded,
    chance_across,
    chance_up,
    depth_axis,
    head_key,
    head_scales,
    percents_of,
    right_axis,
    tooltips,
    whiskered,
)
from tolman.benchmarks.sparrta.probes.training import ThingDetection, things_of
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, Environment, Viewpoint
from tolman.probing.protocol import HeadName, heads_in_order
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import Spec, chart, colour_scale, dashed_rule, fitted, shape_scale
from tolman.report.table import Cell, RowGroup, Table, heading, number, one_row, percent

_LAYER_CAPTION = (
    "Means over environments; a ring marks the best layer. Bands are {over}. Layers are placed by relative depth, as "
    "encoders differ in their number of layers. {paper}Dashed and level: chance."
)
_LAYER_CAPTION_PAPER = (
    "Grey: Efficient in the paper, on its own pictures and over its five environments, DINOv2-L dashed and VGGT-L "
    "dotted. "
)
_ORDER: tuple[HeadName, ...] = ("efficient", "abmilp", "linear", "cls")
"""Other heads come after these."""
_PAPER_DASHES = {"VGGT-L": [1, 3], "DINOv2-L reg": [5, 3]}
_LAYER_HEIGHT = 250


def layer_figure(encoders: Sequence[ProbedEncoder]) -> Figure:
    """One panel for each probe and viewpoint, with the encoders that were probed in several layers."""
    deep = [one for one in encoders if has_several_layers(one)]
    views = views_of(deep)
    probed = heads_in_order(cell.key.head for one in deep for cell in one.cells)
    heads = [
        head
        for head in dict.fromkeys((*_ORDER, *probed))
        if any(len(layer_curve(one, view, head)) > 1 for one in deep for view in views)
    ]
    floor = axis_floor(
        [found for one in deep for view in views for head in heads for _, found in layer_curve(one, view, head)]
    )
    panels = [
        Panel(_layer_chart(deep, view, head, floor), f"{head_title(head)}, {VIEW_SHORT[view]}")
        for head in heads
        for view in views
    ]
    key = tuple((one.name, one.colour) for one in deep)
    over = interval_basis(
        one.select([head], [view], layer=layer)
        for one in deep
        for layer in {cell.key.layer for cell in one.cells}
        for head in heads
        for view in views
    )
    caption = _LAYER_CAPTION.format(over=over, paper=_LAYER_CAPTION_PAPER if "efficient" in heads else "")
    return Figure("layers", "Accuracy by layer", caption, panels, _layer_numbers(deep, views, heads), key)


def _layer_chart(encoders: Sequence[ProbedEncoder], view: Viewpoint, head: HeadName, floor: float) -> Spec:
    curves = {one.name: (one, points) for one in encoders if (points := layer_curve(one, view, head))}
    ours: ChartValues = [
        {
            "encoder": name,
            "layer": f"{layer} of {one.layers}",
            "depth": round(100 * layer / one.layers, 2),
            **percents_of(found),
        }
        for name, (one, points) in curves.items()
        for layer, found in points
    ]
    peaks: ChartValues = [
        max((value for value in ours if value["encoder"] == name), key=lambda value: value["mean"]) for name in curves
    ]
    scale = accuracy_axis(floor)
    across = depth_axis()
    up = alt.Y("mean:Q", title="right in the test, %", scale=scale, axis=alt.Axis(tickCount=5))
    colour = colour_scale("encoder", list(curves), [one.colour for one, _ in curves.values()])
    base = chart(ours).encode(x=across, color=colour)
    shape = shape_scale("encoder", list(curves), [one.shape for one, _ in curves.values()])
    marks = banded(base, up, scale, shape=shape, tooltip=tooltips("encoder", "layer"))
    ring = chart(peaks).mark_point(filled=False, size=170, strokeWidth=1.6).encode(x=across, y=up, color=colour)
    paper = _paper(view, up, across) if head == "efficient" else []
    return fitted(_LAYER_HEIGHT, chance_up(scale), *paper, *marks, ring)


def _paper(view: Viewpoint, up: alt.Y, across: alt.X) -> list[alt.Chart]:
    rows, found = published_results(), list[alt.Chart]()
    for model, dashes in _PAPER_DASHES.items():
        values: ChartValues = [
            {"encoder": f"{model} (paper)", "depth": round(100 * layer / rows.layers.count, 2), "mean": mean}
            for layer, mean in rows.curve(model, view)
        ]
        base = chart(values)
        found.append(base.mark_line(strokeDash=dashes, strokeWidth=1.4, style="quiet").encode(x=across, y=up))
    return found


def _layer_numbers(encoders: Sequence[ProbedEncoder], views: Sequence[Viewpoint], heads: Sequence[HeadName]) -> Table:
    titles = tuple(heading(VIEW_SHORT[view], head_title(head)) for head in heads for view in views)
    entries: list[RowGroup] = []
    for one in encoders:
        curves = [dict(layer_curve(one, view, head)) for head in heads for view in views]
        entries += [
            one_row(
                one.name,
                (percent(found[layer]) if layer in found else Cell() for found in curves),
                f"layer {layer} of {one.layers}",
            )
            for layer in sorted({layer for found in curves for layer in found})
        ]
    rows = published_results()
    for model in _PAPER_DASHES if "efficient" in heads else ():
        by_view = {view: dict(rows.curve(model, view)) for view in views}
        entries += [
            one_row(
                model,
                (Cell(f"{by_view[v][layer]:.1f}") if h == "efficient" else Cell() for h in heads for v in views),
                f"layer {layer} of {rows.layers.count} · {OTHER_PICTURES}",
                reference=True,
            )
            for layer in rows.layers.numbers
        ]
    return Table("layers-numbers", "", "encoder", titles, tuple(entries))


_HEADS: tuple[HeadName, ...] = ("cls", "linear", "abmilp", "efficient")
_CLS_CAPTION = (
    "A linear probe on [CLS], one on the mean of the patches, and probes with attention over patches; at the layer of "
    "the tables, with {over}. The table below has the paper's DINOv2-L and VGGT-L too, as means "
    "of both viewpoints."
)


def cls_figure(encoders: Sequence[ProbedEncoder]) -> Figure:
    """One panel for each viewpoint, with encoders whose [CLS] was probed."""
    having = [one for one in encoders if any(cell.key.head == "cls" for cell in one.table_cells)]
    heads: list[HeadName] = [
        head for head in _HEADS if any(cell.key.head == head for one in having for cell in one.table_cells)
    ]
    views, places = views_of(having), environments_of(having)
    every = [share(one.select([h], [v], where)) for one in having for h in heads for v in views for where in places]
    panels = [Panel(_cls_chart(having, view, heads, places, axis_floor(every)), VIEW_TITLES[view]) for view in views]
    numbers = _cls_numbers(having, views, heads, places)
    over = interval_basis(
        one.select([h], [v], where) for one in having for h in heads for v in views for where in places
    )
    return Figure("cls", "[CLS] against patches", _CLS_CAPTION.format(over=over), panels, numbers, head_key(heads))


def _cls_chart(
    encoders: Sequence[ProbedEncoder], view: Viewpoint, heads: Sequence[HeadName], places: Sequence[str], floor: float
) -> Spec:
    values: ChartValues = [
        {"row": f"{one.name}, {environment_title(where)}", "probe": head_title(head), **percents_of(share(cells))}
        for one in encoders
        for where in places
        for head in heads
        if (cells := one.select([head], [view], where))
    ]
    rows = alt.Y(
        "row:N",
        sort=None,
        title=None,
        axis=alt.Axis(domain=False, ticks=False, grid=False, labelLimit=240, labelPadding=8),
        scale=alt.Scale(padding=0.2),
    )
    colour, shape = head_scales(heads)
    scale = accuracy_axis(floor)
    base = chart(values).encode(
        y=rows, yOffset=alt.YOffset("probe:N", sort=[head_title(head) for head in heads]), color=colour
    )
    marks = whiskered(base, right_axis(scale), scale, 58, shape=shape, tooltip=tooltips("row", "probe"))
    count = len({value["row"] for value in values})
    return fitted((16 * len(heads) + 12) * count, chance_across(scale), *marks)


def _cls_numbers(
    encoders: Sequence[ProbedEncoder], views: Sequence[Viewpoint], heads: Sequence[HeadName], places: Sequence[str]
) -> Table:
    groups: list[tuple[str, tuple[Viewpoint, ...]]] = [(VIEW_SHORT[view], (view,)) for view in views]
    groups += [("both", tuple(views))] * (len(views) > 1)
    titles = tuple(heading(head_title(head), name) for name, _ in groups for head in heads)
    entries = [
        one_row(
            one.name,
            (percent(share(ProbeColumn(h, of).cells(one, where))) for _, of in groups for h in heads),
            environment_title(where),
        )
        for one in encoders
        for where in places
    ]
    rows = published_results()
    for model in rows.cls if len(views) > 1 else ():
        for where in (where for where in places if where in ENVIRONMENTS):
            cells = tuple(
                Cell(f"{rows.cls_in(model, cast('Environment', where), head):.1f}")
                if name == "both" and head in rows.cls[model]
                else Cell()
                for name, _ in groups
                for head in heads
            )
            entries.append(one_row(model, cells, f"{environment_title(where)} · {OTHER_PICTURES}", reference=True))
    return Table("cls-numbers", "", "encoder", titles, tuple(entries))


Style = tuple[str, str]
"""A colour and a shape."""
_THING_CAPTION = (
    "Average precision of a linear classifier of single tokens for patches that show the object; {spread}. Dashed: "
    "chance. A probe can only relate objects that the tokens represent."
)
_BANDS = "bands are 95 % intervals over triples"
_NO_BANDS = "no intervals, as there are fewer than three triples"
_THING_HEIGHT = 230


def thing_figure(detections: Sequence[ThingDetection], encoders: Sequence[ProbedEncoder]) -> Figure:
    """Detection by layer, with the colours and shapes of the other figures."""
    deep = [one for one in detections if len(one.tried) > 1]
    known = {one.encoder: (one.colour, one.shape) for one in reversed(encoders)}
    free = islice(series_styles(), len(encoders), None)
    seen = {one.name: known.get(one.encoder) or next(free) for one in deep}
    things = things_of(deep)
    panels = [Panel(_thing_chart(deep, thing, seen), f"Detecting the {thing}") for thing in things]
    key = tuple((name, colour) for name, (colour, _) in seen.items())
    caption = _THING_CAPTION.format(
        spread=_BANDS if any(len(one.triples) >= MIN_TRIPLES for one in deep) else _NO_BANDS
    )
    return Figure(
        "things-by-layer", "Detection of objects by layer", caption, panels, _thing_numbers(deep, things), key
    )


def _thing_chart(detections: Sequence[ThingDetection], thing: str, seen: Mapping[str, Style]) -> Spec:
    values: ChartValues = []
    for one in detections:
        for layer in one.tried:
            found = one.at(layer, thing)
            low, high = (found.mean if math.isnan(end) else end for end in (found.low, found.high))
            values.append(
                {
                    "encoder": one.name,
                    "layer": f"{layer} of {one.layers}",
                    "depth": round(100 * layer / one.layers, 2),
                    "mean": found.mean,
                    "low": low,
                    "high": high,
                }
            )
    values = [value for value in values if not math.isnan(value["mean"])]
    scale = alt.Scale(domain=[0, 1], nice=False)
    across = depth_axis()
    up = alt.Y("mean:Q", title="average precision", scale=scale, axis=alt.Axis(tickCount=5))
    names, colours, marks = list(seen), [colour for colour, _ in seen.values()], [shape for _, shape in seen.values()]
    base = chart(values).encode(x=across, color=colour_scale("encoder", names, colours))
    tips = ["encoder:N", "layer:N", *(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("mean", "low", "high"))]
    curves = banded(base, up, scale, shape=shape_scale("encoder", names, marks), tooltip=tips)
    dashed = dashed_rule([{"guess": max(one.guesses(thing) for one in detections)}])
    return fitted(_THING_HEIGHT, dashed.encode(y=alt.Y("guess:Q", scale=scale)), *curves)


def _thing_numbers(detections: Sequence[ThingDetection], things: Sequence[str]) -> Table:
    entries = tuple(
        one_row(one.name, (number(3)(one.at(layer, thing)) for thing in things), f"layer {layer} of {one.layers}")
        for one in detections
        for layer in one.tried
    )
    heads = tuple(heading(thing) for thing in things)
    return Table("things-by-layer-numbers", "", "encoder", heads, entries)
