"""How near stated maps come to the truth, and whether their mirror images would come nearer."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.osr_bench.osr_columns import F1
from tolman.report.osr_bench.shown import Series, Shown, series
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted, percents
from tolman.report.site.figure import Spec
from tolman.report.site.theme import BLUE, VERMILLION
from tolman.report.table import Entry, Row, Table, heading, percent

_WAYS = {F1: "as stated", "map/mirrored_f1": "mirror image"}
_LOOKS = {"as stated": (BLUE, "circle"), "mirror image": (VERMILLION, "diamond")}
_TITLES: dict[AskedSet, str] = {"standard": "Standard", "negative": "Absent classes named (negative)"}
_CAPTION = (
    "F1 of objects found within 2 cells, in the best of four rotations, with 95 % intervals over scenes; strict. Where "
    "the mirror image does better, a model knows what is where but confuses left and right."
)


def map_figure(shown: Sequence[Shown]) -> Figure:
    """One panel for each set of questions, as it decides which classes the prompt names."""
    sets = {title: [one for one in series(shown, asked) if "first" in one.runs] for asked, title in _TITLES.items()}
    panels = [Panel(_chart(lines), title) for title, lines in sets.items() if lines]
    key = tuple((name, colour) for name, (colour, _) in _LOOKS.items())
    return Figure("osr-maps", "Stated maps, and their mirror images", _CAPTION, panels, _numbers(sets), key)


def _chart(lines: Sequence[Series]) -> Spec:
    values: list[dict[str, Any]] = [
        {"model": one.name, "map": title, **percents(one.runs["first"].measured["strict"].interval(column))}
        for one in lines
        for column, title in _WAYS.items()
    ]
    looks = list(_LOOKS.values())
    rows = alt.Y("model:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelLimit=150, grid=True))
    colour = alt.Color(
        "map:N", scale=alt.Scale(domain=list(_LOOKS), range=[look[0] for look in looks]), legend=alt.Legend()
    )
    shape = alt.Shape("map:N", scale=alt.Scale(domain=list(_LOOKS), range=[look[1] for look in looks]), legend=None)
    across = alt.X("low:Q", title="F1, %", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5, grid=False))
    base = alt.Chart(alt.InlineData(values=values)).encode(y=rows, yOffset=alt.YOffset("map:N", sort=list(_LOOKS)))
    whiskers = base.mark_rule(strokeWidth=1.6).encode(x=across, x2="high:Q", color=colour)
    marks = base.mark_point(filled=True, size=64, opacity=1).encode(
        x="mean:Q",
        color=colour,
        shape=shape,
        tooltip=[
            alt.Tooltip("model:N"),
            alt.Tooltip("map:N"),
            alt.Tooltip("mean:Q", format=".1f", title="F1"),
            alt.Tooltip("low:Q", format=".1f", title="from"),
            alt.Tooltip("high:Q", format=".1f", title="to"),
        ],
    )
    return fitted(44 * len(lines), whiskers, marks)


def _numbers(sets: dict[str, list[Series]]) -> Table:
    entries = [
        Entry(
            one.name,
            (Row(tuple(percent(one.runs["first"].measured["strict"].interval(column)) for column in _WAYS)),),
            title.lower(),
        )
        for title, lines in sets.items()
        for one in lines
    ]
    return Table("osr-maps-numbers", "", "model", tuple(map(heading, _WAYS.values())), tuple(entries))
