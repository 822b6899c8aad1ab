"""What stands between Inspect and a provider: replies that can't be used are asked for again before anything caches
them, and a server that answers nobody is given up after a while, with the reason.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from inspect_ai.model import Model, ModelOutput
from tenacity import wait_exponential_jitter

from tolman.core.errors import ServerError

GIVE_UP_AFTER = 300.0
"""Seconds."""
_NO_MESSAGE = (ValueError, TypeError, AttributeError, LookupError)
"""What clients run into when the body of a reply is not what it should be. Errors of transport are others."""
_REFUSALS = {400, 401, 402, 403, 404, 405, 422}
_MOST_UNUSABLE = 5
"""Times that one call is sent if it only ever gets replies that can't be used."""
_LONGEST_REASON = 400
_CHECKED = "_tolman_checked"


class UnusableReply(Exception):
    """A server answered with something that is no reply."""


class ServerHealth:
    """Whether the model's server answers: since when it does not, and what it says."""

    def __init__(self) -> None:
        self.begin()
        self.end()

    def begin(self, give_up_after: float = GIVE_UP_AFTER, tell: Callable[[str], None] | None = None) -> None:
        """A new run. `tell` takes a line for the screen."""
        self.give_up_after, self._watching = give_up_after, True
        self.replies = self.retries = 0
        self.reason = ""
        """What went wrong last."""
        self.given_up = False
        self._failing_since: float | None = None
        self._told = 0.0
        self._tell = tell

    def end(self) -> None:
        """The run is over; what others do in this process is no part of it."""
        self._watching, self._tell = False, None

    def check(self) -> None:
        """Send nothing more once the server is given up."""
        if self._watching and self.given_up:
            raise ServerError(f"no call is sent any more: {self.reason}")

    def answered(self) -> None:
        """A reply came."""
        self.replies += 1
        self._failing_since = None

    def failed(self, reason: str, *, refused: bool) -> None:
        """A call went wrong; the server may be given up for it."""
        now = time.monotonic()
        self.retries += 1
        self.reason = reason
        self._failing_since = now if self._failing_since is None else self._failing_since
        failing = now - self._failing_since
        hopeless = (refused and not self.replies) or failing > self.give_up_after
        self.given_up = self._watching and (self.given_up or hopeless)
        if self._tell is not None and failing > 3 and now - self._told > 20:
            self._told = now
            self._tell(
                f"no reply for {failing:.0f} s: {reason}; "
                f"trying again until {self.give_up_after:.0f} s have passed (--give-up-after)"
            )


HEALTH = ServerHealth()
"""Of this process, which does one run at a time."""


class _Tries:
    """What became of one call so far."""

    def __init__(self) -> None:
        self.failing_since: float | None = None
        self.unusable = 0


_TRIES: ContextVar[_Tries | None] = ContextVar("tries", default=None)


def begin_call() -> None:
    """What follows in this task is one call, with its own number of tries."""
    HEALTH.check()
    _TRIES.set(_Tries())


def checked(model: Model) -> Model:
    """The model itself, its provider made to refuse replies that can't be used, and to retry within bounds."""
    _refuse_unusable(model.api)
    if not hasattr(model, _CHECKED):
        _bound_retries(model)
    return model


def _refuse_unusable(api: Any) -> None:
    if hasattr(api, _CHECKED):
        return
    generate, retry_wait = api.generate, api.retry_wait

    async def usable(*args: Any, **kwargs: Any) -> Any:
        try:
            result = await generate(*args, **kwargs)
        except _NO_MESSAGE as error:
            if api.should_retry(error):
                raise
            raise UnusableReply(f"a reply that can't be read: {_said(error)}") from error
        output = result[0] if isinstance(result, tuple) else result  # pyright: ignore[reportUnknownVariableType]
        if isinstance(output, ModelOutput):
            if not is_usable(output):
                raise UnusableReply("a reply without any choice")
            HEALTH.answered()
        return result  # pyright: ignore[reportUnknownVariableType]

    api.generate = usable
    api.retry_wait = lambda: retry_wait() or wait_exponential_jitter(exp_base=2, max=30, jitter=2)
    setattr(api, _CHECKED, True)


def _bound_retries(model: Model) -> None:
    should_retry = model.should_retry

    def again(ex: BaseException) -> bool:
        if not isinstance(ex, Exception):  # the run is being stopped
            return False
        tries = _TRIES.get() or _Tries()
        wanted = should_retry(ex)
        if isinstance(ex, UnusableReply):
            tries.unusable += 1
            wanted = tries.unusable < _MOST_UNUSABLE
        tries.failing_since = tries.failing_since or time.monotonic()
        HEALTH.failed(reason_of(ex, _address(model.api)), refused=is_refusal(ex))
        too_long = time.monotonic() - tries.failing_since > HEALTH.give_up_after
        return wanted and not HEALTH.given_up and not too_long

    model.should_retry = again
    setattr(model, _CHECKED, True)


def is_usable(output: ModelOutput) -> bool:
    """Whether there is a message at all; an empty one is a reply, if a bad one."""
    return bool(output.choices)


def is_refusal(error: BaseException) -> bool:
    """Whether another try would end the same way: nobody listens, or the request is turned down."""
    for each in _chain(error):
        if isinstance(each, (ConnectionRefusedError, socket.gaierror)) or type(each).__name__ == "ConnectError":
            return True
    return status_of(error) in _REFUSALS


def status_of(error: BaseException) -> int | None:
    """The status that a server answered with, by whichever name the provider's client keeps it."""
    named = (getattr(each, name, None) for each in _chain(error) for name in ("status_code", "code"))
    return next((code for code in named if isinstance(code, int) and 400 <= code < 600), None)


def reason_of(error: BaseException, address: str) -> str:
    """Who refused with what, on one line."""
    chain = list(_chain(error))
    status = status_of(error)
    told = next((text for each in chain if (text := getattr(each, "provider_message", None))), None)
    said = str(told) if told else _said(chain[0] if status else chain[-1])
    code = f"HTTP {status}: " if status and str(status) not in said else ""
    return f"{address}: {code}{said}"


def _said(error: BaseException) -> str:
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(error)).split())
    name = type(error).__name__
    return f"{name}: {text}"[:_LONGEST_REASON] if text else name


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and those behind it, the first cause last."""
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__


def _address(api: Any) -> str:
    return str(getattr(api, "base_url", None) or getattr(api, "model_name", "the model"))
