"""Machines that take over what joblib spreads: this one's cores, or a Ray or Dask cluster."""

import importlib
import os
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

import joblib

from tolman.errors import SettingsError

_WORDS = "ray, ray://HOST:PORT, dask, or dask://HOST:PORT"


@contextmanager
def cluster(where: str = "", workers: int | None = None) -> Generator[None]:
    """Within this context joblib's work goes to a cluster; an empty name leaves it on this machine.

    `ray` joins the cluster that RAY_ADDRESS names; without one, it and `dask` start one here of so many processes.
    """
    kind, _, address = where.partition("://")
    with ExitStack() as stack:
        if kind == "ray":
            _ray(stack, where if address else "", workers)
        elif kind == "dask":
            _dask(stack, address, workers)
        elif where:
            raise SettingsError(f"there is no cluster {where!r}; give {_WORDS}")
        yield


def _ray(stack: ExitStack, address: str, workers: int | None) -> None:
    ray, backend = _module("ray", "ray"), _module("ray.util.joblib", "ray")
    if not ray.is_initialized():
        joins = address or os.environ.get("RAY_ADDRESS")
        options: dict[str, Any] = {"address": joins} if joins else {"num_cpus": workers, "include_dashboard": False}
        try:
            ray.init(log_to_driver=False, logging_level="ERROR", **options)
        except (ConnectionError, OSError, ValueError) as error:
            raise SettingsError(f"the Ray cluster {joins or 'here'} does not answer: {_first_line(error)}") from None
        stack.callback(ray.shutdown)
    backend.register_ray()
    stack.enter_context(cast("Any", joblib).parallel_config(backend="ray"))


def _dask(stack: ExitStack, address: str, workers: int | None) -> None:
    distributed = _module("distributed", "dask")
    try:
        if address:
            client = distributed.Client(f"tcp://{address}", timeout="10s")
        else:
            client = distributed.Client(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    except (OSError, ValueError) as error:
        raise SettingsError(f"the Dask cluster {address or 'here'} does not answer: {_first_line(error)}") from None
    stack.enter_context(client)
    stack.enter_context(cast("Any", joblib).parallel_config(backend="dask"))


def _module(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise SettingsError(f"a {package} cluster needs {package}: pip install 'tolman[cluster]'") from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
