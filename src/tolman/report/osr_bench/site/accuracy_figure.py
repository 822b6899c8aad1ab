"""Answers by the map in hand: what the picture alone gives, what the model's own map adds, what the true one would."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.osr_bench.question import QUESTION_KINDS, AskedSet, QuestionKind
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.osr_bench.shown import Series, Shown, series
from tolman.report.osr_bench.way_names import IN_HAND
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted, percent_or_none, percents, shares
from tolman.report.site.figure import Spec
from tolman.report.table import Cell, Entry, Row, Table, heading, percent

_ORDER = ("none", "first", "true")
_CAPTION = (
    "Strict accuracy with 95 % intervals over scenes, by the map that the model had in hand. Dashed: chance. "
    "What rises from own map to true map was lost in making the map, what is still missing there in reasoning on it."
)
_TITLES: dict[AskedSet, str] = {
    "standard": "Answers by the map in hand",
    "negative": "Answers by the map in hand, with absent things among them",
}


def accuracy_figure(shown: Sequence[Shown], asked: AskedSet, references: Sequence[ReferenceRow]) -> Figure:
    """One panel for each kind of question."""
    lines = series(shown, asked)
    panels = [
        Panel(_chart(lines, kind, _chance(references, asked, kind)), kind.capitalize()) for kind in QUESTION_KINDS
    ]
    key = tuple((one.name, one.colour) for one in lines)
    name = f"osr-answers-{asked}"
    return Figure(name, _TITLES[asked], _CAPTION, panels if lines else [], _numbers(name, lines), key)


def _chance(references: Sequence[ReferenceRow], asked: AskedSet, kind: QuestionKind) -> float | None:
    wanted = ("chance", asked, "strict")
    rows = [row for row in references if (row.name, row.asked, row.rules) == wanted]
    return percent_or_none(rows[0].interval(f"none/{kind}").mean) if rows else None


def _chart(lines: Sequence[Series], kind: str, chance: float | None) -> Spec:
    values: list[dict[str, Any]] = [
        {"model": one.name, "map": IN_HAND[mode], **percents(one.runs[mode].measured["strict"].interval(f"ask/{kind}"))}
        for one in lines
        for mode in _ORDER
        if mode in one.runs
    ]
    maps = [IN_HAND[mode] for mode in _ORDER if any(mode in one.runs for one in lines)]
    across = alt.X(
        "map:N", sort=maps, title=None, axis=alt.Axis(labelAngle=0, grid=False), scale=alt.Scale(padding=0.3)
    )
    beside = alt.XOffset("model:N", sort=[one.name for one in lines])
    names = [one.name for one in lines]
    colour = alt.Color(
        "model:N", sort=None, scale=alt.Scale(domain=names, range=[one.colour for one in lines]), legend=alt.Legend()
    )
    shape = alt.Shape(
        "model:N", sort=None, scale=alt.Scale(domain=names, range=[one.shape for one in lines]), legend=None
    )
    base = alt.Chart(alt.InlineData(values=values)).encode(x=across, xOffset=beside, color=colour)
    whiskers = base.mark_rule(strokeWidth=1.6).encode(y=shares("low", "accuracy, %"), y2="high:Q")
    marks = base.mark_point(filled=True, size=64, opacity=1).encode(
        y="mean:Q",
        shape=shape,
        tooltip=[
            alt.Tooltip("model:N"),
            alt.Tooltip("map:N", title="with"),
            alt.Tooltip("mean:Q", format=".1f"),
            alt.Tooltip("low:Q", format=".1f", title="from"),
            alt.Tooltip("high:Q", format=".1f", title="to"),
        ],
    )
    guess = alt.Chart(alt.InlineData(values=[{"chance": chance}] if chance is not None else []))
    line = guess.mark_rule(strokeDash=[4, 3], style="quiet").encode(y="chance:Q")
    return fitted(240, line, whiskers, marks)


def _numbers(name: str, lines: Sequence[Series]) -> Table:
    heads = tuple(heading(IN_HAND[mode], kind.capitalize()) for kind in QUESTION_KINDS for mode in _ORDER)
    entries = [
        Entry(
            one.name,
            (
                Row(
                    tuple(
                        percent(one.runs[mode].measured["strict"].interval(f"ask/{kind}"))
                        if mode in one.runs
                        else Cell()
                        for kind in QUESTION_KINDS
                        for mode in _ORDER
                    )
                ),
            ),
        )
        for one in lines
    ]
    return Table(f"{name}-numbers", "", "model", heads, tuple(entries))
