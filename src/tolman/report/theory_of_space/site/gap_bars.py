"""The gap between active and passive: how much of it was not seen, not understood, or not readable."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from tolman.report.intervals import Interval
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted, percents
from tolman.report.site.figure import Spec
from tolman.report.site.theme import BLUE, GREY, PURPLE, VERMILLION
from tolman.report.table import Cell, Entry, Row, Table, heading, points
from tolman.report.theory_of_space.attribution import Gap, gaps
from tolman.report.theory_of_space.site.listed import Listed

_ROWS = {"whole gap": BLUE, "exploration": GREY, "reasoning": VERMILLION, "form": PURPLE}
_CAPTION = (
    "How many points more a model wins when it reads the log of a scripted explorer than when it explores by itself, "
    "and where they come from: more was seen (exploration), more was made of it (reasoning), or more could be read "
    "(form). Percentage points with 95 % intervals over shared scenes; the three parts add up to the whole."
)


def gap_figure(runs: Sequence[Listed]) -> Figure:
    """A panel for each model that did both in one world."""
    found = gaps([one.run for one in runs], [one.insights for one in runs])
    titled = [(_title(gap, runs), gap) for gap in found]
    ends = [end for gap in found for row in gap_values(gap) for end in (row["low"], row["high"], row["mean"]) if end]
    panels = [Panel(_chart(gap, ends), title) for title, gap in titled]
    heads = (*map(heading, _ROWS), heading("scenes shared"))
    numbers = Table("gap-numbers", "", "model", heads, tuple(_entry(title, gap) for title, gap in titled))
    return Figure("active-passive-gap", "What a better explorer would add", _CAPTION, panels, numbers)


def gap_sentences(runs: Sequence[Listed]) -> tuple[str, ...]:
    """The finding of each panel, in words."""
    found = gaps([one.run for one in runs], [one.insights for one in runs])
    return tuple(_sentence(_title(gap, runs), gap) for gap in found)


def _sentence(title: str, gap: Gap) -> str:
    whole, seen, made, read = map(points, _parts(gap))
    interval = f" (95 % interval {whole.below})" if whole.below else ""
    explorer = gap.passive.options.passive_explorer
    return (
        f"{title}: reading the {explorer}'s log instead of exploring by itself changes its answers by {whole.text} "
        f"points{interval}, of which {seen.text} since more was seen, {made.text} since more was made of it, and "
        f"{read.text} since more could be read."
    )


def gap_values(gap: Gap) -> list[dict[str, Any]]:
    """A bar for the whole and for each part, in percentage points."""
    return [{"row": row, **percents(part)} for row, part in zip(_ROWS, _parts(gap), strict=True)]


def _parts(gap: Gap) -> tuple[Interval, ...]:
    return gap.total, gap.exploration, gap.reasoning, gap.form


def _title(gap: Gap, runs: Sequence[Listed]) -> str:
    one = next(one for one in runs if one.run is gap.active)
    return f"{one.name}, {one.run.world} world"


def _entry(title: str, gap: Gap) -> Entry:
    cells = (*(points(part) for part in _parts(gap)), Cell(str(gap.scenes)))
    return Entry(title, (Row(cells),))


def _chart(gap: Gap, ends: Sequence[float]) -> Spec:
    base = alt.Chart(alt.InlineData(values=gap_values(gap)))
    domain = [min(0.0, *ends, 0.0), max(0.0, *ends, 5.0)]
    across = alt.X(
        "mean:Q", title="percentage points", axis=alt.Axis(tickCount=6), scale=alt.Scale(domain=domain, nice=True)
    )
    rows = alt.Y("row:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6))
    bars = base.mark_bar(size=13).encode(
        x=across,
        y=rows,
        color=alt.Color(
            "row:N", scale=alt.Scale(domain=list(_ROWS), range=list(_ROWS.values())), sort=None, legend=None
        ),
        tooltip=[
            alt.Tooltip("row:N", title="part"),
            alt.Tooltip("mean:Q", format="+.1f", title="points"),
            alt.Tooltip("low:Q", format="+.1f", title="from"),
            alt.Tooltip("high:Q", format="+.1f", title="to"),
        ],
    )
    whiskers = base.mark_rule(style="ink", strokeWidth=1.5).encode(x=alt.X("low:Q"), x2="high:Q", y=rows)
    zero = alt.Chart(alt.InlineData(values=[{"x": 0}])).mark_rule(style="quiet").encode(x="x:Q")
    return fitted(28 * len(_ROWS), bars, whiskers, zero)
