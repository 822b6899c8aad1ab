"""Calls to a model through Inspect: retried until answered, paid for once, split into reply and reasoning, recorded."""

from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import cast

import anyio
from inspect_ai.model import CachePolicy, ChatMessage, ContentReasoning, ContentText, Model, ModelOutput
from inspect_ai.util import span
from pydantic import BaseModel

from tolman.core.reading import split_thoughts
from tolman.harness.cost import COST_BUDGET
from tolman.harness.progress import scene_done
from tolman.harness.records import Call
from tolman.harness.server_health import begin_call, checked, is_usable
from tolman.models.call_context import CALL_CONTEXT, CallContext
from tolman.models.replay import NO_REPLY
from tolman.models.response_repair import repair_responses

NOT_ANSWERED = ("content_filter", "model_length")
"""Stop reasons that may come from an error; the text is then the provider's error message."""
_PLACEHOLDERS = {
    "stop": "(no content)",
    "content_filter": "BLOCKED: ",
    "unknown": "\nI seem to have had trouble calling a function",
}
"""By stop reason, the start of the text that Inspect substitutes for an empty reply."""


@dataclass(frozen=True)
class ModelReply:
    """One reply."""

    text: str
    """What is graded: without reasoning, and without text that Inspect or a provider substituted."""
    reasoning: str = ""
    stop: str = "stop"
    """Inspect's stop reason; a refusal is `content_filter`, whether the model or its provider refuses."""


def reply_of(output: ModelOutput) -> ModelReply:
    """The reply that an output holds."""
    content, stop = output.message.content, output.stop_reason
    parts = [ContentText(text=content)] if isinstance(content, str) else content
    reasoning = [_reasoning_of(part) for part in parts if isinstance(part, ContentReasoning)]
    text, inline = split_thoughts(_joined(parts))
    if any(isinstance(part, ContentText) and part.refusal for part in parts):
        stop = "content_filter"
    if _is_substitute(output, text):
        text = ""
    return ModelReply(text, "\n\n".join(filter(None, [*reasoning, inline])), stop)


def _reasoning_of(part: ContentReasoning) -> str:
    return (part.summary or "") if part.redacted else (part.reasoning or part.summary or "")


def _joined(parts: Sequence[object]) -> str:
    """Adjacent texts are concatenated; texts with another part between them are put on separate lines."""
    texts = [""]
    for part in parts:
        if isinstance(part, ContentText):
            texts[-1] += part.text
        elif texts[-1]:
            texts.append("")
    return "\n".join(filter(None, texts))


def _is_substitute(output: ModelOutput, text: str) -> bool:
    """Whether a text comes from Inspect or from a provider's error, not from the model."""
    if output.stop_reason in NOT_ANSWERED and output.usage is None and output.response_id is None:
        return True
    placeholder = _PLACEHOLDERS.get(output.stop_reason)
    return placeholder is not None and text.startswith(placeholder)


class ModelCalls:
    """Sends messages to a model and records every reply."""

    def __init__(self, model: Model, scope: dict[str, str], *, resume: bool) -> None:
        """The first two values of the scope, options and scene, distinguish this scene from all others of the run.

        To `resume`, replies are cached on disk, so that an interrupted run repeats no call.
        """
        self.calls: list[Call] = []
        self._model, self._scope, self._resume = checked(model), scope, resume
        self._scene = "/".join(list(scope.values())[:2])
        repair_responses(model)

    @asynccontextmanager
    async def scene(self) -> AsyncGenerator[None]:
        """Encloses all calls of the scene; waits until the cost budget allows the scene to start."""
        async with COST_BUDGET.scene(self._scene):
            yield
        scene_done()

    async def send(self, messages: list[ChatMessage], context: CallContext) -> str | None:
        """The reply; None where a replay has none."""
        token = CALL_CONTEXT.set(context)
        try:
            async with COST_BUDGET.call(self._paid_as(context.call), self._scene):
                output = await self._generate(messages, context.call)
                if output.metadata and output.metadata.get(NO_REPLY):
                    return None
                return self._record_reply(context.call, output)
        finally:
            CALL_CONTEXT.reset(token)

    async def _generate(self, messages: list[ChatMessage], call: str) -> ModelOutput:
        """One reply, from disk if it is there; an unusable one, left by an older version, is requested again."""
        begin_call()
        output = await self._model.generate(messages, cache=self._policy(call))
        if not is_usable(output):
            output = await self._model.generate(messages, cache=self._policy(call, again="1"))
        return writable(output)

    def _paid_as(self, call: str) -> str:
        return "/".join((*self._scope.values(), call))

    def _policy(self, call: str, **more: str) -> CachePolicy | bool:
        return CachePolicy(expiry=None, scopes={**self._scope, "call": call, **more}) if self._resume else False

    def _record_reply(self, call: str, output: ModelOutput) -> str:
        """Record an output; returns the reply without reasoning."""
        reply = reply_of(output)
        usage = output.usage
        cost = usage.total_cost if usage else None
        COST_BUDGET.pay(self._paid_as(call), cost, self._scene)
        self.calls.append(
            Call(
                name=call,
                reply=reply.text,
                stop=reply.stop,
                input_tokens=_input_tokens(output),
                output_tokens=_output_tokens(output),
                reasoning=reply.reasoning,
                reasoning_tokens=(usage.reasoning_tokens or 0) if usage else 0,
                cost=cost,
            )
        )
        return reply.text


def writable(output: ModelOutput) -> ModelOutput:
    """The output itself, with lone surrogates replaced, which can't be written to a log."""
    return cast("ModelOutput", _without_lone_surrogates(output))


def _without_lone_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_without_lone_surrogates(each) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        return {
            _without_lone_surrogates(name): _without_lone_surrogates(each)
            for name, each in cast("dict[object, object]", value).items()
        }
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            setattr(value, name, _without_lone_surrogates(getattr(value, name)))
    return value


def _input_tokens(output: ModelOutput) -> int:
    """All of them, read from a provider's cache or not."""
    usage = output.usage
    if usage is None:
        return 0
    return usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)


def _output_tokens(output: ModelOutput) -> int:
    """All of them, reasoning included; some providers count it separately, as their total shows."""
    usage = output.usage
    if usage is None:
        return 0
    reasoning, written = usage.reasoning_tokens or 0, usage.output_tokens
    separate = reasoning > written or usage.total_tokens == _input_tokens(output) + written + reasoning
    return written + reasoning if separate else written


async def run_concurrently(heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
    """Run all at once, under a heading in the log. After a failure the others still finish: their replies are
    paid for, and recorded."""
    failures: list[Exception] = []

    async def run(awaitable: Awaitable[None]) -> None:
        try:
            await awaitable
        except Exception as failure:
            failures.append(failure)

    async with span(heading) if heading else nullcontext(), anyio.create_task_group() as group:
        for awaitable in awaitables:
            group.start_soon(run, awaitable)
    if failures:
        raise failures[0]
