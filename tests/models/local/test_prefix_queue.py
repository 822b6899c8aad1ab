"""Calls at a local model take turns so that each goes on from the one before it, as far as that can be."""

import anyio
import pytest
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser

from tolman.models.local.prefix_queue import PrefixQueue, shared_length

LONG = "You stand in a room, and to the north there is a lamp. "


def talk(*texts: str) -> list[ChatMessage]:
    return [
        ChatMessageAssistant(content=text) if number % 2 else ChatMessageUser(content=text)
        for number, text in enumerate(texts)
    ]


def order_of(calls: dict[str, list[ChatMessage]], first: str, follow: dict[str, str]) -> list[str]:
    """In which order calls are answered that all come at once; some are sent only once another is answered."""
    queue, answered = PrefixQueue(), list[str]()

    async def call(name: str) -> None:
        async with queue.turn(calls[name]):
            await anyio.sleep(0.01)
            answered.append(name)
        if name in follow:
            await call(follow[name])

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(call, first)
            await anyio.sleep(0.001)
            for name in calls:
                if name != first and name not in follow.values():
                    group.start_soon(call, name)

    anyio.run(main)
    return answered


def test_branches_of_one_conversation_come_before_another_scene():
    calls = {
        "a/1": talk(f"Scene A. {LONG}"),
        "b/ask/1": talk(f"Scene B. {LONG}", "Observe()", "Where is the sofa?"),
        "a/ask/1": talk(f"Scene A. {LONG}", "Observe()", "Where is the sofa?"),
        "b/ask/2": talk(f"Scene B. {LONG}", "Observe()", "Where is the lamp?"),
        "a/ask/2": talk(f"Scene A. {LONG}", "Observe()", "Where is the lamp?"),
    }
    assert order_of(calls, "a/1", {}) == ["a/1", "a/ask/1", "a/ask/2", "b/ask/1", "b/ask/2"]


def test_a_conversation_goes_on_before_branches_of_it():
    """Its next turn is only sent when the reply is there, while the questions wait already."""
    calls = {
        "turn/1": talk(LONG),
        "ask/1": talk(LONG[:-10] + "Where is the sofa?"),
        "turn/2": talk(LONG, "Observe()", "You see a sofa."),
        "turn/3": talk(LONG, "Observe()", "You see a sofa.", "Observe()", "You see a bed."),
    }
    answered = order_of(calls, "turn/1", {"turn/1": "turn/2", "turn/2": "turn/3"})
    assert answered == ["turn/1", "turn/2", "turn/3", "ask/1"]


def test_a_call_that_is_given_up_lets_the_next_one_in():
    queue, answered = PrefixQueue(), list[str]()

    async def call(text: str, seconds: float) -> None:
        with anyio.move_on_after(seconds):
            async with queue.turn(talk(text)):
                await anyio.sleep(0.05)
                answered.append(text)

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(call, "one", 9.0)
            await anyio.sleep(0.01)
            group.start_soon(call, "one and more", 0.01)
            group.start_soon(call, "two", 9.0)

    anyio.run(main)
    assert answered == ["one", "two"]


@pytest.mark.parametrize(
    ("one", "other", "length"), [("", "a", 0), ("abc", "abd", 2), ("abc", "abc", 3), ("ab", "abc", 2), ("x", "y", 0)]
)
def test_shared_length(one: str, other: str, length: int):
    assert shared_length(one, other) == shared_length(other, one) == length
