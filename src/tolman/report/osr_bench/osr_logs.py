"""Runs of OSR-Bench from logs: the scenes of one model asked in one way, each scored under both rule sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, NamedTuple, cast

from tolman.benchmarks.osr_bench.osr_options import UNTOLD, MapMode, OsrOptions
from tolman.benchmarks.osr_bench.osr_record import LoggedCase, read_record
from tolman.benchmarks.osr_bench.osr_rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.osr_scores import OsrScores, score_case
from tolman.benchmarks.osr_bench.question import ASKED, AskedSet
from tolman.report.log_files import LogFile, SampleAddress, Tell, logs_of
from tolman.report.model_run import ModelRun, put_together
from tolman.report.track import Track, silently
from tolman.rules import RuleSetName
from tolman.world.select import seeds_in

TASK = "osr_bench"
MODES: tuple[MapMode, ...] = ("first", "none", "true")
"""In the order of the paper's tables."""


class Way(NamedTuple):
    """One way to ask: which questions, with which map in hand, and whether thoughts are asked for."""

    asked: AskedSet
    mode: MapMode
    think: bool


@dataclass(frozen=True)
class OsrLog(LogFile):
    """One log, of which only the header has been read."""

    options: OsrOptions

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
    scores: Mapping[RuleSetName, tuple[OsrScores, ...]]
    address: SampleAddress | None = field(default=None, compare=False)
    """Where it is logged, if it was read from a log."""

    @property
    def id(self) -> str:
        return self.logged.case.id


@dataclass(frozen=True)
class Run(ModelRun[OsrOptions, FinishedScene]):
    """One model asked in one way."""

    @property
    def way(self) -> Way:
        return Way(self.options.asked, self.options.mode, self.options.think)


def finish(logged: LoggedCase) -> FinishedScene:
    """Score a record under both rule sets."""
    return FinishedScene(logged, {rules.name: score_case(logged, rules) for rules in (STRICT, PUBLISHED)})


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = silently, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, standard questions first, then by map, then as they were begun.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = put_together(open_logs(paths, tell), _finished, Run, tell, track, jobs)
    return sorted(runs, key=lambda run: (ASKED.index(run.way.asked), run.way.think, MODES.index(run.way.mode)))


def open_logs(paths: Sequence[Path], tell: Tell) -> list[OsrLog]:
    """The logs of OSR-Bench in files and folders, oldest first. Other tasks are passed over."""
    return logs_of(TASK, "OSR-Bench", paths, tell, lambda path, header, o: OsrLog(path, header, _options(o)))


def _options(logged: Mapping[str, object]) -> OsrOptions:
    values = {
        name: tuple(cast("list[Any]", v)) if isinstance(v, list) else v for name, v in {**UNTOLD, **logged}.items()
    }
    return OsrOptions(**cast("Any", values))


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedScene:
    return finish(read_record(metadata, stored))
