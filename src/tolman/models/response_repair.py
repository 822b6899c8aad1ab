"""Repair of responses from servers that deviate from OpenAI's format, before OpenAI's client parses them.

Content in parts, null token counts, a missing id: each makes Inspect's providers fail, and the reply, which was paid
for, is lost. Valid responses are left unchanged.
"""

import json
from typing import Any, cast

from inspect_ai.model import Model

Body = dict[str, Any]
_PATH = "/chat/completions"
_TOO_LONG = ("maximum context length", "context length", "context size", "context window", "prompt is too long")
"""How servers report that a prompt exceeds the context."""
_MOST = 2**53
_COUNTS = ("prompt_tokens", "completion_tokens")


def repair_responses(model: Model) -> None:
    """Repair every response of a model's server, if the model is reached through OpenAI's client."""
    api = model.api
    if getattr(api.initialize, "repairs_responses", False):
        return
    start = api.initialize

    def initialize() -> None:
        start()
        _add_hook(getattr(api, "client", None))

    initialize.repairs_responses = True  # pyright: ignore[reportFunctionMemberAccess]
    api.initialize = initialize  # some clients are made with the first call only
    _add_hook(getattr(api, "client", None))


def _add_hook(client: Any) -> None:
    """Add the repair to the response hooks of httpx. Duck-typed, as importing the client takes a second."""
    http = getattr(client, "_client", None)
    hooks = getattr(http, "event_hooks", None)
    if http is not None and isinstance(hooks, dict) and _repair not in hooks["response"]:
        http.event_hooks = {**hooks, "response": [*hooks["response"], _repair]}


async def _repair(response: Any) -> None:
    if not response.request.url.path.endswith(_PATH) or "json" not in response.headers.get("content-type", "json"):
        return
    content = await response.aread()
    try:
        body = json.loads(content)
    except ValueError:
        return
    if parsed := _object(body):
        response._content = json.dumps(repaired_body(parsed)).encode()


def repaired_body(body: Body) -> Body:
    """A chat completion, or an error, as OpenAI would send it."""
    if error := _object(body.get("error")):
        return {**body, "error": _error(error)}
    if not isinstance(choices := body.get("choices"), list) or not choices:
        return body  # no reply: the client shall fail and retry
    named = {"id": "unnamed", "object": "chat.completion", "created": 0, "model": ""}
    counted = {"usage": _usage(body["usage"])} if isinstance(body.get("usage"), dict) else {}
    said = [_choice(choice, number) for number, choice in enumerate(cast("list[object]", choices))]
    return {**body, **{key: value for key, value in named.items() if body.get(key) is None}, **counted, "choices": said}


def _error(error: Body) -> Body:
    """An error for a prompt that is too long is worded so that each of Inspect's providers recognises it."""
    said = str(error.get("message"))
    if error.get("type") != "exceed_context_size_error" and not any(words in said.lower() for words in _TOO_LONG):
        return error
    worded = said if _TOO_LONG[0] in said else f"{said} ({_TOO_LONG[0]})"
    return {**error, "message": worded, "code": "context_length_exceeded"}


def _choice(choice: object, number: int) -> object:
    known = _object(choice)
    if not isinstance(known.get("message"), dict):
        return choice
    numbered = {} if isinstance(known.get("index"), int) else {"index": number}
    return {**known, **numbered, "message": _message(known["message"])}


def _message(message: Body) -> Body:
    if not isinstance(content := message.get("content"), list):
        return message
    parts = [_object(part) for part in cast("list[object]", content)]
    said = "".join(_text(part.get("text")) for part in parts)
    thought = "".join(_text(part.get("thinking")) for part in parts)
    reasoning = {"reasoning_content": thought} if thought and not message.get("reasoning_content") else {}
    return {**message, "content": said, **reasoning}


def _object(value: object) -> Body:
    return cast("Body", value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    """A text, or the joined texts of nested parts."""
    if isinstance(value, list):
        return "".join(_text(_object(part).get("text")) for part in cast("list[object]", value))
    return value if isinstance(value, str) else ""


def _usage(usage: Body) -> Body | None:
    """Token counts; None, not zero, where nothing was counted."""
    counts = {name: _count(usage.get(name)) for name in (*_COUNTS, "total_tokens")}
    if all(count is None for count in counts.values()):
        return None
    known = {name: counts[name] or 0 for name in _COUNTS}
    total = counts["total_tokens"]
    details: Body = {
        name: value for name, value in usage.items() if name.endswith("_details") and isinstance(value, dict)
    }
    sent = _object(details.get("prompt_tokens_details"))
    if (_count(sent.get("cached_tokens")) or 0) > known["prompt_tokens"]:
        details["prompt_tokens_details"] = {**sent, "cached_tokens": known["prompt_tokens"]}
    return {**known, "total_tokens": sum(known.values()) if total is None else total, **details}


def _count(value: object) -> int | None:
    known = float(value) if isinstance(value, str) and value.isdecimal() else value
    return round(known) if isinstance(known, int | float) and 0 <= known < _MOST else None
