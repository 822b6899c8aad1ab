"""Health of a model's server: a first call that names a refusal within seconds, unusable replies requested again before
anything caches them, and calls stopped, with the reason, after a time without any reply.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import anyio
from inspect_ai.model import GenerateConfig, Model, ModelOutput
from tenacity import wait_exponential_jitter

from tolman.core.errors import ServerError
from tolman.models.replay import HUMAN, HUMAN_WITH_TOOLS
from tolman.models.response_repair import repair_responses

GIVE_UP_AFTER = 300.0
"""Seconds."""
_NO_MESSAGE = (ValueError, TypeError, AttributeError, LookupError)
"""What clients raise when the body of a reply is malformed. Transport errors are of other types."""
_REFUSALS = {400, 401, 402, 403, 404, 405, 422}
_MOST_UNUSABLE = 5
"""Attempts at one call that gets only unusable replies."""
_LONGEST_REASON = 400
_CHECKED = "_tolman_checked"


class UnusableReply(Exception):
    """A server answered with something other than a reply."""


class ServerHealth:
    """Whether the model's server answers, and if not, since when and why."""

    def __init__(self) -> None:
        self.begin()
        self.end()

    def begin(self, give_up_after: float = GIVE_UP_AFTER, tell: Callable[[str], None] | None = None) -> None:
        """Start a run. `tell` prints a line."""
        self.give_up_after, self._watching = give_up_after, True
        self.replies = 0
        self.reason = ""
        """What went wrong last."""
        self.given_up = False
        self._failing_since: float | None = None
        self._last_warning = 0.0
        self._tell = tell

    def end(self) -> None:
        """End the run; later calls of this process are no part of it."""
        self._watching, self._tell = False, None

    def check(self) -> None:
        """Refuse to send more once the server is given up."""
        if self._watching and self.given_up:
            raise ServerError(f"no more calls are sent: {self.reason}")

    def answered(self) -> None:
        """A reply came."""
        self.replies += 1
        self._failing_since = None

    def failed(self, reason: str, *, refused: bool) -> None:
        """A call failed; the server may be given up after it."""
        now = time.monotonic()
        self.reason = reason
        self._failing_since = now if self._failing_since is None else self._failing_since
        failing = now - self._failing_since
        give_up = (refused and not self.replies) or failing > self.give_up_after
        self.given_up = self._watching and (self.given_up or give_up)
        if self._tell is not None and failing > 3 and now - self._last_warning > 20:
            self._last_warning = now
            self._tell(
                f"no reply for {failing:.0f} s: {reason}; "
                f"trying again until {self.give_up_after:.0f} s have passed (--give-up-after)"
            )


HEALTH = ServerHealth()
"""The server's state in this process, which does one run at a time."""


class _Attempts:
    """Failed attempts of one call so far."""

    def __init__(self) -> None:
        self.failing_since: float | None = None
        self.unusable = 0


_ATTEMPTS: ContextVar[_Attempts | None] = ContextVar("attempts", default=None)


def begin_call() -> None:
    """Start one call in this task, with its own count of attempts."""
    HEALTH.check()
    _ATTEMPTS.set(_Attempts())


def checked(model: Model) -> Model:
    """The model itself, modified to reject unusable replies and to limit retries."""
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
            raise UnusableReply(f"a reply that can't be read: {_message_of(error)}") from error
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

    def bounded_retry(ex: BaseException) -> bool:
        if not isinstance(ex, Exception):  # the run is being stopped
            return False
        attempts = _ATTEMPTS.get() or _Attempts()
        retry = should_retry(ex)
        if isinstance(ex, UnusableReply):
            attempts.unusable += 1
            retry = attempts.unusable < _MOST_UNUSABLE
        attempts.failing_since = attempts.failing_since or time.monotonic()
        HEALTH.failed(reason_of(ex, _address(model.api)), refused=is_refusal(ex))
        too_long = time.monotonic() - attempts.failing_since > HEALTH.give_up_after
        return retry and not HEALTH.given_up and not too_long

    model.should_retry = bounded_retry
    setattr(model, _CHECKED, True)


def is_usable(output: ModelOutput) -> bool:
    """Whether there is a message at all; an empty message is a reply."""
    return bool(output.choices)


def is_refusal(error: BaseException) -> bool:
    """Whether a retry would fail the same way: nothing listens, or the request is rejected."""
    for each in _chain(error):
        if isinstance(each, (ConnectionRefusedError, socket.gaierror)) or type(each).__name__ == "ConnectError":
            return True
    return status_of(error) in _REFUSALS


def status_of(error: BaseException) -> int | None:
    """The status that a server answered with, under either name that clients use."""
    named = (getattr(each, name, None) for each in _chain(error) for name in ("status_code", "code"))
    return next((code for code in named if isinstance(code, int) and 400 <= code < 600), None)


def reason_of(error: BaseException, address: str) -> str:
    """The address and what went wrong there, on one line, without what a terminal would act on."""
    chain = [each for each in _chain(error) if type(each).__name__ != "RetryError"] or [error]
    status = status_of(error)
    message = next((found for each in chain if (found := getattr(each, "provider_message", None))), None)
    text = _plain(str(message)) if message else _message_of(chain[0] if status else chain[-1])
    code = f"HTTP {status}: " if status and str(status) not in text else ""
    return f"{address}: {code}{text}"


def _message_of(error: BaseException) -> str:
    text, name = _plain(str(error)), type(error).__name__
    return f"{name}: {text}"[:_LONGEST_REASON] if text else name


def _plain(text: str) -> str:
    """On one line, without control characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and its causes, the first cause last."""
    current: BaseException | None = error
    for _ in range(10):
        if current is None:
            return
        yield current
        current = current.__cause__ or current.__context__


def _address(api: Any) -> str:
    return str(getattr(api, "base_url", None) or getattr(api, "model_name", "the model"))


_ASK = "Reply with the single word: ready"
_TIMEOUT = 30.0
"""Seconds to wait for the reply. A slower server is not an error."""
_NO_SERVER = (
    *("tolman", "replay", "local", HUMAN, HUMAN_WITH_TOOLS),
    *("mockmodel", "none", "hf", "transformer_lens", "nnterp"),
)
_STARTED_BY_INSPECT = ("vllm", "sglang")


def first_call(name: str, model: Callable[[], Model], base_url: str | None, tell: Callable[[str], None]) -> None:
    """Ask a model behind a server for one word. Raises `ServerError` with the reason if it refuses.

    A busy or slow server may recover: `tell` warns of it, and the run starts. The model is created for this call alone,
    since its connections can't be reused in another event loop.
    """
    provider = name.partition("/")[0]
    if provider in _NO_SERVER or (provider in _STARTED_BY_INSPECT and base_url is None):
        return
    anyio.run(_call, model(), tell)


async def _call(model: Model, tell: Callable[[str], None]) -> None:
    begin_call()
    repair_responses(model)
    address = str(model.api.base_url or model)
    async with model:
        try:
            with anyio.move_on_after(_TIMEOUT) as waiting:
                await checked(model).generate(_ASK, config=GenerateConfig(max_retries=0, batch=False))
        except Exception as error:  # whatever a provider raises
            reason = reason_of(error, address)
            if is_refusal(error):
                raise ServerError(f"the model's server refuses: {reason}") from None
            tell(f"the first call was not answered: {reason}; continuing, as the server may recover")
            HEALTH.begin(HEALTH.give_up_after, tell)
            return
    if waiting.cancelled_caught:
        tell(f"{address} has not answered the first call within {_TIMEOUT:.0f} s; continuing")
