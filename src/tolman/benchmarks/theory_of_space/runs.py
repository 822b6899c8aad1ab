"""Runs read from Inspect logs: the scenes of one model under one set of options, each scored under both rule sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.record import RECORDS, ScoredCase, read_record
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.core.parallel import Tell, Track, untracked
from tolman.core.rules import PUBLISHED, STRICT, RuleSetName
from tolman.harness.logs import LogFile, logs_of
from tolman.harness.runs import FinishedCase, ModelRun, collect_runs, finishing

TASK = "theory_of_space"


@dataclass(frozen=True)
class TheoryOfSpaceLog(LogFile):
    """One log, of which only the header has been read."""

    options: Options

    @property
    def settings(self) -> dict[str, object]:
        """Everything by which runs of the same model may differ: options, world size and generation settings."""
        about = self.header.eval
        worlds = {name: about.task_args[name] for name in ("rooms", "things") if name in about.task_args}
        options = self.options.as_dict()
        if not self.options.choices:
            del options["choices"]
        return {**options, **worlds, **super().settings}


def open_logs(paths: Sequence[Path], tell: Tell) -> list[TheoryOfSpaceLog]:
    """The logs of Theory of Space in files and folders, oldest first. Logs of other tasks are skipped."""
    return logs_of(
        TASK,
        "Theory of Space",
        paths,
        tell,
        lambda path, header, o: TheoryOfSpaceLog(path, header, RECORDS.read_options(o)),
    )


class ScoredScene(FinishedCase[ScoredCase, Mapping[RuleSetName, SceneScores]]):
    """A finished scene with its scores."""


def score_record(logged: ScoredCase) -> ScoredScene:
    """Score a record under both rule sets."""
    return ScoredScene(logged, {rules.name: logged.scores(rules) for rules in (STRICT, PUBLISHED)})


@dataclass(frozen=True)
class TheoryOfSpaceRun(ModelRun[Options, ScoredScene]):
    """One model in scenes of one world (text or vision) and mode (active or passive)."""

    @property
    def mode(self) -> Mode:
        return self.options.mode

    @property
    def world(self) -> World:
        return self.options.world


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = untracked, jobs: int = 1) -> list[TheoryOfSpaceRun]:
    """The runs in files and folders of logs: by world, text first, then by mode, then by start time.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = collect_runs(
        open_logs(paths, tell), finishing(read_record, score_record), TheoryOfSpaceRun, tell, track, jobs
    )
    return sorted(runs, key=lambda run: (run.world, run.mode))
