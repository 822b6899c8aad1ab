"""Right answers from the camera and from the person, over all pictures and in each environment."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted, percents, shares
from tolman.report.site.figure import Spec
from tolman.report.sparrta_questions.accuracy import accuracy
from tolman.report.sparrta_questions.accuracy_tables import FROM
from tolman.report.sparrta_questions.question_figures import CHANCE, QuestionFigures, environments_of, viewpoints_of
from tolman.report.sparrta_questions.site.looks import Look, looks
from tolman.report.table import Entry, Row, Table, heading, percent

_CAPTION = (
    "Right answers with 95 % intervals over pictures, as seen from the camera and from the person. Dashed: chance."
)


def accuracy_figure(runs: Sequence[QuestionFigures]) -> Figure:
    """A panel for all pictures, then one for each environment where there are several."""
    environments = environments_of(runs)
    places = ["", *(environments if len(environments) > 1 else [])]
    panels = [Panel(_chart(looks(runs), place), _title(place)) for place in places]
    key = tuple((one.name, one.colour) for one in looks(runs))
    return Figure("sparrta-answers", "From the camera, from the person", _CAPTION, panels, _numbers(runs, places), key)


def _title(place: str) -> str:
    return place.replace("_", " ").capitalize() or "All pictures"


def _chart(shown: Sequence[Look], place: str) -> Spec:
    views = viewpoints_of([one.run for one in shown])
    values: list[dict[str, Any]] = [
        {"model": one.name, "from": FROM[view], **percents(accuracy(found))}
        for one in shown
        for view in views
        if (found := one.run.of(view, place))
    ]
    names = [one.name for one in shown]
    across = alt.X(
        "from:N",
        sort=[FROM[view] for view in views],
        title=None,
        axis=alt.Axis(labelAngle=0, grid=False),
        scale=alt.Scale(padding=0.3),
    )
    colour = alt.Color(
        "model:N", sort=None, scale=alt.Scale(domain=names, range=[one.colour for one in shown]), legend=alt.Legend()
    )
    shape = alt.Shape(
        "model:N", sort=None, scale=alt.Scale(domain=names, range=[one.shape for one in shown]), legend=None
    )
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=across, xOffset=alt.XOffset("model:N", sort=names), color=colour
    )
    whiskers = base.mark_rule(strokeWidth=1.6).encode(y=shares("low", "right, %"), y2="high:Q")
    tips = [
        alt.Tooltip("model:N"),
        alt.Tooltip("from:N", title="from the"),
        alt.Tooltip("mean:Q", format=".1f"),
        alt.Tooltip("low:Q", format=".1f", title="from"),
        alt.Tooltip("high:Q", format=".1f", title="to"),
    ]
    marks = base.mark_point(filled=True, size=64, opacity=1).encode(y="mean:Q", shape=shape, tooltip=tips)
    guess = alt.Chart(alt.InlineData(values=[{"chance": 100 * CHANCE}]))
    line = guess.mark_rule(strokeDash=[4, 3], style="quiet").encode(y="chance:Q")
    return fitted(220, line, whiskers, marks)


def _numbers(runs: Sequence[QuestionFigures], places: Sequence[str]) -> Table:
    views = viewpoints_of(runs)
    heads = tuple(heading(FROM[view], _title(place)) for place in places for view in views)
    entries = tuple(
        Entry(
            run.name,
            (Row(tuple(percent(accuracy(run.of(view, place))) for place in places for view in views)),),
        )
        for run in runs
    )
    return Table("sparrta-answers-numbers", "", "model", heads, entries)
