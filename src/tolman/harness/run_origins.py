"""Where a run comes from, as its log says: when it was started, with which version and commit, and by which command."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, cast

from tolman.core.errors import TolmanError
from tolman.harness.logs import LogFile
from tolman.harness.names import printable
from tolman.harness.options import Option, options_of
from tolman.harness.records import VERSION_KEY
from tolman.harness.registry import BENCHMARKS, find_benchmark

_OWN_FLAGS = ("temperature", "max_tokens", "reasoning_effort")
"""Settings of a model that have a flag of their own; others are given with `--set`."""
_LEFT_OUT = "..."


@dataclass(frozen=True)
class RunOrigin:
    """When and how a run was started."""

    date: str
    """Day of the first call, such as 2026-11-18 (UTC)."""
    version: str
    """Of Tolman; empty in logs of versions that did not record it."""
    commit: str
    """Of the git repository in whose folder the command was run; empty where there was none."""
    command: str
    """The `tolman eval` line, with names instead of full paths and without addresses, which may be private."""

    @property
    def about(self) -> str:
        """Date, version and commit in one line."""
        version = f"Tolman {self.version}" if self.version else ""
        commit = f"run in a checkout of commit {self.commit}" if self.commit else ""
        return ", ".join(filter(None, (self.date, version, commit)))


def origin_of(log: LogFile) -> RunOrigin:
    """The origin of the run that a log is of."""
    about, revision = log.header.eval, log.header.eval.revision
    version = printable(str((about.metadata or {}).get(VERSION_KEY) or ""))[:40]
    commit = "" if revision is None else printable(revision.commit)[:40] + ("+changes" if revision.dirty else "")
    return RunOrigin(printable(about.created)[:10], version, commit, " ".join(_command(log)))


def _command(log: LogFile) -> Iterator[str]:
    about, name = log.header.eval, log.task.replace("_", "-")
    yield f"tolman eval {shlex.quote(printable(name))}"
    model = "replay/SOURCE" if about.model.startswith("replay/") else about.model
    yield f"--model {shlex.quote(printable(model))}"
    yield from _options(name, cast("Mapping[str, object]", about.task_args))
    given: dict[str, object] = about.model_generate_config.model_dump(mode="json", exclude_none=True)
    for key, value in given.items():
        if key in log.settings and isinstance(value, str | int | float):
            shown = shlex.quote(printable(str(value)))
            yield f"--{key.replace('_', '-')} {shown}" if key in _OWN_FLAGS else f"--set {key}={shown}"
    for key, value in cast("Mapping[str, Any]", about.model_args).items():
        plain = value if isinstance(value, bool | int | float) else _LEFT_OUT
        yield f"--model-arg {shlex.quote(printable(f'{key}={plain}'))}"


def _options(name: str, given: Mapping[str, object]) -> Iterator[str]:
    """Flags of the options whose values are not the defaults."""
    try:
        benchmark = find_benchmark(name) if name in BENCHMARKS else None
    except (TolmanError, ImportError):
        return
    if benchmark is None:
        return
    several = benchmark.several
    for option in (*options_of(benchmark.selection_class), *options_of(benchmark.options_class)):
        if option.name not in given or option.hidden:
            continue
        value = given[option.name]
        if option.name in several or option.read(value) != option.read(option.default):
            yield _flag(option, value)


def _flag(option: Option, value: object) -> str:
    name = option.name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{'' if value else 'no-'}{name}"
    shown = PurePath(str(value)).name if option.kind is str else str(value)
    return f"--{name} {shlex.quote(printable(shown))}"
