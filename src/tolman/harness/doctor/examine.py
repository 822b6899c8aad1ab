"""Three small calls to a model: text, a picture, and a reply that exceeds a length limit."""

import base64
import io
import time
from random import SystemRandom
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText, GenerateConfig, Model
from PIL import Image

from tolman.harness.doctor.findings import (
    COLOURS,
    FEW_TOKENS,
    DoctorCall,
    Finding,
    length_finding,
    picture_finding,
    price_finding,
    rate_finding,
    reasoning_finding,
    text_finding,
)
from tolman.harness.model_calls import writable
from tolman.harness.server_health import HEALTH, checked, reason_of
from tolman.models.response_repair import repair_responses

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


async def examine(model: Model, name: str, *, pictures: bool = True, patience: float = 60.0) -> tuple[Finding, ...]:
    """Check what works with a model; `name` is the one that has a price. A call ends after `patience` seconds."""
    repair_responses(model)
    HEALTH.begin()
    try:
        async with checked(model):
            return await _examine(model, name, patience, pictures=pictures)
    finally:
        HEALTH.end()  # failures here must not count in a later run


async def _examine(model: Model, name: str, patience: float, *, pictures: bool) -> tuple[Finding, ...]:
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
    file = io.BytesIO()
    picture.save(file, "PNG")
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode('ascii')}"
