"""Figures of exploration by turn, of its patterns and omissions, of scores by number of rooms, and of text against
vision.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from tolman.belief.map_scores import mean
from tolman.benchmarks.theory_of_space.exploration_patterns import HEADINGS, OMISSION_COLUMNS, PATTERN_COLUMNS
from tolman.benchmarks.theory_of_space.options import World
from tolman.benchmarks.theory_of_space.pages.reported_runs import (
    ReportedRun,
    by_section,
    colours,
    reported_explorers,
    shapes,
)
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.score_tables import pattern_tables
from tolman.benchmarks.theory_of_space.tables.setting_tables import (
    COST,
    GAP_COLUMNS,
    RoomsCurve,
    gap_tables,
    room_curves,
    rooms_tables,
    world_gaps,
)
from tolman.report.site import Figure, Panel
from tolman.report.site.figures import SERIES, SHAPES, Spec, chart, fitted, interval_tips, known, percents, shares
from tolman.report.statistics import Interval, joined_by_scene, pooled_interval
from tolman.report.table import Column, Table, heading, one_row, percent

Curve = tuple[Interval, ...]
_CARRIED_FORWARD = "A finished scene keeps its last value; bands are 95 % intervals over scenes."


def map_curve(run: TheoryOfSpaceRun) -> Curve:
    """Mean strict correctness of the stated map against the whole scene after each turn; empty if not elicited.

    A turn without an elicited map keeps the value before it, and so does a finished scene.
    """
    curves = joined_by_scene(run.case_ids, ([values] if (values := _map_values(case)) else [] for case in run.cases))
    last = max((len(values) for scene in curves for values in scene), default=0)
    return tuple(
        pooled_interval([[values[min(turn, len(values) - 1)] for values in scene] for scene in curves])
        for turn in range(last)
    )


def _map_values(case: ScoredScene) -> list[float]:
    maps = case.scores["strict"].maps
    values: list[float] = []
    for turn in zip(*maps.turns, strict=True) if maps is not None else ():
        value = mean(scores.complete.overall for scores in turn if scores.complete is not None)
        values.append(value if value is not None else (values[-1] if values else 0.0))
    return values


def gain_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Information gain by turn, the same under all rule sets."""
    caption = "How far the evidence determines all positions after each turn: 100 when all are certain. "
    explorers = list(reported_explorers(runs))
    return _figure(
        "information-gain",
        "Information gain by turn",
        caption,
        "information gain, %",
        explorers,
        lambda one: one.named.summary.curve,
    )


def coverage_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Node coverage by turn in the vision world, the paper's measure of exploration there."""
    caption = "Share of all objects and doors that have been in view after each turn. "
    explorers = [reported for reported in reported_explorers(runs) if reported.run.world == "vision"]
    return _figure(
        "node-coverage",
        "Node coverage by turn",
        caption,
        "node coverage, %",
        explorers,
        lambda one: one.named.summary.coverage_curve,
    )


def map_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Correctness of the stated map by turn, for runs that elicit maps after every turn."""
    caption = "Correctness of the stated map of the whole scene after each turn: positions, facings and directions. "
    every = [reported for reported in runs if reported.run.options.probe_turns == "every"]
    return _figure(
        "map-accuracy", "Map accuracy by turn", caption, "map correctness, %", every, lambda one: map_curve(one.run)
    )


def _figure(
    name: str,
    title: str,
    caption: str,
    axis: str,
    runs: Sequence[ReportedRun],
    curve_of: Callable[[ReportedRun], Curve],
) -> Figure:
    curves = {reported.label: curve_of(reported) for reported in runs}
    with_curve = [reported for reported in runs if curves[reported.label]]
    panels = [Panel(_chart(group, curves, axis), heading) for heading, group in by_section(with_curve)]
    return Figure(name, title, caption + _CARRIED_FORWARD, panels, _turn_numbers(name, with_curve, curves))


def _chart(runs: Sequence[ReportedRun], curves: dict[str, Curve], axis: str) -> Spec:
    values: list[dict[str, Any]] = [
        {"run": reported.name, "turn": turn, **percents(point)}
        for reported in runs
        for turn, point in enumerate(curves[reported.label], start=1)
    ]
    turns = alt.X("turn:Q", title="turn", axis=alt.Axis(tickMinStep=1, grid=False), scale=alt.Scale(nice=False))
    base = chart(values).encode(x=turns)
    band = base.mark_area(opacity=0.18).encode(y=shares("low", axis), y2="high:Q", color=colours(runs))
    line = base.mark_line(strokeWidth=2).encode(y="mean:Q", color=colours(runs))
    points = base.mark_point(filled=True, size=42, opacity=1).encode(
        y="mean:Q", color=colours(runs), shape=shapes(runs), tooltip=interval_tips("run", alt.Tooltip("turn:Q"))
    )
    return fitted(280, band, line, points)


def _turn_numbers(name: str, runs: Sequence[ReportedRun], curves: dict[str, Curve]) -> Table:
    last = max((len(curve) for curve in curves.values()), default=0)
    entries = [
        one_row(reported.name, (percent(point) for point in _padded(curves[reported.label], last)), reported.where)
        for reported in runs
    ]
    heads = tuple(heading(str(turn), "after turn") for turn in range(1, last + 1))
    return Table(f"{name}-numbers", "", "run", heads, tuple(entries))


def _padded(curve: Curve, turns: int) -> Curve:
    return curve + curve[-1:] * (turns - len(curve))


_WORLDS: tuple[World, ...] = ("text", "vision")
_ROW = 15
"""Height of one mark in a chart of dots, in pixels."""
_LETTER = 7
"""Room for a letter of a row's name, in pixels; viewers have other fonts than the program that saves the figure."""


@dataclass(frozen=True)
class Series:
    """One colour and shape of a chart: its name, and a value with its interval for each row, in percent."""

    name: str
    colour: str
    shape: str
    values: Sequence[tuple[str, Interval]]


def patterns_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Exploration patterns of runs, and of the explorers whose logs passive runs read."""
    caption = (
        "Shares of looks and of rooms, with 95 % intervals over scenes: where looks are made, which add nothing, and "
        "in which order rooms are visited. The table defines each."
    )
    return _shares_figure("exploration-patterns", "Exploration patterns", caption, runs, PATTERN_COLUMNS, "patterns")


def omissions_figure(runs: Sequence[ReportedRun]) -> Figure:
    """What the same explorers never saw, or left off the map."""
    caption = "Shares of objects and doors that were never in view, or seen but left off the last map; 95 % intervals."
    return _shares_figure("omissions", "Omissions by kind", caption, runs, OMISSION_COLUMNS, "omissions")


def _shares_figure(
    name: str, title: str, caption: str, runs: Sequence[ReportedRun], columns: Sequence[Column], table: str
) -> Figure:
    shown = [column for column in columns if column != HEADINGS]
    panels: list[Panel] = []
    for world in _WORLDS:
        explorers = [reported for reported in reported_explorers(runs) if reported.run.world == world]
        series = [
            Series(r.name, r.colour, r.shape, [(column.title, r.interval(column.key)) for column in shown])
            for r in explorers
        ]
        if series:
            none = not any(interval.high > 0 or interval.mean > 0 for one in series for _, interval in one.values)
            whole = (0.0, 100.0) if columns is PATTERN_COLUMNS or none else None
            panels.append(Panel(_dots(series, "%", whole), f"{world.capitalize()} world"))
    numbers = [found for found in pattern_tables([reported.named for reported in runs]) if found.name == table]
    return Figure(name, title, caption, panels if numbers else (), _numbers(name, numbers))


def world_gap_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Text less vision on the same scenes; without panels if no model was run in both."""
    named = [reported.named for reported in runs]
    gaps = world_gaps(named)
    names = list(dict.fromkeys(gap.name for gap in gaps))
    panels: list[Panel] = []
    for mode in ("active", "passive"):
        series = [
            Series(
                gap.name,
                *_style(names.index(gap.name)),
                [
                    (_row_title(column), gap.found[column.key].difference)
                    for column in GAP_COLUMNS
                    if column.key in gap.found and column.key != COST
                ],
            )
            for gap in gaps
            if gap.mode == mode
        ]
        if series:
            panels.append(Panel(_dots(series, "text less vision, percentage points"), mode.capitalize()))
    caption = "Differences of one model on the same scenes, with 95 % intervals: right of 0, it does better in text."
    return Figure("text-vision", "Text–vision gap", caption, panels, _numbers("text-vision", gap_tables(named)))


def _row_title(column: Column) -> str:
    if column.group == "Last map" and column.title != "last map":
        return f"last map, {column.title}"
    return "answers" if column.group == "Answers" else column.title


def rooms_figure(runs: Sequence[ReportedRun]) -> Figure:
    """Answers and cost by number of rooms; without panels if all scenes have equally many."""
    named = [reported.named for reported in runs]
    curves = room_curves(named)
    panels: list[Panel] = []
    for world in _WORLDS:
        found = [curve for curve in curves if curve.world == world]
        if found:
            panels.append(Panel(_answers_by_rooms(found), f"{world.capitalize()} world: answers"))
            if any(math.isfinite(point.cost.mean) for curve in found for point in curve.points):
                panels.append(Panel(_cost_by_rooms(found), f"{world.capitalize()} world: cost of exploration"))
    caption = (
        "By number of rooms, with 95 % intervals over scenes. Solid: the model explores; dashed: it reads the log of a "
        "scripted explorer."
    )
    return Figure("rooms", "Scores by number of rooms", caption, panels, _numbers("rooms", rooms_tables(named)))


def _answers_by_rooms(curves: Sequence[RoomsCurve]) -> Spec:
    values = [
        {"model": curve.name, "mode": mode, "rooms": point.rooms, **percents(answers)}
        for curve in curves
        for point in curve.points
        for mode, answers in point.answers.items()
        if math.isfinite(answers.mean)
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(x=_rooms_axis(curves), color=_model_colours(curves))
    dashes = alt.StrokeDash(
        "mode:N", scale=alt.Scale(domain=["active", "passive"], range=[[1, 0], [5, 4]]), legend=None
    )
    lines = base.mark_line(strokeWidth=2).encode(y=shares("mean", "answers, %"), strokeDash=dashes)
    return fitted(260, lines, _bars(base), _marks(base, curves, ["mode"]))


def _cost_by_rooms(curves: Sequence[RoomsCurve]) -> Spec:
    values = [
        {
            "model": curve.name,
            "rooms": point.rooms,
            "mean": known(point.cost.mean),
            "low": known(point.cost.low),
            "high": known(point.cost.high),
        }
        for curve in curves
        for point in curve.points
        if math.isfinite(point.cost.mean)
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(x=_rooms_axis(curves), color=_model_colours(curves))
    lines = base.mark_line(strokeWidth=2).encode(y=alt.Y("mean:Q", title="cost", scale=alt.Scale(zero=True)))
    return fitted(260, lines, _bars(base), _marks(base, curves, []))


def _rooms_axis(curves: Sequence[RoomsCurve]) -> alt.X:
    counts = sorted({point.rooms for curve in curves for point in curve.points})
    axis = alt.Axis(values=counts, format="d", grid=False)
    return alt.X("rooms:Q", title="rooms", axis=axis, scale=alt.Scale(domain=[counts[0] - 0.2, counts[-1] + 0.2]))


def _model_colours(curves: Sequence[RoomsCurve]) -> alt.Color:
    names = list(dict.fromkeys(curve.name for curve in curves))
    return _colours(names, [_style(index)[0] for index in range(len(names))])


def _style(index: int) -> tuple[str, str]:
    return SERIES[index % len(SERIES)], SHAPES[index % len(SHAPES)]


def _bars(base: alt.Chart) -> alt.Chart:
    return base.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q")


def _marks(base: alt.Chart, curves: Sequence[RoomsCurve], also: Sequence[str]) -> alt.Chart:
    names = list(dict.fromkeys(curve.name for curve in curves))
    scale = alt.Scale(domain=names, range=[_style(index)[1] for index in range(len(names))])
    told = [alt.Tooltip(f"{name}:N") for name in ("model", *also)]
    return base.mark_point(filled=True, size=60, opacity=1).encode(
        y="mean:Q",
        shape=alt.Shape("model:N", sort=None, scale=scale, legend=_legend(names)),
        tooltip=[*told, alt.Tooltip("rooms:Q"), alt.Tooltip("mean:Q", format=".1f")],
    )


def _dots(series: Sequence[Series], axis: str, domain: tuple[float, float] | None = None) -> Spec:
    """One row per name of a value, in it one mark per series, with its interval."""
    values: list[dict[str, Any]] = [
        {"model": one.name, "row": row, **percents(interval)}
        for one in series
        for row, interval in one.values
        if math.isfinite(interval.mean)
    ]
    rows = list(dict.fromkeys(value["row"] for value in values))
    names = [one.name for one in series]
    wide = max((_LETTER * len(row) for row in rows), default=0)
    axis_of_rows = alt.Axis(domain=False, ticks=False, labelPadding=6, minExtent=wide)
    place = alt.Y("row:N", sort=None, title=None, axis=axis_of_rows)
    base = alt.Chart(alt.InlineData(values=values)).encode(
        y=place,
        yOffset=alt.YOffset("model:N", sort=None, scale=alt.Scale(domain=names)),
        color=_colours(names, [one.colour for one in series]),
    )
    scale = alt.Scale(domain=[*domain], nice=False) if domain else alt.Scale(zero=True)
    across = alt.X("mean:Q", title=axis, scale=scale, axis=alt.Axis(tickCount=5))
    shape = alt.Shape(
        "model:N",
        sort=None,
        scale=alt.Scale(domain=names, range=[one.shape for one in series]),
        legend=_legend(names),
    )
    marks = base.mark_point(filled=True, size=48, opacity=1).encode(
        x=across,
        shape=shape,
        tooltip=[
            alt.Tooltip("model:N"),
            alt.Tooltip("row:N", title="of"),
            alt.Tooltip("mean:Q", format=".1f"),
            alt.Tooltip("low:Q", format=".1f", title="from"),
            alt.Tooltip("high:Q", format=".1f", title="to"),
        ],
    )
    bars = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q")
    zero = alt.Chart(alt.InlineData(values=[{}])).mark_rule(style="quiet", strokeDash=[3, 3]).encode(x=alt.XDatum(0))
    return fitted(max(1, len(rows)) * (len(series) * _ROW + 8), zero, bars, marks)


def _colours(names: Sequence[str], colours: Sequence[str]) -> alt.Color:
    return alt.Color("model:N", sort=None, scale=alt.Scale(domain=[*names], range=[*colours]), legend=_legend(names))


def _legend(names: Sequence[str]) -> alt.Legend:
    return alt.Legend(title=None, columns=1 if max(map(len, names), default=0) > 24 else 2, symbolOpacity=1)


def _numbers(name: str, tables: Iterable[Table]) -> Table:
    found = next(iter(tables), Table("", "", "run", (), ()))
    return replace(found, name=f"{name}-numbers", title="")
