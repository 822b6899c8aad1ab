"""Where in an encoder things can be told: average precision by layer, a panel for each thing."""

import math
from collections.abc import Mapping, Sequence
from itertools import islice

import altair as alt

from tolman.benchmarks.sparrta.probe_tables import ENOUGH
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.site.looks import Values, depth_axis, looks, shapes
from tolman.report.sparrta.subjects import Subject, series_looks
from tolman.report.sparrta.things import ToldEncoder, things_of
from tolman.report.table import Entry, Row, Table, heading, number

Look = tuple[str, str]
"""A colour and a shape."""
_CAPTION = (
    "Average precision with which a linear map of single tokens tells patches that show the thing; {spread}. Dashed: "
    "guesses. A probe can only relate things that are there."
)
_BANDS = "bands are 95 % intervals over triples"
_NO_BANDS = "fewer than three triples give no intervals"
_HEIGHT = 230


def thing_figure(encoders: Sequence[ToldEncoder], subjects: Sequence[Subject]) -> Figure:
    """Encoders look as in the other figures of a page."""
    deep = [one for one in encoders if len(one.tried) > 1]
    known = {one.encoder: (one.colour, one.shape) for one in reversed(subjects)}
    free = islice(series_looks(), len(subjects), None)
    seen = {one.name: known.get(one.encoder) or next(free) for one in deep}
    things = things_of(deep)
    panels = [Panel(_chart(deep, thing, seen), f"Telling the {thing}") for thing in things]
    key = tuple((name, colour) for name, (colour, _) in seen.items())
    caption = _CAPTION.format(spread=_BANDS if any(len(one.triples) >= ENOUGH for one in deep) else _NO_BANDS)
    return Figure("things-by-layer", "Where things can be told", caption, panels, _numbers(deep, things), key)


def _chart(encoders: Sequence[ToldEncoder], thing: str, seen: Mapping[str, Look]) -> Spec:
    values: Values = []
    for one in encoders:
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
    base = alt.Chart(alt.InlineData(values=values)).encode(x=across, color=looks("encoder", names, colours))
    band = base.mark_area(opacity=0.16).encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    line = base.mark_line(strokeWidth=1.8).encode(y=up)
    dots = base.mark_point(filled=True, size=34, opacity=1).encode(
        y=up,
        shape=shapes("encoder", names, marks),
        tooltip=["encoder:N", "layer:N", *(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("mean", "low", "high"))],
    )
    guess = max(one.guesses(thing) for one in encoders)
    dashed = alt.Chart(alt.InlineData(values=[{"guess": guess}])).mark_rule(strokeDash=[4, 3], style="quiet")
    return fitted(_HEIGHT, dashed.encode(y=alt.Y("guess:Q", scale=scale)), band, line, dots)


def _numbers(encoders: Sequence[ToldEncoder], things: Sequence[str]) -> Table:
    entries = tuple(
        Entry(
            one.name,
            (Row(tuple(number(3)(one.at(layer, thing)) for thing in things)),),
            f"layer {layer} of {one.layers}",
        )
        for one in encoders
        for layer in one.tried
    )
    heads = tuple(heading(thing) for thing in things)
    return Table("things-by-layer-numbers", "", "encoder", heads, entries)
