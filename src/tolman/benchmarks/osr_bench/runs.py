"""Runs read from logs, scored under both rule sets with confidence intervals, and grouped by evaluated model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import NamedTuple

from tolman.benchmarks.osr_bench.case import RECORDS, LoggedCase, read_record
from tolman.benchmarks.osr_bench.options import OPTIONS_OF_OLD_LOGS, MapMode, Options
from tolman.benchmarks.osr_bench.prompts import Agreement, judge_agreement
from tolman.benchmarks.osr_bench.questions.question import ASKED, AskedSet
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT, find_rules
from tolman.benchmarks.osr_bench.scores import RotationScores, score_case, score_columns
from tolman.core.grouping import grouped
from tolman.core.parallel import Tell, Track, untracked
from tolman.core.rules import RULE_SETS, RuleSetName
from tolman.core.seeds import digest
from tolman.harness.logs import LogFile, logs_of
from tolman.harness.names import distinguishing_settings
from tolman.harness.options import recorded
from tolman.harness.runs import FinishedCase, ModelRun, collect_runs, finishing
from tolman.report.replies import RunPrice, price
from tolman.report.statistics import ScoreColumns, column_intervals, values_by_case
from tolman.world.select import seeds_in

TASK = "osr_bench"
MODES: tuple[MapMode, ...] = ("first", "none", "true")
"""In the order of the paper's tables."""


class Condition(NamedTuple):
    """One condition: the set of questions, the map that the model has, and whether it is asked to reason first."""

    asked: AskedSet
    mode: MapMode
    think: bool


@dataclass(frozen=True)
class Log(LogFile):
    """One log, of which only the header has been read."""

    options: Options

    @property
    def settings(self) -> dict[str, object]:
        """All that distinguishes evaluations of one model: options, source of the scenes, generation settings.

        A folder is identified by its name only, as the same data may be stored elsewhere. The version of generated
        rooms is stated where it is not the first, the only one of older logs.
        """
        data = str(self.header.eval.task_args.get("data", ""))
        source = "seeds" if not data or seeds_in(data) is not None else PurePath(data).name
        options = self.options.as_dict()
        if self.options.room_version == 1:
            del options["room_version"]
        return {**options, "data": source, **super().settings}


class FinishedScene(FinishedCase[LoggedCase, Mapping[RuleSetName, tuple[RotationScores, ...]]]):
    """A finished scene, with its scores for each camera rotation."""


@dataclass(frozen=True)
class Run(ModelRun[Options, FinishedScene]):
    """One model in one condition."""

    @property
    def condition(self) -> Condition:
        return Condition(self.options.asked, self.options.mode, self.options.think)


def finish(logged: LoggedCase) -> FinishedScene:
    """Score a record under both rule sets."""
    return FinishedScene(logged, {rules.name: score_case(logged, rules) for rules in (STRICT, PUBLISHED)})


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = untracked, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, standard questions first, then by map, then by start time.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = collect_runs(open_logs(paths, tell), finishing(read_record, finish), Run, tell, track, jobs)
    return sorted(
        runs, key=lambda run: (ASKED.index(run.condition.asked), run.condition.think, MODES.index(run.condition.mode))
    )


def open_logs(paths: Sequence[Path], tell: Tell) -> list[Log]:
    """The logs of OSR-Bench in files and folders, oldest first. Logs of other tasks are skipped."""
    return logs_of(TASK, "OSR-Bench", paths, tell, lambda path, header, o: Log(path, header, RECORDS.read_options(o)))


MAP_TITLES = {"first": "own map", "none": "no map", "true": "true map"}


def condition_title(condition: Condition) -> str:
    """Such as `Standard questions, own map, vanilla`."""
    style = "think" if condition.think else "vanilla"
    return f"{condition.asked.capitalize()} questions, {MAP_TITLES[condition.mode]}, {style}"


def condition_name(condition: Condition) -> str:
    """A name for URLs, such as `standard-first-plain`."""
    return f"{condition.asked}-{condition.mode}-{'think' if condition.think else 'plain'}"


@dataclass(frozen=True)
class RunScores:
    """The scores, judge agreement and price of one run."""

    run: Run
    measured: Mapping[RuleSetName, ScoreColumns]
    agreement: Mapping[RuleSetName, Agreement]
    """Of the judge with the rules, over all judged answers."""
    price: RunPrice


def run_scores(run: Run) -> RunScores:
    """Score a run under both rule sets."""
    logged = [case.logged for case in run.cases]
    return RunScores(
        run=run,
        measured={rules: _measured(run.cases, rules) for rules in RULE_SETS},
        agreement={rules: judge_agreement(logged, find_rules(rules)) for rules in RULE_SETS},
        price=price([case.record.calls for case in logged], run.case_ids),
    )


def _measured(scenes: Sequence[FinishedScene], rules: RuleSetName) -> ScoreColumns:
    values = values_by_case((scene.id, score_columns(scene.scores[rules])) for scene in scenes)
    return ScoreColumns(values, column_intervals(values))


_CONDITION_OPTIONS = ("asked", "mode", "think")
_DATA_OPTIONS = ("turns", "rules", "class_list")
PAPER_SETTINGS = {
    name: value for name, value in recorded(Options()).items() if name not in (*_CONDITION_OPTIONS, *_DATA_OPTIONS)
}
"""Settings of the paper's main experiments; deviations are added to the model's name."""


@dataclass(frozen=True)
class EvaluatedModel:
    """One model in one setting."""

    name: str
    settings: Mapping[str, object]
    """Settings that all its conditions share."""
    conditions: Mapping[Condition, RunScores]

    @property
    def runs(self) -> Iterable[RunScores]:
        return self.conditions.values()

    def modes(self, asked: AskedSet, *, think: bool) -> dict[str, RunScores]:
        """The runs with one set of questions, by map condition."""
        return {
            mode: self.conditions[condition]
            for mode in MODES
            if (condition := Condition(asked, mode, think)) in self.conditions
        }


def evaluated_models(runs: Sequence[RunScores]) -> list[EvaluatedModel]:
    """The runs grouped by model and settings, by start time.

    Camera rotations after the first change no score, so they separate runs only where two would share a table cell.
    """
    groups = grouped(runs, lambda scored: _key(scored.run, turns=False))
    separate = [part for group in groups.values() for part in _apart(group)]
    names = _names([group[0].run for group in separate])
    return [
        EvaluatedModel(name, _setting(group[0].run, turns=False), {scored.run.condition: scored for scored in group})
        for group, name in zip(separate, names, strict=True)
    ]


def _apart(group: Sequence[RunScores]) -> Iterator[list[RunScores]]:
    if len({scored.run.condition for scored in group}) == len(group):
        yield list(group)
        return
    parts = grouped(group, lambda scored: _key(scored.run, turns=True))
    yield from parts.values()


def _key(run: Run, *, turns: bool) -> str:
    return digest([run.model, {name: str(value) for name, value in _setting(run, turns=turns).items()}])


def _setting(run: Run, *, turns: bool) -> dict[str, object]:
    settings = {**OPTIONS_OF_OLD_LOGS, **run.settings} if run.settings else run.options.as_dict()
    seen = run.options.turns if turns else run.options.turns[:1]
    return {**{name: value for name, value in settings.items() if name not in _CONDITION_OPTIONS}, "turns": list(seen)}


def _names(runs: Sequence[Run]) -> list[str]:
    """Model names, with the settings that differ from the paper's or from other models of the same name."""
    settings = [(run.name, {"model": run.model, **_setting(run, turns=True)}) for run in runs]
    separate = distinguishing_settings(settings, PAPER_SETTINGS)
    return [", ".join(filter(None, (run.name, words))) for run, words in zip(runs, separate, strict=True)]
