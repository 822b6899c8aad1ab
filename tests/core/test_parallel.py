"""Work that is spread over processes comes back whole and in order, whatever becomes of a process."""

import os
import time

import pytest

from tolman.core import parallel as spreading
from tolman.core.parallel import parallel_map

_KEPT: list[bytearray] = []


def grow(number: int) -> tuple[int, int]:
    """Makes its process larger for good: joblib measures it after a second, and replaces it."""
    if number > 3:
        _KEPT.append(bytearray(os.urandom(1) * 400_000_000))
        time.sleep(1.1)
    return number, os.getpid()


@pytest.mark.timeout(120)
def test_workers_that_grow_are_replaced_in_peace(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("psutil")
    monkeypatch.setattr(spreading, "MIN_PARALLEL_SECONDS", -1.0)
    done = list(parallel_map(grow, range(7), 2))
    assert [number for number, _ in done] == list(range(7))
    assert len({process for _, process in done[4:]}) > 2, "no worker was replaced, so this proves nothing"
