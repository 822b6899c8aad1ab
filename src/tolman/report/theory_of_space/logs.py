"""Runs from logs: the scenes of one model under one set of options, each scored under both rule sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.record import ScoredCase, read_record
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.report.log_files import SampleAddress, Tell
from tolman.report.names import shown_model
from tolman.report.theory_of_space.log_files import LogFile, open_logs
from tolman.report.told_scenes import told_scenes
from tolman.report.track import Track, silently
from tolman.rules import PUBLISHED, STRICT, RuleSetName


@dataclass(frozen=True)
class FinishedScene:
    """A scene that was lived through to its end, with its scores."""

    logged: ScoredCase
    scores: Mapping[RuleSetName, SceneScores]
    address: SampleAddress | None = field(default=None, compare=False)
    """Where it is logged, if it was read from a log."""

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


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = silently, jobs: int = 1) -> list[Run]:
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
    told = told_scenes(logs, _finished, tell, track, jobs)
    cases = [replace(scene, address=address) for scene, address in told.finished]
    return Run(latest.model, latest.options, cases, told.failed, told.planned, latest.settings)


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedScene:
    return finish(read_record(metadata, stored))
