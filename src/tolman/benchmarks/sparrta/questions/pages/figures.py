"""Figures of answers: accuracy by viewpoint and environment, and confusion matrices."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from tolman.benchmarks.sparrta.questions.accuracy import VIEWPOINT_NAMES, accuracy
from tolman.benchmarks.sparrta.questions.runs import (
    CHANCE,
    UNPARSEABLE,
    RunAnswers,
    confusion,
    environments_of,
    viewpoints_of,
)
from tolman.benchmarks.sparrta.relations import RELATIONS, Viewpoint
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import BLUE, Spec, chart, fitted, grouped_points, percents, series_style, short_names
from tolman.report.table import Table, heading, one_row, percent


@dataclass(frozen=True)
class RunStyle:
    """A run in a figure."""

    run: RunAnswers
    colour: str
    shape: str

    @property
    def name(self) -> str:
        return self.run.name


def with_short_names(runs: Sequence[RunAnswers]) -> list[RunAnswers]:
    """The same runs under names short enough for figures; equal names after shortening are numbered."""
    names = short_names(("", run.name) for run in runs)
    return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]


def run_styles(runs: Sequence[RunAnswers]) -> list[RunStyle]:
    """Colours and shapes, in the order of the runs."""
    return [RunStyle(run, *series_style(place)) for place, run in enumerate(runs)]


_ACCURACY_CAPTION = (
    "Right answers with 95 % intervals over pictures, as seen from the camera and from the person. Dashed: chance."
)


def accuracy_figure(runs: Sequence[RunAnswers]) -> Figure:
    """A panel for all pictures, then one for each environment where there are several."""
    environments = environments_of(runs)
    places = ["", *(environments if len(environments) > 1 else [])]
    panels = [Panel(_accuracy_chart(run_styles(runs), place), _title(place)) for place in places]
    key = tuple((one.name, one.colour) for one in run_styles(runs))
    return Figure(
        "sparrta-answers", "From the camera, from the person", _ACCURACY_CAPTION, panels, _numbers(runs, places), key
    )


def _title(place: str) -> str:
    return place.replace("_", " ").capitalize() or "All pictures"


def _accuracy_chart(shown: Sequence[RunStyle], place: str) -> Spec:
    views = viewpoints_of([one.run for one in shown])
    values: list[dict[str, Any]] = [
        {"model": one.name, "from": VIEWPOINT_NAMES[view], **percents(accuracy(found))}
        for one in shown
        for view in views
        if (found := one.run.select(view, place))
    ]
    order, by = [VIEWPOINT_NAMES[view] for view in views], alt.Tooltip("from:N", title="from the")
    return grouped_points(values, by, order, shown, "right, %", 100 * CHANCE, 220)


def _numbers(runs: Sequence[RunAnswers], places: Sequence[str]) -> Table:
    views = viewpoints_of(runs)
    heads = tuple(heading(VIEWPOINT_NAMES[view], _title(place)) for place in places for view in views)
    entries = tuple(
        one_row(run.name, (percent(accuracy(run.select(view, place))) for place in places for view in views))
        for run in runs
    )
    return Table("sparrta-answers-numbers", "", "model", heads, entries)


_CONFUSION_CAPTION = (
    "Numbers of questions by true answer (row) and given answer (column); shading is the share of the row. A dark "
    "column is an answer that the model prefers; front and back exchanged: it takes them in their everyday sense."
)
_CELL_PIXELS = 34


def confusion_figure(runs: Sequence[RunAnswers], view: Viewpoint, numbers: Table) -> Figure:
    """All models from one viewpoint. `numbers` are the same as a table."""
    asked = [run for run in runs if run.select(view)]
    panels = [Panel(_confusion_chart(run, view), run.name) for run in asked]
    return Figure(
        f"sparrta-confusion-{view}",
        f"Confusions, from the {VIEWPOINT_NAMES[view]}",
        _CONFUSION_CAPTION,
        panels,
        numbers,
    )


def _confusion_chart(run: RunAnswers, view: Viewpoint) -> Spec:
    columns = (*RELATIONS, UNPARSEABLE)
    values: list[dict[str, Any]] = []
    for true, said in confusion(run.select(view)).items():
        total = sum(said.values())
        values += [
            {"true": true, "said": word, "count": count, "share": round(100 * count / total, 1) if total else 0}
            for word, count in said.items()
        ]
    axis = alt.Axis(labelAngle=0, domain=False, ticks=False, grid=False)
    base = chart(values).encode(
        x=alt.X("said:N", sort=list(columns), title="said", axis=axis),
        y=alt.Y("true:N", sort=list(RELATIONS), title="true", axis=axis),
    )
    tips = [
        alt.Tooltip("true:N"),
        alt.Tooltip("said:N"),
        alt.Tooltip("count:Q", title="questions"),
        alt.Tooltip("share:Q", title="% of the row", format=".1f"),
    ]
    depth = alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 100], range=[0.04, 0.75]), legend=None)
    squares = base.mark_rect(color=BLUE).encode(opacity=depth, tooltip=tips)
    counts = base.mark_text(style="words").encode(text="count:Q")
    return fitted(_CELL_PIXELS * len(RELATIONS), squares, counts)
