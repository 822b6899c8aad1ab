"""A model behind Inspect on the stage of a scene, and the record of all it said."""

from collections.abc import Awaitable, Sequence
from contextlib import AbstractAsyncContextManager

import anyio
from inspect_ai.log import transcript
from inspect_ai.model import Model

from tolman.benchmarks.call import Call
from tolman.benchmarks.model_calls import ModelCalls, together
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Message
from tolman.benchmarks.theory_of_space.illustrated import Illustrated
from tolman.benchmarks.theory_of_space.map_pictures import asks_for_map, map_markdown
from tolman.explore.episode import Episode
from tolman.models.handed import Handed


class InspectStage:
    """Sends conversations to a model and keeps every reply; see `Stage`."""

    def __init__(
        self, model: Model, case: Case, scope: dict[str, str], *, resume: bool, illustrated: Illustrated | None = None
    ) -> None:
        """Scope and `resume` are those of `ModelCalls`. Messages are plain text unless they are `illustrated`."""
        self._case, self._calls = case, ModelCalls(model, scope, resume=resume)
        self._illustrated = illustrated or Illustrated()

    @property
    def calls(self) -> list[Call]:
        """All replies so far, as they came in."""
        return self._calls.calls

    def scene(self) -> AbstractAsyncContextManager[None]:
        """All is said within; see `ModelCalls`."""
        return self._calls.scene()

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        """The reply of the model."""
        handed = Handed(call, self._case.id, episode.scene, episode.before)
        reply = await self._calls.send(await self._illustrated.messages(messages), handed)
        if reply is not None and asks_for_map(call):
            picture = await anyio.to_thread.run_sync(map_markdown, self._case, episode, call, reply)
            transcript().info(picture, source="map")
        return reply

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        """Run all at once and wait for all."""
        await together(heading, awaitables)
