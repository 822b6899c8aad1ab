"""Pictures for those who wait: made in another thread, one after another, so that no other scene stands still."""

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync

T = TypeVar("T")
_LIMITER: RunVar[CapacityLimiter] = RunVar("pictures")


async def one_by_one(work: Callable[[], T]) -> T:
    """What some work gives, once all that was asked for before is done."""
    return await run_sync(work, limiter=_limiter())


def _limiter() -> CapacityLimiter:
    """One for each event loop."""
    try:
        return _LIMITER.get()
    except LookupError:
        limiter = CapacityLimiter(1)
        _LIMITER.set(limiter)
        return limiter
