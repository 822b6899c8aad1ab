"""Scenes as marks: whether those with a better map, or with more seen, have better answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import altair as alt

from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted, shares
from tolman.report.site.figure import Spec
from tolman.report.table import Cell, Entry, Row, Table, heading, number, p_value
from tolman.report.theory_of_space.correlation import Correlation
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS, GAIN, Measured
from tolman.report.theory_of_space.site.episode_pages import pages_by_scene
from tolman.report.theory_of_space.site.listed import Listed
from tolman.report.theory_of_space.site.plotted import by_part, colours, shapes

_CAPTION = "One mark a scene; a click opens it. r is Pearson's, with its 95 % interval. Strict scores."


@dataclass(frozen=True)
class Against:
    """What is set against the answers."""

    name: str
    title: str
    column: str
    axis: str

    def found(self, measured: Measured) -> Correlation:
        return measured.map_and_answers if self.column == CORRECTNESS else measured.gain_and_answers


MAP = Against("map-and-answers", "Better maps, better answers?", CORRECTNESS, "correctness of the last map, %")
SEEN = Against("gain-and-answers", "More seen, better answers?", GAIN, "information gain, %")


def scatter_figure(runs: Sequence[Listed], against: Against) -> Figure:
    """A panel for each world and mode. Passive runs have no gain of their own."""
    kept = [
        one
        for one in runs
        if scatter_values(one, against.column) and (one.run.mode == "active" or against.column != GAIN)
    ]
    panels = [Panel(_chart(part, against), heading) for heading, part in by_part(kept)]
    return Figure(against.name, against.title, _CAPTION, panels, _numbers(kept, against))


def _with_r(one: Listed, against: Against) -> Listed:
    """The same run, with its correlation on a second line of its name."""
    r = number(2)(against.found(one.strict).r)
    if r.text == Cell().text:
        return one
    return replace(one, name=f"{one.name}\nr = {r.text}" + (f" ({r.below})" if r.below else ""))


def scatter_values(one: Listed, column: str) -> list[dict[str, Any]]:
    """A mark for each scene that has both numbers, in percent."""
    first, answers = one.strict.values.get(column, {}), one.strict.values.get(ANSWERS, {})
    pages = pages_by_scene(one)
    return [
        {
            "run": one.name,
            "scene": scene,
            "x": round(100 * fmean(first[scene]), 2),
            "y": round(100 * fmean(answers[scene]), 2),
            "page": pages[scene],
        }
        for scene in first
        if scene in answers
    ]


def _chart(part: Sequence[Listed], against: Against) -> Spec:
    runs = [_with_r(one, against) for one in part]
    values = [value for one in runs for value in scatter_values(one, against.column)]
    chart = alt.Chart(alt.InlineData(values=values)).mark_point(filled=True, size=46, opacity=0.85)
    across = alt.X("x:Q", title=against.axis, scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
    marks = chart.encode(
        x=across,
        y=shares("y", "answers, %"),
        color=colours(runs),
        shape=shapes(runs),
        href="page:N",
        tooltip=[
            alt.Tooltip("run:N"),
            alt.Tooltip("scene:N"),
            alt.Tooltip("x:Q", format=".1f", title=against.axis.removesuffix(", %")),
            alt.Tooltip("y:Q", format=".1f", title="answers"),
        ],
    )
    return fitted(300, marks)


def _numbers(runs: Sequence[Listed], against: Against) -> Table:
    entries = [
        Entry(one.name, (Row((number(2)(found.r), p_value(found.p), Cell(str(found.scenes)))),), one.where)
        for one in runs
        for found in [against.found(one.strict)]
    ]
    return Table(f"{against.name}-numbers", "", "run", (heading("r"), heading("p"), heading("scenes")), tuple(entries))
