"""`local/smollm2`, `local/PATH.gguf` and `local/FOLDER`: the model provider, and the conversion of messages and
settings to llama.cpp requests and of its replies to model outputs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from inspect_ai.model import (
    ChatMessage,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel, Field

from tolman.models.local.checkpoint import load_checkpoint, sampling_key
from tolman.models.local.llama_cpp import TOO_LONG, LocalModelError, Request, bindings, find_weights, load

MAX_TOKENS = 256
"""Default limit of a reply: enough for a turn, and short if a small model repeats itself."""
SEED = 0
"""Default seed of token sampling, so that runs are reproducible."""
_SAME_NAME = ("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty")
_SAMPLING = {**{name: name for name in _SAME_NAME}, "stop_seqs": "stop"}
"""Inspect's name of a setting to llama.cpp's. Settings that are not given are left to llama.cpp."""


class _ReplyMessage(BaseModel):
    content: str | None = None
    reasoning_content: str | None = None


class _Choice(BaseModel):
    finish_reason: str
    message: _ReplyMessage


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
    """A request for one reply. The cached prefix of an earlier prompt is reused."""
    given: dict[str, object] = config.model_dump(include=set(_SAMPLING), exclude_none=True)
    return {
        "messages": [{"role": message.role, "content": _text(message)} for message in messages],
        "max_tokens": config.max_tokens or MAX_TOKENS,
        "seed": SEED if config.seed is None else config.seed,
        "cache_prompt": True,
        **{_SAMPLING[name]: value for name, value in given.items()},
    }


def _text(message: ChatMessage) -> str:
    """The text of a message. Raises for images, as dropping them silently would invalidate the result."""
    if message.role == "tool":
        raise LocalModelError("local models are not given tools here: use a task without tools, or another provider")
    if not isinstance(message.content, str) and any(part.type not in {"text", "reasoning"} for part in message.content):
        raise LocalModelError("local models read text only: use a task in text, or a provider that takes pictures")
    return message.text


def model_output(model: str, request: Request, answer: Mapping[str, Any]) -> ModelOutput:
    """llama.cpp's reply with token counts. A prompt that exceeds the context gets an empty reply, not an error."""
    if "error" in answer:
        return _context_exceeded(model, _Error.model_validate(answer["error"]))
    reply = _Reply.model_validate(answer)
    output = ModelOutput.from_content(model, _content(reply.choices[0].message), _stop_reason(reply, request))
    cached = reply.usage.prompt_tokens_details.cached_tokens
    output.usage = ModelUsage(
        input_tokens=reply.usage.prompt_tokens - cached,
        input_tokens_cache_read=cached,
        output_tokens=reply.usage.completion_tokens,
        total_tokens=reply.usage.prompt_tokens + reply.usage.completion_tokens,
    )
    output.input_context_tokens = reply.usage.prompt_tokens
    return output


def _context_exceeded(model: str, error: _Error) -> ModelOutput:
    if error.type != TOO_LONG:
        raise LocalModelError(f"{model} can't answer: llama.cpp says {error.message!r}")
    output = ModelOutput.from_content(model, "", "model_length")
    output.usage, output.input_context_tokens = ModelUsage(), error.n_prompt_tokens or None
    return output


def _content(said: _ReplyMessage) -> str | list[Content]:
    if said.reasoning_content:
        return [ContentReasoning(reasoning=said.reasoning_content), ContentText(text=said.content or "")]
    return said.content or ""


def _stop_reason(reply: _Reply, request: Request) -> StopReason:
    """A reply truncated below its token limit reached the end of the context."""
    if reply.choices[0].finish_reason != "length":
        return "stop"
    return "max_tokens" if reply.usage.completion_tokens == request["max_tokens"] else "model_length"


CONTEXT = 8192
"""Tokens of prompt and reply together: the training context of SmolLM2. Other models allow more, which takes memory."""


CHECKPOINT_CONNECTIONS = 256
"""Requests that wait for a checkpoint at a time, and so the largest batch."""


@dataclass(eq=False)
class _Pending:
    """A request to a checkpoint, and its answer once it is there."""

    request: Request
    answer: dict[str, Any] | None = None


@modelapi(name="local")
class LocalAPI(ModelAPI):
    """A local language model. Missing parts are reported at once; the model is loaded at the first call."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        context: int = CONTEXT,
        threads: int | None = None,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self._weights = find_weights(model_name)
        self._is_checkpoint = self._weights.is_dir()
        if not self._is_checkpoint:
            bindings()
        self._context, self._threads = context, threads
        self._one_at_a_time = CapacityLimiter(1)
        self._pending: list[_Pending] = []

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The model's reply, computed in another thread."""
        del tool_choice
        if tools:
            raise LocalModelError("local models are not given tools here: use a task without, or another provider")
        request = chat_request(input, config)
        if not self._is_checkpoint:
            return await run_sync(partial(self._reply, request), limiter=self._one_at_a_time)
        pending = _Pending(request)
        self._pending.append(pending)
        await run_sync(partial(self._answer_batch, pending), limiter=self._one_at_a_time)
        return model_output(self.model_name, request, pending.answer or {})

    def _reply(self, request: Request) -> ModelOutput:
        answer = load(self._weights, self._context, self._threads).answer(request)
        return model_output(self.model_name, request, answer)

    def _answer_batch(self, wanted: "_Pending") -> None:
        """Answer a request, unless an earlier batch did, with all that wait and share its settings."""
        if wanted.answer is not None:
            return
        key = sampling_key(wanted.request)
        batch = [each for each in list(self._pending) if each is wanted or sampling_key(each.request) == key]
        for each in batch:
            self._pending.remove(each)
        batch = batch if wanted in batch else [wanted, *batch]
        answers = load_checkpoint(self._weights).answers([each.request for each in batch])
        for each, answer in zip(batch, answers, strict=True):
            each.answer = answer

    def max_tokens(self) -> int:
        return MAX_TOKENS

    def max_connections(self) -> int:
        """One for llama.cpp: a reply uses all cores, and in the order of a scene's calls most of each prompt is cached.

        Measured by `benchmarks/prefix_reuse.py`; scheduling by the longest shared prefix computes more. Requests to a
        checkpoint are answered in batches.
        """
        return CHECKPOINT_CONNECTIONS if self._is_checkpoint else 1

    def collapse_user_messages(self) -> bool:
        """True: many chat templates require alternating user and assistant messages."""
        return True

    def collapse_assistant_messages(self) -> bool:
        return True
