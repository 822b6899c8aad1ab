"""Runs from logs: the pictures of one model asked in one way, each scored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, cast

from tolman.benchmarks.sparrta.sparrta_options import SparrtaOptions
from tolman.benchmarks.sparrta.sparrta_record import LoggedCase, options_from_dict, read_record
from tolman.benchmarks.sparrta.sparrta_scores import ScoredAnswer, score_case
from tolman.errors import SettingsError, TolmanError
from tolman.report.log_files import LogFile, SampleAddress, Tell, find_logs, log_paths, one_line
from tolman.report.names import shown_model
from tolman.report.told_scenes import told_scenes
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
class Run:
    """One model under one set of options."""

    model: str
    """As Inspect names it."""
    options: SparrtaOptions
    cases: list[FinishedPicture]
    failed: list[tuple[str, str]]
    """Pictures that ended with an error, and the error in one line."""
    planned: int
    """Number of pictures; what is neither finished nor failed was not done."""
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    """Options and whatever else may tell two runs of a model apart: data, temperature, effort."""

    @property
    def name(self) -> str:
        """The model as tables show it."""
        return shown_model(self.model)

    @property
    def not_done(self) -> int:
        return max(0, self.planned - len(self.cases) - len(self.failed))


def finish(logged: LoggedCase) -> FinishedPicture:
    """Score a record."""
    return FinishedPicture(logged, score_case(logged))


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = silently, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, as they were begun; those that ask for thoughts come last.

    Several logs of one run add up; a picture that finished in more than one counts as the latest tells it. `jobs` is
    the number of processes that read and score, -1 for all cores.
    """
    logs: dict[str, list[SparrtaLog]] = {}
    for log in open_logs(paths, tell):
        logs.setdefault(log.key, []).append(log)
    runs = [_run(group, tell, track, jobs) for group in logs.values()]
    return sorted(runs, key=lambda run: run.options.think)


def open_logs(paths: Sequence[Path], tell: Tell) -> list[SparrtaLog]:
    """The logs of SpaRRTa in files and folders, oldest first. Other tasks are passed over."""
    ours = [log for log in find_logs(paths, tell) if log.task.startswith(TASK)]
    opened = [known for log in ours if (known := _known(log, tell)) is not None]
    if not opened:
        where, count = ", ".join(map(str, paths)), len(log_paths(paths))
        raise SettingsError(f"{where}: none of the {count} logs there is a readable one of SpaRRTa")
    return opened


def _known(log: LogFile, tell: Tell) -> SparrtaLog | None:
    try:
        logged = cast("Mapping[str, Any]", (log.header.eval.metadata or {})["options"])
        return SparrtaLog(log.path, log.header, options_from_dict(logged))
    except (TolmanError, KeyError, TypeError, AttributeError, ValueError) as error:
        tell(f"{log.path} was written by another version of Tolman, and is left out ({one_line(error)})")
        return None


def _run(logs: Sequence[SparrtaLog], tell: Tell, track: Track, jobs: int) -> Run:
    """A run from its logs, oldest first."""
    latest = logs[-1]
    told = told_scenes(logs, _finished, tell, track, jobs)
    cases = [replace(picture, address=address) for picture, address in told.finished]
    return Run(latest.model, latest.options, cases, told.failed, told.planned, latest.settings)


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedPicture:
    return finish(read_record(metadata, stored))
