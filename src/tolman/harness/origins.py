"""Where a run comes from, as its logs say: when it was started, with which version and commit, and by which command.

And which Tolman runs now, from which commit of its checkout, if it runs from one.
"""

import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from tolman import __version__
from tolman.core.errors import TolmanError
from tolman.harness.logs import LogFile
from tolman.harness.names import printable, public_path, usual_log_dir
from tolman.harness.options import Option, options_of
from tolman.harness.records import COMMIT_KEY, IMPORTED_KEY, VERSION_KEY
from tolman.harness.registry import BENCHMARKS, find_benchmark, load
from tolman.models.replay import HUMAN, HUMAN_WITH_TOOLS

_OWN_FLAGS = ("temperature", "max_tokens", "reasoning_effort")
"""Settings of a model that have a flag of their own; others are given with `--set`."""
_LEFT_OUT = "..."

_SOURCE = Path(__file__).parents[3]
"""The checkout, if there is one; in an installed package something else, which holds no `.git`."""
_DESCRIBE = ("describe", "--always", "--exclude", "*", "--abbrev=12", "--dirty=+changes")


def release(version: str = "", commit: str | None = None) -> str:
    """A version in words, such as `Tolman 0.1.0 at commit d8caee6`; unless given, that of the running program."""
    at = own_commit() if commit is None else commit
    return f"Tolman {version or __version__}" + (f" at commit {at}" if at else "")


@cache
def own_commit() -> str:
    """The commit from which Tolman runs, with `+changes` where its files differ; empty if it is not in a checkout."""
    git = shutil.which("git")
    if git is None or not (_SOURCE / ".git").exists():
        return ""
    command = [git, "-C", str(_SOURCE), *_DESCRIBE]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 the arguments are fixed
    return run.stdout.strip() if run.returncode == 0 else ""


@dataclass(frozen=True)
class RunOrigin:
    """When and how a run was started."""

    date: str
    """Day of the first call, such as 2026-11-18 (UTC)."""
    version: str
    """Of Tolman; empty in logs of versions that did not record it."""
    commit: str
    """Of Tolman; empty in logs of versions that did not record it, and where Tolman was not run from a checkout."""
    checkout: str
    """Commit of the git repository in whose folder the command was run; empty where there was none."""
    command: str
    """The command, with names instead of whole paths and without addresses, which may be private."""

    @property
    def about(self) -> str:
        """Date, version and commit in one line."""
        version = release(self.version, self.commit) if self.version else ""
        checkout = f"run in a checkout of commit {self.checkout}" if self.checkout and not self.commit else ""
        return ", ".join(filter(None, (self.date, version, checkout)))


def origin_of(log: LogFile) -> RunOrigin:
    """The origin of the run that a log is of."""
    about, revision = log.header.eval, log.header.eval.revision
    version, commit = (printable(str((about.metadata or {}).get(key) or ""))[:60] for key in (VERSION_KEY, COMMIT_KEY))
    checkout = "" if revision is None else printable(revision.commit)[:40] + ("+changes" if revision.dirty else "")
    return RunOrigin(printable(about.created)[:10], version, commit, checkout, " ".join(_command(log)))


def _command(log: LogFile) -> Iterator[str]:
    name, maker = log.task.replace("_", "-"), log.model.partition("/")[0]
    if maker in (HUMAN, HUMAN_WITH_TOOLS):
        return _play(name, log)
    imported: object = (log.header.eval.metadata or {}).get(IMPORTED_KEY)
    if isinstance(imported, Mapping):
        return _import(name, log, cast("Mapping[str, object]", imported))
    return _evaluation(name, log)


def _evaluation(name: str, log: LogFile) -> Iterator[str]:
    about = log.header.eval
    yield f"tolman eval {_quoted(name)}"
    model = "replay/SOURCE" if about.model.startswith("replay/") else about.model
    yield f"--model {_quoted(model)}"
    yield from _options(name, _given(log), {})
    settings: dict[str, object] = about.model_generate_config.model_dump(mode="json", exclude_none=True)
    for key, value in settings.items():
        if key in log.settings and isinstance(value, str | int | float):
            shown = _quoted(str(value))
            yield f"--{key.replace('_', '-')} {shown}" if key in _OWN_FLAGS else f"--set {key}={shown}"
    for key, value in cast("Mapping[str, Any]", about.model_args).items():
        plain = value if isinstance(value, bool | int | float) or model.startswith("tolman/") else _LEFT_OUT
        yield f"--model-arg {_quoted(f'{key}={plain}')}"
    yield from _log_dir(log.path.parent, usual_log_dir(name, about.model))


def _play(name: str, log: LogFile) -> Iterator[str]:
    """What a person played; logs are in folders by person and scene."""
    maker, _, person = log.model.partition("/")
    yield f"tolman play --benchmark {_quoted(name)} --name {_quoted(person)}"
    try:
        usual = cast("Mapping[str, object]", cast("Any", load(BENCHMARKS[name].play)).flags)
    except (TolmanError, ImportError, KeyError):
        usual = dict[str, object]()
    given = _given(log)
    yield from _options(name, {flag: given[flag] for flag in usual if flag in given}, usual)
    if maker == HUMAN_WITH_TOOLS:
        yield "--tools"
    yield from _log_dir(log.path.parent.parent.parent, usual_log_dir(name, HUMAN))


def export_command(name: str, given: Mapping[str, object], how: object) -> str:
    """The command that writes a set for another harness, but for its format and its folder.

    `given` are the selection and the protocol, `how` the options of an export.
    """
    chosen = (
        _flag(option, value)
        for option in options_of(type(how))
        if (value := getattr(how, option.name)) != option.default
    )
    return " ".join([f"tolman export {_quoted(name)}", *_options(name, given, {}), *chosen])


def _import(name: str, log: LogFile, imported: Mapping[str, object]) -> Iterator[str]:
    """Replies that another harness asked for; where its results are is not in the log."""
    harness = log.model.partition("/")[0]
    source, folder = _quoted(harness), _quoted(str(imported.get("export")))
    if command := printable(str(imported.get("command") or "")):
        yield f"{command} --format {source} --out {folder}\ntolman import"
    else:
        yield "tolman import"
    yield f"RESULTS --from {source} --export {folder}"
    yield from _log_dir(log.path.parent, usual_log_dir(name, harness))


def _given(log: LogFile) -> Mapping[str, object]:
    return cast("Mapping[str, object]", log.header.eval.task_args)


def _log_dir(folder: Path, usual: Path) -> Iterator[str]:
    shown = public_path(str(folder))
    if shown and Path(shown) != usual:
        yield f"--log-dir {_quoted(shown)}"


def _options(name: str, given: Mapping[str, object], usual: Mapping[str, object]) -> Iterator[str]:
    """Flags of the options whose values are not the usual ones, or else not the defaults."""
    try:
        benchmark = find_benchmark(name) if name in BENCHMARKS else None
    except (TolmanError, ImportError):
        return
    if benchmark is None:
        return
    for option in (*options_of(benchmark.selection_class), *options_of(benchmark.options_class)):
        if option.name not in given or option.hidden:
            continue
        value, default = given[option.name], usual.get(option.name, option.default)
        named = option.name in benchmark.several and option.name not in usual
        if named or option.read(value) != option.read(default):
            yield _flag(option, value)


def _flag(option: Option, value: object) -> str:
    name = option.name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{'' if value else 'no-'}{name}"
    text = ",".join(map(str, cast("list[object]", value))) if isinstance(value, list | tuple) else str(value)
    shown = public_path(text) if option.kind is str else text
    return f"--{name} {_quoted(shown)}"


def _quoted(text: str) -> str:
    return shlex.quote(printable(text))
