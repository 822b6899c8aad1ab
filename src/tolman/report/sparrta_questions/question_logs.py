"""Runs from logs: the pictures of one model asked in one way, each scored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from tolman.benchmarks.sparrta.sparrta_options import SparrtaOptions
from tolman.benchmarks.sparrta.sparrta_record import LoggedCase, options_from_dict, read_record
from tolman.benchmarks.sparrta.sparrta_scores import ScoredAnswer, score_case
from tolman.report.log_files import LogFile, SampleAddress, Tell, logs_of
from tolman.report.model_run import ModelRun, put_together
from tolman.report.track import Track, silently

TASK = "sparrta"
OWN = "own pictures"
"""Stands for pictures that were made for the run."""
_OWN = ("balanced", "preset", "models")
"""Options that change what such pictures are like."""


@dataclass(frozen=True)
class SparrtaLog(LogFile):
    """One log, of which only the header has been read."""

    options: SparrtaOptions

    @property
    def settings(self) -> dict[str, object]:
        """All that sets an evaluation apart from others of the same model: options, data, generation.

        Of a folder only its name tells: the same data may lie elsewhere. Which pictures of our own were asked about
        does not matter: logs on several environments are one run.
        """
        given = self.header.eval.task_args
        data = PurePath(str(given.get("data") or "")).name
        own = {} if data else {name: given[name] for name in _OWN if name in given}
        return {**self.options.as_dict(), "data": data or OWN, **own, **super().settings}


@dataclass(frozen=True)
class FinishedPicture:
    """A picture to which all replies came, with its scores."""

    logged: LoggedCase
    answers: tuple[ScoredAnswer, ...]
    address: SampleAddress | None = field(default=None, compare=False)
    """Where it is logged, if it was read from a log."""

    @property
    def id(self) -> str:
        return self.logged.case.id


@dataclass(frozen=True)
class Run(ModelRun[SparrtaOptions, FinishedPicture]):
    """One model asked in one way."""


def finish(logged: LoggedCase) -> FinishedPicture:
    """Score a record."""
    return FinishedPicture(logged, score_case(logged))


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = silently, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, as they were begun; those that ask for thoughts come last.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    runs = put_together(open_logs(paths, tell), _finished, Run, tell, track, jobs)
    return sorted(runs, key=lambda run: run.options.think)


def open_logs(paths: Sequence[Path], tell: Tell) -> list[SparrtaLog]:
    """The logs of SpaRRTa in files and folders, oldest first. Other tasks are passed over."""
    return logs_of(TASK, "SpaRRTa", paths, tell, lambda path, header, o: SparrtaLog(path, header, options_from_dict(o)))


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedPicture:
    return finish(read_record(metadata, stored))
