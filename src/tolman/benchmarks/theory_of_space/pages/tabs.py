"""The tabs of the report: their tables and figures, and the glossary of the numbers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import altair as alt

from tolman.benchmarks.theory_of_space.columns import CHANGES_FOUND_COLUMN, COST_COLUMN, GAIN_COLUMN, NODES_COLUMN
from tolman.benchmarks.theory_of_space.pages.belief_radar import radar_figure
from tolman.benchmarks.theory_of_space.pages.exploration_figures import (
    coverage_figure,
    gain_figure,
    map_figure,
    omissions_figure,
    patterns_figure,
    rooms_figure,
    world_gap_figure,
)
from tolman.benchmarks.theory_of_space.pages.ideal_observer_figures import (
    AttributedRuns,
    attributed,
    attribution_figure,
    evidence_figure,
    gap_figure,
    gap_sentences,
    kinds_figure,
)
from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun, episode_table
from tolman.benchmarks.theory_of_space.pages.scatter_figures import (
    GAIN_AXIS,
    MAP_AXIS,
    cost_figure,
    dollar_figure,
    scatter_figure,
)
from tolman.benchmarks.theory_of_space.tables.attribution import ALL_QUESTIONS, observer_note, regret_tables
from tolman.benchmarks.theory_of_space.tables.comparison_tables import comparison_tables
from tolman.benchmarks.theory_of_space.tables.layout import ReferenceRow
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS
from tolman.benchmarks.theory_of_space.tables.run_tables import correlation_tables, cost_tables, reliability_tables
from tolman.benchmarks.theory_of_space.tables.score_tables import (
    answer_tables,
    belief_tables,
    pattern_tables,
    revision_tables,
)
from tolman.benchmarks.theory_of_space.tables.setting_tables import gap_tables, rooms_tables
from tolman.benchmarks.theory_of_space.uncertainty.measured import ConditionRun
from tolman.benchmarks.theory_of_space.uncertainty.tables import (
    RELIABILITY,
    NamedConditionRun,
    condition_tables,
    name_condition_runs,
    odds_reliability_tables,
    reliability_bins,
)
from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.harness.names import counted
from tolman.harness.runs import runs_sentence
from tolman.report.site import Figure, Panel, Tab, Text
from tolman.report.site.blocks import Block
from tolman.report.site.figures import BLUE, Spec, chart, fitted, interval_tips, percents, shares
from tolman.report.site.page import RunSettings, attempted, shown_tab
from tolman.report.site.page import about_tab as about_with_settings
from tolman.report.statistics import UNKNOWN, few_scenes_notes
from tolman.report.table import Column, RowGroup, Table, one_row, percent

_CONDITIONS_INTRODUCTION = (
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
        Text((_CONDITIONS_INTRODUCTION,)),
        *attempted("Task conditions", _tables, runs),
        *attempted("Reliability of stated probabilities", _reliability_figures, runs),
    ]
    return shown_tab("uncertainty", "Uncertainty", blocks)


def _tables(runs: Sequence[ConditionRun]) -> Iterator[Table]:
    """All tables but that of the reliability, which is below its figure."""
    return (table for table in condition_tables(runs) if table.name != RELIABILITY)


def _reliability_figures(runs: Sequence[ConditionRun]) -> Iterator[Figure]:
    named = [one for one in name_condition_runs([run for run in runs if run.condition == "odds"]) if _bins(one.run)]
    for table in odds_reliability_tables([(one.name, one.run) for one in named]):
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


_SCORED = {"strict": "corrected scoring", "published": "as the authors' released code scores"}


def _headline(key: str, rules: RuleSetName, group: str, what: str) -> tuple[Column, RuleSetName]:
    return Column(key, rules, group, definition=f"{what}: {_SCORED[rules]}."), rules


_HEADLINE_COLUMNS: tuple[tuple[Column, RuleSetName], ...] = (
    (COST_COLUMN, "strict"),
    (NODES_COLUMN, "strict"),
    (GAIN_COLUMN, "strict"),
    _headline(ANSWERS, "strict", "Answers", "Mean over all questions"),
    _headline(ANSWERS, "published", "Answers", "Mean over all questions"),
    _headline(CORRECTNESS, "strict", "Last map", "Correctness of the last stated map"),
    _headline(CORRECTNESS, "published", "Last map", "Correctness of the last stated map"),
    (replace(CHANGES_FOUND_COLUMN, title="F1", group="Changes found"), "strict"),
)
_CEILING_PLACE = 4
"""Index of the ceiling column: after the strict answers."""
_CEILING_COLUMN = Column(
    "ceiling",
    "ceiling",
    "Answers",
    definition="Expected strict score of the best answers, given what was seen (ideal observer).",
)


def headline_table(attributed: AttributedRuns, runs: Sequence[ReportedRun], notes: tuple[str, ...]) -> Table:
    """The main numbers of each run."""
    ceilings = {reported.label: lost_points.shares[ALL_QUESTIONS].ceiling for reported, lost_points in attributed}
    entries: list[RowGroup] = []
    for reported in runs:
        measured = reported.named.summary.measured
        cells = [column.style(measured[rules].interval(column.key)) for column, rules in _HEADLINE_COLUMNS]
        cells.insert(_CEILING_PLACE, percent(ceilings.get(reported.label, UNKNOWN)))
        entries.append(
            one_row(reported.name, cells, reported.named.done, section=reported.named.section, where=reported.where)
        )
    columns = [column for column, _ in _HEADLINE_COLUMNS]
    columns.insert(_CEILING_PLACE, _CEILING_COLUMN)
    return Table("headline", "Main results", "run", tuple(columns), tuple(entries), notes)


_INTRODUCTION = (
    "A model explores rooms that it has never seen, states a map of them along the way, answers questions about them, "
    "and explores once more after things have been moved. An active model chooses where to look; a passive one reads "
    "the log of a scripted explorer."
)
_HEADLINE_NOTES = (
    "Means over scenes in percent (cost: one per observation, two per query), below them 95 % intervals over scenes. "
    "Information gain is 100 when every position follows from what was seen.",
    "strict: corrected scoring, without the defects of the released code. published: as the authors' code scores the "
    "same replies. ceiling: the expected strict score of the best answers, given what was seen.",
)


def overview_tab(runs: Sequence[ReportedRun]) -> Tab:
    """Introduction, main results and attribution of lost points."""
    observer = observer_note(insight for reported in runs for insight in reported.insights)
    notes = (
        *_HEADLINE_NOTES,
        f"{observer[0].upper()}{observer[1:]}.",
        *few_scenes_notes(reported.run.distinct for reported in runs),
    )
    blocks: list[Block] = [
        Text((_INTRODUCTION, run_counts(runs))),
        *attempted("Main results", lambda some: headline_table(attributed(some), some, notes), runs),
        *attempted("Where points were lost", lambda some: attribution_figure(attributed(some)), runs),
        *attempted(
            "What a better explorer would add",
            lambda some: [gap_figure(some), Text(gap_sentences(some))],
            runs,
        ),
        *attempted(
            "Where points were lost, by kind of question",
            lambda some: kinds_figure(attributed(some)),
            runs,
        ),
    ]
    return shown_tab("overview", "Overview", blocks)


def run_counts(runs: Sequence[ReportedRun]) -> str:
    """A sentence that says how many models, runs, scenes and replies there are."""
    scenes = len({case.logged.case.scene.digest for reported in runs for case in reported.run.cases})
    episodes = sum(len(reported.run.cases) for reported in runs)
    replies = counted(sum(reported.named.summary.reliability.replies for reported in runs), "reply", "replies")
    seen = f"{counted(scenes, 'scene')}: {counted(episodes, 'episode')} with {replies}"
    return runs_sentence([reported.run for reported in runs], seen, "episode")


def answers_tab(runs: Sequence[ReportedRun], references: Sequence[ReferenceRow]) -> Tab:
    """The nine kinds of question, and which model is better."""
    named = [reported.named for reported in runs]
    blocks: list[Block] = [
        *attempted("Answers", partial(answer_tables, rules=RULE_SETS, references=references), named),
        *attempted("Which model is better", partial(comparison_tables, rules=("strict",)), named),
    ]
    return _tab("answers", "Answers", blocks, "No questions were asked.")


def maps_tab(runs: Sequence[ReportedRun], references: Sequence[ReferenceRow]) -> Tab:
    """Quality of the stated maps, by turn and against the evidence."""
    named = [reported.named for reported in runs]
    blocks: list[Block] = [
        *attempted("Belief quality", partial(belief_tables, rules=RULE_SETS, references=references), named),
        *attempted("Dimensions of belief", radar_figure, runs),
        *attempted("Map accuracy by turn", map_figure, runs),
        *attempted("Belief against evidence", evidence_figure, runs),
        *attempted(MAP_AXIS.title, partial(scatter_figure, against=MAP_AXIS), runs),
        *attempted(GAIN_AXIS.title, partial(scatter_figure, against=GAIN_AXIS), runs),
        *attempted("Correlations", partial(correlation_tables, rules=RULE_SETS), named),
    ]
    return _tab("maps", "Maps and belief", blocks, "No maps were asked for.")


def exploration_tab(runs: Sequence[ReportedRun]) -> Tab:
    """How rooms were explored: by turn, in which patterns, in how many rooms, and in text against vision."""
    named = [reported.named for reported in runs]
    blocks: list[Block] = [
        *attempted("Node coverage by turn", coverage_figure, runs),
        *attempted("Information gain by turn", gain_figure, runs),
        *attempted("How far from the cheapest exploration", _regret, runs),
        *attempted("Exploration patterns", patterns_figure, runs),
        *attempted("Exploration patterns and omissions", pattern_tables, named),
        *attempted("Omissions by kind", omissions_figure, runs),
        *attempted("Text–vision gap", world_gap_figure, runs),
        *attempted("Text–vision gap on the same scenes", gap_tables, named),
        *attempted("Scores by number of rooms", rooms_figure, runs),
        *attempted("Answers by number of rooms", rooms_tables, named),
    ]
    return _tab("exploration", "Exploration", blocks, "No exploration was run.")


def _regret(runs: Sequence[ReportedRun]) -> list[Table]:
    by_summary = {id(reported.named.summary): reported.insights for reported in runs}
    return list(regret_tables([reported.named for reported in runs], by_summary))


def cost_tab(runs: Sequence[ReportedRun]) -> Tab:
    """Cost, price and reliability of the runs."""
    named = [reported.named for reported in runs]
    blocks: list[Block] = [
        *attempted("Cost against accuracy", cost_figure, runs),
        *attempted("Price against accuracy", dollar_figure, runs),
        *attempted("Price", cost_tables, named),
        *attempted("Reliability", partial(reliability_tables, rules=("strict",)), named),
    ]
    return _tab("cost", "Cost", blocks, "No costs are known.")


def revision_tab(runs: Sequence[ReportedRun], references: Sequence[ReferenceRow]) -> Tab:
    """Belief revision after the world has changed."""
    build = partial(revision_tables, rules=RULE_SETS, references=references)
    tables = attempted("Revision after the world has changed", build, [reported.named for reported in runs])
    return _tab("revision", "Revision", tables, "No run revised its belief.")


def episodes_tab(runs: Sequence[ReportedRun]) -> Tab:
    """All scenes of all runs, with links to their pages."""
    return _tab("episodes", "Episodes", attempted("All episodes", episode_table, runs), "No scene was finished.")


def _tab(name: str, title: str, blocks: Iterable[Block], if_empty: str) -> Tab:
    """A tab with its non-empty blocks, or with the sentence `if_empty`."""
    return Tab(name, title, tuple(filter(_shows, blocks)) or (Text((if_empty,)),))


def _shows(block: Block) -> bool:
    if isinstance(block, Figure):
        return bool(block.panels)
    return not isinstance(block, Table) or block.measured


def about_tab(runs: Sequence[ReportedRun], command: str, numbers: str, others: Sequence[RunSettings] = ()) -> Tab:
    """Glossary, settings, and how to reproduce the report; `numbers` is the file with all numbers."""
    set_ups = [
        *(RunSettings(reported.name, reported.where, reported.run.settings, reported.run.origins) for reported in runs),
        *others,
    ]
    about = (numbers, "every number of this report, by scene")
    return about_with_settings(("tolman.benchmarks.theory_of_space", "terms"), (), set_ups, command, about)
