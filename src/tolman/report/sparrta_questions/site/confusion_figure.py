"""Confusion matrices: a panel for each model, with true answers down and what was said across."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.sparrta.relations import RELATIONS, Viewpoint
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.site.theme import BLUE
from tolman.report.sparrta_questions.accuracy_tables import FROM
from tolman.report.sparrta_questions.question_figures import UNREAD, QuestionFigures, confusion
from tolman.report.table import Table

_CAPTION = (
    "Numbers of questions: rows are the true answers, columns what was said. The deeper the blue, the larger the share "
    "of its row. A column that is deep throughout is a word that the model likes; front and back exchanged mean that "
    "it takes them in their everyday sense."
)
_CELL = 34


def confusion_figure(runs: Sequence[QuestionFigures], view: Viewpoint, numbers: Table) -> Figure:
    """All models from one viewpoint. `numbers` are the same as a table."""
    asked = [run for run in runs if run.of(view)]
    panels = [Panel(_chart(run, view), run.name) for run in asked]
    return Figure(f"sparrta-confusion-{view}", f"What is said, from the {FROM[view]}", _CAPTION, panels, numbers)


def _chart(run: QuestionFigures, view: Viewpoint) -> Spec:
    columns = (*RELATIONS, UNREAD)
    values: list[dict[str, Any]] = []
    for true, said in confusion(run.of(view)).items():
        total = sum(said.values())
        values += [
            {"true": true, "said": word, "count": count, "share": round(100 * count / total, 1) if total else 0}
            for word, count in said.items()
        ]
    axis = alt.Axis(labelAngle=0, domain=False, ticks=False, grid=False)
    base = alt.Chart(alt.InlineData(values=values)).encode(
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
    return fitted(_CELL * len(RELATIONS), squares, counts)
