"""Work on many things: in this process while that is quick, else spread over workers by joblib.

joblib's backend can be a cluster (`joblib.parallel_config("ray")`); the results are the same and in the same order.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

import joblib
import joblib.parallel

T = TypeVar("T")
R = TypeVar("R")

PATIENCE = 4.0
"""Seconds of work left above which starting workers pays."""


def spread(work: Callable[[T], R], things: Sequence[T], jobs: int = -1) -> Iterator[R]:
    """What comes of each thing, in order, as it is ready. `jobs` is the number of processes, -1 for all cores."""
    for done, thing in enumerate(things, start=1):
        begin = time.perf_counter()
        result = work(thing)
        left = (len(things) - done) * (time.perf_counter() - begin)
        yield result
        if jobs != 1 and done > 1 and left > PATIENCE:  # the first one may have had to load programs
            untyped = cast("Any", joblib)
            let_workers_grow()
            workers = untyped.Parallel(n_jobs=jobs, return_as="generator" if _one_by_one() else "list")
            yield from workers(map(untyped.delayed(work), things[done:]))
            return


def let_workers_grow() -> None:
    """Say nothing when joblib replaces a worker that has grown by 300 MB, as an engine in it makes it do.

    It warns in the thread that looks after workers: where warnings are errors, that thread would end, and all wait.
    """
    warnings.filterwarnings("ignore", "A worker stopped while some jobs were given", UserWarning)


def _one_by_one() -> bool:
    """Whether joblib's backend hands over results as they are ready; Ray's gives them all at the end."""
    backend, _ = cast("Any", joblib.parallel).get_active_backend()
    return bool(backend.supports_return_generator)
