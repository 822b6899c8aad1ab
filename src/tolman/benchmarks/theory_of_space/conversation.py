"""A conversation with a model, as an immutable value: any point of it can be branched off, and leaves no trace."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tolman.benchmarks.theory_of_space.pages import left_out

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `role` is who speaks."""

    role: Role
    text: str


@dataclass(frozen=True)
class Conversation:
    """What was said so far, and the news since then that the next message begins with."""

    system: str
    opening: str
    """The page that explains everything; it is always sent along."""
    news: str
    said: tuple[tuple[str, str], ...] = ()
    """Messages and the replies to them. The opening belongs to the first message, but is kept apart."""

    def asking(self, request: str, window: int | None = None) -> list[Message]:
        """The messages that put a request, with the last `window` turns only if told so."""
        kept = self.said if window is None else self.said[max(0, len(self.said) - window) :]
        left = len(self.said) - len(kept)
        opening = f"{self.opening}\n\n{left_out(left)}" if left else self.opening
        users = [*(message for message, _ in kept), _joined(self.news, request)]
        messages = [Message("system", self.system)]
        for number, user in enumerate(users):
            messages.append(Message("user", user if number else _joined(opening, user)))
            if number < len(kept):
                messages.append(Message("assistant", kept[number][1]))
        return messages

    def answered(self, request: str, reply: str, news: str) -> "Conversation":
        """The conversation after a reply, and what the world said to it."""
        return replace(self, said=(*self.said, (_joined(self.news, request), reply)), news=news)


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def request(*parts: str) -> str:
    """Parts of a request, one under the other; empty ones are left out."""
    return _joined(*parts)


def as_text(messages: Sequence[Message]) -> str:
    """A conversation for people: who said what."""
    return "\n\n".join(f"[{message.role}]\n{message.text}" for message in messages)
