"""Runs read from Inspect logs: the scenes of one model under one set of options, each scored under both rule sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.record import ScoredCase, read_record
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.core.rules import PUBLISHED, STRICT, RuleSetName
from tolman.harness.logs import LogFile as AnyLog
from tolman.harness.logs import SampleAddress, Tell, logs_of
from tolman.harness.runs import ModelRun, Track, collect_runs, untracked

TASK = "theory_of_space"


@dataclass(frozen=True)
class TheoryOfSpaceLog(AnyLog):
    """One log, of which only the header has been read."""

    options: Options

    @property
    def settings(self) -> dict[str, object]:
        """All that sets an evaluation apart from others of the same model: its options, worlds and generation."""
        about = self.header.eval
        worlds = {name: about.task_args[name] for name in ("rooms", "things") if name in about.task_args}
        return {**self.options.as_dict(), **worlds, **super().settings}


def open_logs(paths: Sequence[Path], tell: Tell) -> list[TheoryOfSpaceLog]:
    """The logs of Theory of Space in files and folders, oldest first. Other tasks are passed over."""
    return logs_of(
        TASK, "Theory of Space", paths, tell, lambda path, header, o: TheoryOfSpaceLog(path, header, _options(o))
    )


def _options(logged: Mapping[str, object]) -> Options:
    values = {name: tuple(cast("list[Any]", v)) if isinstance(v, list) else v for name, v in logged.items()}
    return Options(**cast("Any", values))


@dataclass(frozen=True)
class ScoredScene:
    """A scene that was lived through to its end, with its scores."""

    logged: ScoredCase
    scores: Mapping[RuleSetName, SceneScores]
    address: SampleAddress | None = field(default=None, compare=False)
    """Where it is logged, if it was read from a log."""

    @property
    def id(self) -> str:
        return self.logged.case.id


def score_record(logged: ScoredCase) -> ScoredScene:
    """Score a record under both rule sets."""
    return ScoredScene(logged, {rules.name: logged.scores(rules) for rules in (STRICT, PUBLISHED)})


@dataclass(frozen=True)
class TheoryOfSpaceRun(ModelRun[Options, ScoredScene]):
    """One model in scenes of one world, exploring or told."""

    @property
    def mode(self) -> Mode:
        return self.options.mode

    @property
    def world(self) -> World:
        return self.options.world


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = untracked, jobs: int = 1) -> list[TheoryOfSpaceRun]:
    """The runs in files and folders of logs: by world, text first, then by mode, then as they were begun.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = collect_runs(open_logs(paths, tell), _scored_scene, TheoryOfSpaceRun, tell, track, jobs)
    return sorted(runs, key=lambda run: (run.world, run.mode))


def _scored_scene(metadata: Mapping[str, object], stored: object) -> ScoredScene:
    return score_record(read_record(metadata, stored))
