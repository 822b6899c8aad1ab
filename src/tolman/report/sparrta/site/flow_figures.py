"""Attention between things, layer by layer (figure 13 of the paper): of each encoder, and the difference of two."""

import math
from collections.abc import Iterator, Sequence

import altair as alt

from tolman.benchmarks.sparrta.flow_files import BETWEEN, FlowRow
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.sparrta.site.looks import GROUP_LOOKS, Values, looks
from tolman.report.table import Cell, Entry, Row, Table, heading

_QUERIES = ("[CLS]", "human", "source", "target")
"""Who looks, a panel each."""
_HEIGHT = 230
_CAPTION = (
    "Mean weight, in percent, that a token of one group gives a token of another, over the heads of a layer, pictures,"
    " and then environments; bands are one standard deviation over environments. Axes are logarithmic where the "
    "largest weight is ten times the least or more."
)
_DIFFERENCE = (
    "Above 0 the first encoder looks there more, below it the second. Weights are means for a token seen, so encoders "
    "with fewer tokens have larger ones."
)


def flow_figures(rows: Sequence[FlowRow]) -> Iterator[Figure]:
    """One figure for each encoder, and one for each difference."""
    for number, model in enumerate(dict.fromkeys(row.model for row in rows)):
        of_model = [row for row in rows if row.model == model]
        apart = BETWEEN in model
        title = f"Attention, {model.replace(BETWEEN, ' less ')}" if apart else f"Attention in {model}"
        queries = [query for query in _QUERIES if any(row.query == query for row in of_model)]
        panels = [
            Panel(_chart([row for row in of_model if row.query == query], apart), _title(query)) for query in queries
        ]
        groups = [name for name in GROUP_LOOKS if any(row.target == name for row in of_model)]
        key = tuple((name, GROUP_LOOKS[name]) for name in groups)
        caption = _DIFFERENCE if apart else _CAPTION
        yield Figure(f"attention-{number}", title, caption, panels, _numbers(number, of_model, queries, groups), key)


def _title(query: str) -> str:
    return f"What {'[CLS]' if query == '[CLS]' else f'the {query}'} looks at"


def _chart(rows: Sequence[FlowRow], apart: bool) -> Spec:
    values: Values = [
        {"seen": row.target, "layer": row.layer, "weight": 100 * row.mean, **_ends(row)}
        for row in rows
        if row.target in GROUP_LOOKS and (apart or row.mean > 0)
    ]
    groups = [name for name in GROUP_LOOKS if any(value["seen"] == name for value in values)]
    colour = looks("seen", groups, [GROUP_LOOKS[name] for name in groups])
    wide = not apart and _reach(values) >= 1
    scale = alt.Scale(type="log", nice=False) if wide else alt.Scale(zero=apart)
    across = alt.X(
        "layer:Q", title="layer", axis=alt.Axis(tickMinStep=1, grid=False, format="d"), scale=alt.Scale(nice=False)
    )
    up = alt.Y(
        "weight:Q",
        title="difference, percentage points" if apart else "mean weight, %",
        scale=scale,
        axis=alt.Axis(values=_ticks(values), format="~r") if wide else alt.Axis(tickCount=5, format="~r"),
    )
    base = alt.Chart(alt.InlineData(values=values)).encode(x=across, color=colour)
    line = base.mark_line(strokeWidth=1.8).encode(y=up, strokeDash=_dashes(groups))
    dots = base.mark_point(filled=True, size=26, opacity=1).encode(
        y=up,
        tooltip=[alt.Tooltip("seen:N", title="looks at"), "layer:Q", alt.Tooltip("weight:Q", format=".3g", title="%")],
    )
    if apart:
        zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(style="quiet").encode(y="zero:Q")
        return fitted(_HEIGHT, zero, line, dots)
    band = base.mark_area(opacity=0.14).encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    return fitted(_HEIGHT, band, line, dots)


def _dashes(groups: Sequence[str]) -> alt.StrokeDash:
    """Dashes for what is no thing, so that colour never stands alone."""
    styles = {"source": [1, 0], "target": [6, 2], "human": [2, 2], "background": [8, 3, 2, 3]}
    ranges = [styles.get(name, [4, 2, 1, 2]) for name in groups]
    return alt.StrokeDash("seen:N", sort=None, scale=alt.Scale(domain=list(groups), range=ranges), legend=None)


def _ends(row: FlowRow) -> dict[str, float]:
    """One spread to both sides; none where it is not known or would leave a logarithmic axis."""
    if math.isnan(row.spread) or row.mean - row.spread <= 0.05 * row.mean:
        return {"low": 100 * row.mean, "high": 100 * row.mean}
    return {"low": 100 * (row.mean - row.spread), "high": 100 * (row.mean + row.spread)}


def _reach(values: Values) -> float:
    """How many powers of ten weights span."""
    least, most = _ends_of_all(values)
    return math.log10(most / least)


def _ends_of_all(values: Values) -> tuple[float, float]:
    return min(value["low"] for value in values), max(value["high"] for value in values)


def _ticks(values: Values) -> list[float]:
    """1, 2 and 5 of each power of ten that is needed; over three powers or more the powers alone."""
    least, most = _ends_of_all(values)
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    steps = (1, 2, 5) if _reach(values) < 3 else (1,)
    return [step * 10.0**power for power in powers for step in steps if least <= step * 10.0**power <= most]


def _numbers(number: int, rows: Sequence[FlowRow], queries: Sequence[str], groups: Sequence[str]) -> Table:
    heads = tuple(heading(f"to {group}", query) for query in queries for group in groups)
    by_pair = {(row.layer, row.query, row.target): row.mean for row in rows}
    entries = tuple(
        Entry(
            f"layer {layer}",
            (
                Row(
                    tuple(
                        Cell(f"{100 * value:.3g}".replace("-", "−"))
                        if (value := by_pair.get((layer, q, g))) is not None
                        else Cell()
                        for q in queries
                        for g in groups
                    )
                ),
            ),
        )
        for layer in sorted({row.layer for row in rows})
    )
    return Table(f"attention-{number}-numbers", "", "layer", heads, entries)
