"""The columns of runs in task conditions, with intervals over scenes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from tolman.benchmarks.theory_of_space.columns import Columns
from tolman.benchmarks.theory_of_space.options import Condition
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.uncertainty.condition_scores import (
    StatedChance,
    abstention_columns,
    judge_scene,
    odds_columns,
    settle_columns,
)
from tolman.core.parallel import Track, tracked_groups, untracked
from tolman.ideal.observer import ObserverName
from tolman.report.statistics import ScoreColumns, column_intervals, values_by_case


@dataclass(frozen=True)
class ConditionScene:
    """One scene of a run in a task condition."""

    id: str
    columns: Columns
    observer: ObserverName
    stated: tuple[StatedChance, ...] = ()
    """Every probability that was stated, with `--odds`."""


@dataclass(frozen=True)
class ConditionRun:
    """A run in a task condition."""

    run: TheoryOfSpaceRun
    scenes: tuple[ConditionScene, ...]
    measured: ScoreColumns

    @property
    def name(self) -> str:
        return self.run.name

    @property
    def condition(self) -> Condition:
        return self.run.options.condition

    @property
    def observers(self) -> Counter[str]:
        """How many scenes each ideal observer judged."""
        return Counter(scene.observer for scene in self.scenes)


def condition_scene(logged: ScoredCase) -> ConditionScene:
    """Score one scene of a task condition."""
    if logged.options.settle:
        return ConditionScene(logged.case.id, settle_columns(logged), "generative")
    judged = judge_scene(logged)
    if logged.options.odds:
        found, stated = odds_columns(logged, judged)
        return ConditionScene(logged.case.id, found, judged.observer, stated)
    return ConditionScene(logged.case.id, abstention_columns(logged, judged), judged.observer)


_HEADLINES: dict[Condition, dict[str, str]] = {
    "abstain": {
        "points": "abstain/points",
        "accuracy on decided": "abstain/decided",
        "false confidence on open": "abstain/false/open",
        "abstained": "abstain/share",
    },
    "settle": {"share of the best gain": "settle/fraction", "by chance": "settle/chance"},
    "odds": {"Brier": "odds/brier", "log score": "odds/log", "divergence from ideal": "odds/kl"},
}
"""Scores of a scene in Inspect's viewer, by title: the column of each."""


def condition_headlines(logged: ScoredCase) -> dict[str, float]:
    """The main numbers of a scene in a task condition."""
    found, titles = condition_scene(logged).columns, _HEADLINES[logged.options.condition]
    return {title: fmean(found[key]) if key in found else float("nan") for title, key in titles.items()}


def condition_runs(runs: Sequence[TheoryOfSpaceRun], track: Track = untracked) -> list[ConditionRun]:
    """The runs in task conditions, scored; others are left out."""
    wanted = [run for run in runs if run.options.condition]
    found = tracked_groups(_scored, [run.cases for run in wanted], track, "posteriors") if wanted else []
    return list(map(_measured, wanted, found))


def _scored(scene: ScoredScene) -> ConditionScene:
    return condition_scene(scene.logged)


def _measured(run: TheoryOfSpaceRun, scenes: Sequence[ConditionScene]) -> ConditionRun:
    values = values_by_case((scene.id, scene.columns) for scene in scenes)
    return ConditionRun(run, tuple(scenes), ScoreColumns(values, column_intervals(values)))


def conditions_as_dict(runs: Sequence[ConditionRun]) -> list[dict[str, object]]:
    """All runs in task conditions with all columns, ready for JSON."""
    return [
        {
            "condition": run.condition,
            "model": run.run.model,
            "name": run.run.name,
            "mode": run.run.mode,
            "world": run.run.world,
            "settings": dict(run.run.settings) or run.run.options.as_dict(),
            "scenes": run.run.case_counts(),
            "observers": dict(run.observers),
            "columns": run.measured.as_dict(),
        }
        for run in runs
    ]
