"""Responses as OpenAI's newer API sends them."""

from typing import Any

from tests.harness.provider_servers.reply import THOUGHT, Body, Shape, refused, without


def response(output: list[Body], **fields: Any) -> Body:
    """A response with items of output."""
    counted = {"input_tokens": 12, "output_tokens": 5, "total_tokens": 17}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    body = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "error": None}
    rest: Body = {"incomplete_details": None, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**body, **rest, "output": output, "usage": {**counted, **details}, **fields}


def _message(*content: Body) -> Body:
    return {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": list(content)}


def _text(text: str) -> Body:
    return {"type": "output_text", "text": text, "annotations": []}


def _reasoning(**fields: Any) -> Body:
    return {"type": "reasoning", "id": "rs_1", "summary": [], **fields}


_SUMMARY = [{"type": "summary_text", "text": THOUGHT}]
RESPONSES = (
    Shape("text", lambda text: response([_message(_text(text))])),
    Shape("two parts", lambda text: response([_message(_text(text[:5]), _text(text[5:]))])),
    Shape("reasoning", lambda text: response([_reasoning(), _message(_text(text))])),
    Shape("summary", lambda text: response([_reasoning(summary=_SUMMARY), _message(_text(text))]), thinks=True),
    Shape(
        "encrypted reasoning",
        lambda text: response([_reasoning(encrypted_content="gAAAAA", summary=_SUMMARY), _message(_text(text))]),
        thinks=True,
    ),
    Shape(
        "reasoning text",  # gpt-oss behind vLLM
        lambda text: response(
            [_reasoning(content=[{"type": "reasoning_text", "text": THOUGHT}]), _message(_text(text))]
        ),
        thinks=True,
    ),
    Shape("no output", lambda _: response([]), "nothing"),
    Shape("empty", lambda _: response([_message(_text(""))]), "nothing"),
    Shape("no parts", lambda _: response([_message()]), "nothing"),
    Shape(
        "refusal",
        lambda _: response([_message({"type": "refusal", "refusal": "I can't help with that."})]),
        "something else",
        "content_filter",
    ),
    Shape(
        "tool call",
        lambda _: response(
            [
                {
                    "type": "function_call",
                    "id": "fc_1",
                    "call_id": "c",
                    "name": "move",
                    "arguments": "{}",
                    "status": "completed",
                }
            ]
        ),
        "nothing",
        "tool_calls",
    ),
    Shape(
        "length",
        lambda text: response(
            [_message(_text(text))], status="incomplete", incomplete_details={"reason": "max_output_tokens"}
        ),
        stop="max_tokens",
    ),
    Shape(
        "cut while thinking",
        lambda _: response(
            [_reasoning(summary=_SUMMARY)], status="incomplete", incomplete_details={"reason": "max_output_tokens"}
        ),
        "nothing",
        "max_tokens",
        thinks=True,
    ),
    Shape(
        "content filter",
        lambda _: response([], status="incomplete", incomplete_details={"reason": "content_filter"}),
        "nothing",
        "content_filter",
    ),
    Shape(
        "invalid prompt",
        lambda _: refused("invalid_prompt", "Your prompt was flagged. Answer: east"),
        "nothing",
        "content_filter",
        status=400,
    ),
    Shape("no usage", lambda text: without(response([_message(_text(text))]), "usage")),
    Shape("usage null", lambda text: response([_message(_text(text))], usage=None)),
    Shape(
        "usage without details",
        lambda text: response(
            [_message(_text(text))], usage={"input_tokens": 12, "output_tokens": 5, "total_tokens": 17}
        ),
    ),
)
