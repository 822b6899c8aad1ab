"""The tab of task conditions: their tables and reliability diagrams, apart from the published ones."""

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.theory_of_space.uncertainty.measured import ConditionRun
from tolman.benchmarks.theory_of_space.uncertainty.reliability import reliability_bins, reliability_tables
from tolman.benchmarks.theory_of_space.uncertainty.tables import (
    NamedConditionRun,
    condition_tables,
    name_condition_runs,
)
from tolman.report.site import Figure, Panel, Tab, Text
from tolman.report.site.blocks import Block
from tolman.report.site.figures import BLUE, Spec, chart, fitted, interval_tips, percents, shares
from tolman.report.site.page import RunSettings, attempted, shown_tab

_INTRODUCTION = (
    "Does a model know what it can't know? These runs are task conditions of their own: their answers are in no other "
    "table. Every question is labelled from the posterior of the ideal observer, given what the model was told."
)
_CAPTION = (
    "Stated probabilities against how often they were true, in bins; bars are 95 % intervals over scenes. Points below "
    "the dotted line were stated too high. Bins of fewer than ten are left out."
)
FEWEST = 10


def uncertainty_tab(runs: Sequence[ConditionRun]) -> Tab:
    """Everything about runs in task conditions."""
    blocks: list[Block] = [
        Text((_INTRODUCTION,)),
        *attempted("Task conditions", condition_tables, runs),
        *attempted("Reliability of stated probabilities", _reliability_figures, runs),
    ]
    return shown_tab("uncertainty", "Uncertainty", blocks)


def _reliability_figures(runs: Sequence[ConditionRun]) -> Iterator[Figure]:
    named = [one for one in name_condition_runs([run for run in runs if run.condition == "odds"]) if _bins(one.run)]
    for table in reliability_tables([(one.name, one.run) for one in named]):
        panels = [Panel(_diagram(one), f"{one.name} ({one.run.run.mode})") for one in named]
        yield Figure("reliability-diagram", "Reliability of stated probabilities", _CAPTION, panels, table)


def _bins(run: ConditionRun) -> list[dict[str, Any]]:
    return [
        {"stated": round(100 * each.stated, 2), "count": each.count, **percents(each.true)}
        for each in reliability_bins(run)
        if each.count >= FEWEST
    ]


def _diagram(named: NamedConditionRun) -> Spec:
    axis = alt.X("stated:Q", title="stated, %", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(tickCount=5))
    ends = [{"stated": 0, "mean": 0}, {"stated": 100, "mean": 100}]
    even = chart(ends).mark_line(strokeDash=[2, 3], style="quiet").encode(x=axis, y=shares("mean", "true, %"))
    base = chart(_bins(named.run)).encode(x=axis)
    bars = base.mark_rule(color=BLUE, strokeWidth=1.6).encode(y=shares("low", "true, %"), y2="high:Q")
    tips = interval_tips(alt.Tooltip("stated:Q"), alt.Tooltip("count:Q"), mean="true")
    marks = base.mark_point(filled=True, size=56, opacity=1, color=BLUE).encode(y="mean:Q", tooltip=tips)
    return fitted(280, even, bars, marks)


def condition_settings(runs: Sequence[ConditionRun]) -> list[RunSettings]:
    """The settings of the runs, for the last tab."""
    return [
        RunSettings(named.name, f"{named.run.condition}, {named.run.run.mode}", run.settings, run.origins)
        for named in name_condition_runs(runs)
        for run in (named.run.run,)
    ]
