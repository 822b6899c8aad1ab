"""Run tasks on a model into a folder of logs, so that the same command goes on where the last one was cut off.

Finished scenes are kept in the logs. Within a scene, each reply is kept in a folder of calls that belongs to the log
folder, until the evaluation is complete.
"""

import inspect
import os
import re
import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval_set  # pyright: ignore[reportUnknownVariableType]
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, get_model

from tolman.benchmarks.prices import set_price
from tolman.benchmarks.purse import PURSE
from tolman.cache_folder import cache_folder
from tolman.errors import SettingsError, TolmanError

_RUN_FILE = "run-id"
_RUN_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Plan:
    """Who is evaluated, where the logs go, and Inspect's own settings, passed through."""

    model: str
    log_dir: Path
    model_args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    base_url: str | None = None
    generation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Temperature, token limits, effort, connections, batch: fields of Inspect's `GenerateConfig`."""
    scenes_at_once: int | None = None
    prices: Path | None = None
    """File of prices; see `prices`."""
    limit_cost: float | None = None
    """US dollars that the whole run may cost."""
    scene_retries: int = 2
    display: str = "rich"


@dataclass(frozen=True)
class Outcome:
    """The headers of the logs of a run, and whether every scene was finished."""

    logs: tuple[EvalLog, ...]
    complete: bool


def evaluate(tasks: Sequence[Task], plan: Plan) -> Outcome:
    """Run tasks. A scene that fails is tried again, then reported as failed; it never takes others with it."""
    _check_options(plan.generation)
    model = _model(plan)
    set_price(plan.model, plan.prices, needed=plan.limit_cost is not None)
    calls = _calls_folder(plan.log_dir)
    os.environ["INSPECT_CACHE_DIR"] = str(calls)
    PURSE.open(plan.limit_cost, calls / "paid.jsonl")
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
        log_realtime=False,  # from its live buffer Inspect would recover scenes of a killed run without their records
        display=plan.display,
        ctl_server=False,
        acp_server=False,
        **plan.generation,
    )
    complete = complete and all(_finished(log) for log in logs)
    if complete:
        shutil.rmtree(calls, ignore_errors=True)
    return Outcome(tuple(logs), complete)


def _check_options(options: Mapping[str, Any]) -> None:
    known = {*GenerateConfig.model_fields, *inspect.signature(eval_set).parameters} - {"kwargs", "tasks"}  # pyright: ignore[reportUnknownArgumentType]
    for name in options:
        if name not in known:
            raise SettingsError(f"Inspect has no option {name!r}; its documentation of eval_set lists them")


def _model(plan: Plan) -> Model:
    """The model, so that a wrong name or a missing key is told before anything is run."""
    try:
        settings = {name: value for name, value in plan.generation.items() if name in GenerateConfig.model_fields}
        return get_model(plan.model, config=GenerateConfig(**settings), base_url=plan.base_url, **dict(plan.model_args))
    except TolmanError:
        raise
    except Exception as error:
        raise SettingsError(f"the model {plan.model!r} can't be used: {' '.join(str(error).split())}") from None


def _finished(log: EvalLog) -> bool:
    results = log.results
    return log.status == "success" and results is not None and results.completed_samples == results.total_samples


def _calls_folder(log_dir: Path) -> Path:
    """Where the replies of a run are kept: outside the logs, since Inspect reads them back as Python objects.

    A folder of logs can come from anyone; what it may name is only a random number made here.
    """
    file = log_dir / _RUN_FILE
    try:
        log_dir.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(secrets.token_hex(16), encoding="ascii")
        run_id = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{log_dir} can't be used for logs: {error}") from None
    if not _RUN_ID.fullmatch(run_id):
        raise SettingsError(f"{file} does not hold a run's number; remove it to start afresh")
    calls = cache_folder() / "calls" / run_id
    calls.mkdir(parents=True, exist_ok=True)
    return calls
