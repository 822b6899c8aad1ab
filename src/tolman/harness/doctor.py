"""Three small calls to a model: text, a picture, a reply that runs into a length limit; what they show, and advice."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Literal
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio
from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model_info,
)
from PIL import Image

from tolman.core.files import encoded
from tolman.harness.images import data_url
from tolman.harness.model_calls import ModelReply, reply_of, writable
from tolman.harness.server_health import HEALTH, checked, reason_of, status_of
from tolman.models.response_repair import repair_responses

_BY_STATUS = {
    400: "the server rejects the request: its message names the option; omit it, or set it with --set or -M",
    402: "the account is out of credit",
    404: "check the model's name and --base-url; OpenAI-compatible addresses end with /v1",
    405: "check --base-url; OpenAI-compatible addresses end with /v1",
    408: "the server is slow: give it more --patience",
    413: "the request is too large for the server",
    429: "over the rate limit, or out of credit: wait, then run with fewer --max-connections",
}


def error_advice(error: BaseException | None, keys: Sequence[str]) -> str:
    """What to do about a call that ended in an error. `keys` are the variables that may hold the provider's key."""
    status = None if error is None else status_of(error)
    if status in (401, 403):
        return f"check the key: {' or '.join(keys) if keys else 'the provider refuses it'}"
    if status is not None:
        usual = "the server fails; see its own log" if status >= 500 else _BY_STATUS[400]
        return _BY_STATUS.get(status, usual)
    if isinstance(error, TimeoutError):
        return "the server is slow or unreachable: check --base-url, or give it more --patience"
    return "check that the server runs, and that --base-url is its address"


def empty_reply_advice(reply: ModelReply) -> str:
    """What to do about a reply without text."""
    if reply.stop == "max_tokens":
        return "all tokens were spent on reasoning: give a higher --max-tokens, or a lower --reasoning-effort"
    if reply.stop == "model_length":
        return "the context is too short: serve the model with a longer one, or lower --max-tokens"
    if reply.stop == "content_filter":
        return "the provider's content filter blocks it: relax the filter, or choose another model"
    if reply.reasoning:
        return "the whole reply came as reasoning: check the server's reasoning parser and chat template"
    return "check the model's chat template, and whether it is an instruction-tuned model"


def picture_advice(*, seen: bool) -> str:
    """What to do about pictures that are refused, or accepted (`seen`) and not understood."""
    why = "the model does not see what it is sent" if seen else "the model, or its server, takes no pictures"
    return f"{why}: Theory of Space in text works without; --world vision, osr-bench and sparrta need pictures"


State = Literal["works", "fails", "none", "unknown"]
COLOURS = {"red": (200, 30, 30), "green": (30, 150, 50), "blue": (30, 60, 200), "yellow": (240, 220, 40)}
FEW_TOKENS = 16
"""The smallest limit that every provider accepts."""
_LONGEST_QUOTE = 60


@dataclass(frozen=True)
class CheckResult:
    """The result of one check."""

    what: str
    state: State
    detail: str
    """What was observed, on one line."""
    advice: str = ""
    """What to do about it, where there is something to do."""


@dataclass(frozen=True)
class DoctorCall:
    """A call and what came of it: an output, or an error."""

    output: ModelOutput | None = None
    seconds: float = 0.0
    error: BaseException | None = None
    reason: str = ""

    @property
    def reply(self) -> ModelReply | None:
        return reply_of(self.output) if self.output is not None else None


def text_finding(call: DoctorCall, keys: Sequence[str] = ()) -> CheckResult:
    """Whether a text gets a reply in text."""
    reply = call.reply
    if reply is None:
        return CheckResult("text", "fails", call.reason, error_advice(call.error, keys))
    if not reply.text:
        return CheckResult("text", "fails", _without_text(call), empty_reply_advice(reply))
    if re.search(r"\b(7|seven)\b", reply.text, re.IGNORECASE):
        return CheckResult("text", "works", "says that 3 + 4 is 7")
    return CheckResult("text", "works", f"replies, but not 7 to 3 + 4: {_quoted(reply.text)}")


def _without_text(call: DoctorCall) -> str:
    reply, output = call.reply, call.output
    assert reply is not None  # noqa: S101 - there was an output
    assert output is not None  # noqa: S101
    if reply.stop in ("content_filter", "model_length") and output.message.text:
        return f"refused: {_quoted(output.message.text)}"
    return f"an empty reply (it ended with {reply.stop}{', all of it reasoning' if reply.reasoning else ''})"


def picture_finding(call: DoctorCall, left: str, right: str) -> CheckResult:
    """Whether the model sees a picture with these colours."""
    reply = call.reply
    if reply is None:
        return CheckResult("pictures", "fails", call.reason, picture_advice(seen=False))
    if not reply.text:
        return CheckResult("pictures", "fails", _without_text(call), empty_reply_advice(reply))
    colours = re.findall("|".join(COLOURS), reply.text.lower())
    if [left, right] in (colours[:2], colours[-2:]):
        return CheckResult("pictures", "works", f"sees that a picture is {left} on the left and {right} on the right")
    detail = f"{left} on the left and {right} on the right, and it says {_quoted(reply.text)}"
    return CheckResult("pictures", "fails", detail, picture_advice(seen=True))


def length_finding(call: DoctorCall) -> CheckResult:
    """Whether a limit of `FEW_TOKENS` was respected, and given as the stop reason."""
    reply, output = call.reply, call.output
    if reply is None or output is None:
        return CheckResult("length limit", "unknown", call.reason, "find out with a short run and --max-tokens")
    if reply.stop == "max_tokens":
        return CheckResult("length limit", "works", f"stops at {FEW_TOKENS} tokens, and says so")
    if "200" in reply.text:
        detail, advice = f"a limit of {FEW_TOKENS} tokens is ignored", "--max-tokens does nothing: set it at the server"
    else:
        detail = f"a reply that was cut off at {FEW_TOKENS} tokens ends with {reply.stop}, not with max_tokens"
        advice = "truncated replies will not be counted as such"
    return CheckResult("length limit", "fails", detail, advice)


def reasoning_finding(answered: Sequence[DoctorCall]) -> CheckResult:
    """How reasoning is returned; it is logged, counted in tokens, and never graded."""
    outputs = [call.output for call in answered if call.output is not None]
    parts = [
        part
        for output in outputs
        if not isinstance(output.message.content, str)
        for part in output.message.content
        if isinstance(part, ContentReasoning)
    ]
    tokens = sum(output.usage.reasoning_tokens or 0 for output in outputs if output.usage)
    counted = f", {tokens} tokens" if tokens else ""
    if any(part.internal == "think" for part in parts):
        return CheckResult("reasoning", "works", f"inline, between <think> tags; it is told apart here{counted}")
    if any(not part.redacted and part.reasoning for part in parts):
        return CheckResult("reasoning", "works", f"returned separately from the reply{counted}")
    if any(part.summary for part in parts):
        return CheckResult("reasoning", "works", f"returned separately, as a summary{counted}")
    if any(reply_of(output).reasoning for output in outputs):
        return CheckResult("reasoning", "works", f"inline, before a lone </think>; it is told apart here{counted}")
    if parts or tokens:
        return CheckResult("reasoning", "works", f"hidden: it is paid for, not returned{counted}")
    return CheckResult("reasoning", "none", "none was returned")


def price_finding(name: str) -> CheckResult:
    """The price of a million tokens; `name` is the model's name in Inspect."""
    if name.startswith("local/"):
        return CheckResult("price", "works", "free")
    info = get_model_info(name)
    if info is None or info.cost is None:
        advice = "name a file of prices with --prices to see costs, and for --limit-cost"
        return CheckResult("price", "unknown", f"no price of {name} is known", advice)
    return CheckResult(
        "price", "works", f"US$ {info.cost.input:g} per million input tokens, {info.cost.output:g} output"
    )


def rate_finding(answered: Sequence[DoctorCall]) -> CheckResult:
    """Output tokens per second, waiting included."""
    tokens = sum(call.output.usage.output_tokens for call in answered if call.output and call.output.usage)
    seconds = sum(call.seconds for call in answered)
    if not tokens or not seconds:
        return CheckResult("rate", "unknown", f"{len(answered)} calls in {seconds:.1f} s; tokens are not counted")
    detail = f"{tokens / seconds:.0f} tokens per second ({tokens} tokens of {len(answered)} calls in {seconds:.1f} s)"
    return CheckResult("rate", "works", detail)


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line[:_LONGEST_QUOTE]}…”" if len(line) > _LONGEST_QUOTE else f"“{line}”"


_TEXT = "What is 3 + 4? Reply with the number alone."
_PICTURE = (
    "This picture has a left and a right half, each of one colour: red, green, blue or yellow. "
    "Reply with two words, the colour of the left half and then that of the right half."
)
_LONG = "Count from 1 to 200, one number on each line."
_CONNECT_TIMEOUT = 5.0
"""Seconds to wait for a connection to the server."""
_SIDE = 128
"""Pixels: small, but above the minimum of providers."""


async def examine(model: Model, name: str, *, pictures: bool = True, patience: float = 60.0) -> tuple[CheckResult, ...]:
    """Check what works with a model; `name` is the one that has a price. A call ends after `patience` seconds."""
    repair_responses(model)
    HEALTH.begin()
    try:
        async with checked(model):
            return await _examine(model, name, patience, pictures=pictures)
    finally:
        HEALTH.end()  # failures here must not count in a later run


async def _examine(model: Model, name: str, patience: float, *, pictures: bool) -> tuple[CheckResult, ...]:
    text = await _connection_failure(model) or await _ask(model, [ContentText(text=_TEXT)], patience)
    found = [text_finding(text, getattr(model.api, "api_key_vars", ()))]
    if text.output is None:
        return tuple(found)
    calls = [text]
    if pictures:
        left, right = SystemRandom().sample(sorted(COLOURS), 2)
        picture = ContentImage(image=halves(left, right))
        calls.append(await _ask(model, [picture, ContentText(text=_PICTURE)], patience))
        found.append(picture_finding(calls[-1], left, right))
    calls.append(await _ask(model, [ContentText(text=_LONG)], patience, FEW_TOKENS))
    limit = length_finding(calls[-1])
    answered = [call for call in calls if call.output is not None]
    return (*found, reasoning_finding(answered), limit, price_finding(name), rate_finding(answered))


async def _connection_failure(model: Model) -> DoctorCall | None:
    """Why the address can't be reached, if it can't: clients would retry many times before they say so."""
    address = _address(model)
    try:
        url = urlsplit(address)
        if not url.scheme.startswith("http") or not url.hostname:
            return None
        if url.scheme in getproxies() and not proxy_bypass(url.hostname):
            return None
        with anyio.fail_after(_CONNECT_TIMEOUT):
            await (await anyio.connect_tcp(url.hostname, url.port or (443 if url.scheme == "https" else 80))).aclose()
    except TimeoutError as error:
        return DoctorCall(error=error, reason=f"{address}: no connection within {_CONNECT_TIMEOUT:.0f} s")
    except (OSError, ValueError) as error:
        return DoctorCall(error=error, reason=reason_of(error, address))
    return None


async def _ask(model: Model, content: list[Content], patience: float, max_tokens: int | None = None) -> DoctorCall:
    config = GenerateConfig(max_retries=0, max_tokens=max_tokens)
    began = time.monotonic()
    try:
        with anyio.fail_after(patience):
            output = await model.generate([ChatMessageUser(content=content)], config=config)
    except TimeoutError as error:
        return DoctorCall(error=error, reason=f"{_address(model)}: no reply within {patience:.0f} s")
    except Exception as error:  # whatever a provider raises
        return DoctorCall(error=error, reason=reason_of(error, _address(model)))
    return DoctorCall(writable(output), time.monotonic() - began)


def _address(model: Model) -> str:
    return str(getattr(model.api, "base_url", None) or model)


def halves(left: str, right: str) -> str:
    """A picture of two colours, as a data URL."""
    picture = Image.new("RGB", (_SIDE, _SIDE), COLOURS[left])
    picture.paste(COLOURS[right], (_SIDE // 2, 0, _SIDE, _SIDE))
    return data_url(encoded(picture, "PNG"))
