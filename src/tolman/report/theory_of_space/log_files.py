"""Log files of Theory of Space, each with the options it was run under."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tolman.benchmarks.theory_of_space.options import Options
from tolman.report.log_files import LogFile as AnyLog
from tolman.report.log_files import Tell, logs_of

TASK = "theory_of_space"


@dataclass(frozen=True)
class LogFile(AnyLog):
    """One log, of which only the header has been read."""

    options: Options

    @property
    def settings(self) -> dict[str, object]:
        """All that sets an evaluation apart from others of the same model: its options, worlds and generation."""
        about = self.header.eval
        worlds = {name: about.task_args[name] for name in ("rooms", "things") if name in about.task_args}
        return {**self.options.as_dict(), **worlds, **super().settings}


def open_logs(paths: Sequence[Path], tell: Tell) -> list[LogFile]:
    """The logs of Theory of Space in files and folders, oldest first. Other tasks are passed over."""
    return logs_of(TASK, "Theory of Space", paths, tell, lambda path, header, o: LogFile(path, header, _options(o)))


def _options(logged: Mapping[str, object]) -> Options:
    values = {name: tuple(cast("list[Any]", v)) if isinstance(v, list) else v for name, v in logged.items()}
    return Options(**cast("Any", values))
