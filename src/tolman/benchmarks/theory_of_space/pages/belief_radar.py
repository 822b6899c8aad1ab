"""The dimensions of belief as a radar chart, one closed line for each run."""

import math
from collections.abc import Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun, by_section, colours, shapes
from tolman.benchmarks.theory_of_space.tables.score_tables import score_table
from tolman.core.rules import RULE_SETS
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import Spec, chart, interval_tips, percents
from tolman.report.table import Column, Table

SPOKES = (
    Column("map/correctness/position", "correct positions", definition="Positions in the last map, strict rules."),
    Column("map/correctness/facing", "correct facings", definition="Facings in the last map, strict rules."),
    Column("map/perception/overall", "perception", definition="Accuracy of what is in view, mean over turns."),
    Column(
        "map/self_tracking/overall",
        "self-tracking",
        definition="Accuracy of the agent's own place and heading, mean over turns.",
    ),
    Column(
        "map/consistency/overall",
        "local and global",
        definition="Agreement of the map of what is in view with the whole map.",
    ),
    Column("map/stability/position", "stable positions", definition="Positions that got no worse from turn to turn."),
    Column("map/stability/facing", "stable facings", definition="Facings that got no worse from turn to turn."),
    Column("map/uncertainty", "unexplored points", definition="Youden's J of the points named as unexplored."),
)
_RINGS = (25, 50, 75, 100)
_SIZE = 380
_REACH = 145
"""Half width of the plot, where 100 is the outer ring; names stand outside the ring."""


_MIN_DIMENSIONS = 5
"""Runs with fewer scored dimensions are left out."""
_SPACE = alt.Scale(domain=[-_REACH, _REACH], nice=False)
_X, _Y = alt.X("x:Q", axis=None, scale=_SPACE), alt.Y("y:Q", axis=None, scale=_SPACE)


def radar_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Belief in eight dimensions; a panel for each world and mode."""
    caption = (
        "Each spoke is one dimension of belief, from 0 in the centre to 100 % at the rim; a run's line is closed if "
        "all are known. Strict scores."
    )
    kept = [reported for reported in runs if len(_measured_spokes(reported)) >= _MIN_DIMENSIONS]
    panels = [Panel(_chart(part), title) for title, part in by_section(kept)]
    named = [reported.named for reported in kept]
    empty = Table("belief-radar-numbers", "", "run", SPOKES, ())
    numbers = next(score_table(empty.name, "", SPOKES, named, RULE_SETS), empty)
    return Figure("belief-radar", "Dimensions of belief", caption, panels, numbers)


def _measured_spokes(reported: ReportedRun) -> list[Column]:
    return [spoke for spoke in SPOKES if not math.isnan(reported.interval(spoke.key).mean)]


def radar_values(reported: ReportedRun, spokes: Sequence[Column]) -> list[dict[str, Any]]:
    """The corners of a run's line, x to the right and y up; a line with all dimensions ends at its first corner.

    Negative scores are drawn at 0.
    """
    corners: list[dict[str, Any]] = []
    for place, spoke in enumerate(spokes):
        numbers = percents(reported.interval(spoke.key))
        if numbers["mean"] is not None:
            x, y = _at(place, len(spokes), max(0.0, numbers["mean"]))
            corners.append({"run": reported.name, "of": spoke.title, "order": place, "x": x, "y": y, **numbers})
    full = len(corners) == len(spokes)
    return [*corners, {**corners[0], "order": len(spokes)}] if full else corners


def _at(place: int, spokes: int, length: float) -> tuple[float, float]:
    angle = 2 * math.pi * place / spokes
    return round(length * math.sin(angle), 2), round(length * math.cos(angle), 2)


def _chart(runs: Sequence[ReportedRun]) -> Spec:
    spokes = [spoke for spoke in SPOKES if any(spoke in _measured_spokes(reported) for reported in runs)]
    encoded = chart([corner for one in runs for corner in radar_values(one, spokes)]).encode(x=_X, y=_Y)
    line = encoded.mark_line(strokeWidth=2).encode(color=colours(runs), order="order:Q")
    points = encoded.mark_point(filled=True, size=55, opacity=1).encode(
        color=colours(runs), shape=shapes(runs), tooltip=interval_tips("run", "of")
    )
    return alt.layer(*_grid(spokes), line, points).properties(width=_SIZE, height=_SIZE).to_dict()


def _grid(spokes: Sequence[Column]) -> list[alt.Chart]:
    """Rings, spokes and their names."""
    count = len(spokes)
    rings = [
        {"ring": ring, "order": place, "x": at[0], "y": at[1]}
        for ring in _RINGS
        for place in range(count + 1)
        for at in [_at(place, count, ring)]
    ]
    spoke_lines = [
        {"x": 0, "y": 0, "x2": at[0], "y2": at[1]} for place in range(count) for at in [_at(place, count, 100)]
    ]
    marks = [{"x": 0, "y": ring, "words": str(ring)} for ring in _RINGS]
    return [
        chart(rings).mark_line(style="hairline", strokeWidth=1).encode(x=_X, y=_Y, detail="ring:N", order="order:Q"),
        chart(spoke_lines).mark_rule(style="hairline", strokeWidth=1).encode(x=_X, y=_Y, x2="x2:Q", y2="y2:Q"),
        *(_name(spoke, place, count) for place, spoke in enumerate(spokes)),
        chart(marks).mark_text(style="quiet-words", fontSize=10, dx=3, align="left").encode(x=_X, y=_Y, text="words:N"),
    ]


def _name(spoke: Column, place: int, count: int) -> alt.Chart:
    x, y = _at(place, count, 112)
    side = "center" if abs(x) < 1 else ("left" if x > 0 else "right")
    line = "middle" if abs(y) < 50 else ("bottom" if y > 0 else "top")
    words = spoke.title.split(" ", 1) if abs(x) >= 1 else [spoke.title]
    mark = chart([{"x": x, "y": y}]).mark_text(style="words", align=side, baseline=line, text=words, fontSize=12)
    return mark.encode(x=_X, y=_Y)
