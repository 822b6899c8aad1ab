"""[CLS] against patches (figure 12 of the paper): what one vector holds, and what all of them do."""

from collections.abc import Sequence
from typing import cast

import altair as alt

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.benchmarks.sparrta.triples import ENVIRONMENTS, Environment
from tolman.probing.head_names import HeadName
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.columns import ProbeColumn
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
from tolman.report.sparrta.subjects import Subject, environments_of, share, views_of
from tolman.report.sparrta.words import HEAD_TITLES, OTHER_PICTURES, VIEW_SHORT, VIEW_TITLES, place
from tolman.report.table import Cell, Entry, Row, Table, heading, percent

_HEADS: tuple[HeadName, ...] = ("cls", "linear", "abmilp", "efficient")
_CAPTION = (
    "A linear probe on [CLS], one on the mean of the patches, and probes that choose among patches; at the layer of "
    "the tables, with {over}. The table below has the paper's DINOv2-L and VGGT-L too, as means "
    "of both viewpoints."
)


def cls_figure(subjects: Sequence[Subject]) -> Figure:
    """One panel for each viewpoint, with encoders whose [CLS] was probed."""
    having = [one for one in subjects if any(cell.key.head == "cls" for cell in one.last)]
    heads: list[HeadName] = [
        head for head in _HEADS if any(cell.key.head == head for one in having for cell in one.last)
    ]
    views, places = views_of(having), environments_of(having)
    every = [share(one.some([h], [v], where)) for one in having for h in heads for v in views for where in places]
    panels = [Panel(_chart(having, view, heads, places, floor_of(every)), VIEW_TITLES[view]) for view in views]
    numbers = _numbers(having, views, heads, places)
    over = spread(one.some([h], [v], where) for one in having for h in heads for v in views for where in places)
    return Figure("cls", "[CLS] against patches", _CAPTION.format(over=over), panels, numbers, head_key(heads))


def _chart(
    subjects: Sequence[Subject], view: Viewpoint, heads: Sequence[HeadName], places: Sequence[str], floor: float
) -> Spec:
    values: Values = [
        {"row": f"{one.name}, {place(where)}", "probe": HEAD_TITLES[head], **percents_of(share(cells))}
        for one in subjects
        for where in places
        for head in heads
        if (cells := one.some([head], [view], where))
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
    base = alt.Chart(alt.InlineData(values=values)).encode(
        y=rows, yOffset=alt.YOffset("probe:N", sort=[HEAD_TITLES[head] for head in heads]), color=colour
    )
    whiskers = base.mark_rule(strokeWidth=1.6).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    marks = base.mark_point(filled=True, size=58, opacity=1).encode(
        x=alt.X("mean:Q", title="right in the test, %", scale=scale, axis=alt.Axis(tickCount=6)),
        shape=shape,
        tooltip=tips("row", "probe"),
    )
    count = len({value["row"] for value in values})
    return fitted((16 * len(heads) + 12) * count, chance_across(scale), whiskers, marks)


def _numbers(
    subjects: Sequence[Subject], views: Sequence[Viewpoint], heads: Sequence[HeadName], places: Sequence[str]
) -> Table:
    groups: list[tuple[str, tuple[Viewpoint, ...]]] = [(VIEW_SHORT[view], (view,)) for view in views]
    groups += [("both", tuple(views))] * (len(views) > 1)
    titles = tuple(heading(HEAD_TITLES[head], name) for name, _ in groups for head in heads)
    entries = [
        Entry(
            one.name,
            (Row(tuple(percent(share(ProbeColumn(h, of).cells(one, where))) for _, of in groups for h in heads)),),
            place(where),
        )
        for one in subjects
        for where in places
    ]
    rows = published()
    for model in rows.cls if len(views) > 1 else ():
        for where in (where for where in places if where in ENVIRONMENTS):
            cells = tuple(
                Cell(f"{rows.cls_in(model, cast('Environment', where), head):.1f}")
                if name == "both" and head in rows.cls[model]
                else Cell()
                for name, _ in groups
                for head in heads
            )
            entries.append(Entry(model, (Row(cells),), f"{place(where)} · {OTHER_PICTURES}", reference=True))
    return Table("cls-numbers", "", "encoder", titles, tuple(entries))
