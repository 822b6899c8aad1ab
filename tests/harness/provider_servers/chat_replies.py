"""Chat completions as OpenAI sends them, and servers that speak almost like it."""

from collections.abc import Callable
from typing import Any

from tests.harness.provider_servers.reply import THOUGHT, Body, Shape, refused, without

_COUNTED = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}


def chat(text: Any, stop: str | None = "stop", usage: Body | None = _COUNTED, **message: Any) -> Body:
    """A chat completion; `message` adds to the message."""
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "message": said, "logprobs": None, "finish_reason": stop}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return body if usage is None else {**body, "usage": usage}


def _called(arguments: str) -> list[Body]:
    return [{"id": "call_1", "type": "function", "function": {"name": "move", "arguments": arguments}}]


def _usage(**fields: Any) -> Callable[[str], Body]:
    return lambda text: chat(text, usage={**_COUNTED, **fields})


def _choicewithout(*names: str) -> Callable[[str], Body]:
    return lambda text: {**chat(text), "choices": [without(chat(text)["choices"][0], *names)]}


_OPENAI_USAGE = {
    **_COUNTED,
    "prompt_tokens_details": {"cached_tokens": 4, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 3, "audio_tokens": 0, "accepted_prediction_tokens": 0},
}
CHAT = (
    Shape("text", lambda text: {**chat(text, refusal=None, annotations=[]), "system_fingerprint": "fp_1"}),
    Shape("a list of parts", lambda text: chat([{"type": "text", "text": text}])),
    Shape("parts of one text", lambda text: chat([{"type": "text", "text": p} for p in (text[:5], text[5:])])),
    Shape(
        "parts with thinking",  # Mistral
        lambda text: chat(
            [{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}, {"type": "text", "text": text}]
        ),
        thinks=True,
    ),
    Shape("think tags", lambda text: chat(f"<think>\n{THOUGHT}\n</think>\n\n{text}"), thinks=True),  # Qwen3
    Shape("think tag from the template", lambda text: chat(f"{THOUGHT}\n</think>\n\n{text}"), thinks=True),
    Shape("empty think tags", lambda text: chat(f"<think>\n\n</think>\n\n{text}")),  # Qwen3 without thinking
    Shape("cut while thinking", lambda _: chat(f"<think>\n{THOUGHT}", "length"), "nothing", "max_tokens", thinks=True),
    Shape("reasoning_content", lambda text: chat(text, reasoning_content=THOUGHT), thinks=True),  # DeepSeek, llama.cpp
    Shape("reasoning", lambda text: chat(text, reasoning=THOUGHT), thinks=True),  # vLLM, Ollama
    Shape(
        "reasoning_details",  # OpenRouter
        lambda text: chat(
            text, reasoning_details=[{"type": "reasoning.text", "text": THOUGHT, "format": "unknown", "index": 0}]
        ),
        thinks=True,
    ),
    Shape(
        "cut while thinking, told apart",
        lambda _: chat(None, "length", reasoning_content=THOUGHT),
        "nothing",
        "max_tokens",
        thinks=True,
    ),
    Shape("empty", lambda _: chat(""), "nothing"),
    Shape("null", lambda _: chat(None), "nothing"),
    Shape("no content at all", lambda _: _no_content(), "nothing"),
    Shape(
        "refusal",
        lambda _: chat(None, refusal="I can't help with that."),
        "something else",
        "content_filter",
    ),
    Shape("tool call", lambda _: chat(None, "tool_calls", tool_calls=_called('{"to": 1}')), "nothing", "tool_calls"),
    Shape("broken tool call", lambda _: chat(None, "tool_calls", tool_calls=_called('{"to')), "nothing", "tool_calls"),
    Shape("no tool calls", lambda text: chat(text, tool_calls=[], function_call=None, reasoning_content=None)),  # vLLM
    Shape("length", lambda text: chat(text, "length"), stop="max_tokens"),
    Shape("content filter", lambda _: chat("", "content_filter"), "nothing", "content_filter"),
    Shape(
        "content filter as an error",  # Azure
        lambda _: refused("content_filter", "The response was filtered. Answer: east"),
        "nothing",
        "content_filter",
        status=400,
    ),
    Shape(
        "context exceeded",
        lambda _: refused("context_length_exceeded", "This model's maximum context length is 8192 tokens."),
        "nothing",
        "model_length",
        status=400,
    ),
    Shape(
        "context exceeded, in llama.cpp's words",
        lambda _: {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size, try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 9000,
                "n_ctx": 8192,
            }
        },
        "nothing",
        "model_length",
        status=400,
    ),
    Shape(
        "context exceeded, in vLLM's words",
        lambda _: {
            "error": {
                "message": "This model's maximum context length is 8192 tokens. However, your request has 9000.",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            }
        },
        "nothing",
        "model_length",
        status=400,
    ),
    Shape("an unknown end", lambda text: chat(text, "end_turn"), stop="unknown"),
    Shape("no end", lambda text: chat(text, None), stop="unknown"),
    Shape("no index", _choicewithout("index", "logprobs")),
    Shape("no finish_reason", _choicewithout("finish_reason"), stop="unknown"),
    Shape("no id, time or model", lambda text: without(chat(text), "id", "object", "created", "model")),
    Shape("usage with details", lambda text: chat(text, usage=_OPENAI_USAGE)),
    Shape("no usage", lambda text: chat(text, usage=None)),
    Shape("usage null", lambda text: {**chat(text), "usage": None}),
    Shape("usage of nulls", _usage(prompt_tokens=None, completion_tokens=None, total_tokens=None)),
    Shape("usage of nothing", lambda text: chat(text, usage={})),
    Shape("usage without a total", lambda text: chat(text, usage={"prompt_tokens": 12, "completion_tokens": 5})),
    Shape("usage with null details", _usage(prompt_tokens_details=None, completion_tokens_details=None)),
    Shape("usage with empty details", _usage(prompt_tokens_details={}, completion_tokens_details={})),
    Shape("more cached than sent", _usage(prompt_tokens_details={"cached_tokens": 40})),
    Shape("odd counts", _usage(prompt_tokens=None, completion_tokens="5", total_tokens=-1)),
    Shape("usage in fractions", _usage(prompt_tokens=12.0, cost=0.00014, is_byok=False)),  # OpenRouter
    Shape("timings", lambda text: {**chat(text), "timings": {"prompt_n": 1, "predicted_ms": 33.4}}),  # llama.cpp
)


def _no_content() -> Body:
    body = chat(None)
    del body["choices"][0]["message"]["content"]
    return body
