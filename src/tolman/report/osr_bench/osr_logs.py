"""Runs of OSR-Bench from logs: the scenes of one model asked in one way, each scored under both rule sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple, cast

from tolman.benchmarks.osr_bench.osr_options import MapMode, OsrOptions
from tolman.benchmarks.osr_bench.osr_record import LoggedCase, read_record
from tolman.benchmarks.osr_bench.osr_rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.osr_scores import OsrScores, score_case
from tolman.benchmarks.osr_bench.question import ASKED, AskedSet
from tolman.errors import SettingsError, TolmanError
from tolman.report.log_files import LogFile, SampleAddress, Tell, find_logs, log_paths, one_line
from tolman.report.names import shown_model
from tolman.report.told_scenes import told_scenes
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
class Run:
    """One model under one set of options."""

    model: str
    """As Inspect names it."""
    options: OsrOptions
    cases: list[FinishedScene]
    failed: list[tuple[str, str]]
    """Scenes that ended with an error, and the error in one line."""
    planned: int
    """Number of scenes; what is neither finished nor failed was not done."""
    settings: Mapping[str, object] = field(default_factory=dict[str, object])
    """Options and whatever else may tell two runs of a model apart: data, temperature, effort."""

    @property
    def name(self) -> str:
        """The model as tables show it."""
        return shown_model(self.model)

    @property
    def way(self) -> Way:
        return Way(self.options.asked, self.options.mode, self.options.think)

    @property
    def not_done(self) -> int:
        return max(0, self.planned - len(self.cases) - len(self.failed))


def finish(logged: LoggedCase) -> FinishedScene:
    """Score a record under both rule sets."""
    return FinishedScene(logged, {rules.name: score_case(logged, rules) for rules in (STRICT, PUBLISHED)})


def read_runs(paths: Sequence[Path], tell: Tell, track: Track = silently, jobs: int = 1) -> list[Run]:
    """The runs in files and folders of logs, standard questions first, then by map, then as they were begun.

    Several logs of one run add up; a scene that finished in more than one counts as the latest tells it. `jobs` is the
    number of processes that read and score, -1 for all cores.
    """
    logs: dict[str, list[OsrLog]] = {}
    for log in open_logs(paths, tell):
        logs.setdefault(log.key, []).append(log)
    runs = [_run(group, tell, track, jobs) for group in logs.values()]
    return sorted(runs, key=lambda run: (ASKED.index(run.way.asked), run.way.think, MODES.index(run.way.mode)))


def open_logs(paths: Sequence[Path], tell: Tell) -> list[OsrLog]:
    """The logs of OSR-Bench in files and folders, oldest first. Other tasks are passed over."""
    ours = [log for log in find_logs(paths, tell) if log.task.startswith(TASK)]
    opened = [known for log in ours if (known := _known(log, tell)) is not None]
    if not opened:
        where, count = ", ".join(map(str, paths)), len(log_paths(paths))
        raise SettingsError(f"{where}: none of the {count} logs there is a readable one of OSR-Bench")
    return opened


def _known(log: LogFile, tell: Tell) -> OsrLog | None:
    try:
        logged = cast("Mapping[str, Any]", (log.header.eval.metadata or {})["options"])
        values = {name: tuple(cast("list[Any]", v)) if isinstance(v, list) else v for name, v in logged.items()}
        return OsrLog(log.path, log.header, OsrOptions(**cast("Any", values)))
    except (TolmanError, KeyError, TypeError, AttributeError) as error:
        tell(f"{log.path} was written by another version of Tolman, and is left out ({one_line(error)})")
        return None


def _run(logs: Sequence[OsrLog], tell: Tell, track: Track, jobs: int) -> Run:
    """A run from its logs, oldest first."""
    latest = logs[-1]
    told = told_scenes(logs, _finished, tell, track, jobs)
    cases = [replace(scene, address=address) for scene, address in told.finished]
    return Run(latest.model, latest.options, cases, told.failed, told.planned, latest.settings)


def _finished(metadata: Mapping[str, object], stored: object) -> FinishedScene:
    return finish(read_record(metadata, stored))
