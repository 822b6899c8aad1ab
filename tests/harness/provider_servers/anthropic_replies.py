"""Messages as Anthropic sends them, whole or as a stream."""

from collections.abc import Iterator
from typing import Any

from tests.harness.provider_servers.reply import THOUGHT, Body, Shape


def claude(content: list[Body], stop: str | None = "end_turn", **fields: Any) -> Body:
    """A message with blocks of content."""
    body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": content}
    usage = {"input_tokens": 12, "output_tokens": 25, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    return {**body, "stop_reason": stop, "stop_sequence": None, "usage": usage, **fields}


def _block(text: str) -> Body:
    return {"type": "text", "text": text}


_THINKING = {"type": "thinking", "thinking": THOUGHT, "signature": "EqQBCg"}
ANTHROPIC = (
    Shape("text", lambda text: claude([_block(text)])),
    Shape("two blocks", lambda text: claude([_block(text[:5]), _block(text[5:])])),
    Shape("thinking", lambda text: claude([_THINKING, _block(text)]), thinks=True),
    Shape("thinking hidden", lambda text: claude([{**_THINKING, "thinking": ""}, _block(text)])),
    Shape("redacted thinking", lambda text: claude([{"type": "redacted_thinking", "data": "EmwKAh"}, _block(text)])),
    Shape("cut while thinking", lambda _: claude([_THINKING], "max_tokens"), "nothing", "max_tokens", thinks=True),
    Shape("no blocks", lambda _: claude([]), "nothing"),
    Shape("empty", lambda _: claude([_block("")]), "nothing"),
    Shape("refusal", lambda _: claude([], "refusal"), "nothing", "content_filter"),
    Shape(
        "refusal with words",
        lambda _: claude([_block("I can't help with that.")], "refusal"),
        "something else",
        "content_filter",
    ),
    Shape(
        "tool call",
        lambda _: claude([{"type": "tool_use", "id": "toolu_1", "name": "move", "input": {}}], "tool_use"),
        "nothing",
        "tool_calls",
    ),
    Shape("length", lambda text: claude([_block(text)], "max_tokens"), stop="max_tokens"),
    Shape("context full", lambda text: claude([_block(text)], "model_context_window_exceeded"), stop="unknown"),
    Shape("stop sequence", lambda text: claude([_block(text)], "stop_sequence", stop_sequence="\n\nHuman:")),
    Shape("an unknown end", lambda text: claude([_block(text)], "something_new"), stop="unknown"),
    Shape(
        "usage of nulls",
        lambda text: claude(
            [_block(text)],
            usage={
                "input_tokens": 12,
                "output_tokens": 5,
                "cache_creation_input_tokens": None,
                "cache_read_input_tokens": None,
            },
        ),
    ),
    Shape("bare usage", lambda text: claude([_block(text)], usage={"input_tokens": 12, "output_tokens": 5})),
)


def events_of(message: Body) -> Iterator[Body]:
    """The same message as Anthropic streams it."""
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        kind = block["type"]
        whole = kind in ("redacted_thinking", "tool_use")
        blank = block if whole else {**block, **{key: "" for key in ("text", "thinking", "signature") if key in block}}
        yield {"type": "content_block_start", "index": index, "content_block": blank}
        if kind == "text" and block["text"]:
            yield _delta(index, type="text_delta", text=block["text"])
        if kind == "thinking":
            if block["thinking"]:
                yield _delta(index, type="thinking_delta", thinking=block["thinking"])
            yield _delta(index, type="signature_delta", signature=block["signature"])
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": message["stop_sequence"]}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": message["usage"]["output_tokens"]}}
    yield {"type": "message_stop"}


def _delta(index: int, **delta: str) -> Body:
    return {"type": "content_block_delta", "index": index, "delta": delta}
