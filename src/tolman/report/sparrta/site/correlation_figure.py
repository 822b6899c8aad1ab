"""Whether encoders that do well here do well elsewhere: scores that the user gave against ours (figure 10)."""

from collections.abc import Sequence

import altair as alt

from tolman.probing.correlation import Correlation
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.elsewhere import Compared, best_head
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.site.looks import Values, looks, shapes
from tolman.report.sparrta.subjects import Subject
from tolman.report.sparrta.words import HEAD_TITLES, OTHER_PICTURES, VIEW_SHORT, counted
from tolman.report.table import Cell, Entry, Row, Table, heading

FEW = 10
_CAPTION = (
    "Accuracy here, mean over environments, against scores that were given with --scores. The line is a least-squares "
    "fit."
)


def correlation_figure(subjects: Sequence[Subject], found: Sequence[Compared]) -> Figure:
    """One panel for each benchmark and viewpoint."""
    panels = [Panel(_chart(one), f"{one.benchmark}, {VIEW_SHORT[one.view]}") for one in found if one.points]
    key = tuple((one.name, one.colour) for one in subjects)
    return Figure("elsewhere", "Here and elsewhere", _CAPTION, panels, _numbers(found), key)


def _chart(one: Compared) -> Spec:
    values: Values = [
        {"encoder": subject.name, "there": there, "here": round(here, 2)} for subject, there, here in one.points
    ]
    subjects = [subject for subject, _, _ in one.points]
    names = [subject.name for subject in subjects]
    across = alt.X(
        "there:Q", title=one.benchmark[:60], scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(tickCount=5)
    )
    up = alt.Y("here:Q", title="right here, %", scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(tickCount=5))
    base = alt.Chart(alt.InlineData(values=values)).encode(x=across, y=up)
    marks = base.mark_point(filled=True, size=80, opacity=1).encode(
        color=looks("encoder", names, [subject.colour for subject in subjects]),
        shape=shapes("encoder", names, [subject.shape for subject in subjects]),
        tooltip=[
            "encoder:N",
            alt.Tooltip("there:Q", title="there"),
            alt.Tooltip("here:Q", title="here, %", format=".1f"),
        ],
    )
    if one.found is None:
        return fitted(240, marks)
    line = base.transform_regression("there", "here").mark_line(strokeDash=[4, 3], strokeWidth=1.2, style="quiet")
    return fitted(240, line, marks)


def _numbers(found: Sequence[Compared]) -> Table:
    entries = [
        Entry(
            subject.name,
            (Row((Cell(one.benchmark), Cell(VIEW_SHORT[one.view]), Cell(f"{there:g}"), Cell(f"{here:.1f}"))),),
        )
        for one in found
        for subject, there, here in one.points
    ]
    heads = (heading("benchmark", words=True), heading("viewpoint", words=True), heading("there"), heading("here, %"))
    return Table("elsewhere-numbers", "", "encoder", heads, tuple(entries))


def correlation_table(subjects: Sequence[Subject], found: Sequence[Compared]) -> Table:
    """r, R² and the number of encoders, with the paper's R² below."""
    entries = [
        Entry(one.benchmark, (Row((Cell(VIEW_SHORT[one.view]), *_cells(one.found), Cell(str(len(one.points))))),))
        for one in found
    ]
    entries += [
        Entry(
            benchmark,
            (Row((Cell(VIEW_SHORT[view]), Cell(), Cell(f"{squared:.2f}"), Cell(str(len(published().models))))),),
            OTHER_PICTURES,
            reference=True,
        )
        for benchmark, by_view in published().elsewhere.items()
        for view, squared in by_view.items()
    ]
    least = min((len(one.points) for one in found if one.points), default=FEW)
    notes = [f"Here: {HEAD_TITLES[best_head(subjects)]} probes, mean over environments. Give errors with a minus."]
    if least < FEW:
        notes.append(
            f"Caution: with {counted(least, 'encoder')} almost any r can come about by chance; look at the interval, "
            "not at the number."
        )
    heads = (heading("viewpoint", words=True), heading("Pearson's r"), heading("R²"), heading("encoders"))
    return Table("correlation", "Correlation with other benchmarks", "benchmark", heads, tuple(entries), tuple(notes))


def _cells(found: Correlation | None) -> tuple[Cell, Cell]:
    if found is None:
        return Cell(), Cell()
    known = found.low == found.low
    ends = f"{found.low:.2f} to {found.high:.2f}".replace("-", "−") if known else "no interval"
    return Cell(f"{found.pearson:.2f}".replace("-", "−"), ends), Cell(f"{found.r_squared:.2f}")
