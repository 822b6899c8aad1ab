"""A parallel map over this machine's cores, or over a Ray or Dask cluster, with joblib. Results are the same and in
the same order.
"""

import importlib
import os
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar, cast

import joblib
import joblib.parallel

from tolman.core.errors import SettingsError

T = TypeVar("T")
R = TypeVar("R")

PATIENCE = 4.0
"""Seconds of work left above which starting workers pays."""


def parallel_map(work: Callable[[T], R], things: Sequence[T], jobs: int = -1) -> Iterator[R]:
    """What comes of each thing, in order, as it is ready. `jobs` is the number of processes, -1 for all cores."""
    for done, thing in enumerate(things, start=1):
        begin = time.perf_counter()
        result = work(thing)
        left = (len(things) - done) * (time.perf_counter() - begin)
        yield result
        if jobs != 1 and done > 1 and left > PATIENCE:  # the first one may have had to load programs
            untyped = cast("Any", joblib)
            ignore_worker_restarts()
            workers = untyped.Parallel(n_jobs=jobs, return_as="generator" if _yields_as_ready() else "list")
            yield from workers(map(untyped.delayed(work), things[done:]))
            return


def ignore_worker_restarts() -> None:
    """Say nothing when joblib replaces a worker that has grown by 300 MB, as an engine in it makes it do.

    It warns in the thread that looks after workers: where warnings are errors, that thread would end, and all wait.
    """
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)


def _yields_as_ready() -> bool:
    """Whether joblib's backend hands over results as they are ready; Ray's gives them all at the end."""
    backend, _ = cast("Any", joblib.parallel).get_active_backend()
    return bool(backend.supports_return_generator)


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
