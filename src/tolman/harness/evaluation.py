"""Run tasks on a model and write logs to a folder; the same command continues an interrupted run.

Finished scenes are kept in the logs. Within a scene, each reply is kept in a folder of calls that belongs to the log
folder, until the evaluation is complete. One run at a time uses a folder of logs; unreadable logs are set aside.
"""

import inspect
import os
import re
import secrets
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval_set  # pyright: ignore[reportUnknownVariableType]
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample_summaries
from inspect_ai.model import GenerateConfig, Model, get_model

from tolman.core.errors import Interrupted, SettingsError, TolmanError
from tolman.core.files import cache_folder
from tolman.harness.cost import COST_BUDGET, set_price
from tolman.harness.logs import reply_args
from tolman.harness.names import counted
from tolman.harness.progress import RunProgress
from tolman.harness.records import WORDINGS_KEY
from tolman.harness.server_health import GIVE_UP_AFTER, HEALTH, first_call

try:
    import fcntl
except ImportError:  # Windows has no such lock
    fcntl = None

_RUN_FILE = "run-id"
_RUN_ID = re.compile(r"[0-9a-f]{32}")
_LOCK = ".lock"
_ASIDE = ".unreadable"


@contextmanager
def locked(log_dir: Path) -> Generator[None]:
    """Lock a folder for this run. The lock is released with the process, however that ends."""
    try:
        log_dir.mkdir(parents=True, exist_ok=True)
        handle = os.open(log_dir / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise SettingsError(f"{log_dir} can't be used for logs: {error.strerror}") from None
    try:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                other = os.read(handle, 20).decode("ascii", "replace").strip()
                raise SettingsError(
                    f"another run (process {other or 'unknown'}) is writing to {log_dir}; "
                    "wait until it is over, or name another folder with --log-dir"
                ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode("ascii"), 0)
        yield
    finally:
        os.close(handle)


def _is_locked(folder: Path) -> bool:
    if not (folder / _LOCK).exists():
        return False
    try:
        with locked(folder):
            return False
    except SettingsError:
        return True


def set_aside_unreadable(log_dir: Path, tell: Callable[[str], None]) -> None:
    """Rename `*.eval` files that can't be read as logs: truncated while written, or of another format."""
    for file in sorted(log_dir.rglob("*.eval")):
        try:
            read_eval_log(str(file), header_only=True)
        except Exception as error:  # whatever a damaged file makes its readers raise
            if file.parent != log_dir and _is_locked(file.parent):
                continue  # another run is writing it
            why = " ".join(str(error).split())[:100] or type(error).__name__
            aside = file.with_name(f"{file.name}{_ASIDE}")
            file.replace(aside)
            tell(f"{file} can't be read as a log ({why}); it is ignored, and renamed to {aside.name}")


def calls_folder(log_dir: Path) -> Path:
    """Where the replies of a run are cached: outside the log folder, since Inspect loads them as Python objects.

    A log folder may come from an untrusted source, so it names the cache only by a random id.
    """
    file = log_dir / _RUN_FILE
    try:
        if not file.exists():
            file.write_text(secrets.token_hex(16), encoding="ascii")
        run_id = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{log_dir} can't be used for logs: {error}") from None
    if not _RUN_ID.fullmatch(run_id):
        raise SettingsError(f"{file} does not hold the id of a run; remove it to start a new run")
    return cache_folder() / "calls" / run_id


def _protocol(metadata: Mapping[str, object] | None) -> tuple[object, object]:
    """What must be the same for a scene to be done: options, and the texts of prompts."""
    known = metadata or {}
    return known.get("options"), known.get(WORDINGS_KEY)


def _logs_of(log_dir: Path, tasks: Sequence[Task], model: Model) -> Iterator[tuple[Path, str, int]]:
    """The logs of some tasks under the same protocol, of the same model: the file, the name of the task, its epochs."""
    own = str(model), reply_args(str(model), model.model_args)
    wanted = {task.name: _protocol(task.metadata) for task in tasks}
    for file in sorted(log_dir.rglob("*.eval")):
        about = read_eval_log(str(file), header_only=True).eval
        task = about.task.rpartition("/")[2]
        same = (about.model, reply_args(about.model, about.model_args)) == own
        if same and task in wanted and _protocol(about.metadata) == wanted[task]:
            yield file, task, about.config.epochs or 1


def check_epochs(log_dir: Path, tasks: Sequence[Task], model: Model, epochs: int) -> None:
    """Refuse to run fewer epochs than the logs hold: Inspect would drop the others from its logs."""
    most = max((found for _, _, found in _logs_of(log_dir, tasks, model)), default=1)
    if most > epochs:
        raise SettingsError(
            f"{log_dir} holds {most} epochs of these scenes; give --epochs {most} or more, or another --log-dir"
        )


Scene = tuple[str, str, int]
"""Name of the task, name of the scene, and epoch."""


def finished_scenes(
    log_dir: Path, tasks: Sequence[Task], model: Model, epochs: int = 1
) -> tuple[set[Scene], dict[Scene, str]]:
    """The scenes of some tasks that a model's logs in a folder hold: those that are finished, and why others failed.

    Only the first `epochs` runs of a scene count.
    """
    sample_ids = {task.name: {str(sample.id) for sample in task.dataset} for task in tasks}
    done: set[Scene] = set()
    failed: dict[Scene, str] = {}
    for file, task, _ in _logs_of(log_dir, tasks, model):
        for sample in read_eval_log_sample_summaries(str(file)):
            scene = (task, str(sample.id), sample.epoch)
            if scene[1] in sample_ids[task] and sample.epoch <= epochs:
                if sample.completed and not sample.error:
                    done.add(scene)
                elif sample.error:
                    failed[scene] = sample.error
    return done, {scene: why for scene, why in failed.items() if scene not in done}


_OWN_DISPLAYS = ("rich", "plain")
"""Progress displays implemented here; the others are Inspect's."""
_ERROR_REPR = re.compile(r"^\w+\((['\"])(.*)\1\)$")
"""An error as Inspect logs it; its message is the second group."""
_STYLES = "bold|italic|dim|underline|red|green|yellow|blue|magenta|cyan|white|black"
_MARKUP = re.compile(rf"\[/?(?:(?:bright_)?(?:{_STYLES})(?: |(?=\])))+\]|\[/\]")
"""Rich's terminal markup in messages of Inspect and of providers."""


@dataclass(frozen=True)
class RunPlan:
    """Which model is evaluated, where the logs go, and settings that are passed to Inspect."""

    model: str
    log_dir: Path
    model_args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    base_url: str | None = None
    generation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Temperature, token limits, effort, connections, batch: fields of Inspect's `GenerateConfig`."""
    scenes_at_once: int | None = None
    epochs: int = 1
    """How often each scene is run; if more than once, at the model's own temperature unless one is given."""
    prices: Path | None = None
    """File of prices; see `read_prices`."""
    limit_cost: float | None = None
    """US dollars that the whole run may cost."""
    give_up_after: float = GIVE_UP_AFTER
    """Seconds without any reply after which no more calls are sent to the server."""
    scene_retries: int = 2
    display: str = "rich"


@dataclass(frozen=True)
class RunOutcome:
    """The headers of the logs of a run, how many of its scenes are done, and why others are not."""

    logs: tuple[EvalLog, ...]
    complete: bool
    done: int
    total: int
    reasons: tuple[str, ...] = ()
    """Each with the number of scenes that it stopped, the most frequent first."""


def evaluate(tasks: Sequence[Task], plan: RunPlan) -> RunOutcome:
    """Run tasks. A scene that fails is retried, then reported as failed; other scenes are not affected.

    An interrupt raises `Interrupted`, whose message says how many scenes are done.
    """
    check_options(plan.generation)
    model = open_model(plan)
    set_price(plan.model, plan.prices, needed=plan.limit_cost is not None)
    total = sum(len(task.dataset) for task in tasks) * plan.epochs
    if plan.epochs > 1:
        for task in tasks:
            task.config = task.config.model_copy(update={"temperature": None})
    with locked(plan.log_dir):
        set_aside_unreadable(plan.log_dir, _warn)
        check_epochs(plan.log_dir, tasks, model, plan.epochs)
        calls = calls_folder(plan.log_dir)
        done, _ = finished_scenes(plan.log_dir, tasks, model, plan.epochs)
        with RunProgress(total, len(done), plan.display) as progress:
            HEALTH.begin(plan.give_up_after, progress.tell)
            try:
                if len(done) < total:
                    first_call(plan.model, lambda: open_model(plan, memoize=False), plan.base_url, progress.tell)
                calls.mkdir(parents=True, exist_ok=True)
                os.environ["INSPECT_CACHE_DIR"] = str(calls)
                COST_BUDGET.open(plan.limit_cost, calls / "paid.jsonl")
                complete, logs = _run(tasks, plan, model)
            except KeyboardInterrupt:
                complete, logs = False, []
            finally:
                HEALTH.end()
                COST_BUDGET.close()
        done, failed = finished_scenes(plan.log_dir, tasks, model, plan.epochs)
        if not complete and (len(logs) < len(tasks) or any(log.status == "cancelled" for log in logs)):
            every = counted_scenes(total, plan.epochs)
            raise Interrupted(f"interrupted, {len(done)} of {every} done, run the same command to go on")
        complete = complete and all(_finished(log) for log in logs)
        if complete:
            shutil.rmtree(calls, ignore_errors=True)
    return RunOutcome(tuple(logs), complete, len(done), total, () if complete else _reasons(list(failed.values())))


def counted_scenes(total: int, epochs: int) -> str:
    """A number of scenes in words, or of their runs where there are several epochs."""
    return counted(total, "scene") if epochs == 1 else counted(total, "run of a scene", "runs of scenes")


def _run(tasks: Sequence[Task], plan: RunPlan, model: Model) -> tuple[bool, list[EvalLog]]:
    run_all: Callable[..., tuple[bool, list[EvalLog]]] = eval_set  # pyright: ignore[reportUnknownVariableType]
    complete, logs = run_all(
        list(tasks),
        log_dir=str(plan.log_dir),
        log_dir_allow_dirty=True,
        model=model,
        retry_attempts=0,
        retry_immediate=False,
        fail_on_error=True,
        continue_on_fail=True,
        retry_on_error=plan.scene_retries,
        max_samples=plan.scenes_at_once,
        epochs=plan.epochs if plan.epochs > 1 else None,
        log_realtime=False,  # from its live buffer Inspect would recover scenes of a killed run without their records
        display="none" if plan.display in _OWN_DISPLAYS else plan.display,
        ctl_server=False,
        acp_server=False,
        **plan.generation,
    )
    return complete and len(logs) == len(tasks), logs


def check_options(options: Mapping[str, Any]) -> None:
    valid = {*GenerateConfig.model_fields, *inspect.signature(eval_set).parameters} - {"kwargs", "tasks"}  # pyright: ignore[reportUnknownArgumentType]
    for name in options:
        if name == "epochs":
            raise SettingsError("epochs are given with --epochs")
        if name not in valid:
            raise SettingsError(f"Inspect has no option {name!r}; its documentation of eval_set lists them")


def open_model(plan: RunPlan, *, memoize: bool = True) -> Model:
    """The model; a wrong name or a missing key is an error before anything is run."""
    try:
        settings = {name: value for name, value in plan.generation.items() if name in GenerateConfig.model_fields}
        config, args = GenerateConfig(**settings), dict(plan.model_args)
        return get_model(plan.model, config=config, base_url=plan.base_url, memoize=memoize, **args)
    except TolmanError:
        raise
    except Exception as error:
        message = without_markup(str(error)).removeprefix("ERROR: ")
        raise SettingsError(f"the model {plan.model!r} can't be used: {message}") from None


def without_markup(message: str) -> str:
    """A provider's message on one line, without terminal markup."""
    return " ".join(_MARKUP.sub("", message).split())


def _finished(log: EvalLog) -> bool:
    results = log.results
    return log.status == "success" and results is not None and results.completed_samples == results.total_samples


def _reasons(errors: Sequence[str]) -> tuple[str, ...]:
    if HEALTH.given_up:
        return (f"no more calls were sent to the model's server: {HEALTH.reason}",)
    messages = (_ERROR_REPR.sub(r"\2", without_markup(error))[:500] for error in errors)
    most = Counter(messages).most_common(3)
    return tuple(f"{counted(count, 'scene')}: {why}" for why, count in most)


def _warn(line: str) -> None:
    """Write a warning to standard error, under every display."""
    sys.stderr.write(f"tolman: {line}\n")
