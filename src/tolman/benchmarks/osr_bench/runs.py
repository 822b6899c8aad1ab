"""Runs read from logs, scored under both rule sets with confidence intervals, and grouped by evaluated model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, NamedTuple, cast

from tolman.benchmarks.osr_bench.judge import Agreement, judge_agreement
from tolman.benchmarks.osr_bench.options import OPTIONS_OF_OLD_LOGS, MapMode, Options
from tolman.benchmarks.osr_bench.questions.question import ASKED, AskedSet
from tolman.benchmarks.osr_bench.record import LoggedCase, read_record
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT, find_rules
from tolman.benchmarks.osr_bench.scores import TurnScores, score_case, score_columns
from tolman.core.rules import RuleSetName
from tolman.core.seeds import digest
from tolman.harness.logs import LogFile, SampleAddress, Tell, logs_of
from tolman.harness.names import differences
from tolman.harness.runs import ModelRun, Track, collect_runs, untracked
from tolman.report.price_tables import Price, price
from tolman.report.statistics import UNKNOWN, Interval, pooled_interval
from tolman.world.select import seeds_in

TASK = "osr_bench"
MODES: tuple[MapMode, ...] = ("first", "none", "true")
"""In the order of the paper's tables."""


class Condition(NamedTuple):
    """One way to ask: which questions, with which map in hand, and whether thoughts are asked for."""

    asked: AskedSet
    mode: MapMode
    think: bool


@dataclass(frozen=True)
class Log(LogFile):
    """One log, of which only the header has been read."""

    options: Options

    @property
    def settings(self) -> dict[str, object]:
        """All that sets an evaluation apart from others of the same model: options, where rooms are from, generation.

        Of a folder only its name tells: the same data may lie elsewhere.
        """
        data = str(self.header.eval.task_args.get("data", ""))
        source = "seeds" if not data or seeds_in(data) is not None else PurePath(data).name
        return {**self.options.as_dict(), "data": source, **super().settings}


@dataclass(frozen=True)
class FinishedScene:
    """A scene that was gone through to its end, with its scores for each turn of the camera."""

    logged: LoggedCase
    scores: Mapping[RuleSetName, tuple[TurnScores, ...]]
    address: SampleAddress | None = field(default=None, compare=False)
    """Where it is logged, if it was read from a log."""

    @property
    def id(self) -> str:
        return self.logged.case.id


@dataclass(frozen=True)
class Run(ModelRun[Options, FinishedScene]):
    """One model asked in one way."""

    @property
    def way(self) -> Condition:
        return Condition(self.options.asked, self.options.mode, self.options.think)


def finish(logged: LoggedCase) -> FinishedScene:
    """Score a record under both rule sets."""
    return FinishedScene(logged, {rules.name: score_case(logged, rules) for rules in (STRICT, PUBLISHED)})


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = untracked, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, standard questions first, then by map, then as they were begun.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = collect_runs(open_logs(paths, tell), _finished, Run, tell, track, jobs)
    return sorted(runs, key=lambda run: (ASKED.index(run.way.asked), run.way.think, MODES.index(run.way.mode)))


def open_logs(paths: Sequence[Path], tell: Tell) -> list[Log]:
    """The logs of OSR-Bench in files and folders, oldest first. Other tasks are passed over."""
    return logs_of(TASK, "OSR-Bench", paths, tell, lambda path, header, o: Log(path, header, _options(o)))


def _options(logged: Mapping[str, object]) -> Options:
    values = {
        name: tuple(cast("list[Any]", v)) if isinstance(v, list) else v
        for name, v in {**OPTIONS_OF_OLD_LOGS, **logged}.items()
    }
    return Options(**cast("Any", values))


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedScene:
    return finish(read_record(metadata, stored))


MAP_TITLES = {"first": "own map", "none": "no map", "true": "true map"}


def condition_title(way: Condition) -> str:
    """Such as `Standard questions, own map, vanilla`."""
    return f"{way.asked.capitalize()} questions, {MAP_TITLES[way.mode]}, {'think' if way.think else 'vanilla'}"


def condition_name(way: Condition) -> str:
    """A plain name for addresses, such as `standard-first-plain`."""
    return f"{way.asked}-{way.mode}-{'think' if way.think else 'plain'}"


RULE_SETS: tuple[RuleSetName, ...] = ("strict", "published")
"""In the order in which they are shown."""

ByScene = Mapping[str, tuple[float, ...]]
"""Values of one column, by scene."""


@dataclass(frozen=True)
class ScoreColumns:
    """The columns of a run under one rule set."""

    values: Mapping[str, ByScene]
    intervals: Mapping[str, Interval]

    def interval(self, column: str) -> Interval:
        return self.intervals.get(column, UNKNOWN)


@dataclass(frozen=True)
class RunScores:
    """A run in numbers."""

    run: Run
    measured: Mapping[RuleSetName, ScoreColumns]
    agreement: Mapping[RuleSetName, Agreement]
    """Of the judge with the rules, over all answers that it was asked about."""
    price: Price


def run_scores(run: Run) -> RunScores:
    """Everything about a run."""
    logged = [case.logged for case in run.cases]
    return RunScores(
        run=run,
        measured={rules: _measured(run.cases, rules) for rules in RULE_SETS},
        agreement={rules: judge_agreement(logged, find_rules(rules)) for rules in RULE_SETS},
        price=price([case.record.calls for case in logged]),
    )


def _measured(scenes: Sequence[FinishedScene], rules: RuleSetName) -> ScoreColumns:
    values: dict[str, dict[str, tuple[float, ...]]] = {}
    for scene in scenes:
        for column, found in score_columns(scene.scores[rules]).items():
            by_scene = values.setdefault(column, {})
            by_scene[scene.id] = by_scene.get(scene.id, ()) + found
    intervals = {column: pooled_interval(list(by_scene.values())) for column, by_scene in values.items()}
    return ScoreColumns(values, intervals)


_WAY = ("asked", "mode", "think")
_BY_DATA = ("turns", "rules", "class_list")
PAPER_SETTINGS = {name: value for name, value in Options().as_dict().items() if name not in (*_WAY, *_BY_DATA)}
"""Settings of the paper's main experiments; a model that was run otherwise says so in its name."""


@dataclass(frozen=True)
class EvaluatedModel:
    """One model in one setting."""

    name: str
    settings: Mapping[str, object]
    """All but the ways in which it was asked."""
    ways: Mapping[Condition, RunScores]

    @property
    def runs(self) -> Iterable[RunScores]:
        return self.ways.values()

    def modes(self, asked: AskedSet, *, think: bool) -> dict[str, RunScores]:
        """The runs with one set of questions, by the map that the model had in hand."""
        return {mode: self.ways[way] for mode in MODES if (way := Condition(asked, mode, think)) in self.ways}


def evaluated_models(runs: Sequence[RunScores]) -> list[EvaluatedModel]:
    """The runs by who was asked, as they were begun.

    Turns of the camera beyond the first do not tell two runs apart, as they change no score, unless there would be two
    for one place in a table.
    """
    groups: dict[str, list[RunScores]] = {}
    for known in runs:
        groups.setdefault(_key(known.run, turns=False), []).append(known)
    apart = [part for group in groups.values() for part in _apart(group)]
    names = _names([group[0].run for group in apart])
    return [
        EvaluatedModel(name, _setting(group[0].run, turns=False), {known.run.way: known for known in group})
        for group, name in zip(apart, names, strict=True)
    ]


def _apart(group: Sequence[RunScores]) -> Iterator[list[RunScores]]:
    if len({known.run.way for known in group}) == len(group):
        yield list(group)
        return
    parts: dict[str, list[RunScores]] = {}
    for known in group:
        parts.setdefault(_key(known.run, turns=True), []).append(known)
    yield from parts.values()


def _key(run: Run, *, turns: bool) -> str:
    return digest([run.model, {name: str(value) for name, value in _setting(run, turns=turns).items()}])


def _setting(run: Run, *, turns: bool) -> dict[str, object]:
    settings = {**OPTIONS_OF_OLD_LOGS, **run.settings} if run.settings else run.options.as_dict()
    seen = run.options.turns if turns else run.options.turns[:1]
    return {**{name: value for name, value in settings.items() if name not in _WAY}, "turns": list(seen)}


def _names(runs: Sequence[Run]) -> list[str]:
    """The model, and what sets it apart from other subjects of its name and from the way the paper did it."""
    named: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        named.setdefault(run.name, []).append(place)
    found = [""] * len(runs)
    for name, places in named.items():
        settings = [{"model": runs[place].model, **_setting(runs[place], turns=True)} for place in places]
        usual = {key: value for key, value in PAPER_SETTINGS.items() if key in settings[0]}
        for place, apart in zip(places, differences([{**settings[0], **usual}, *settings])[1:], strict=True):
            found[place] = f"{name}, {apart}" if apart else name
    return found
