"""Runs from logs: the scenes of one model under one set of options, each scored under both rule sets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from inspect_ai.log import EvalSample

from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.record import STORE_KEY, ScoredCase, read_record
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.errors import TolmanError
from tolman.report.theory_of_space.log_files import LogFile, Tell, open_logs
from tolman.report.theory_of_space.names import printable, shown_model
from tolman.rules import PUBLISHED, STRICT, RuleSetName
from tolman.spread import spread

T = TypeVar("T")


class Track(Protocol):
    """Goes through things and shows how far it has come."""

    def __call__(self, things: Sequence[T], description: str) -> Iterable[T]: ...


def _silently(things: Sequence[T], description: str) -> Iterable[T]:
    del description
    return things


@dataclass(frozen=True)
class FinishedScene:
    """A scene that was lived through to its end, with its scores."""

    logged: ScoredCase
    scores: Mapping[RuleSetName, SceneScores]

    @property
    def id(self) -> str:
        return self.logged.case.id


def finish(logged: ScoredCase) -> FinishedScene:
    """Score a record under both rule sets."""
    return FinishedScene(logged, {rules.name: logged.scores(rules) for rules in (STRICT, PUBLISHED)})


@dataclass(frozen=True)
class Run:
    """One model under one set of options."""

    model: str
    """As Inspect names it."""
    options: Options
    cases: list[FinishedScene]
    failed: list[tuple[str, str]]
    """Scenes that ended with an error, and the error in one line."""
    planned: int
    """Number of scenes; what is neither finished nor failed was not done."""
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    """Options and whatever else may tell two runs of a model apart: rooms, temperature, effort."""

    @property
    def name(self) -> str:
        """The model as tables show it."""
        return shown_model(self.model)

    @property
    def mode(self) -> Mode:
        return self.options.mode

    @property
    def world(self) -> World:
        return self.options.world

    @property
    def not_done(self) -> int:
        return max(0, self.planned - len(self.cases) - len(self.failed))


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = _silently, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs: by world, text first, then by mode, then as they were begun.

    Several logs of one run add up; a scene that finished in more than one counts as the latest tells it. `jobs` is the
    number of processes that read and score, -1 for all cores.
    """
    logs: dict[str, list[LogFile]] = {}
    for log in open_logs(paths, tell):
        logs.setdefault(log.key, []).append(log)
    runs = [_run(group, tell, track, jobs) for group in logs.values()]
    return sorted(runs, key=lambda run: (run.world, run.mode))


def _run(logs: Sequence[LogFile], tell: Tell, track: Track, jobs: int) -> Run:
    """A run from its logs, oldest first."""
    latest = logs[-1]
    planned = list(dict.fromkeys(scene for log in logs for scene in log.planned))
    asked = [([log for log in logs if planned_scene in log.planned], *planned_scene) for planned_scene in planned]
    outcomes = spread(_told, asked, jobs)
    cases: list[FinishedScene] = []
    failed: list[tuple[str, str]] = []
    for scene, _ in track(planned, shown_model(latest.model)):
        outcome, warnings = next(outcomes)
        for warning in warnings:
            tell(warning)
        if isinstance(outcome, FinishedScene):
            cases.append(outcome)
        elif outcome is not None:
            failed.append((scene, outcome))
    return Run(latest.model, latest.options, cases, failed, len(planned), latest.settings)


def _told(asked: tuple[Sequence[LogFile], str, int]) -> tuple[FinishedScene | str | None, list[str]]:
    """What became of a scene, and the warnings on the way: a worker can't tell them itself."""
    warnings: list[str] = []
    return _latest(*asked, warnings.append), warnings


def _latest(logs: Sequence[LogFile], scene: str, epoch: int, tell: Tell) -> FinishedScene | str | None:
    """What the latest log says in which a scene finished, else why it failed last; None if it never ended."""
    reason: str | None = None
    for log in reversed(logs):
        sample = log.sample(scene, epoch, tell)
        outcome = None if sample is None else _outcome(sample)
        if isinstance(outcome, FinishedScene):
            return outcome
        reason = reason or outcome
    return reason


def _outcome(sample: EvalSample) -> FinishedScene | str:
    """A scene with its scores, or why it has none."""
    if sample.error is not None:
        return _one_line(sample.error.message)
    if sample.limit is not None:
        return f"stopped at its limit of {sample.limit.limit:g} ({sample.limit.type})"
    if STORE_KEY not in sample.store:
        return "its log holds no record"
    try:
        return finish(read_record(sample.metadata, sample.store[STORE_KEY]))
    except TolmanError as error:
        return _one_line(str(error))


def _one_line(message: str) -> str:
    return printable(" ".join(message.split()))[:200] or "it gave no reason"
