"""What a run paid against how well it answered: looks, or US dollars."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from tolman.report.intervals import Interval
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted, known, percents, shares
from tolman.report.site.figure import Spec
from tolman.report.table import Entry, Row, Style, Table, heading, number, percent
from tolman.report.theory_of_space.figures import ANSWERS
from tolman.report.theory_of_space.site.listed import Listed
from tolman.report.theory_of_space.site.plotted import by_part, colours, shapes

_CAPTION = "One mark a run, with the 95 % intervals of both over scenes; up and to the left is better. Strict scores."

Paid = Callable[[Listed], Interval]


def cost_figure(runs: Sequence[Listed]) -> Figure:
    """Cost of exploration. A passive model paid nothing: what it read was paid by the explorer of the log."""
    note = " A passive run is set at the cost of the log that it read."

    def paid(one: Listed) -> Interval:
        return one.interval("explore/cost")

    return _figure("cost-and-answers", "Cost against accuracy", "cost of exploration", note, runs, paid, number(1))


def dollar_figure(runs: Sequence[Listed]) -> Figure:
    """Price of a whole scene, for runs whose price is known."""

    def paid(one: Listed) -> Interval:
        return one.shown.figures.price.dollars.scene

    return _figure("dollars-and-answers", "Price against accuracy", "US dollars a scene", "", runs, paid, number(3))


def _figure(name: str, title: str, axis: str, note: str, runs: Sequence[Listed], paid: Paid, style: Style) -> Figure:
    kept = [one for one in runs if cost_values([one], paid)]
    panels = [Panel(_chart(part, paid, axis), heading) for heading, part in by_part(kept)]
    entries = [Entry(one.name, (Row((style(paid(one)), percent(one.interval(ANSWERS)))),), one.where) for one in kept]
    numbers = Table(f"{name}-numbers", "", "run", (heading(axis), heading("answers, %")), tuple(entries))
    return Figure(name, title, _CAPTION + note, panels, numbers)


def cost_values(runs: Sequence[Listed], paid: Paid) -> list[dict[str, Any]]:
    """A mark for each run of which both are known; answers in percent."""
    values: list[dict[str, Any]] = []
    for one in runs:
        cost, answers = paid(one), percents(one.interval(ANSWERS))
        x = {"x": known(cost.mean), "left": known(cost.low), "right": known(cost.high)}
        if x["x"] is not None and answers["mean"] is not None:
            values.append({"run": one.name, **x, **answers})
    return values


def _chart(runs: Sequence[Listed], paid: Paid, axis: str) -> Spec:
    base = alt.Chart(alt.InlineData(values=cost_values(runs, paid)))
    across = alt.X("x:Q", title=axis, scale=alt.Scale(zero=True))
    bars = base.encode(color=colours(runs), x=across, y=shares("mean", "answers, %"))
    marks = base.mark_point(filled=True, size=110, opacity=1).encode(
        x=across,
        y="mean:Q",
        color=colours(runs),
        shape=shapes(runs),
        tooltip=[
            alt.Tooltip("run:N"),
            alt.Tooltip("x:Q", format=".2f", title=axis),
            alt.Tooltip("mean:Q", format=".1f", title="answers, %"),
        ],
    )
    across_bars = bars.mark_rule(strokeWidth=1.5).encode(x="left:Q", x2="right:Q")
    up_bars = bars.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q")
    return fitted(300, across_bars, up_bars, marks)
