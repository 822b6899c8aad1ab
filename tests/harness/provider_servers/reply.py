"""Replies in the shapes that providers really send: as bodies of HTTP, before any client has read them.

A shape says `text`, the words that a model would say, in one provider's protocol, and in which way the reply ends. The
bodies follow the providers' references and what their servers were seen to send, odd and missing fields included.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Body = dict[str, Any]
Says = Literal["the text", "nothing", "something else"]
"""What of a reply is the model's answer: its text, nothing (it is empty, or all of it is reasoning), or a refusal."""
THOUGHT = "The wardrobe would be to the east, so Answer: east is wrong."
"""Reasoning; no shape may let any of it into a reply."""


@dataclass(frozen=True)
class Shape:
    """One way to send a reply."""

    name: str
    body: Callable[[str], Body]
    says: Says = "the text"
    stop: str = "stop"
    """Why it ended, in Inspect's words."""
    thinks: bool = False
    """Whether `THOUGHT` came along."""
    status: int = 200


def without(body: Body, *names: str) -> Body:
    return {name: value for name, value in body.items() if name not in names}


def refused(code: str, message: str) -> Body:
    """An error of OpenAI's."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}
