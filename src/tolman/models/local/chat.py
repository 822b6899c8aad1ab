"""Between Inspect and llama.cpp: messages and settings into a request, a reply into a model output."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    StopReason,
)
from pydantic import BaseModel, Field

from tolman.models.local.engine import LocalModelError, Request

MAX_TOKENS = 256
"""Most tokens of a reply unless asked otherwise: enough for a turn, and soon over if a small model repeats itself."""
SEED = 0
"""Of the draws of tokens, unless asked otherwise, so that runs repeat."""
TOO_LONG = "exceed_context_size_error"
_SAMPLING = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "stop_seqs": "stop",
}
"""Inspect's name of a setting, and llama.cpp's. What nobody sets is left to llama.cpp."""


class _Said(BaseModel):
    content: str | None = None
    reasoning_content: str | None = None


class _Choice(BaseModel):
    finish_reason: str
    message: _Said


class _CachedTokens(BaseModel):
    cached_tokens: int = 0


class _Usage(BaseModel):
    prompt_tokens: int
    completion_tokens: int
    prompt_tokens_details: _CachedTokens = _CachedTokens()


class _Error(BaseModel):
    message: str = ""
    type: str = ""
    n_prompt_tokens: int = 0


class _Reply(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage


def chat_request(messages: Sequence[ChatMessage], config: GenerateConfig) -> Request:
    """A request for one reply. What the server keeps of an earlier prompt is used wherever the two begin alike."""
    given: dict[str, object] = config.model_dump(include=set(_SAMPLING), exclude_none=True)
    return {
        "messages": [{"role": message.role, "content": _text(message)} for message in messages],
        "max_tokens": config.max_tokens or MAX_TOKENS,
        "seed": SEED if config.seed is None else config.seed,
        "cache_prompt": True,
        **{_SAMPLING[name]: value for name, value in given.items()},
    }


def _text(message: ChatMessage) -> str:
    """The words of a message. A picture left out in silence would spoil a result, so it is refused."""
    if message.role == "tool":
        raise LocalModelError("local models are not given tools here: use a task without tools, or another provider")
    if not isinstance(message.content, str) and any(part.type not in {"text", "reasoning"} for part in message.content):
        raise LocalModelError("local models read text only: use a task in text, or a provider that takes pictures")
    return message.text


def model_output(model: str, request: Request, answer: Mapping[str, Any]) -> ModelOutput:
    """What llama.cpp said, with its tokens counted. A prompt that does not fit gets an empty reply, not an error."""
    if "error" in answer:
        return _refused(model, _Error.model_validate(answer["error"]))
    reply = _Reply.model_validate(answer)
    said = ChatMessageAssistant(content=_content(reply.choices[0].message), model=model, source="generate")
    choice = ChatCompletionChoice(message=said, stop_reason=_stop_reason(reply, request))
    cached = reply.usage.prompt_tokens_details.cached_tokens
    usage = ModelUsage(
        input_tokens=reply.usage.prompt_tokens - cached,
        input_tokens_cache_read=cached,
        output_tokens=reply.usage.completion_tokens,
        total_tokens=reply.usage.prompt_tokens + reply.usage.completion_tokens,
    )
    return ModelOutput(model=model, choices=[choice], usage=usage, input_context_tokens=reply.usage.prompt_tokens)


def _refused(model: str, error: _Error) -> ModelOutput:
    if error.type != TOO_LONG:
        raise LocalModelError(f"{model} can't answer: llama.cpp says {error.message!r}")
    said = ChatMessageAssistant(content="", model=model, source="generate")
    choice = ChatCompletionChoice(message=said, stop_reason="model_length")
    return ModelOutput(
        model=model, choices=[choice], usage=ModelUsage(), input_context_tokens=error.n_prompt_tokens or None
    )


def _content(said: _Said) -> str | list[Content]:
    if said.reasoning_content:
        return [ContentReasoning(reasoning=said.reasoning_content), ContentText(text=said.content or "")]
    return said.content or ""


def _stop_reason(reply: _Reply, request: Request) -> StopReason:
    """A reply that was cut short of its limit ran into the end of the context."""
    if reply.choices[0].finish_reason != "length":
        return "stop"
    return "max_tokens" if reply.usage.completion_tokens == request["max_tokens"] else "model_length"
