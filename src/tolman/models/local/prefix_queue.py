"""Whose turn it is at a model that answers one call at a time: whichever begins most like the call before it.

A scene asks for many branches of one conversation at once. What llama.cpp holds is the last prompt, so that the order
of the calls decides how much is computed again: in this order a conversation is followed to its end before another.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from inspect_ai.model import ChatMessage

PAUSE = 0.02
"""Seconds for which those who wait hold back after a reply, so that the conversation it belongs to can go on first."""
MAX_WAITING = 256
"""Calls that may wait at once: more than a scene has branches."""


@dataclass(eq=False)
class _Ticket:
    text: str
    freed: anyio.Event = field(default_factory=anyio.Event)


class PrefixQueue:
    """Calls wait here. Nobody starves: a run has a finite number of calls, and each ends."""

    def __init__(self) -> None:
        self._last, self._busy = "", False
        self._waiting: list[_Ticket] = []

    @asynccontextmanager
    async def turn(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[None]:
        """Within, the model is the caller's alone."""
        ticket = _Ticket("\x00".join(f"{message.role}\x00{message.text}" for message in messages))
        self._waiting.append(ticket)
        try:
            while self._busy or self._next() is not ticket:
                await ticket.freed.wait()
                ticket.freed = anyio.Event()
                await anyio.sleep(PAUSE)
            self._busy = True
        finally:
            self._waiting.remove(ticket)
            if not self._busy:
                self._tell()
        try:
            yield
        finally:
            self._last, self._busy = ticket.text, False
            self._tell()

    def _next(self) -> _Ticket:
        return max(self._waiting, key=lambda ticket: shared_length(ticket.text, self._last))

    def _tell(self) -> None:
        for ticket in self._waiting:
            ticket.freed.set()


def shared_length(one: str, other: str) -> int:
    """Characters that two texts begin with alike; by halving, as the texts are long and compared often."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
