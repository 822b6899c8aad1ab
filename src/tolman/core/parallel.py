"""A parallel map over this machine's cores, or over a Ray or Dask cluster, with joblib, and how long-running work
reports warnings and progress. Results and their order do not depend on where it runs.
"""

import os
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from typing import Any, Protocol, TypeVar, cast

import joblib
import joblib.parallel

from tolman.core.errors import SettingsError, optional_library

T = TypeVar("T")
R = TypeVar("R")

MIN_PARALLEL_SECONDS = 4.0
"""Estimated seconds of remaining work above which worker processes are started."""


def parallel_map(work: Callable[[T], R], items: Sequence[T], jobs: int = -1) -> Iterator[R]:
    """The result of `work` for each item, in order, as it is ready, on `jobs` processes (-1 for all cores).

    Worker processes are started only if the first items show that it pays.
    """
    for done, item in enumerate(items, start=1):
        begin = time.perf_counter()
        result = work(item)
        remaining = (len(items) - done) * (time.perf_counter() - begin)
        yield result
        if jobs != 1 and done > 1 and remaining > MIN_PARALLEL_SECONDS:  # the first item may include loading libraries
            untyped = cast("Any", joblib)
            ignore_worker_restarts()
            workers = untyped.Parallel(n_jobs=jobs, return_as="generator" if _supports_generator() else "list")
            yield from workers(map(untyped.delayed(work), items[done:]))
            return


def ignore_worker_restarts() -> None:
    """Silence joblib's warning when it replaces a worker that has grown by 300 MB, as rendering makes it do.

    joblib warns in its managing thread: where warnings are errors, that thread would end and all workers would wait.
    """
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)


def _supports_generator() -> bool:
    """Whether joblib's backend returns results as they are ready; Ray's returns all of them at the end."""
    backend, _ = cast("Any", joblib.parallel).get_active_backend()
    return bool(backend.supports_return_generator)


_CLUSTERS = "ray, ray://HOST:PORT, dask, or dask://HOST:PORT"


@contextmanager
def cluster(where: str = "", workers: int | None = None) -> Generator[None]:
    """Within this context joblib's work runs on a cluster; with an empty name, on this machine.

    `ray` joins the cluster that RAY_ADDRESS names; else it and `dask` start a local one of `workers` processes.
    """
    kind, _, address = where.partition("://")
    with ExitStack() as stack:
        if kind == "ray":
            _ray(stack, where if address else "", workers)
        elif kind == "dask":
            _dask(stack, address, workers)
        elif where:
            raise SettingsError(f"there is no cluster {where!r}; give {_CLUSTERS}")
        yield


def _ray(stack: ExitStack, address: str, workers: int | None) -> None:
    ray, backend = _module("ray", "ray"), _module("ray.util.joblib", "ray")
    if not ray.is_initialized():
        address = address or os.environ.get("RAY_ADDRESS") or ""
        local: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False}
        try:
            ray.init(log_to_driver=False, logging_level="ERROR", **({"address": address} if address else local))
        except (ConnectionError, OSError, ValueError) as error:
            raise SettingsError(f"the Ray cluster {address or 'here'} does not answer: {_first_line(error)}") from None
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
    return optional_library(name, f"a {package} cluster needs {package}: pip install 'tolman[cluster]'")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


Tell = Callable[[str], None]
"""Prints one line of warning."""


class Track(Protocol):
    """Iterates over things and shows the progress."""

    def __call__(self, things: Sequence[T], description: str) -> Iterable[T]: ...


def untracked(things: Sequence[T], description: str) -> Iterable[T]:
    """Iterate without showing progress."""
    del description
    return things


def tracked_map(work: Callable[[T], R], items: Sequence[T], track: Track, description: str, jobs: int = -1) -> list[R]:
    """All results of a parallel map; shows the progress."""
    return [result for _, result in zip(track(items, description), parallel_map(work, items, jobs), strict=True)]


def tracked_groups(
    work: Callable[[T], R], groups: Sequence[Sequence[T]], track: Track, description: str, jobs: int = -1
) -> list[list[R]]:
    """The same for the items of several groups, in one map over all of them: the results of each group."""
    results = iter(tracked_map(work, list(chain(*groups)), track, description, jobs))
    return [list(islice(results, len(group))) for group in groups]
