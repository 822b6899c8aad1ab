"""Runs from logs: the scenes of one model under one set of options, each scored under both rule sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.record import ScoredCase, read_record
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.report.log_files import SampleAddress, Tell
from tolman.report.model_run import ModelRun, put_together
from tolman.report.theory_of_space.log_files import open_logs
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
class Run(ModelRun[Options, FinishedScene]):
    """One model in scenes of one world, exploring or told."""

    @property
    def mode(self) -> Mode:
        return self.options.mode

    @property
    def world(self) -> World:
        return self.options.world


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = silently, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs: by world, text first, then by mode, then as they were begun.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = put_together(open_logs(paths, tell), _finished, Run, tell, track, jobs)
    return sorted(runs, key=lambda run: (run.world, run.mode))


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedScene:
    return finish(read_record(metadata, stored))
