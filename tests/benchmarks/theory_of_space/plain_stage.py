"""A stage without Inspect: whoever answers is a plain function."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord
from tolman.explore.episode import Episode
from tolman.models.call_context import SceneCallContext
from tolman.models.scripted.reply import reply_to

Answer = Callable[[str, Sequence[Message], Episode], str | None]


class PlainStage:
    """Keeps every call with what was sent."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.sent: dict[str, Sequence[Message]] = {}
        self.replies: dict[str, str] = {}

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        assert call not in self.sent, f"{call} was sent twice"
        self.sent[call] = messages
        reply = self._answer(call, messages, episode)
        if reply is not None:
            self.replies[call] = reply
        return reply

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        await asyncio.gather(*awaitables)

    def record(self, log: Sequence[str] = ()) -> SceneRecord:
        calls = [Call(name=name, reply=reply) for name, reply in self.replies.items()]
        return SceneRecord(log=list(log), calls=calls)


def scripted(agent: str) -> Answer:
    """A scripted agent on the stage."""

    def answer(call: str, messages: Sequence[Message], episode: Episode) -> str:
        handed = SceneCallContext(call, "", episode.scene, episode.before)
        return reply_to(agent, [(message.role, message.text) for message in messages], handed)

    return answer
