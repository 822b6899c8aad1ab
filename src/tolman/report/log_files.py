"""Log files of a benchmark: found, opened, and each told apart by who was evaluated and how."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_sample

from tolman.errors import SettingsError, TolmanError
from tolman.limits import TooLargeError
from tolman.report.log_limits import check_log
from tolman.seeds import digest

Tell = Callable[[str], None]
"""Takes one line that warns."""

_UNREAD = {"events", "events_data", "messages", "output", "attachments", "scores", "error_retries", "timelines"}
"""Parts of a sample that no table needs. The record is in its store, which Inspect keeps word for word."""
_TRANSPORT = {
    *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections", "adaptive_connections"),
    *("cache", "cache_prompt", "batch", "extra_headers", "logprobs", "top_logprobs", "prompt_logprobs"),
}
"""Settings of a provider that do not change what a model says."""


@dataclass(frozen=True)
class SampleAddress:
    """Where in which log a scene is told of."""

    log: Path
    sample: str | int
    epoch: int


@dataclass(frozen=True)
class LogFile:
    """One log, of which only the header has been read."""

    path: Path
    header: EvalLog

    @property
    def model(self) -> str:
        return self.header.eval.model

    @property
    def task(self) -> str:
        """Its plain name, such as `theory_of_space`."""
        return (self.header.eval.task_registry_name or self.header.eval.task).rpartition("/")[2]

    @property
    def settings(self) -> dict[str, object]:
        """All that sets an evaluation apart from others of the same model: weights and generation."""
        about = self.header.eval
        weights = {"model_path": about.model_args["model_path"]} if "model_path" in about.model_args else {}
        generation: dict[str, object] = {}
        for config in (about.model_generate_config, self.header.plan.config):
            generation |= config.model_dump(mode="json", exclude_none=True, exclude=_TRANSPORT)
        return {**weights, **generation}

    @property
    def key(self) -> str:
        """The same for all logs of one run."""
        return digest([self.model, {name: str(value) for name, value in self.settings.items()}])

    @cached_property
    def planned(self) -> list[tuple[str, int]]:
        """Scenes that were to be run, each with the number of its epoch."""
        about = self.header.eval
        epochs = range(1, (about.config.epochs or 1) + 1)
        return [(str(scene), epoch) for scene in about.dataset.sample_ids or () for epoch in epochs]

    def sample(self, scene: str, epoch: int, tell: Tell) -> EvalSample | None:
        """What is logged of a scene; None where it never ended, or its part of the log is damaged."""
        known = {str(name): name for name in self.header.eval.dataset.sample_ids or ()}
        try:
            return read_eval_log_sample(str(self.path), known[scene], epoch, exclude_fields=_UNREAD)
        except IndexError:
            return None
        except Exception as error:  # whatever a damaged file makes its readers raise
            tell(f"{self.path}: scene {scene} can't be read, and counts as not done ({one_line(error)})")
            return None


L = TypeVar("L")
Known = Callable[[Path, EvalLog, Mapping[str, Any]], L]
"""Makes a log of a benchmark from its path, its header, and the options that it was run under."""


def find_logs(paths: Sequence[Path], tell: Tell) -> list[LogFile]:
    """All logs in files and folders that can be opened, whatever they are of, oldest first."""
    opened = [log for file in log_paths(paths) if (log := _open(file, tell)) is not None]
    return sorted(opened, key=lambda log: (log.header.eval.created, log.path.name))


def logs_of(task: str, title: str, paths: Sequence[Path], tell: Tell, known: Known[L]) -> list[L]:
    """The logs of a benchmark in files and folders, oldest first. Other tasks are passed over."""
    ours = [log for log in find_logs(paths, tell) if log.task.startswith(task)]
    opened = [found for log in ours if (found := _known(log, known, tell)) is not None]
    if not opened:
        where, count = ", ".join(map(str, paths)), len(log_paths(paths))
        raise SettingsError(f"{where}: none of the {count} logs there is a readable one of {title}")
    return opened


def _known(log: LogFile, known: Known[L], tell: Tell) -> L | None:
    try:
        return known(log.path, log.header, (log.header.eval.metadata or {})["options"])
    except (TolmanError, KeyError, TypeError, AttributeError, ValueError) as error:
        tell(f"{log.path} was written by another version of Tolman, and is left out ({one_line(error)})")
        return None


def log_paths(paths: Sequence[Path]) -> list[Path]:
    """The log files that paths name, each once."""
    return list(dict.fromkeys(file for path in paths for file in _files(path)))


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise SettingsError(f"there is no {path}; name a folder of logs, or a log (*.eval)")
    found = sorted(path.rglob("*.eval"))
    if not found:
        raise SettingsError(f"{path} holds no logs (*.eval); `tolman eval` writes some and says where")
    yield from found


def _open(file: Path, tell: Tell) -> LogFile | None:
    try:
        check_log(file)
        return LogFile(file, read_eval_log(str(file), header_only=True))
    except TooLargeError as error:
        tell(f"{file} is too large, and is left out: {one_line(error)}")
        return None
    except Exception as error:  # whatever a damaged file makes its readers raise
        tell(f"{file} is damaged, and is left out ({one_line(error)})")
        return None


def one_line(error: Exception) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__
