"""The tab of task conditions: their tables, apart from the published ones."""

from collections.abc import Sequence

from tolman.benchmarks.theory_of_space.uncertainty.measured import ConditionRun
from tolman.benchmarks.theory_of_space.uncertainty.tables import condition_tables, name_condition_runs
from tolman.report.site import Tab, Text
from tolman.report.site.about_tab import RunSettings
from tolman.report.site.blocks import Block
from tolman.report.site.page import attempted, shown_tab

_INTRODUCTION = (
    "Does a model know what it can't know? These runs are task conditions of their own: their answers are in no other "
    "table. Every question is labelled from the posterior of the ideal observer, given what the model was told."
)


def uncertainty_tab(runs: Sequence[ConditionRun]) -> Tab:
    """Everything about runs in task conditions."""
    blocks: list[Block] = [Text((_INTRODUCTION,)), *attempted("Task conditions", condition_tables, runs)]
    return shown_tab("uncertainty", "Uncertainty", blocks)


def condition_settings(runs: Sequence[ConditionRun]) -> list[RunSettings]:
    """The settings of the runs, for the last tab."""
    return [
        RunSettings(named.name, f"{named.run.condition}, {named.run.run.mode}", run.settings, run.origins)
        for named in name_condition_runs(runs)
        for run in (named.run.run,)
    ]
