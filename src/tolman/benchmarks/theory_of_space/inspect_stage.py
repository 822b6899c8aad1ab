"""A model behind Inspect on the stage of a scene, and the record of all it said."""

from collections.abc import Awaitable, Sequence
from contextlib import nullcontext

import anyio
from inspect_ai.log import transcript
from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    Model,
    ModelOutput,
)
from inspect_ai.util import span

from tolman.benchmarks.purse import PURSE
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Message
from tolman.benchmarks.theory_of_space.illustrated import Illustrated
from tolman.benchmarks.theory_of_space.map_pictures import asks_for_map, map_markdown
from tolman.benchmarks.theory_of_space.record import Call
from tolman.explore.episode import Episode
from tolman.models.handed import HANDED, Handed
from tolman.models.replay import NO_REPLY

_PAUSES = (0.5, 2.0, 8.0)
"""Seconds before a reply that made no sense as a message is asked for again."""
_NO_MESSAGE = (ValueError, TypeError, AttributeError, LookupError)
"""What clients run into when the body of a reply is not what it should be. Errors of transport are others."""


class InspectStage:
    """Sends conversations to a model and keeps every reply; see `Stage`."""

    def __init__(
        self, model: Model, case: Case, scope: dict[str, str], *, resume: bool, illustrated: Illustrated | None = None
    ) -> None:
        """The scope tells this scene from all others of the run.

        To `resume`, replies are kept on disk, so that a run that was cut off sends no call twice. Messages are plain
        text unless they are `illustrated`.
        """
        self.calls: list[Call] = []
        self._model, self._case, self._scope, self._resume = model, case, scope, resume
        self._illustrated = illustrated or Illustrated()

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        """The reply of the model."""
        PURSE.check()
        handed = HANDED.set(Handed(call, self._case.id, episode.scene, episode.before))
        try:
            output = await self._generate(await self._illustrated.messages(messages), call)
        finally:
            HANDED.reset(handed)
        if output.metadata and output.metadata.get(NO_REPLY):
            return None
        self._keep(call, output)
        if asks_for_map(call):
            picture = await anyio.to_thread.run_sync(map_markdown, self._case, episode, call, output.completion)
            transcript().info(picture, source="map")
        return output.completion

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        """Run all at once. After a failure the others still finish: what they bring is paid for, and kept."""
        async with span(heading) if heading else nullcontext():
            await _together(awaitables)

    async def _generate(self, messages: list[ChatMessage], call: str) -> ModelOutput:
        """Ask again where a server answers with something that is no answer; Inspect does so for all other faults."""
        for pause in _PAUSES:
            try:
                return writable(await self._model.generate(messages, cache=self._policy(call)))
            except _NO_MESSAGE:
                await anyio.sleep(pause)
        return writable(await self._model.generate(messages, cache=self._policy(call)))

    def _policy(self, call: str) -> CachePolicy | bool:
        return CachePolicy(expiry=None, scopes={**self._scope, "call": call}) if self._resume else False

    def _keep(self, call: str, output: ModelOutput) -> None:
        usage = output.usage
        cost = usage.total_cost if usage else None
        PURSE.pay("/".join((*self._scope.values(), call)), cost)
        self.calls.append(
            Call(
                name=call,
                reply=output.completion,
                stop=output.stop_reason,
                input_tokens=_input_tokens(output),
                output_tokens=usage.output_tokens if usage else 0,
                cost=cost,
            )
        )


def writable(output: ModelOutput) -> ModelOutput:
    """The output itself, with half characters (lone surrogates) replaced: they can't be written to any log."""
    for choice in output.choices:
        content = choice.message.content
        if isinstance(content, str):
            choice.message.content = _whole(content)
        else:
            for part in content:
                for name in ("text", "reasoning", "summary"):
                    if isinstance(said := getattr(part, name, None), str):
                        setattr(part, name, _whole(said))
    output.completion = _whole(output.completion)
    return output


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _input_tokens(output: ModelOutput) -> int:
    """All of them, read from a provider's cache or not."""
    usage = output.usage
    if usage is None:
        return 0
    return usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)


async def _together(awaitables: Sequence[Awaitable[None]]) -> None:
    failures: list[Exception] = []

    async def run(awaitable: Awaitable[None]) -> None:
        try:
            await awaitable
        except Exception as failure:
            failures.append(failure)

    async with anyio.create_task_group() as group:
        for awaitable in awaitables:
            group.start_soon(run, awaitable)
    if failures:
        raise failures[0]
